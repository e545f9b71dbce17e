#pragma once
#include "k8s/http_client.hpp"
#include "k8s/io_loop.hpp"
#include "k8s/reflector.hpp"
#include "messages/watch_event.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry::k8s {

/// What a GET asks for; a list may take several, one for each page.
enum class get_kind { list, watch, probe };

/// How the mirroring of a collection stands.
struct collection_report {
  bool serving = false;                      ///< the latest GET was answered 200
  restart_reason why = restart_reason::none; ///< why the GET before it ended; `none` tells of a recovery
  std::optional<failure> failed;             ///< what we wait for, if we do
};

/// What a collection_watch tells and asks, always on the loop's thread.
template <class T>
struct collection_handlers {
  /// What one read yielded; takes one credit.
  std::function<void(std::shared_ptr<const watch_batch<T>>)> on_batch;
  /// At each restart, and when a failing collection is served again.
  std::function<void(const collection_report&)> on_report;
  /// An object that could not be read, for the log.
  std::function<void(const malformed&)> on_malformed;
  /// How long to wait after the n-th failure in a row (from 1).
  std::function<std::chrono::milliseconds(const failure& why, unsigned in_a_row)> retry_after;
  /// For the metrics: once for each GET, as soon as its answer's status is known or there will be none (0).
  /// Not for one that we dropped before. `took` counts from when the GET was handed to the client.
  std::function<void(get_kind what, unsigned status, std::chrono::nanoseconds took)> on_answer =
    [](get_kind, unsigned, std::chrono::nanoseconds) {};
};

struct collection_options {
  /// One kind under the names that servers may know it by, preferred first. Where one is not served
  /// the next is tried at once; only a whole round in vain is a failure.
  std::vector<resource> served_as;
  std::string nspace; ///< empty: all namespaces
  reflector_options reflecting;
  unsigned credits = 16;
};

/// Drives a reflector over streaming GETs of an `http_client`, for as long as it exists.
///
/// Without credits it stops reading the socket, so that a slow consumer slows the server and not
/// our memory; the batch that ends a list may be one too many. The destructor stops it; a callback
/// under way on the loop may still finish. Loop and client must outlive it, and the loop must come
/// to its end before it is stopped: destroying the client first sees to that.
template <class T>
class collection_watch {
public:
  /// Starts at once. Callable from any thread, as are all members.
  collection_watch(io_loop& loop, http_client& client, collection_options options, collection_handlers<T> handlers);
  ~collection_watch();
  collection_watch(const collection_watch&) = delete;
  collection_watch& operator=(const collection_watch&) = delete;

  /// The consumer has finished `batches` more.
  void grant(unsigned batches);
  /// One more consistent list, now.
  void relist();
  /// No callback begins once the loop has come to this.
  void stop();

private:
  struct impl;
  std::shared_ptr<impl> impl_;
};

} // namespace sliceferry::k8s
