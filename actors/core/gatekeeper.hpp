#pragma once
#include "actors/core/foreign_hands.hpp"
#include "actors/core/guard.hpp"
#include "actors/core/leftover.hpp"
#include "actors/core/member_table.hpp"
#include "messages/outcome.hpp"
#include "messages/slice_export.hpp"
#include "messages/watch_event.hpp"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sliceferry::core {

/// Joins a member's guard and its count of foreign hands to its table: which slices ask for leave, what they are told,
/// and what on the hub counts as undone by somebody else. No I/O; `now` never steps back.
class gatekeeper {
public:
  gatekeeper(std::shared_ptr<const member_identity> who, guard_limits limits) : who_(std::move(who)), guard_(limits) {}

  /// News touched these slices: asks leave for those that nothing but an absence sends away, all at once, and forgets
  /// those of which that is no longer true. To be called before they are told, whatever their leave: `notify` names
  /// others only.
  guard::orders consider(const member_table& table, const std::vector<std::string>& uids, tick now);
  /// Of a slice with these inputs `consider` has something to say.
  bool concerns(const std::string& slice_uid, const inputs& seen) const;
  /// What the table can't say of the slice's inputs: leave, and how often its export was undone.
  void complete(const std::string& slice_uid, inputs& seen) const;

  /// Notes who changed exports of ours last; a DELETE names nobody. That we wrote since tells nothing: our own echo may
  /// overtake the answer to the write that put something right.
  void saw(const watch_batch<slice_export>& seen);
  /// An export was put right that somebody had undone, or a leftover was deleted. To be called before the table takes
  /// the answer.
  void answered(const member_table& table, const write_answer& answer, tick now);
  /// The hub was restored from a backup: what it undid counts for nobody.
  void hub_restored() { hands_.forgive(); }
  /// These leftovers were found; one of a slice whose leftover we had deleted before has an owner who makes it again.
  void suspected(const std::vector<leftover>& found, tick now);
  /// Forgets what is long past. Returns the slices that must be told: their leave or their delay ends.
  std::vector<std::string> review(const member_table& table, tick now);

  /// Time alone may bring about something: `review` now and then.
  bool is_busy() const { return guard_.state() != guard_state::open || !hands_.is_quiet(); }

  guard& absence_guard() { return guard_; }
  const guard& absence_guard() const { return guard_; }
  const foreign_hands& hands() const { return hands_; }

private:
  static constexpr std::size_t remembered_max = 4096;

  /// The last so many names and what is known of them.
  class notes {
  public:
    void put(const std::string& name, std::string what);
    std::string take(const std::string& name);

  private:
    std::map<std::string, std::string> held_;
    std::deque<std::string> order_;
  };

  bool lacks_witness(const inputs& seen) const;

  std::shared_ptr<const member_identity> who_;
  guard guard_;
  foreign_hands hands_;
  notes managers_;   ///< who wrote an export of ours last, by name, if it wasn't us
  notes swept_away_; ///< leftovers that we deleted: hub UID of the last one by slice UID
  bool was_alarmed_ = false;
};

} // namespace sliceferry::core
