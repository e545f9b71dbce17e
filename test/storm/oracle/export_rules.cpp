#include "test/storm/oracle/rules.hpp"

#include <algorithm>

namespace sliceferry::storm {
namespace {

bool differ_by_version_alone(const seen_export& before, const seen_export& after) {
  auto other = after;
  other.resource_version = before.resource_version;
  other.reference_version = before.reference_version;
  return before.reference_version != after.reference_version && other == before;
}

} // namespace

void rules::exported(const happening& what, member_model& member, const export_record* before,
                     const seen_export* after) {
  const bool claimed = !before || before->made_by_program || before->seen.cluster == member.name();
  if (!claimed)
    return accuse("foreign", what, &member, nullptr,
                  "the export's reference holds the cluster id \"" + before->seen.cluster + '"');
  const bool is_gone = !after || after->terminating;
  if (before && before->of && !before->seen.terminating && (is_gone || after->slice_uid != before->of->uid))
    judge_loss(what, member, *before, is_gone);
  if (!after)
    return;
  judge_surroundings(what, member, before, *after);
  if (what.entry.verb == "delete")
    return;
  const bool is_refresh = before && differ_by_version_alone(before->seen, *after);
  if (is_refresh && !options_.refreshes_versions && !is_excused(before->changed, what.now))
    accuse("needless write", what, &member, before->of, "nothing changed but the reference's resourceVersion");
  if (after->cluster != member.name())
    return accuse("foreign", what, &member, nullptr,
                  "the program wrote the cluster id \"" + after->cluster + "\" into " + member.name() + "'s namespace");
  if (auto* whose = member.find_life(after->slice_uid)) {
    judge_contest(what, member, *whose, after->generation == whose->written);
    judge_name(what, member, *whose, after->name);
    judge_generation(what, member, *whose, after->generation);
  } else {
    accuse("hub before name", what, &member, nullptr, "no slice has the UID " + after->slice_uid);
  }
}

void rules::judge_loss(const happening& what, member_model& member, const export_record& before, bool deleted) {
  const auto& whose = *before.of;
  if (member.suspended() && whose.was_called && whose.slice && whose.live() == 1 && member.loses_one_more())
    accuse("mass withdrawal", what, &member, &whose,
           "most exports of the member were withdrawn because a kind of its API is gone");
  const bool excused = is_recent(whose.bereft, what.now) || is_recent(before.edited_by_others, what.now);
  // What was called for from its beginning can't be taken for what it was before.
  const bool may_be_old_news = whose.wavered && is_recent(whose.called_since, what.now);
  if (whose.called != call::yes || may_be_old_news || whose.live() > 1 || excused)
    return;
  const auto since = std::to_string((what.now.run - whose.called_since) / std::chrono::milliseconds{1});
  if (deleted)
    accuse("unwarranted delete", what, &member, &whose,
           "the member's objects call for this export since " + since + " ms, and no other stands in for it");
  accuse("availability", what, &member, &whose,
         "an export that was called for is gone, by the program's " + what.entry.verb);
}

void rules::judge_generation(const happening& what, const member_model& member, life& whose, std::int64_t generation) {
  const auto is_from_before = [&](const std::string& where) {
    const auto found = restored_.find(where);
    return found != restored_.end() && whose.written_at < found->second + options_.lag;
  };
  if (generation < whose.written && !is_from_before({}) && !is_from_before(member.name()))
    accuse("backwards", what, &member, &whose,
           "generation " + std::to_string(generation) + " was written after " + std::to_string(whose.written));
  if (generation != whose.written)
    whose.written_at = what.now.run;
  whose.written = generation;
}

void rules::judge_name(const happening& what, const member_model& member, const life& whose, const std::string& name) {
  if (whose.slice && whose.slice->ours.name == name)
    return;
  const bool carried = std::ranges::any_of(
    whose.former, [&](const auto& each) { return each.name == name && is_recent(each.until, what.now); });
  if (!carried)
    accuse("hub before name", what, &member, &whose,
           "the slice doesn't carry the name " + name + ", but " +
             (whose.slice ? whose.slice->ours.name.value_or("none") : "is gone"));
}

/// A write whose generation was written before puts right what others undid.
void rules::judge_contest(const happening& what, const member_model& member, life& whose, bool is_same_content) {
  constexpr unsigned few = 20; // random tampering doesn't meet one export so often within seconds
  auto& fight = whose.against;
  if (!is_same_content)
    return;
  fight.mend(what.now.at);
  if (fight.told || fight.mended < few || fight.mended * 2 <= fight.undone)
    return;
  fight.told = true;
  accuse("contested", what, &member, &whose,
         "others undid it " + std::to_string(fight.undone) + " times in a row, and the program wrote it " +
           std::to_string(fight.mended) + " times again");
}

void rules::judge_surroundings(const happening& what, const member_model& member, const export_record* before,
                               const seen_export& after) {
  surroundings was;
  if (before)
    was = before->seen.around;
  else
    was.finalizers = after.around.finalizers; // the hub's controller may have been as quick as the answer
  const auto changed = first_difference(was, after.around);
  if (!changed.empty())
    accuse("export touched", what, &member, before ? before->of : nullptr, "the export's " + changed + " changed");
}

} // namespace sliceferry::storm
