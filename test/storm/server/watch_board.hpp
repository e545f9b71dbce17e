#pragma once
#include "test/storm/server/event_log.hpp"
#include "test/storm/server/kind_table.hpp"
#include "test/storm/server/selector.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace sliceferry::storm {

/// What a watch asked for.
struct watch_request {
  served_kind of;
  std::string nspace; ///< empty: all
  selector keeps;
  bool bookmarks = false;
  bool starts_with_state = false;    ///< synthetic ADDED events first
  bool marks_end_of_state = false;   ///< a bookmark that says so follows them
  std::optional<std::uint64_t> from; ///< without a value: from now
  std::optional<instant> until;
};

/// The open watches of a server, and who is told of what.
///
/// Sinks may end their own or other watches while they are called.
class watch_board {
public:
  std::uint64_t open(watch_request asked, cluster::watcher sinks, instant now);
  /// Delivers what is due, from a store at a version.
  void begin(std::uint64_t watch, const object_store& store, const event_log& log, std::uint64_t version);
  void close(std::uint64_t watch);

  void publish(const logged_event& event);
  /// Bookmarks at the version, and ends of watches whose time is over.
  void tick(instant now, std::uint64_t version);
  void end_all();
  void end_of_kind(std::size_t kind);

  std::size_t size() const { return open_.size(); }

private:
  struct watcher {
    watch_request asked;
    cluster::watcher sinks;
    bool begun = false;
    bool over = false;
    std::uint64_t told = 0; ///< what it was told of is not later than this
    instant bookmarked{};
  };
  using shared_watcher = std::shared_ptr<watcher>;

  void deliver(watcher& to, const logged_event& event, shared_text& stored_line);
  void deliver_state(watcher& to, const object_store& store, std::uint64_t version);
  void bookmark(watcher& to, std::uint64_t version, bool end_of_state);
  void end(std::uint64_t id);
  template <class Pick>
  void end_where(Pick pick);

  std::map<std::uint64_t, shared_watcher> open_;
  std::uint64_t last_id_ = 0;
};

} // namespace sliceferry::storm
