#pragma once
#include "actors/core/guard_check.hpp"
#include "actors/core/mirrored.hpp"
#include "actors/core/withdrawal_count.hpp"
#include "messages/clock.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace sliceferry::core {

/// How much may go without being asked about: both must be exceeded for the guard to trip.
struct guard_limits {
  unsigned share_percent = 30; ///< of the member's exports, by their highest count within the window
  std::size_t count = 50;
  std::chrono::nanoseconds window = std::chrono::seconds(60);
};

enum class guard_state {
  open,     ///< what is asked for gets leave
  checking, ///< tripped: nothing leaves while the member is looked at once more
  holding,  ///< the member is not what it should be; nothing leaves until it is, or an operator gives leave
};

/// Stands between the slices of one member and their withdrawal where nothing but an absence speaks for it: a view of
/// the member that is wrongly empty looks the same as one where all was deleted (pitfall LW37, D34). A ServiceExport
/// that ends counts as absent: all of them end where the CRD is deleted by mistake.
///
/// Leave is given to each slice that asks until, within the window, it would be given to more than the limits. Then
/// the guard trips: no slice of that batch gets leave, leave given within the window is revoked (a writer may still
/// take back what waits), and a check is ordered (`guard_check`). Confirmed, what is held gets leave and counting
/// starts at zero; else it is held and checked again every five minutes. The check ends with a sample of what is held:
/// it speaks for what was held when it was picked, and what asked later is judged as if it asked once all is over.
/// A namespace that ends explains its slices: they leave at once and don't count. The guard opens when nobody asks any
/// more. While those that it holds come back one by one (a restore), a hold doesn't look again before a window went by
/// without one, as what isn't back yet would seem meant; nor does it wait longer once the rest is within the limits.
/// Where it holds because the kind is lost, it looks for that with each list of ServiceExports, and once it is back
/// waits no longer than for such quiet, either.
///
/// Leave that was given within the window counts whatever becomes of it, as the export may be gone. Once tripped, that
/// count stands still: a hold doesn't end by waiting. No I/O; `now` never steps back.
class guard {
public:
  static constexpr std::chrono::minutes recheck_after{5};

  /// A slice that is to be withdrawn on an absence (`needs_leave`).
  struct wish {
    std::string slice_uid;
    std::string nspace;

    bool operator==(const wish&) const = default;
  };

  /// What has to be done now. A read that fails for a reason that time heals (`existence_after`) is no answer: it is
  /// done again until there is one, or `number` is another.
  struct orders {
    bool check = false;     ///< list every input once more, consistently, and read the ServiceExport CRD
    bool read_kind = false; ///< only the CRD, once more; answered by `kind_read`
    std::vector<std::string> read_namespaces; ///< each answered by `namespace_read`
    /// UIDs of slices: what is absent of each, the slice or its ServiceExport, is read; each answered by
    /// `absence_read`.
    std::vector<std::string> read_absent;
    std::vector<std::string> notify; ///< UIDs of slices whose leave changed

    bool operator==(const orders&) const = default;
  };

  explicit guard(guard_limits limits = {}) : limits_(limits), count_(limits.window) {}

  /// A whole batch at once, so that none of a batch that trips the guard leaves; a wish of before counts once.
  /// `exports`: how many the member has on the hub, those of the batch included.
  orders ask(const std::vector<wish>& wishes, std::size_t exports, tick now);
  /// These no longer wish to go: the slice is there after all, or its export is gone. Their leave ends. A whole batch
  /// at once, so that none of those forgotten opens the guard for another. Unknown ones are ignored.
  orders forget(const std::vector<std::string>& slice_uids, tick now);
  /// Leave was given and stands. A slice that never asked has none.
  bool leave(const std::string& slice_uid) const;

  void list_began(mirrored which);
  /// To be called once the list's own wishes were asked for and those that it refutes forgotten.
  orders list_done(mirrored which, bool is_empty, tick now);
  orders namespace_read(const std::string& nspace, existence how, tick now);
  orders kind_read(existence how, tick now);
  /// Of a slice that no longer waits for leave it tells nothing: it may be back by right, and another is read in its
  /// place. One that is back before its watch says so counts as missing from the lists, which errs on the safe side.
  orders absence_read(const std::string& slice_uid, existence how, tick now);

  /// An operator gives leave to all that is held.
  orders allow(tick now);
  /// Time went on.
  orders review(tick now);
  /// When `review` will have something to do, if time alone brings it about.
  std::optional<tick> due() const;

  guard_state state() const { return state_; }
  /// Of the last check. What reads show that were ordered under another number must not be told.
  std::uint64_t number() const { return number_; }
  /// The slice asked for leave and has none.
  /// It asked, and hasn't been forgotten.
  bool knows(const std::string& slice_uid) const { return known_.count(slice_uid) != 0; }
  bool waits(const std::string& slice_uid) const { return held_.count(slice_uid) != 0; }
  /// How many wait for leave.
  std::size_t held() const { return held_.size(); }
  /// One sentence for people: what tripped it, what it waits for or why it holds, and what to do.
  std::string text() const;

private:
  struct entry {
    std::string nspace;
    std::optional<tick> counted; ///< when it was given leave, if that counts
  };

  bool exceeds(std::size_t withdrawals) const;
  bool holds_for_kind() const;
  /// Those of `held_` that ask while the guard is open get leave, or trip it.
  void admit(const std::vector<std::string>& asking, tick now, orders& out);
  void trip(tick now, orders& out);
  void begin_check(orders& out);
  void grant(const std::string& uid, std::optional<tick> counted, orders& out);
  /// Leave for those whose namespace ends.
  template <class Uids>
  void explain(const Uids& slice_uids, orders& out);
  void judge(tick now, orders& out);
  /// The lists and reads say that the absence is real, but for what a sample may show yet.
  void sample_or_confirm(tick now, orders& out);
  /// Leave for all that is held but `late_`, for good, and an end of the check.
  void open_for_good(orders& out);
  /// Fewer wait: opens if nobody does.
  void ease(tick now);
  /// One that was held no longer wishes to go. A hold looks again when none has followed for a window, and not before.
  void wait_for_quiet(tick now);
  void found_kind(tick now);

  guard_limits limits_;
  guard_state state_ = guard_state::open;
  std::unordered_map<std::string, entry> known_; ///< by UID, all that wish to go
  std::set<std::string> held_;                   ///< of these, those without leave
  withdrawal_count count_;

  std::uint64_t number_ = 0;
  // While tripped:
  guard_check check_;
  std::set<std::string> late_; ///< of those held, those that asked after the sample of this check was picked
  guard_check::verdict why_ = guard_check::verdict::open; ///< of the last check that was completed
  bool kind_is_back_ = false;                             ///< and was lost by `why_`
  std::size_t base_ = 0;                                  ///< the exports of which the share is taken
  bool held_many_ = false;                                ///< more than the limits when the last check began
  std::size_t let_go_before_ = 0; ///< given leave within the window before and forgotten: it can't be revoked
  tick tripped_at_{};
  tick recheck_at_{};
};

} // namespace sliceferry::core
