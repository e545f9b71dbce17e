#include "test/storm/oracle/rules.hpp"

#include "test/storm/oracle/json_fields.hpp"
#include "test/storm/oracle/syntax.hpp"

namespace sliceferry::storm {
namespace {

constexpr run_time in_transit = std::chrono::seconds{1};

} // namespace

void rules::accuse(const char* rule, const happening& what, const member_model* member, const life* whose,
                   const std::string& wrong) {
  violation out;
  out.rule = rule;
  out.at = what.now.at;
  if (found_.listens()) {
    out.member = member ? member->name() : "";
    const bool has_slice = whose && !whose->key.name.empty();
    out.object = has_slice ? to_string(whose->key) : what.entry.nspace + '/' + what.entry.name;
    out.story = storyteller::tell(wrong, what.entry);
    if (whose)
      out.story += teller_.tell("before that:", out.member, whose, what.now.at);
  }
  found_.add(std::move(out));
}

void rules::wrote_member(const happening& what, member_model& member, const seen_slice* after) {
  const auto* whose = member.slice_at({what.entry.nspace, what.entry.name});
  const bool patched =
    what.entry.resource == "endpointslices" && what.entry.verb == "patch" && what.entry.subresource.empty() && after;
  if (!patched)
    return accuse("member touched", what, &member, whose, "the program may only patch slices of a member");
  if (!whose || !whose->slice || whose->uid != after->uid)
    return;
  if (whose->slice->rest != after->rest)
    accuse("member touched", what, &member, whose, "the patch changed more of the slice than our three annotations");
  judge_since(what, member, *whose, *after);
}

void rules::judge_since(const happening& what, const member_model& member, const life& whose, const seen_slice& after) {
  const auto& before = *whose.slice;
  const auto was = read_time(before.ours.timestamp.value_or(""));
  const bool stood = was && *was <= what.now.at && before.ours.name && before.ours.name == after.ours.name &&
                     before.ours.generation == std::to_string(before.generation);
  const bool excused =
    options_.clock_steps || (!whose.changed.by_program && is_recent(whose.changed.when.run, what.now));
  if (stood && !excused && read_time(after.ours.timestamp.value_or("")) != was)
    accuse("since moved", what, &member, &whose,
           "last-seen-timestamp was " + *before.ours.timestamp + " and is " + after.ours.timestamp.value_or("absent") +
             ", though the generation is the same");
}

void rules::wrote_elsewhere(const happening& what) {
  accuse("foreign", what, nullptr, nullptr, "the program wrote to the hub outside its exports");
}

void rules::changed_nothing(const happening& what, member_model* member) {
  const life* whose = nullptr;
  const last_change* last = nullptr;
  if (member && what.entry.resource == "endpointslices") {
    whose = member->slice_at({what.entry.nspace, what.entry.name});
    last = whose ? &whose->changed : nullptr;
  } else if (member && what.entry.resource == "endpointsliceexports") {
    const auto* record = member->export_at(what.entry.name);
    whose = record ? record->of : nullptr;
    last = record ? &record->changed : nullptr;
  }
  // A stream from before the restore shows such a write's answer as older than what it told.
  const auto restored = restored_.find(what.entry.cluster == "hub" ? "" : what.entry.cluster);
  const bool unsure = restored != restored_.end() && is_recent(restored->second, what.now);
  if (!unsure && (!last || !is_excused(*last, what.now)))
    accuse("needless write", what, member, whose, "an accepted write that changed nothing");
}

/// The server may have carried out what a process asked for when that process was gone, and the next one had looked.
bool rules::is_inherited(run_time then, moment now) const {
  return is_recent(started_, now) && then + in_transit >= started_ && then <= started_ + in_transit;
}

/// Somebody else was faster, or a process before this one.
bool rules::is_excused(const last_change& last, moment now) const {
  return last.by_program ? is_inherited(last.when.run, now) : is_recent(last.when.run, now);
}

void rules::created_again(const happening& what, member_model& member) {
  const auto* found = member.export_at(what.entry.name);
  if (!found || !found->made_by_program || found->seen.terminating || is_recent(found->edited_by_others, what.now))
    return;
  // Behind a restored hub's old watch an own create looks undone, until a list tells.
  const auto restored = restored_.find("");
  const bool unsure = restored != restored_.end() && is_recent(restored->second, what.now);
  if (!is_inherited(found->made, what.now) && !unsure && !member.is_carried_by_another(what.entry.name, found->of))
    accuse("repeated create", what, &member, found->of, "the program made this export before");
}

void rules::passed(member_model& member, moment now) {
  static const history_entry nobody;
  const happening what{nobody, now};
  for (auto* each : member.doubled())
    if (!each->doubled_told && now.run - each->doubled > options_.rest) {
      each->doubled_told = true;
      accuse("duplicate", what, &member, each,
             std::to_string(each->live()) + " exports of one slice stand side by side for longer than " +
               std::to_string(options_.rest.count()) + " ms");
    }
  if (options_.starve.count() == 0)
    return;
  for (auto* each : member.owed())
    if (!each->starved && each->called != call::maybe && now.run - each->progress > options_.starve) {
      each->starved = true;
      const auto owed = differences_of(member.standing_of(*each));
      accuse("starved", what, &member, each,
             "nothing came for too long, though: " + (owed.empty() ? "" : owed.front()));
    }
}

} // namespace sliceferry::storm
