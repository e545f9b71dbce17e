#include "test/k8s/loopback_server.hpp"

#include "k8s/pem.hpp"

#include <openssl/ssl.h>

#include <array>
#include <csignal>
#include <sstream>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sliceferry::k8s::test {

namespace {

int bound_socket(int& port) {
  const int out = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  bind(out, reinterpret_cast<const sockaddr*>(&address), size);
  getsockname(out, reinterpret_cast<sockaddr*>(&address), &size);
  port = ntohs(address.sin_port);
  return out;
}

ssl_ctx_st* make_context(const loopback_server::tls_settings& settings) {
  SSL_CTX* out = SSL_CTX_new(TLS_server_method());
  const auto chain = read_certificates(settings.own.certificate);
  const auto key = read_private_key(settings.own.key);
  SSL_CTX_use_certificate(out, chain->front().get());
  SSL_CTX_use_PrivateKey(out, key->get());
  if (!settings.client_ca.empty()) {
    const auto trusted = read_certificates(settings.client_ca);
    X509_STORE_add_cert(SSL_CTX_get_cert_store(out), trusted->front().get());
    SSL_CTX_set_verify(out, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  }
  const std::array<unsigned char, 1> id{1};
  SSL_CTX_set_session_id_context(out, id.data(), id.size());
  return out;
}

/// OpenSSL's `write` to a closed socket must not end the test program.
void block_sigpipe() {
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
}

} // namespace

peer::peer(int socket, ssl_ctx_st* tls) : socket_{socket} {
  const int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (tls == nullptr)
    return;
  tls_ = SSL_new(tls);
  SSL_set_fd(tls_, socket_);
}

peer::~peer() {
  SSL_free(tls_);
  close_socket();
}

bool peer::shake_hands() {
  return tls_ == nullptr || SSL_accept(tls_) == 1;
}

long peer::receive(char* into, std::size_t size) {
  return tls_ != nullptr ? SSL_read(tls_, into, static_cast<int>(size)) : recv(socket_, into, size, 0);
}

std::string peer::request() {
  const auto complete = [this]() -> std::size_t {
    const auto head = unread_.find("\r\n\r\n");
    if (head == std::string::npos)
      return 0;
    const auto field = unread_.find("Content-Length: ");
    const auto body = field < head ? std::stoul(unread_.substr(field + 16)) : 0;
    return unread_.size() >= head + 4 + body ? head + 4 + body : 0;
  };
  std::array<char, 16'384> part{};
  std::size_t size = 0;
  while ((size = complete()) == 0) {
    const auto got = receive(part.data(), part.size());
    if (got <= 0)
      return {};
    unread_.append(part.data(), static_cast<std::size_t>(got));
  }
  auto out = unread_.substr(0, size);
  unread_.erase(0, size);
  return out;
}

void peer::send(const std::string& bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const auto n = tls_ != nullptr ? SSL_write(tls_, bytes.data() + sent, static_cast<int>(bytes.size() - sent))
                                   : ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n <= 0)
      return;
    sent += static_cast<std::size_t>(n);
  }
}

void peer::answer(const std::string& body, int status) {
  send("HTTP/1.1 " + std::to_string(status) +
       " X\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
}

void peer::wait_for_close() {
  std::array<char, 4'096> part{};
  while (receive(part.data(), part.size()) > 0) {
  }
}

void peer::farewell() {
  if (tls_ != nullptr)
    SSL_shutdown(tls_);
  cut();
}

void peer::cut() {
  shutdown(socket_, SHUT_WR);
}

void peer::reset() {
  const linger now{1, 0};
  setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  close_socket();
}

std::string peer::server_name() const {
  const char* name = SSL_get_servername(tls_, TLSEXT_NAMETYPE_host_name);
  return name != nullptr ? name : "";
}

std::string peer::client_name() const {
  const X509* shown = SSL_get0_peer_certificate(tls_);
  std::array<char, 100> name{};
  if (shown != nullptr)
    X509_NAME_get_text_by_NID(X509_get_subject_name(shown), NID_commonName, name.data(), static_cast<int>(name.size()));
  return name.data();
}

bool peer::resumed() const {
  return SSL_session_reused(tls_) == 1;
}

void peer::shut() {
  const std::lock_guard lock{guard_};
  if (socket_ >= 0)
    shutdown(socket_, SHUT_RDWR);
}

void peer::close_socket() {
  const std::lock_guard lock{guard_};
  if (socket_ >= 0)
    close(std::exchange(socket_, -1));
}

loopback_server::loopback_server(script what, std::optional<tls_settings> tls) : script_{std::move(what)} {
  if (tls)
    tls_ = make_context(*tls);
  listener_ = bound_socket(port_);
  listen(listener_, 128);
  acceptor_ = std::thread{[this] { accept_all(); }};
}

void loopback_server::accept_all() {
  for (;;) {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0)
      return;
    const std::lock_guard lock{guard_};
    const auto client = std::make_shared<peer>(socket, tls_);
    peers_.push_back(client);
    threads_.emplace_back([this, weak = std::weak_ptr{client}, number = accepted_++] {
      block_sigpipe();
      const auto self = weak.lock();
      if (self->shake_hands())
        script_(*self, number);
      const std::lock_guard done{guard_};
      std::erase(peers_, self);
    });
  }
}

loopback_server::~loopback_server() {
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  close(listener_);
  {
    const std::lock_guard lock{guard_};
    for (const auto& one : peers_)
      one->shut();
  }
  for (auto& one : threads_)
    one.join();
  SSL_CTX_free(tls_);
}

std::string loopback_server::url(const std::string& host) const {
  return (tls_ != nullptr ? "https://" : "http://") + host + ":" + std::to_string(port_);
}

closed_port::closed_port() : socket_{bound_socket(port_)} {}

closed_port::~closed_port() {
  close(socket_);
}

std::string chunk(const std::string& bytes) {
  std::ostringstream size;
  size << std::hex << bytes.size();
  return size.str() + "\r\n" + bytes + "\r\n";
}

} // namespace sliceferry::k8s::test
