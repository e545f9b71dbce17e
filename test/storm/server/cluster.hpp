#pragma once
#include "test/storm/history/entry.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace sliceferry::storm {

/// Text that many connections send: serialised once.
using shared_text = std::shared_ptr<const std::string>;

/// A request as an API server sees it once HTTP and authentication are done.
struct api_request {
  std::string_view method; ///< GET, POST, PUT, PATCH, DELETE
  std::string_view target; ///< path and query as sent
  std::string_view content_type;
  std::string_view body;
  std::string_view user; ///< empty: no credential, which this server answers with 401
};

struct api_answer {
  unsigned status = 200;
  shared_text body; ///< JSON, or plain text of `/readyz` and `/metrics`
  std::optional<unsigned> retry_after_s;
  std::string_view content_type = "application/json";
};

/// What a user may be forbidden.
enum class rights : std::uint8_t {
  all,
  writes,
  watches, ///< and lists
};

struct cluster_options {
  std::string name;                    ///< `hub` or the member's; only for the history
  bool plays_hub_controller = false;   ///< puts the hub controller's finalizer on each export and honours it later
  std::uint64_t uid_seed = 1;          ///< UIDs are made from it, so that runs repeat
  std::size_t history_events = 50'000; ///< events kept for watches to resume from; older ones are compacted
};

/// One simulated API server with its store, without sockets, threads or clock: what a kube-apiserver over etcd
/// answers to the requests of a fleet's networking. Single-threaded; time is an argument.
///
/// One sequence of resourceVersions for all resources. Each request by whomever, but lists' pages and watches' events,
/// makes one entry of the history.
class cluster {
public:
  using history_sink = std::function<void(history_entry)>;

  cluster(cluster_options options, history_sink history);
  ~cluster();
  cluster(const cluster&) = delete;
  cluster& operator=(const cluster&) = delete;

  /// Anything but a watch.
  api_answer handle(const api_request& asked, instant now);

  struct watcher {
    /// One event with its newline; called during any method of the cluster, never during `watch` itself before it
    /// returned its id; events that are due at once are delivered by `begin`.
    std::function<void(const shared_text&)> line;
    /// The server ends the stream (its timeoutSeconds passed, or the collection is gone).
    std::function<void()> end;
  };
  /// True when this is a GET with `watch=true` or `1`.
  static bool is_watch(const api_request& asked);
  /// The id of a new watch, or the answer that refuses it. Nothing is delivered before `begin`.
  std::variant<std::uint64_t, api_answer> watch(const api_request& asked, instant now, watcher sinks);
  void begin(std::uint64_t watch);
  void unwatch(std::uint64_t watch);

  /// A moment passes: bookmarks (each watch that asked for them, about every second in which others' events moved the
  /// server on), ends of watches, what the played controllers do with some delay. To be called every ~50 ms.
  void tick(instant now);

  // What may befall it; each leaves a mark in the history.

  void compact(instant now);        ///< forgets all events: older resourceVersions answer 410
  void compact_beyond(instant now); ///< the same, and the newest one that anybody knows, too
  void end_watches(instant now);    ///< as a server that shuts down
  void back_up(instant now);        ///< remembers the whole store
  void restore(instant now);        ///< to the last backup: lower resourceVersions again; ends all watches
  void remove_kind(std::string_view resource, instant now);  ///< its CRD is deleted: objects gone, paths answer 404
  void install_kind(std::string_view resource, instant now); ///< the CRD is back, without objects
  /// The same, with the objects that the removal took, where their namespaces still stand.
  void bring_back_kind(std::string_view resource, instant now);
  void empty(instant now);          ///< all is as it was when the server was new; ends all watches
  void remake_nspaces(instant now); ///< those that `empty` took
  void forbid(std::string_view user, instant now, rights what = rights::all); ///< 403 to such requests of the user
  void allow(std::string_view user, instant now, rights what = rights::all);
  /// What is listed to the user lacks this share of its objects, by their names; 0: nothing.
  void thin_lists(std::string_view user, double share);
  /// A webhook gives each port of the exports that are written another appProtocol.
  void mutate_exports(bool mutates);

  /// A request that an injected fault answered before it got here, or whose answer it kept back.
  void note_fault(const api_request& asked, unsigned status, std::string_view fault, instant now);

  std::uint64_t resource_version() const;
  std::uint64_t writes() const; ///< changes of the store so far

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace sliceferry::storm
