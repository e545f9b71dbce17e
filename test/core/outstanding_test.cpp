#include "actors/core/decide.hpp"
#include "actors/core/outstanding.hpp"
#include "test/core/picture.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace sliceferry::core {
namespace {

using owed = std::optional<command>;

owed annotate(const std::string& name, std::int64_t generation, seconds_utc since, bool retry = false) {
  return annotate_slice{{"shop", "web-a"}, "u1", name, generation, since, retry};
}

owed apply(const std::string& name, const picture& content, std::optional<hub_target> target = {},
           seconds_utc since = morning) {
  auto spec = std::make_shared<const slice_export_spec>(project(m1, content.slice, since));
  const auto its_digest = digest(*spec);
  return apply_export{name, std::move(target), std::move(spec), its_digest};
}

const auto changed = [](picture& p) {
  p.slice.generation = 4;
  p.slice.ready.push_back(endpoint{{"10.0.0.9"}});
};
const auto edited = [](picture& p) { p.seen.hub[0].digest = 1; };
const auto terminating = [](picture& p) { p.seen.hub[0].terminating = true; };
const auto no_leave = [](picture& p) { p.seen.leave = false; };

struct owing {
  const char* name;
  memory held;
  inputs seen;
  owed then;
};

void check(const std::vector<owing>& table) {
  for (const auto& [name, held, seen, then] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(outstanding(m1, held, seen), then) << to_string(held);
  }
}

TEST(Outstanding, ExportsWhatMayBe) {
  const auto first = replay({generation_seen{3, morning}, name_chosen{"n"}});
  const auto second = replay({generation_seen{4, noon}}, exported_as("n"));
  const auto synced = picture{}.named("n").exported("n", "h1");
  const auto on_h1 = hub_target{"h1", "7"};
  const event refusal = refused{"annotate", "no"};
  const picture newer = picture{}.with(changed);
  check({
    {"nothing named", {}, picture{}, {}},
    {"C29 annotate comes first", first, picture{}, annotate("n", 3, morning)},
    {"no apply while the slice doesn't carry the name", replay({annotated{3}}, first), picture{},
     annotate("n", 3, morning)},
    {"C41 create", replay({annotated{3}}, first), picture{}.named("n"), apply("n", {})},
    {"in sync", exported_as("n"), synced, {}},
    {"C57 annotate the change", second, synced.with(changed), annotate("n", 4, noon)},
    {"C57 apply the change", replay({annotated{4}}, second),
     picture{}.exported("n", "h1").with(changed).named("n", "4", format_rfc3339(noon)), apply("n", newer, on_h1, noon)},
    {"the apply owed carries the newest content", replay({annotated{3}}, first), picture{}.named("n").with(changed),
     apply("n", newer)},
    {"last-seen lost while the apply is owed: the apply goes first", replay({annotated{3}}, first),
     picture{}.named("n").with([](picture& p) { p.slice.ours.timestamp = {}; }), apply("n", {})},
    {"C72 D6 annotations wiped", exported_as("n"), picture{}.exported("n", "h1"), annotate("n", 3, morning)},
    {"refused, not named: annotate again", replay({refusal}, first), picture{}, annotate("n", 3, morning)},
    {"refused, named: the apply goes first", replay({refusal}, second), synced.with(changed),
     apply("n", newer, on_h1, noon)},
    {"refused, named, applied: annotate again", replay({refusal}, second),
     picture{}.named("n").with(changed).with([](picture& p) {
       p.seen.hub.push_back(p.mirror("n", "h1"));
       p.seen.hub[0].digest = digest(project(m1, p.slice, noon));
     }),
     annotate("n", 4, noon)},
    {"D8 C41 edited on the hub", exported_as("n"), synced.with(edited), apply("n", {}, on_h1)},
    {"D8 deleted on the hub", exported_as("n"), picture{}.named("n"), apply("n", {})},
    {"D9 terminating on the hub", exported_as("n"), synced.with(terminating), {}},
    {"D9 terminating and edited on the hub", exported_as("n"), synced.with(edited).with(terminating), {}},
    {"foreign on the hub", first, picture{}.named("n").foreign("n"), {}},
  });
}

TEST(Outstanding, WithdrawsWhatMayNot) {
  const auto synced = picture{}.named("n").exported("n", "h1");
  const auto begun = replay({withdrawal_begun{"n", "h1", proof::seen}}, exported_as("n"));
  const auto done = replay({export_withdrawn{"h1"}}, begun);
  check({
    {"C24 withdraw", begun, synced.says(consent::invalid), withdraw_export{"n", "h1", proof::seen}},
    {"not decided yet", exported_as("n"), synced.says(consent::invalid), {}},
    {"never deleted again", begun, synced.says(consent::invalid).with(terminating), {}},
    {"C25 clear after the delete", done, synced.says(consent::invalid).with(terminating),
     clear_annotations{{"shop", "web-a"}, "u1"}},
    {"a view that lags behind the delete", done, synced.says(consent::invalid),
     clear_annotations{{"shop", "web-a"}, "u1"}},
    {"C73 D21 IPv6 with a name and no export",
     {},
     picture{}.named("n").with([](picture& p) { p.slice.address_type = "IPv6"; }),
     clear_annotations{{"shop", "web-a"}, "u1"}},
    {"U6 foreign export, clear only",
     {},
     picture{}.named("n").foreign("n").says(consent::invalid),
     clear_annotations{{"shop", "web-a"}, "u1"}},
    {"nothing to clear", done, picture{}.says(consent::invalid), {}},
    {"nothing to clear on a slice that is gone", done, picture{}.without_slice(true), {}},
    {"no leave, no clear", {}, picture{}.named("n").says(consent::absent).with(no_leave), {}},
    {"leave lost while queued", begun, synced.says(consent::absent).with(no_leave), {}},
    {"consent back", begun, synced, {}},
    {"D30 pending", exported_as("n"), synced.with(changed).says(consent::pending), {}},
    {"half a picture", begun, synced.with([](picture& p) { p.seen.slices_synced = false; }), {}},
  });
}

TEST(Outstanding, PutsDuplicatesLast) {
  const auto synced = picture{}.named("n").exported("n", "h1");
  const auto on_h1 = hub_target{"h1", "7"};
  const auto superseding = replay({withdrawal_begun{"o", "h2", proof::superseded}}, exported_as("n"));
  check({
    {"I13 superseded", superseding, synced.exported("o", "h2"), withdraw_export{"o", "h2", proof::superseded}},
    {"the keeper's apply goes before", superseding, synced.exported("o", "h2").with(edited), apply("n", {}, on_h1)},
  });
}

TEST(Outstanding, MarksTheSixthNameInARowARetry) {
  // A13, A14 WR16: a webhook strips the annotations, or every name is taken.
  memory held;
  for (int row = 1; row <= 7; ++row) {
    SCOPED_TRACE(row);
    held = replay({generation_seen{3, noon}, name_chosen{"n" + std::to_string(row)}}, held);
    EXPECT_EQ(outstanding(m1, held, picture{}), annotate(held.name, 3, noon, row >= 6));
    held = replay({annotated{3}}, held);
  }
  held = replay({export_applied{"n7", "h1", 1, 1}, generation_seen{4, noon}}, held);
  EXPECT_EQ(outstanding(m1, held, picture{}), annotate("n7", 4, noon));
}

TEST(Outstanding, RefreshesTheResourceVersionOnlyOnRequest) {
  const auto always = [] {
    auto out = m1;
    out.refresh_resource_version_always = true;
    return out;
  }();
  auto shown = picture{}.named("n");
  const auto stored = digest(project(always, shown.slice, morning), true);
  shown = shown.exported("n", "h1").with([&](picture& p) { p.seen.hub[0].digest = stored; });
  const auto held = replay({adopted{"n", 3, morning, {"h1"}, stored}});
  EXPECT_EQ(outstanding(always, held, shown), std::nullopt);
  const auto bumped = shown.with([](picture& p) { p.slice.resource_version = "101"; });
  const auto wanted = outstanding(always, held, bumped);
  ASSERT_TRUE(wanted && std::holds_alternative<apply_export>(*wanted)) << "C58";
  EXPECT_EQ(std::get<apply_export>(*wanted).spec->reference.resource_version, "101");
}

TEST(Quiet, MeansThatNobodyNeedsToWake) {
  const auto synced = picture{}.named("n").exported("n", "h1");
  EXPECT_TRUE(quiet(m1, exported_as("n"), synced, noon));
  EXPECT_TRUE(quiet(m1, {}, picture{}.says(consent::absent), noon));
  EXPECT_FALSE(quiet(m1, exported_as("n"), synced.with(changed), noon));
  EXPECT_FALSE(quiet(m1, exported_as("n"), synced.with(edited), noon));
  EXPECT_FALSE(quiet(m1, {}, synced, noon)) << "to be adopted";
}

TEST(Outstanding, LetsOnlyRepairsWaitForForeignHands) {
  const auto contested = [](picture& p) { p.seen.undone = 5; };
  const auto second = replay({generation_seen{4, noon}}, exported_as("n"));
  const auto owed_apply = [](const memory& held, const inputs& seen) {
    return std::get<apply_export>(outstanding(m1, held, seen).value());
  };
  const auto repair =
    owed_apply(exported_as("n"), picture{}.named("n").exported("n", "h1").with(edited).with(contested));
  EXPECT_TRUE(repair.repair);
  EXPECT_EQ(repair.undone, 5U);
  const auto change =
    owed_apply(replay({annotated{4}}, second),
               picture{}.exported("n", "h1").with(changed).named("n", "4", format_rfc3339(noon)).with(contested));
  EXPECT_FALSE(change.repair);
  EXPECT_EQ(change.undone, 0U) << "new endpoints don't wait";
  auto calm = repair;
  calm.undone = 0;
  EXPECT_FALSE(calm == repair) << "when the others stop, what waits for them is replaced";
}

} // namespace
} // namespace sliceferry::core
