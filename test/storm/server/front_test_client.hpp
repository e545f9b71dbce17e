#pragma once
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sliceferry::storm {

/// A plain blocking connection that shows each byte and how it ends. Gives up after 20 s of silence.
class front_test_client {
public:
  struct answer {
    int status = 0;
    std::string head;
    std::string body;
  };
  enum class ending { open, closed, reset, silent };

  explicit front_test_client(std::uint16_t port) : fd_{socket(AF_INET, SOCK_STREAM, 0)} {
    timeval patience{20, 0};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const void* any = &address;
    is_connected_ = connect(fd_, static_cast<const sockaddr*>(any), sizeof address) == 0;
  }
  ~front_test_client() { ::close(fd_); }
  front_test_client(const front_test_client&) = delete;
  front_test_client& operator=(const front_test_client&) = delete;

  bool is_connected() const { return is_connected_; }
  int descriptor() const { return fd_; }

  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0)
        return; // the server went away, which reading shows
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  void ask(std::string_view method, std::string_view target, std::string_view body = {},
           std::string_view user = "sliceferry") const {
    send(request(method, target, body, user));
  }

  static std::string request(std::string_view method, std::string_view target, std::string_view body = {},
                             std::string_view user = "sliceferry") {
    std::string out;
    ((out += method) += " ") += target;
    (out += " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ") += user;
    out += "-token\r\nContent-Type: ";
    out += method == "PATCH" ? "application/merge-patch+json" : "application/json";
    (out += "\r\nContent-Length: ") += std::to_string(body.size());
    return (out += "\r\n\r\n") += body;
  }

  /// Of a body with Content-Length. Status 0 when the connection ended instead.
  answer read_answer() {
    answer out;
    out.head = read_head();
    const auto length = out.head.find("Content-Length: ");
    if (length == std::string::npos)
      return {};
    out.status = std::stoi(out.head.substr(9, 3));
    out.body = take(std::stoul(out.head.substr(length + 16)));
    return out;
  }

  answer call(std::string_view method, std::string_view target, std::string_view body = {},
              std::string_view user = "sliceferry") {
    ask(method, target, body, user);
    return read_answer();
  }

  /// Up to the empty line, with it; empty when the connection ended before.
  std::string read_head() { return take_through("\r\n\r\n"); }

  /// Empty for the last one, and when the connection ended instead.
  std::string read_chunk() {
    const std::string size = take_through("\r\n");
    if (size.empty())
      return {};
    std::string out = take(std::stoul(size, nullptr, 16) + 2);
    return out.substr(0, out.size() < 2 ? 0 : out.size() - 2);
  }

  /// Reads on until it ends.
  ending read_end() {
    while (more()) {
    }
    return ended_;
  }
  ending ended() const { return ended_; }
  const std::string& unread() const { return in_; }

  /// Packets with data that came so far.
  std::uint32_t packets() const {
    // What the kernel tells is longer than the C library knows.
    struct longer {
      tcp_info known;
      std::uint64_t rates_and_bytes[4];
      std::uint32_t segments[4];
      std::uint32_t data_segments_in;
    } info{};
    socklen_t size = sizeof info;
    getsockopt(fd_, IPPROTO_TCP, TCP_INFO, &info, &size);
    return info.data_segments_in;
  }

private:
  bool more() {
    char piece[16 << 10];
    const auto got = recv(fd_, piece, sizeof piece, 0);
    if (got > 0) {
      in_.append(piece, static_cast<std::size_t>(got));
      return true;
    }
    ended_ = got == 0 ? ending::closed : errno == ECONNRESET ? ending::reset : ending::silent;
    return false;
  }

  std::string take(std::size_t size) {
    while (in_.size() < size && more()) {
    }
    std::string out = in_.substr(0, size);
    in_.erase(0, size);
    return out;
  }

  std::string take_through(std::string_view mark) {
    while (in_.find(mark) == std::string::npos)
      if (!more())
        return {};
    return take(in_.find(mark) + mark.size());
  }

  int fd_;
  std::string in_;
  bool is_connected_ = false;
  ending ended_ = ending::open;
};

} // namespace sliceferry::storm
