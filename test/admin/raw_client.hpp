#pragma once
#include <arpa/inet.h>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

namespace sliceferry {

/// A plain TCP client of a loopback port: shows what really goes over the wire. A read that
/// lasts five seconds gives up.
class raw_client {
public:
  explicit raw_client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{5, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(port);
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0;
  }
  ~raw_client() { ::close(socket_); }
  raw_client(const raw_client&) = delete;
  raw_client& operator=(const raw_client&) = delete;

  bool connected() const { return connected_; }

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0)
        return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  /// One answer: head and as many bytes of body as its Content-Length says (none for HEAD).
  std::string answer(bool has_body = true) {
    while (held_.find("\r\n\r\n") == std::string::npos)
      if (!more())
        return std::exchange(held_, {});
    std::size_t size = held_.find("\r\n\r\n") + 4;
    if (const auto length = held_.find("Content-Length: "); has_body && length < size)
      size += std::strtoul(held_.c_str() + length + 16, nullptr, 10);
    while (held_.size() < size)
      if (!more())
        return std::exchange(held_, {});
    const std::string out = held_.substr(0, size);
    held_.erase(0, size);
    return out;
  }

  /// True when the server closes within the patience, whatever it still sends.
  bool closed() {
    while (more())
      held_.clear();
    return ended_;
  }

private:
  bool more() {
    char bytes[4096];
    const auto got = ::recv(socket_, bytes, sizeof bytes, 0);
    if (got > 0)
      held_.append(bytes, static_cast<std::size_t>(got));
    else
      ended_ = got == 0 || errno == ECONNRESET;
    return got > 0;
  }

  int socket_;
  bool connected_ = false;
  bool ended_ = false;
  std::string held_;
};

} // namespace sliceferry
