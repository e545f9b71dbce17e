#include "actors/core/decide.hpp"
#include "actors/core/facts.hpp"
#include "actors/core/unique_name.hpp"
#include "test/core/picture.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sliceferry::core {
namespace {

using events = std::vector<event>;

std::string nth_name(std::uint32_t count) {
  return unique_name(m1, {"shop", "web-a"}, "u1", count);
}

const auto changed = [](picture& p) {
  p.slice.generation = 4;
  p.slice.ready.push_back(endpoint{{"10.0.0.9"}});
};
const auto unnamed = [](picture& p) { p.slice.ours.name.reset(); };
const auto terminating = [](picture& p) { p.seen.hub[0].terminating = true; };
const auto no_leave = [](picture& p) { p.seen.leave = false; };
const auto no_last_seen = [](picture& p) { p.slice.ours.generation = p.slice.ours.timestamp = {}; };

picture synced() {
  return picture{}.named("n").exported("n", "h1");
}

std::uint64_t content() {
  return picture{}.mirror("n", "h1").digest;
}

memory withdrawing() {
  return replay({withdrawal_begun{"n", "h1", proof::seen}}, exported_as("n"));
}

struct decision {
  const char* name;
  memory held;
  inputs seen;
  events then;
};

void check(const std::vector<decision>& table) {
  for (const auto& [name, held, seen, then] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(decide(m1, held, seen, noon), then) << to_string(held);
  }
}

TEST(Decide, FollowsFromWhatIsSeen) {
  check({
    {"law 3 half a picture", {}, picture{}.with([](picture& p) { p.seen.hub_synced = false; }), {}},
    {"first sight", {}, picture{}, {generation_seen{3, noon}, name_chosen{nth_name(0)}}},
    {"the same again", replay({generation_seen{3, noon}, name_chosen{nth_name(0)}}), picture{}, {}},
    {"in sync", exported_as("n"), synced(), {}},
    {"A19 D12 C58 a metadata bump",
     exported_as("n"),
     synced().with([](auto& p) { p.slice.resource_version = "101"; }),
     {}},
    {"C57 C59 a change", exported_as("n"), synced().with(changed), {generation_seen{4, noon}}},
    {"C68 last-seen removed", exported_as("n"), synced().with(no_last_seen), {generation_seen{3, noon}}},
    {"a memory from before the journal failed, with an apply owed: the slice has gone on",
     replay({generation_seen{2, morning - std::chrono::hours{1}}, annotated{2}}, exported_as("n")),
     synced(),
     {generation_seen{3, morning}}},
    {"D11 the clock stepped back",
     exported_as("n"),
     synced().with([](auto& p) {
       p.slice.ours.timestamp = format_rfc3339(noon + std::chrono::seconds{9});
       p.seen.hub[0].since = noon + std::chrono::seconds{9};
     }),
     {generation_seen{3, noon + std::chrono::seconds{9}}}},
  });
}

TEST(Decide, AdoptsWhatTheClustersShow) {
  const adopted found{"n", 3, morning, {"h1"}, content()};
  check({
    {"C75 restart in sync", {}, synced(), {found}},
    {"A15 C72 restart, wiped", {}, picture{}.exported("n", "h1"), {found}},
    {"C72 D6 wiped", exported_as("n"), picture{}.exported("n", "h1"), {}},
    {"C72 wiped and changed",
     exported_as("n"),
     picture{}.exported("n", "h1").with(changed),
     {generation_seen{4, noon}}},
    {"restart, export missing", {}, picture{}.named("n"), {adopted{"n", 3, morning, {}, 0}}},
    {"restart, last-seen damaged", {}, synced().with(no_last_seen), {adopted{"n", 0, {}, {"h1"}, content()}}},
    {"a journal that contradicts loses",
     exported_as("o"),
     synced(),
     {contradiction{"the slice goes by n and not by o"}, found}},
    {"a memory from before the journal failed, with a name pending: the slice goes by a later one",
     replay({generation_seen{2, morning - std::chrono::hours{1}}, name_chosen{"o"}}),
     synced(),
     {contradiction{"the slice goes by n and not by o"}, found}},
    {"the same, before the later name's export is made",
     replay({generation_seen{2, morning - std::chrono::hours{1}}, name_chosen{"o"}}),
     picture{}.named("n"),
     {contradiction{"the slice goes by n and not by o"}, adopted{"n", 3, morning, {}, 0}}},
    {"an export that memory doesn't know",
     exported_as("n"),
     picture{}.named("n").exported("n", "h2"),
     {adopted{"n", 3, morning, {"h2"}, content()}}},
  });
}

TEST(Decide, NamesAndRepairs) {
  check({
    {"C66 tampered to an unused name",
     exported_as("n"),
     picture{}.named("o").exported("n", "h1"),
     {contradiction{"the slice goes by o and not by n"}, adopted{"o", 3, morning, {"h1"}, 0}}},
    {"C64 I13 tampered to an invalid name: since kept",
     exported_as("n"),
     picture{}.named("x_y").exported("n", "h1"),
     {contradiction{"the slice's name is invalid or another's: x_y"}, name_chosen{nth_name(1)}}},
    {"C65 I14 tampered to a foreign name: since kept",
     exported_as("n"),
     picture{}.named("f").exported("n", "h1").foreign("f"),
     {contradiction{"the slice's name is invalid or another's: f"}, name_chosen{nth_name(1)}}},
    {"C71 restored from a manifest: the name is foreign",
     {},
     picture{}.named("f").foreign("f"),
     {generation_seen{3, morning}, name_chosen{nth_name(0)}}},
    {"C67 removed, nothing of ours is left",
     exported_as("n"),
     picture{}.named("n").with(unnamed),
     {contradiction{"the slice lost its name n"}, name_chosen{nth_name(1)}}},
    {"D8 D9 terminating by another's hand: wait", exported_as("n"), synced().with(terminating), {}},
    {"D8 deleted by another's hand", exported_as("n"), picture{}.named("n"), {}},
  });
}

TEST(Decide, WithdrawsWhatMayNotStay) {
  check({
    {"C62 I16 consent lost",
     exported_as("n"),
     synced().says(consent::invalid),
     {withdrawal_begun{"n", "h1", proof::seen}}},
    {"C62 ServiceExport deleted",
     exported_as("n"),
     synced().says(consent::absent),
     {withdrawal_begun{"n", "h1", proof::gone}}},
    {"law 3 the guard gives no leave", exported_as("n"), synced().says(consent::absent).with(no_leave), {}},
    {"what was seen needs no leave",
     exported_as("n"),
     synced().says(consent::invalid).with(no_leave),
     {withdrawal_begun{"n", "h1", proof::seen}}},
    {"D30 pending", exported_as("n"), synced().with(changed).says(consent::pending), {}},
    {"D22 A3 invalid name at withdrawal",
     {},
     picture{}.named("x_y").exported("n", "h1").says(consent::invalid),
     {withdrawal_begun{"n", "h1", proof::seen}}},
    {"U6 C23 foreign export at withdrawal", {}, picture{}.named("n").foreign("n").says(consent::invalid), {}},
    {"C28 terminating counts as withdrawn",
     withdrawing(),
     synced().says(consent::invalid).with(terminating),
     {export_withdrawn{"h1"}}},
    {"withdrawn by another's hand",
     withdrawing(),
     picture{}.named("n").says(consent::invalid),
     {export_withdrawn{"h1"}}},
    {"under way", withdrawing(), synced().says(consent::invalid), {}},
    {"D21 IPv6",
     {},
     synced().with([](auto& p) { p.slice.address_type = "IPv6"; }),
     {withdrawal_begun{"n", "h1", proof::seen}}},
    {"D5 slice gone", exported_as("n"), synced().without_slice(true), {withdrawal_begun{"n", "h1", proof::gone}}},
    {"G6 leftover", {}, synced().without_slice(true, true), {withdrawal_begun{"n", "h1", proof::leftover}}},
    {"leftover without leave", {}, synced().with(no_leave).without_slice(true, true), {}},
    {"slice absent, unproven", exported_as("n"), synced().without_slice(false), {}},
    {"slice gone, nothing left", exported_as("n"), picture{}.without_slice(true), {slice_gone{}}},
    {"slice gone, told before", replay({slice_gone{}}), picture{}.without_slice(true), {}},
  });
}

TEST(Decide, ChangesItsMind) {
  check({
    {"consent back before the delete was sent", withdrawing(), synced(), {withdrawal_cancelled{}}},
    {"consent back, the export is going", withdrawing(), synced().with(terminating), {export_withdrawn{"h1"}}},
    {"C27 consent back after the delete",
     replay({export_withdrawn{"h1"}}, withdrawing()),
     synced().with(terminating),
     {generation_seen{3, noon}, name_chosen{nth_name(1)}}},
    {"cleared by another's hand",
     replay({export_withdrawn{"h1"}}, withdrawing()),
     picture{}.says(consent::invalid),
     {annotations_cleared{}}},
    {"G3 duplicate, keeper is right",
     replay({adopted{"n", 3, morning, {"h1", "h2"}, content()}}),
     synced().exported("o", "h2"),
     {withdrawal_begun{"o", "h2", proof::superseded}}},
    {"duplicate, keeper is not equivalent",
     replay({adopted{"n", 3, morning, {"h1", "h2"}, content()}}),
     synced().exported("o", "h2").with([](auto& p) { p.seen.hub[0].digest = 1; }),
     {}},
    {"duplicate, keeper is not named",
     replay({adopted{"n", 3, morning, {"h1", "h2"}, content()}}),
     synced().exported("o", "h2").with(unnamed),
     {}},
  });
}

TEST(Decide, MovesLastSeenOnlyWhenTheApplyIsDone) {
  auto held = replay({generation_seen{3, noon}, name_chosen{"n"}, annotated{3}});
  const auto named = picture{}.named("n", "3", format_rfc3339(noon));
  EXPECT_EQ(decide(m1, held, named.with(changed), noon), events{}) << "the apply is owed first";
  const auto applied = named.exported("n", "h1").with(changed).with([](picture& p) { p.seen.hub[0].since = noon; });
  held = replay({export_applied{"n", "h1", 5, 5}}, held);
  EXPECT_EQ(decide(m1, held, applied, noon), (events{generation_seen{4, noon}}));
}

/// Commands of one slice, and how they may end.
class Facts : public ::testing::Test {
protected:
  struct row {
    const char* name;
    memory held;
    command asked;
    outcome told;
    events then;
  };

  static void check(const std::vector<row>& table) {
    for (const auto& [name, held, asked, told, then] : table) {
      SCOPED_TRACE(name);
      EXPECT_EQ(facts_of(m1, held, picture{}.named("n"), asked, told), then);
    }
  }

  template <class Alter>
  static hub_export ours_with(Alter alter) {
    auto out = picture{}.mirror("n", "h1");
    alter(out);
    return out;
  }

  static outcome end(verdict how, std::optional<hub_export> exported = {}, bool read = false) {
    auto out = make_outcome(1, how);
    out.exported = std::move(exported);
    out.read = read;
    return out;
  }

  const std::shared_ptr<const slice_export_spec> spec =
    std::make_shared<const slice_export_spec>(project(m1, picture{}.slice, morning));
  const command annotate = annotate_slice{{"shop", "web-a"}, "u1", "n", 3, morning, false};
  const command clear = clear_annotations{{"shop", "web-a"}, "u1"};
  const command create = apply_export{"n", {}, spec, content()};
  const command change = apply_export{"n", hub_target{"h1", "7"}, spec, content()};
  const command withdraw = withdraw_export{"n", "h1", proof::seen};
  const memory named = replay({generation_seen{3, morning}, name_chosen{"n"}, annotated{3}});
  const hub_export ours = picture{}.mirror("n", "h1");
  const hub_export foreign = ours_with([](auto& x) { x.mine = false; });
  const hub_export ending = ours_with([](auto& x) { x.terminating = true; });
  const hub_export pruned = ours_with([](auto& x) { x.digest = 5; });
  const events renamed{contradiction{"the name is taken by a foreign export: n"}, name_chosen{nth_name(1)}};
  const events applied{export_applied{"n", "h1", content(), content()}};
};

TEST_F(Facts, FollowFromMemberWrites) {
  auto answered = end(verdict::done);
  answered.slice_answered = true;
  auto denied = end(verdict::refused);
  denied.why.text = "no";
  check({
    {"annotate done", named, annotate, answered, {annotated{3}}},
    {"annotate done, slice not answered", named, annotate, end(verdict::done), {}},
    {"A9 annotate missing", named, annotate, end(verdict::missing), {}},
    {"annotate other uid", named, annotate, end(verdict::other_uid), {}},
    {"annotate refused", named, annotate, denied, {refused{"annotate", "no"}}},
    {"clear done", named, clear, end(verdict::done), {annotations_cleared{}}},
    {"clear missing", named, clear, end(verdict::missing), {}},
  });
}

TEST_F(Facts, FollowFromApplies) {
  check({
    {"create done", named, create, end(verdict::done, ours), applied},
    {"created, but pruned", named, create, end(verdict::done, pruned), {export_applied{"n", "h1", content(), 5}}},
    {"created, reference edited by a webhook", named, create, end(verdict::done, foreign), applied},
    {"change done", named, change, end(verdict::done, ours), applied},
    {"change done, body lost", named, change, end(verdict::done), applied},
    {"D8 edit repaired",
     exported_as("n"),
     change,
     end(verdict::done, ours),
     {drift_repaired{"the export had been changed"}, applied[0]}},
    {"D8 delete repaired",
     exported_as("n"),
     create,
     end(verdict::done, ours),
     {drift_repaired{"the export had been removed"}, applied[0]}},
    {"D3 D28 already exists and is what was sent", named, create, end(verdict::already_exists, ours, true), applied},
    {"A7 already exists, ours with another content", named, create, end(verdict::already_exists, pruned, true), {}},
    {"A7 already exists, ours terminating", named, create, end(verdict::already_exists, ending, true), {}},
    {"A7 C48 already exists, foreign", named, create, end(verdict::already_exists, foreign, true), renamed},
    {"create, answer lost, was applied", named, create, end(verdict::ambiguous, ours, true), applied},
    {"create, answer lost, was not", named, create, end(verdict::ambiguous, {}, true), {}},
    {"change conflict", named, change, end(verdict::conflict, pruned, true), {}},
    {"change missing", named, change, end(verdict::missing), {}},
    {"change met a foreign object", named, change, end(verdict::other_uid, foreign, true), renamed},
  });
}

TEST_F(Facts, FollowFromWithdrawals) {
  const events gone{export_withdrawn{"h1"}};
  check({
    {"U4 G4 withdraw done", named, withdraw, end(verdict::done, ending), gone},
    {"U5 withdraw missing", named, withdraw, end(verdict::missing), gone},
    {"D18 withdraw other uid", named, withdraw, end(verdict::other_uid), gone},
    {"withdraw, namespace missing", named, withdraw, end(verdict::namespace_missing), gone},
    {"withdraw, answer lost, gone", named, withdraw, end(verdict::ambiguous, {}, true), gone},
    {"withdraw, answer lost, ending", named, withdraw, end(verdict::ambiguous, ending, true), gone},
    {"withdraw, answer lost, still there", named, withdraw, end(verdict::ambiguous, ours, true), {}},
    {"withdraw, answer lost, not read", named, withdraw, end(verdict::ambiguous), {}},
  });
}

TEST(Evolve, KeepsMemoryBounded) {
  memory held;
  for (int i = 0; i < 100; ++i) {
    const auto uid = "h" + std::to_string(i);
    held = replay(
      {export_applied{"n", uid, 1, 1}, withdrawal_begun{"n", uid + 'x', proof::seen}, export_withdrawn{uid + 'x'}},
      held);
  }
  EXPECT_LE(held.hub_uids.size(), 16U);
  EXPECT_EQ(held.hub_uids.back(), "h99");
  EXPECT_LE(held.withdrawals.size(), 8U);
}

TEST(Evolve, EndsWithTheSlice) {
  EXPECT_FALSE(ended({}));
  EXPECT_TRUE(ended(replay({slice_gone{}})));
  EXPECT_FALSE(ended(replay({slice_gone{}, generation_seen{3, noon}}))) << "a restored backup";
}

} // namespace
} // namespace sliceferry::core
