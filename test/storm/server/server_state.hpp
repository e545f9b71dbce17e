#pragma once
#include "test/storm/server/event_log.hpp"
#include "test/storm/server/kind_table.hpp"
#include "test/storm/server/object_meta.hpp"
#include "test/storm/server/object_store.hpp"
#include "test/storm/server/request_counts.hpp"
#include "test/storm/server/watch_board.hpp"

#include <boost/json/monotonic_resource.hpp>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace sliceferry::storm {

/// An object's place in the store.
struct object_place {
  std::string_view nspace; ///< empty for what has none
  std::string_view name;
};

/// What was changed, for the history.
struct store_change {
  history_entry::change what = history_entry::change::none;
  shared_revision object; ///< after it
};

/// All that a server is made of. The verbs are functions over it.
struct server_state {
  server_state(cluster_options chosen, cluster::history_sink sink);

  cluster_options options;
  cluster::history_sink history;
  kind_table kinds;
  object_store store;
  event_log log;
  watch_board board;
  request_counts counts;
  std::set<std::pair<std::string, rights>> forbidden; ///< users, and what they may not do
  std::map<std::string, double, std::less<>> thinned; ///< users, and the share of objects that lists keep from them
  bool mutates_exports = false;
  std::uint64_t version = 1; ///< the newest resourceVersion
  std::uint64_t writes = 0;
  std::uint64_t made = 0; ///< objects so far, for UIDs and generated names
  instant now{};

  /// Whether a list hides this object from the user.
  bool hides(std::string_view user, object_place at) const;

  /// Called after each change of the store, with it.
  std::function<void(const logged_event&)> on_change;

  collection& of(const resource_kind& kind);
  const std::string& stamp(); ///< now, as stamps are written

  /// Memory for the values of one request; given back by the next call.
  boost::json::storage_ptr fresh_memory();
  /// The same memory again.
  boost::json::storage_ptr memory() { return boost::json::storage_ptr{&*memory_}; }

  /// Makes the object be as given, at the next version that it carries already; tells log and watches.
  store_change put(const resource_kind& kind, object_place at, shared_revision object);
  /// Null where there is no such object.
  store_change erase(const resource_kind& kind, object_place at);

  /// One line of the history about what no request caused.
  void note_change(std::string_view user, std::string_view verb, const resource_kind& kind, object_place at,
                   const store_change& change);
  /// One about what befell the server; of a kind or of a user, if it is about such.
  void note_mark(std::string_view mark, std::string_view resource = {}, std::string_view name = {});

private:
  static constexpr std::size_t scratch_size = 256 * 1024;

  void record(const logged_event& event);

  std::unique_ptr<unsigned char[]> scratch_ = std::make_unique<unsigned char[]>(scratch_size);
  std::optional<boost::json::monotonic_resource> memory_{std::in_place, scratch_.get(), scratch_size};
  std::chrono::seconds stamped_{-1};
  std::string stamp_;
};

/// An object about to be written: its metadata and the texts of its members.
struct object_draft {
  object_meta meta;
  std::array<std::string_view, members_max> parts; ///< empty: absent
};

/// Writes the draft as a revision with the server's next version; nothing is stored by that.
shared_revision write_revision(server_state& state, const resource_kind& kind, const object_draft& draft,
                               std::string_view manager);

/// Reads a stored object's metadata back.
struct stored_meta {
  boost::json::value json; ///< what the views point into
  object_meta meta;
};
stored_meta read_stored_meta(const revision& object, boost::json::storage_ptr where = {});

/// The draft that would write the object as it is. The metadata must outlive it.
object_draft draft_of(const revision& object, object_meta meta);

} // namespace sliceferry::storm
