#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace sliceferry::storm {

/// The server's side of TLS over bytes that someone else carries. One certificate for all sessions.
class http_tls {
public:
  /// Throws std::runtime_error naming the file that can't be used (PEM, chain and key).
  http_tls(const std::string& certificate_file, const std::string& key_file);
  ~http_tls();
  http_tls(const http_tls&) = delete;
  http_tls& operator=(const http_tls&) = delete;

  class session {
  public:
    explicit session(const http_tls& server);
    ~session();
    session(const session&) = delete;
    session& operator=(const session&) = delete;

    /// Takes what the peer sent and appends what it says to `plain`, and what must be sent back to `wire`. False when
    /// the session can't go on.
    bool receive(std::string_view from_peer, std::string& plain, std::string& wire);
    /// Appends what carries `plain` to `wire`; only once `ready`.
    bool send(std::string_view plain, std::string& wire);
    bool ready() const;

  private:
    struct impl;
    void drain(std::string& wire);
    std::unique_ptr<impl> impl_;
  };

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace sliceferry::storm
