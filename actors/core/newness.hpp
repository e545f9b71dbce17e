#pragma once
#include "actors/core/slice_row.hpp"
#include "messages/object_key.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace sliceferry::core {

/// Who was where: identity is the UID, the key only says where to look.
struct sighting {
  object_key key;
  std::string uid;

  auto operator<=>(const sighting&) const = default;
};

/// What became of news about an object. `displaced` is the UID that held the key before, if another one did.
struct admission {
  bool taken = false;
  std::string displaced;
};

/// Who holds a key, and what was heard of it.
struct holding {
  std::string uid;
  std::string resource_version;
  hearing heard;

  bool operator==(const holding&) const = default;
};

/// Knows which news about the objects of one mirrored collection is newer than what is held, and who is absent. What is
/// held is kept elsewhere: each call is given what its key holds, and changes that.
///
/// Absence is concluded from a watched DELETE and at `init_done` alone; a list that broke off (a
/// second `init`) concludes nothing (pitfall LW24). The same name with another UID is another
/// object: the old one is gone (LW22).
///
/// Per key the newest resourceVersion wins, and news at or below it is stale; but
/// - a DELETE is never stale, since older servers send the version before it (LW20);
/// - what a list says replaces everything heard before its `init`, even by a lower version (a
///   restored backup, LW07); of what was heard since then the newer stays;
/// - a UID whose DELETE was watched returns by a later list, or by a watched change newer than the
///   DELETE, and never by an answer; one that an answer proved gone returns by a later list alone.
///   The last `buried_max` such UIDs are remembered.
///
/// Answers that contradict the stream put it in doubt: it passed the version of an object that we just made without a
/// word of it, or twice in a row an object is answered at a version below the one held. That is how a backup shows that
/// was restored under a watch which goes on in silence (LW07). What is held stands until the list that doubt asks for.
///
/// An answer to a write of our own may tell of an object before the watch does (LW23). When a
/// list ends without that object, the list's version decides whether it is newer than the list.
class newness {
public:
  explicit newness(std::size_t buried_max = 4096);

  /// A consistent list begins, or begins again.
  void init();
  /// The list of this version (or empty: then its newest item's) is complete. False if none was open. If true, whoever
  /// is held and `is_absent` is gone.
  bool init_done(const std::string& resource_version);
  /// True if the list that just ended proves the absence of this one.
  bool is_absent(const holding& held) const;
  /// The same by the hearing alone, where that is enough.
  std::optional<bool> is_absent(const hearing& heard) const;
  /// An item of the list, or a watched change.
  admission applied(std::optional<holding>& held, const std::string& uid, const std::string& resource_version);
  /// The object in the answer to a request of our own.
  admission answered(std::optional<holding>& held, const std::string& uid, const std::string& resource_version);
  /// A watched DELETE. True if it was this UID that was held; then nobody is.
  bool deleted(std::optional<holding>& held, const std::string& uid, const std::string& resource_version);
  /// The list that is open holds an object here that could not be decoded: who is held here isn't absent.
  void spare(hearing& heard) const;
  /// The answer to a request of our own proves that this one is no longer there, which the stream has yet to tell: all
  /// that it tells of it before that is stale.
  void removed(const std::string& uid);

  /// True once for each time that the stream fell into doubt, until a list ends it.
  bool take_doubt();
  /// True once for each list that turned out to be older than what was heard before it: a backup was restored.
  bool take_restored() { return std::exchange(restored_, false); }
  /// True from the first `init_done` on, through all later lists.
  bool synced() const { return synced_; }

private:
  struct burial {
    std::string resource_version;
    std::uint64_t list = 0;
  };

  admission put(std::optional<holding>& held, const std::string& uid, const std::string& resource_version) const;
  bool is_buried(const std::string& uid, const std::string& resource_version) const;
  void bury(const std::string& uid, const std::string& resource_version);
  void unbury(const std::string& uid);
  void advance(const std::string& resource_version);
  void raise_doubt();
  /// True if the stream has passed this version, so that what it doesn't hold is no longer there.
  bool passed(const std::string& resource_version) const;

  std::unordered_map<std::string, burial> buried_;
  std::deque<std::string> buried_order_;
  std::size_t buried_max_;
  std::string position_; ///< highest version of the current list and of the watch after it
  std::string position_before_list_;
  std::uint64_t list_ = 0;
  bool restored_ = false;
  bool listing_ = false;
  bool synced_ = false;
  enum class doubt { none, raised, told } doubt_ = doubt::none;
};

} // namespace sliceferry::core
