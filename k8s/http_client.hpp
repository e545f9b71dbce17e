#pragma once
#include "k8s/credentials.hpp"
#include "k8s/io_loop.hpp"
#include "k8s/result.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sliceferry::k8s {

enum class http_method { get, post, put, patch, del };

/// `GET`, `POST`, `PUT`, `PATCH`, `DELETE`.
std::string_view to_string(http_method method);

/// One short call. `target` is path and query; host and credentials are the client's.
struct http_request {
  http_method method = http_method::get;
  std::string target;
  std::string content_type; ///< of `body`; empty without one
  std::string body;
  /// Its owner answers for each time that it is sent, since a limiter counts them: a GET that meets a dead connection
  /// fails instead of being sent once more.
  bool counted = false;
};

/// A complete answer of the server, whatever its status.
struct http_response {
  unsigned status = 0;
  std::optional<std::chrono::seconds> retry_after; ///< the header, if it held whole seconds; clamped to 0–60
  std::string body;
};

/// Deadlines of each phase and the size of the pool.
struct http_options {
  std::size_t connections_max = 32;
  std::size_t queue_max = 100'000;       ///< calls waiting for a connection; beyond it: unavailable
  std::size_t body_bytes_max = 64 << 20; ///< of one short answer
  std::chrono::milliseconds resolve{5'000};
  std::chrono::milliseconds connect{5'000};
  std::chrono::milliseconds handshake{5'000};
  std::chrono::milliseconds answer{30'000}; ///< from the request's first byte to the answer's last
  /// Until a stream's status line and headers, if its longest silence isn't shorter. An API server answers a
  /// watch at once and gives a list up after a minute.
  std::chrono::milliseconds head{60'000};
  /// How often certificate files are looked at and connections closed that idled as long.
  std::chrono::milliseconds upkeep{60'000};
  std::string user_agent = "sliceferry";
};

/// What a streaming GET reports, always on the loop's thread.
struct stream_handlers {
  /// The status line and headers arrived. The body follows in `bytes`, whatever the status.
  std::function<void(unsigned status, std::optional<std::chrono::seconds> retry_after)> head;
  /// Some raw bytes of the body, any split. Valid during the call only.
  std::function<void(std::string_view bytes)> bytes;
  /// Called exactly once, last, unless the stream is cancelled. Nothing: the body ended complete
  /// (final chunk or full length). Else the connection failed, was cut, or a deadline passed.
  std::function<void(std::optional<failure> broken)> end;
  /// Certificate files have changed, and the stream runs under the old ones: what its server knows us by may
  /// expire. Told at each upkeep until its owner ends it, when that suits.
  std::function<void()> outdated = [] {};
};

/// A streaming GET in progress; destroying it cancels it without further calls.
class http_stream {
public:
  virtual ~http_stream() = default;
  /// Stops reading the socket (back-pressure) until `resume`. While paused the idle deadline rests.
  virtual void pause() = 0;
  virtual void resume() = 0;
};

/// HTTP/1.1 to one API server with one credential: a pool of keep-alive connections for short
/// calls, and a connection of its own for every stream (a watch never takes a writer's place).
///
/// - TLS verifies the chain against the given CA and the name: SNI and DNS names for hosts, binary
///   IP-SANs and no SNI for IP literals, `tls-server-name` where set.
/// - Names are resolved anew for each connection and all addresses are tried.
/// - A GET on a reused connection that the server had closed is sent once more on a fresh one, unless it is
///   `counted`; a write never is.
/// - TCP keepalive (15 s, 5 s, 3) and TCP_USER_TIMEOUT (30 s) find dead peers.
/// - Bearer tokens go over TLS only, or to a loopback address. Redirects are not followed.
/// - Certificate files are looked at for each new connection and at each upkeep. When they changed, pooled
///   connections end after their call, and streams are told that they are outdated.
/// - `401` makes it read token file and client certificate again before the next call.
class http_client {
public:
  http_client(io_loop& loop, cluster_access access, http_options options = {});
  /// Closes everything and drops pending calls unanswered: nothing is called once it has returned.
  /// On another thread than the loop's it waits for the loop, which may also be gone already.
  ~http_client();
  http_client(const http_client&) = delete;
  http_client& operator=(const http_client&) = delete;

  /// Sends one call; `done` runs on the loop exactly once. Callable from any thread.
  /// Failures: `unavailable` – the server cannot have acted (also every failed GET);
  /// `ambiguous` – a write was at least partly sent and no complete answer came.
  void call(http_request request, std::function<void(result<http_response>)> done);

  /// Opens a streaming GET on its own connection; on the loop's thread only. `idle` is the
  /// longest silence (no byte) before the stream counts as broken, once its head has come.
  std::shared_ptr<http_stream> open(std::string target, std::chrono::milliseconds idle, stream_handlers handlers);

  /// A GET of `target` as failures name it, `GET https://host:port/path`. From any thread.
  std::string name_of_get(std::string target) const;

  /// Closes everything; pending calls end as `unavailable` or `ambiguous`. From any thread.
  void stop();

private:
  struct impl;
  std::shared_ptr<impl> impl_;
};

} // namespace sliceferry::k8s
