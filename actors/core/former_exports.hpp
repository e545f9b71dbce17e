#pragma once
#include "actors/core/guard.hpp"
#include "actors/core/hub_view.hpp"
#include "actors/core/leftover.hpp"
#include "actors/core/target.hpp"
#include "messages/clock.hpp"
#include "messages/command.hpp"
#include "messages/outcome.hpp"
#include "messages/slice_export.hpp"
#include "messages/watch_event.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sliceferry::core {

/// Who a member was to the fleet before it was renamed.
struct former_identity {
  std::string cluster; ///< clusterId in the references of that time
  std::string hub_nspace;
};

/// The exports that a member left behind under a former name, which nobody else would ever take away (D27): cluster id
/// and hub namespace of an export can't be changed.
///
/// Knows those that the first whole list of the former namespace held, by hub UID, and whose reference holds the former
/// cluster id and a slice's UID; all others, whoever made them, don't exist for it. What comes later wasn't left
/// behind: it may be another cluster's to which the name was given since. If it is of a process that still runs under
/// the old name, it stays until the next start.
///
/// Of those it asks to withdraw what may go, `former_target` says why, never before the namespace was listed whole.
/// That a slice isn't there (`proof::leftover`) counts only once a list of the member's slices that began after the
/// export was seen here is complete: an older one may be older than the slice. No I/O; `now` never steps back.
class former_exports {
public:
  /// What is to be done now.
  struct plan {
    std::vector<withdraw_export> withdraw; ///< each is answered by `ended`
    std::vector<std::string> take_back;    ///< hub UIDs: these are out and shouldn't be any more
    std::vector<guard::wish> wishes;       ///< these wait for the guard's leave; said again until it is given
    std::vector<std::string> forget;       ///< slices whose wish ends
    bool relist = false;                   ///< one more list of the member's slices is needed; said once for each list
  };
  using judge = std::function<target(const leftover&)>;
  using has_leave = std::function<bool(const std::string& slice_uid)>;

  /// So many are looked at in one call of `due`, besides those that are out.
  static constexpr std::size_t looks_max = 512;

  /// `orphan_grace`: how long an export whose slice isn't there is left alone.
  explicit former_exports(former_identity who, std::chrono::nanoseconds orphan_grace = {});

  /// What was read of the former namespace.
  void exports(const watch_batch<slice_export>& seen);
  bool synced() const { return view_.synced(); }
  /// Lists of the member's slices; to be called once the table has taken what they show.
  void slices_began() { ++slice_list_; }
  void slices_done() { slices_listed_ = slice_list_; }
  /// How many there are still, live or terminating.
  std::size_t left() const { return entries_.size(); }
  /// Where the slice with this UID is, as the reference of an export says; nothing if none refers to it.
  std::optional<object_key> slice_of(const std::string& slice_uid) const;

  /// The export that `due` asked to withdraw; null once it is known to be gone.
  const leftover* find(const std::string& hub_uid) const;

  /// To be called now and then while any are left. At most `out_max` are out at a time; each is asked for once until
  /// it has ended.
  plan due(const judge& target_of, const has_leave& leave, tick now, std::size_t out_max);
  /// How a withdrawal ended. One that was done is asked for again only if the object is seen once more.
  void ended(const std::string& hub_uid, verdict how);

private:
  enum class phase { idle, out, taking_back, done };
  struct entry {
    leftover former;
    bool terminating = false;
    phase is = phase::idle;
    std::uint64_t done_in = 0; ///< number of the list during or after which it was done
    std::uint64_t seen_in = 0; ///< number of the list of slices that had begun last when it was first seen
    std::optional<tick> absent_since;
    bool wishes = false;
  };
  using entries = std::map<std::string, entry>; ///< by name

  void note(const hub_change& change);
  void wish(entry& each, bool on);
  void let_go(entry& each);
  /// A list that began after it was seen doesn't show its slice; asks for one unless it is on its way.
  bool is_proven_absent(const entry& each, plan& out);
  /// True if it may be withdrawn now; notes what it waits for.
  bool may_go(entry& each, const target& to_do, const has_leave& leave, tick now, plan& out);

  std::chrono::nanoseconds orphan_grace_;
  hub_view view_;
  entries entries_;
  std::map<std::string, std::string> out_;     ///< hub UID → name
  std::map<std::string, std::size_t> wishing_; ///< slice UID → how many of its exports wish
  std::vector<std::string> unwished_;          ///< since the last `due`
  std::vector<std::string> retracted_;         ///< hub UIDs, since the last `due`
  std::set<std::string> left_behind_;          ///< hub UIDs, once synced
  std::string next_look_;
  std::uint64_t list_ = 0;
  std::uint64_t slice_list_ = 0;    ///< number of the list of slices that began last
  std::uint64_t slices_listed_ = 0; ///< of the one that was completed last
  std::uint64_t asked_after_ = 0;   ///< `slice_list_`, plus one, when a list was asked for last
};

} // namespace sliceferry::core
