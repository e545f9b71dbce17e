#pragma once
#include "test/k8s/made_certificates.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

struct ssl_ctx_st;
struct ssl_st;

namespace sliceferry::k8s::test {

/// One accepted connection, driven by blocking calls on a thread of its own.
class peer {
public:
  peer(int socket, ssl_ctx_st* tls);
  ~peer();
  peer(const peer&) = delete;
  peer& operator=(const peer&) = delete;

  bool shake_hands(); ///< true at once without TLS
  /// Head and body of the next request; empty once the client has closed.
  std::string request();
  void send(const std::string& bytes);
  void answer(const std::string& body, int status = 200);
  /// Returns when the client has closed or the server ends.
  void wait_for_close();
  void farewell();                 ///< TLS close_notify, then FIN
  void cut();                      ///< FIN without close_notify
  void reset();                    ///< RST
  std::string server_name() const; ///< SNI
  std::string client_name() const; ///< of its certificate
  bool resumed() const;
  void shut(); ///< from another thread: ends every blocking call

private:
  long receive(char* into, std::size_t size);
  void close_socket();

  std::mutex guard_;
  int socket_;
  ssl_st* tls_ = nullptr;
  std::string unread_;
};

/// A server on an ephemeral port of 127.0.0.1 that runs `script` for every connection, which it
/// numbers from 0. Ends when it is destroyed.
class loopback_server {
public:
  using script = std::function<void(peer& client, int number)>;

  struct tls_settings {
    identity own;
    std::string client_ca; ///< client certificates are demanded if there is one
  };

  explicit loopback_server(script what, std::optional<tls_settings> tls = std::nullopt);
  ~loopback_server();
  loopback_server(const loopback_server&) = delete;
  loopback_server& operator=(const loopback_server&) = delete;

  int port() const { return port_; }
  std::string url(const std::string& host = "127.0.0.1") const;
  int accepted() const { return accepted_; }

private:
  void accept_all();

  script script_;
  ssl_ctx_st* tls_ = nullptr;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<int> accepted_{0};
  std::mutex guard_;
  std::vector<std::shared_ptr<peer>> peers_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

/// A port of 127.0.0.1 on which nobody listens, while this lives.
class closed_port {
public:
  closed_port();
  ~closed_port();
  closed_port(const closed_port&) = delete;
  closed_port& operator=(const closed_port&) = delete;
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

private:
  int port_ = 0; ///< first: making the socket sets it
  int socket_;
};

std::string chunk(const std::string& bytes);

} // namespace sliceferry::k8s::test
