"""Planted bugs of another kind: what the Go agent did wrong, put back into the rules that do it right. Each is caught by
tests of test/core, which are named here."""

import dataclasses

from mutants import Edit


@dataclasses.dataclass(frozen=True)
class RuleMutant:
    name: str
    label: str  # as in CONTRIBUTING.md, "Which test holds which rule"
    sentence: str
    edits: tuple
    tests: tuple  # each of them must fail


def mutant(name, label, sentence, *edits, fails):
    return RuleMutant(name, label, sentence, tuple(Edit(*edit) for edit in edits), tuple(fails.split()))


ALL = [
    mutant(
        "count-versions", "D1 D12", "The slice's resourceVersion is part of the content: each echo and bump is a write.",
        ("actors/core/equivalent.cpp",
         "  if (count_resource_version)\n    hash.add(",
         "  hash.add("),
        fails="Exporter.WritesNothingWithoutADifference Equivalent.ComparesTheNormalForm"),
    mutant(
        "collision-by-name", "D3 WR03", "AlreadyExists means a foreign owner, whoever's the object is.",
        ("actors/core/facts.cpp",
         "if (end.how != verdict::done && end.exported && end.exported->name == x.name && !is_mine(held, *end.exported))",
         "if (end.how == verdict::already_exists && end.exported && end.exported->name == x.name)"),
        fails="Facts.FollowFromApplies"),
    mutant(
        "collision-waits", "D4", "A collision ends the attempt; some later event must come along.",
        ("actors/core/facts.cpp",
         "  if (!seen.slice || held.name != name)\n",
         "  if (!name.empty())\n"),
        fails="Facts.FollowFromApplies"),
    mutant(
        "deleted-waits", "D5", "The export of a deleted slice is left to a collector.",
        ("actors/core/target.cpp",
         "seen.gone ? forbidden(held, seen, seen.leftover ? proof::leftover : proof::gone) : target{goal::wait}",
         "target{seen.gone ? goal::ignore : goal::wait}"),
        fails="Exporter.WithdrawsWhenTheSliceIsGone Target.OfAnAbsentSliceNeedsProof"),
    mutant(
        "wiped-is-new", "D6", "A slice whose annotations were wiped gets a second export.",
        ("actors/core/name_choice.cpp",
         "    return kept ? name_choice{name_rule::kept, kept->name} : name_choice{name_rule::fresh, {}};\n",
         "    return {name_rule::fresh, kept ? std::string{} : std::string{}};\n"),
        fails="NameChoice.FollowsTheFiveRules Exporter.RepairsWhatOthersDo"),
    mutant(
        "collect-unsynced", "D7 LW37", "Exports are suspected before the slices are listed.",
        ("actors/core/member_table_leftovers.cpp",
         "return slices_.synced() && is_orphan(seen);",
         "return is_orphan(seen);"),
        fails="Leftovers.AreSuspectedOnlyOfAWholePicture"),
    mutant(
        "drift-stays", "D8", "What the hub acknowledged once is taken to be there.",
        ("actors/core/desired_export.cpp",
         "return seen.digest == digest || (held.digest == digest && held.accepted == seen.digest);",
         "return seen.digest == digest || held.digest == digest;"),
        fails="Exporter.RepairsWhatOthersDo Outstanding.ExportsWhatMayBe"),
    mutant(
        "update-terminating", "D9", "An export that is terminating is changed like a live one.",
        ("actors/core/outstanding.cpp",
         "  if (object && !is_live(held, *object))\n",
         "  if (object && !is_mine(held, *object))\n"),
        fails="Outstanding.ExportsWhatMayBe"),
    mutant(
        "unstored-time", "D10", "The export goes on though the annotations that date it aren't stored.",
        ("actors/core/outstanding.cpp",
         "  if (annotated || goes_first)\n",
         "  if (goes_first || is_named(held, slice))\n"),
        fails="Outstanding.ExportsWhatMayBe"),
    mutant(
        "future-is-now", "D11", "A time that lies in the future, if only by a clock step, is replaced.",
        ("actors/core/exported_since.cpp",
         "return told->since <= now || stepped_back ? told->since : now;",
         "return told->since <= now && (stepped_back || !stepped_back) ? told->since : now;"),
        fails="ClockSteps.MoveNoSinceByThemselves ExportedSince.FollowsTheAnnotationsOrIsNow Decide.FollowsFromWhatIsSeen"),
    mutant(
        "deletes-last", "D14", "Deletions wait in the line of everything else.",
        ("actors/core/work.cpp",
         "[](const withdraw_export&) { return work_rank::removal; }",
         "[](const withdraw_export&) { return work_rank::create; }"),
        fails="WriteQueue.SendsByRankYetEachFourthTimeTheOldest"),
    mutant(
        "touch-all", "D15", "Each change of a ServiceExport concerns all of its slices, whatever changed.",
        ("actors/core/consent_view.cpp",
         "  return now != old;\n",
         "  return now == old || now != old;\n"),
        fails="ManySlices.OfOneServiceFollowItsVerdictTogether MemberTable.TellsWhomAConsentConcerns"),
    mutant(
        "cut-names-meet", "D17", "What a name cuts off doesn't count for it.",
        ("actors/core/unique_name.cpp",
         "    hash.add(part);\n",
         "    hash.add(part.substr(0, 81));\n"),
        fails="UniqueName.CutsLongPartsTo81"),
    mutant(
        "any-cluster", "D18", "An export of another cluster counts as ours where the slices' UIDs agree.",
        ("actors/core/hub_view.cpp",
         "return reference.cluster == who_->cluster ? reference.uid : nobody;",
         "return reference.cluster == who_->cluster ? reference.uid : reference.uid.empty() ? nobody : reference.uid;"),
        fails="MemberTable.GivesAnExportOneOwner"),
    mutant(
        "ipv6-stays", "D21", "What isn't IPv4 is skipped, annotated or not.",
        ("actors/core/target.cpp",
         "  const auto& slice = *seen.slice;\n",
         "  const auto& slice = *seen.slice;\n  if (slice.address_type != exported_address_type)\n    return {goal::ignore};\n"),
        fails="Target.FirstMatchWins Decide.WithdrawsWhatMayNotStay"),
    mutant(
        "withdraw-by-name", "D22", "Only the export that the annotation names is withdrawn.",
        ("actors/core/decide.cpp",
         "    if (is_live(held, each))\n      return {withdrawal_begun{each.name, each.uid, why}};\n",
         "    if (is_live(held, each) && (!seen.slice || seen.slice->ours.name == each.name))\n"
         "      return {withdrawal_begun{each.name, each.uid, why}};\n"),
        fails="Decide.WithdrawsWhatMayNotStay"),
    mutant(
        "no-kind", "D23", "Exports name neither kind nor apiVersion.",
        ("actors/core/project.cpp",
         "  out.reference.api_version = slice_api_version;\n  out.reference.kind = slice_kind;\n",
         ""),
        fails="Project.TakesWhatTheRulesName"),
    mutant(
        "kind-counts", "A24", "An export without a kind, as the Go agent may leave it, is written again.",
        ("actors/core/equivalent.cpp",
         "return text.empty() ? instead : text;",
         "return text.empty() && instead.empty() ? instead : text;"),
        fails="MixedOperation.TakesOverWhatTheGoAgentLeftWithoutAWrite MixedOperation.TakesOverAnySlicesWithoutAWrite"),
    mutant(
        "utc-alone", "A11 A24", "A time that isn't written as we write it counts as none.",
        ("actors/core/last_seen.cpp",
         "  const auto since = parse_rfc3339(*ours.timestamp);\n",
         "  auto since = parse_rfc3339(*ours.timestamp);\n"
         "  if (since && format_rfc3339(*since) != *ours.timestamp)\n    since.reset();\n"),
        fails="LastSeen.NeedsBothAnnotationsReadable MixedOperation.TakesOverWhatTheGoAgentLeftWithoutAWrite"),
    mutant(
        "new-name-new-time", "A10 A24", "A name that has to be chosen anew dates the export anew.",
        ("actors/core/decide.cpp",
         "by == name_rule::renewed ? now : exported_since(held, seen, keeper(held, seen), now);",
         "by == name_rule::renewed || by == name_rule::fresh ? now : exported_since(held, seen, nullptr, now);"),
        fails="ExportedSince.SurvivesWhatIsNoChange MixedOperation.RollsBackAndForthWithoutATrace"),
    mutant(
        "keep-former-names", "A24", "The export under a slice's former name stays.",
        ("actors/core/decide.cpp",
         "  if (under_way(held) || duplicate == seen.hub.end()",
         "  if (under_way(held) || duplicate != seen.hub.end() || duplicate == seen.hub.end()"),
        fails="Decide.ChangesItsMind MixedOperation.LeavesTheGoAgentContentAfterAnyHistory "
              "MixedOperation.LeavesTheGoAgentNothingToDo"),
    mutant(
        "ready-only", "D25", "What serves while terminating is never shown, though asked for.",
        ("actors/core/project.cpp",
         "identity.serving_fallback && slice.ready.empty() ? slice.fallback : slice.ready;",
         "slice.ready;"),
        fails="Project.FallsBackToWhatStillServesOnlyIfAskedTo"),
    mutant(
        "former-name-stays", "D27", "What the member left behind under a former name is never looked at again.",
        ("actors/core/former_exports.cpp",
         "  if (synced()) {\n",
         "  if (synced() && false) {\n"),
        fails="FormerExports.AreThoseOfTheOldNameAlone FormerExportsProperty.WhateverHappensOnlyOursGoAndAllOfThem"),
    mutant(
        "former-name-first", "D27", "The export under the former name goes before there is one under the new.",
        ("actors/core/former_target.cpp",
         "return superseded ? target{goal::withdraw, proof::superseded} : target{goal::wait};",
         "return target{superseded ? goal::withdraw : goal::withdraw, proof::superseded};"),
        fails="FormerTarget.WaitsForTheNewExport FormerExportsProperty.ARenameNeverLeavesASliceWithoutExport"),
    mutant(
        "repeat-lost-create", "D28 WR09", "A create whose answer was lost is sent again, without a look.",
        ("actors/core/write_reaction.cpp",
         "  if (why == errc::already_exists)\n",
         "  if (why == errc::ambiguous)\n    return retry;\n  if (why == errc::already_exists)\n"),
        fails="WriteReaction.FollowsFromCommandAndFailure"),
    mutant(
        "names-without-end", "D29", "A name that is stripped again and again is replaced at network speed.",
        ("actors/core/outstanding.cpp",
         "annotates_unhurried_max = 5;",
         "annotates_unhurried_max = 1'000'000;"),
        fails="Outstanding.MarksTheSixthNameInARowARetry"),
    mutant(
        "old-verdict", "D30", "A verdict on an older generation of the ServiceExport counts.",
        ("actors/core/consent_rule.cpp",
         "return !judged.observed_generation || *judged.observed_generation >= seen.generation;",
         "return judged.observed_generation <= judged.observed_generation;"),
        fails="Judge.FollowsTheConditions"),
    mutant(
        "conflict-fails", "D31 WR01", "A conflict on the hub is a failure to be retried as it is.",
        ("actors/core/write_reaction.cpp",
         "      return read(verdict::conflict);\n",
         "      return retry;\n"),
        fails="WriteReaction.FollowsFromCommandAndFailure"),
    mutant(
        "export-imports", "D32 MC12", "What was imported from the fleet is exported like anything else.",
        ("actors/core/target.cpp",
         "if (slice.key.nspace == identity.imports_nspace || slice.managed_by == importer_manager)",
         "if (slice.uid.empty() && slice.managed_by == importer_manager && slice.key.nspace == identity.imports_nspace)"),
        fails="Target.FirstMatchWins"),
    mutant(
        "no-guard", "D34 LW37", "Absence is believed, however much of it there is.",
        ("actors/core/guard.cpp",
         "return withdrawals > limits_.count && withdrawals * 100 > base_ * limits_.share_percent;",
         "return withdrawals > limits_.count && withdrawals * 100 > base_ * limits_.share_percent && false;"),
        fails="Guard.TripsBeyondBothLimitsWithinTheWindow"),
]
