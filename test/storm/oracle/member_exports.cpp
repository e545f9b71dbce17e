#include "test/storm/oracle/member_model.hpp"

#include <algorithm>

namespace sliceferry::storm {
namespace {

/// Of an export that the slice's owner would notice: what it says, not who else labelled it.
bool says_the_same(const seen_export& left, const seen_export& right) {
  return left.found == right.found && left.generation == right.generation && left.since == right.since;
}

} // namespace

void member_model::see(seen_export seen, const happening& what) {
  auto& record = exports_[seen.name];
  const bool anew = record.seen.uid != seen.uid;
  life* const before = record.of;
  const bool was_live = before && !record.seen.terminating;
  life* const after = seen.cluster == name_ && !seen.slice_uid.empty() ? &life_at(seen.slice_uid) : nullptr;
  const bool undone = !what.by_program && (anew || before != after || !says_the_same(record.seen, seen));
  if (undone)
    record.edited_by_others = what.now.run;
  if (anew) {
    record.made_by_program = what.by_program;
    record.made = what.now.run;
  }
  record.mutated = exports_mutate_;
  record.seen = std::move(seen);
  record.changed = {what.now, what.by_program};
  if (before != after) {
    leave_export(record);
    record.of = after;
    if (after)
      after->exports.push_back(&record);
  }
  if (before && !what.by_program && was_live && (before != after || record.seen.terminating))
    before->bereft = what.now.run;
  if (undone) {
    ++changes_;
    if (before)
      before->against.undo(what.now.at);
  }
  if (before && before != after) {
    settle(*before, what.now);
    bury(*before);
  }
  if (!after)
    return;
  if (what.by_program)
    after->progress = what.now.run;
  settle(*after, what.now);
  arrive(*after, what.now.at);
  teller_.note(*after, what.entry, record.seen.generation, record.seen.terminating);
}

void member_model::drop_export(const std::string& name, const happening& what) {
  const auto found = exports_.find(name);
  if (found == exports_.end())
    return;
  life* const whose = found->second.of;
  if (whose && !what.by_program && !found->second.seen.terminating) {
    whose->bereft = what.now.run;
    whose->against.undo(what.now.at);
    ++changes_;
  }
  const auto generation = found->second.seen.generation;
  leave_export(found->second);
  exports_.erase(found);
  if (!whose)
    return;
  if (what.by_program)
    whose->progress = what.now.run;
  settle(*whose, what.now);
  teller_.note(*whose, what.entry, generation, false);
  bury(*whose);
}

void member_model::leave_export(export_record& record) {
  if (record.of)
    std::erase(record.of->exports, &record);
  record.of = nullptr;
}

void member_model::drop_all_exports(const happening& what) {
  while (!exports_.empty())
    drop_export(std::string{exports_.begin()->first}, what);
}

} // namespace sliceferry::storm
