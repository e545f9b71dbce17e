#pragma once
#include "test/storm/oracle/member_model.hpp"
#include "test/storm/oracle/verdicts.hpp"

#include <map>
#include <string>

namespace sliceferry::storm {

/// What must never happen: each entry of the history is judged before the model takes it in.
///
///  availability       an export that was called for all along is lost by the program's doing
///  unwarranted delete the program deletes an export that was called for all along, and no other stands in for it
///  mass withdrawal    while a kind of a member's API was gone, more than 50 and 30 % of its exports were withdrawn
///  backwards          a lower generation is written than was written before
///  duplicate          two exports of one slice stand side by side for too long
///  needless write     an accepted write of the program changed nothing, or nothing but the reference's resourceVersion
///  repeated create    an export is created though the program made it before: nobody looked what came of that
///  member touched     a write of the program on a member changed more than our three annotations
///  export touched     of an export, something beyond `spec` was changed or set
///  foreign            a write on the hub outside the members' namespaces, or on what isn't ours by identity
///  hub before name    an export was written under a name that its slice doesn't carry
///  since moved        the time of a generation was rewritten without a reason
///  contested          others undid an export again and again, and the program answered more than half of that
///  slow recovery      after an outage of the hub, what was owed then took longer than the limiter explains
///  starved            a slice is owed something, and for too long nothing came
///  limit              more requests than the limiter allows (judged in `request_limit`)
class rules {
public:
  rules(const oracle_options& options, const storyteller& teller, verdicts& found)
    : options_(options), teller_(teller), found_(found) {}

  /// The program wrote an export of `member`; `after` is null where it is gone then, `before` where it wasn't there.
  void exported(const happening& what, member_model& member, const export_record* before, const seen_export* after);
  /// The program changed something in a member; `after` is null unless it is a slice that still stands.
  void wrote_member(const happening& what, member_model& member, const seen_slice* after);
  /// The program wrote to the hub what isn't an export in a member's namespace.
  void wrote_elsewhere(const happening& what);
  /// The program's write was accepted and changed nothing. `member` is null where none is concerned.
  void changed_nothing(const happening& what, member_model* member);
  /// The program's create was refused: an export of that name is there.
  void created_again(const happening& what, member_model& member);
  /// Time went on.
  void passed(member_model& member, moment now);

  void program_started(moment now) { started_ = now.run; }
  /// A backup was restored: in a member, or in the hub (empty).
  void restored(const std::string& member, moment now) { restored_[member] = now.run; }

  void accuse(const char* rule, const happening& what, const member_model* member, const life* whose,
              const std::string& wrong);

private:
  bool is_recent(run_time then, moment now) const { return now.run - then < options_.lag; }
  void judge_loss(const happening& what, member_model& member, const export_record& before, bool deleted);
  void judge_generation(const happening& what, const member_model& member, life& whose, std::int64_t generation);
  void judge_name(const happening& what, const member_model& member, const life& whose, const std::string& name);
  void judge_since(const happening& what, const member_model& member, const life& whose, const seen_slice& after);
  bool is_inherited(run_time then, moment now) const;
  bool is_excused(const last_change& last, moment now) const;
  void judge_contest(const happening& what, const member_model& member, life& whose, bool is_same_content);
  void judge_surroundings(const happening& what, const member_model& member, const export_record* before,
                          const seen_export& after);

  const oracle_options& options_;
  const storyteller& teller_;
  verdicts& found_;
  run_time started_ = long_ago;
  std::map<std::string, run_time> restored_;
};

} // namespace sliceferry::storm
