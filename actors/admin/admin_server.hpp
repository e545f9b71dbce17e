#pragma once
#include "actors/admin/asked_path.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace sliceferry {

/// What a page answers.
struct admin_answer {
  unsigned status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
};

/// Pages by exact path (`/livez`); a query string is not looked at. Called on the server's thread,
/// so they must be quick, must not block and must not throw.
using admin_routes = std::map<std::string, std::function<admin_answer()>>;

/// What an operator may tell the program, by exact path: answers to POST alone, and only to a peer on this machine that
/// sends the header `order_header` (a browser that some page makes post cannot).
using admin_orders = std::map<std::string, std::function<admin_answer()>>;
inline constexpr const char* order_header = "Sliceferry-Order";

/// Questions whose answer may come later, by the prefix of their paths (`/explain/`): GET and HEAD, from anywhere.
/// Called on the server's thread, with the same duties as pages; the answer may be given on any thread, at once or when
/// nobody waits for it any more, and the first one counts.
using admin_reply = std::function<void(admin_answer)>;
using admin_questions = std::map<std::string, std::function<void(const asked_path&, admin_reply)>>;

/// All that a server serves.
struct admin_site {
  admin_routes routes;
  admin_orders orders{};
  admin_questions questions{};
};

struct admin_options {
  std::chrono::milliseconds patience{3'000}; ///< how long a question may take before its answer is 504
  std::chrono::milliseconds idle{30'000};    ///< the longest that a request, an answer or the pause before may last
  std::size_t connections_max = 64;          ///< beyond it the connection that was silent for longest makes way
  std::size_t header_bytes_max = 8 << 10;
};

/// The HTTP server for probes, scrapes and people: GET and HEAD, and POST for orders; keep-alive, one thread of
/// its own. It trusts no peer: everything is bounded, and request bodies are refused.
class admin_server {
public:
  explicit admin_server(admin_routes routes, admin_options options = {}, admin_orders orders = {});
  explicit admin_server(admin_site site, admin_options options = {});
  ~admin_server(); ///< stops
  admin_server(const admin_server&) = delete;
  admin_server& operator=(const admin_server&) = delete;

  /// Begins to serve on `address:port` (numeric or `localhost`; IPv6 in brackets; port 0: any free
  /// one). Nothing on success, else one sentence such as
  /// `listen on 127.0.0.1:8080: address already in use`. At most once.
  [[nodiscard]] std::optional<std::string> listen(const std::string& address);

  /// The port that is served; 0 before a successful `listen`.
  std::uint16_t port() const;

  /// Closes every connection and ends the thread; from any thread but its own, more than once.
  void stop();

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace sliceferry
