#include "actors/core/exporter.hpp"
#include "actors/core/target.hpp"
#include "test/core/member_makers.hpp"
#include "test/core/picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace sliceferry::core {
namespace {

using uids = std::vector<std::string>;

const auto leaving = [](picture& p) { p.seen.leaving = true; };

TEST(LeaveTarget, TakesAllThatIsOurs) {
  const target wait{goal::wait}, ignored{goal::ignore}, withdraw{goal::withdraw, proof::leaving};
  const picture gone_member = picture{}.with(leaving).with(
    [](picture& p) { p.seen.slices_synced = p.seen.consents_synced = p.seen.consent_proven = false; });
  const auto leftover_annotation = [](picture& p) { p.slice.ours = {{}, "3", {}}; };
  const auto hub_unknown = [](picture& p) { p.seen.hub_synced = false; };
  const auto ending = [](picture& p) { p.seen.hub[0].terminating = true; };
  const picture left = picture{}.with(leaving);
  const struct {
    const char* name;
    inputs seen;
    target what;
  } table[] = {
    {"never exported", left, ignored},
    {"exported, though consent stands", left.named("n").exported("n", "h1"), withdraw},
    {"exported, but not annotated", left.exported("n", "h1"), withdraw},
    {"annotated, but not exported", left.named("n"), withdraw},
    {"what is left of our annotations", left.with(leftover_annotation), withdraw},
    {"a foreign export under the name", left.named("n").foreign("n"), withdraw},
    {"a foreign export", left.foreign("n"), ignored},
    {"C28 terminating is withdrawn", left.exported("n", "h1").with(ending), ignored},
    {"only the hub must be known", gone_member.named("n").exported("n", "h1"), withdraw},
    {"the hub isn't known", left.named("n").exported("n", "h1").with(hub_unknown), wait},
    {"the slice isn't known", gone_member.exported("n", "h1").without_slice(false), wait},
    {"a leftover", gone_member.exported("n", "h1").without_slice(true, true), withdraw},
    {"nothing is left", gone_member.without_slice(true, true), ignored},
  };
  for (const auto& [name, seen, what] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(choose_target(m1, {}, seen), what);
  }
}

/// An exporter on its own: tells it what is seen, returns what it asks for.
class lone_exporter {
public:
  exporter::step see(inputs seen, std::optional<outcome> ended = {}) {
    return machine.observe({++number_, std::move(seen), std::move(ended), {}}, noon);
  }
  exporter machine{std::make_shared<const member_identity>(m1), "u1", {}};

private:
  std::uint64_t number_ = 0;
};

std::optional<command> submitted(const exporter::step& step) {
  const auto* asked = step.action ? std::get_if<submit_command>(&*step.action) : nullptr;
  return asked ? std::optional{asked->what} : std::nullopt;
}

TEST(LeaveTakenBack, TakesTheWithdrawalBack) {
  const auto shown = picture{}.named("n").exported("n", "h1");
  const auto unseen = picture{}.exported("n", "h1").with([](picture& p) { p.seen.slices_synced = false; });
  const struct {
    const char* name;
    inputs before, after;
  } table[] = {
    {"the slice is there", shown.with(leaving), shown},
    {"half a picture", shown.with(leaving), shown.with([](picture& p) { p.seen.consents_synced = false; })},
    {"the slice was never seen", unseen.with(leaving).without_slice(true, true), unseen.without_slice(false)},
  };
  for (const auto& [name, before, after] : table) {
    SCOPED_TRACE(name);
    lone_exporter one;
    ASSERT_EQ(submitted(one.see(before)), command(withdraw_export{"n", "h1", proof::leaving}));
    const auto step = one.see(after);
    ASSERT_TRUE(step.action && std::holds_alternative<take_back_command>(*step.action));
    EXPECT_FALSE(submitted(one.see(after, make_outcome(1, verdict::taken_back))));
    EXPECT_FALSE(submitted(one.see(shown))) << "the name is kept and nothing is written";
    EXPECT_EQ(one.machine.held().name, "n");
    EXPECT_EQ(under_way(one.machine.held()), nullptr);
  }
}

TEST(LeaveTakenBack, NeedsAnotherProof) {
  lone_exporter one;
  const auto shown = picture{}.exported("n", "h1");
  one.see(shown.with(leaving).without_slice(true, true));
  one.see(shown.without_slice(false));
  one.see(shown.without_slice(false), make_outcome(1, verdict::taken_back));
  EXPECT_EQ(submitted(one.see(shown.without_slice(true))), command(withdraw_export{"n", "h1", proof::gone}));
}

TEST(LeaveTakenBack, LeavesOtherWithdrawalsAlone) {
  lone_exporter one;
  const auto shown = picture{}.exported("n", "h1");
  ASSERT_TRUE(submitted(one.see(shown.without_slice(true))));
  const auto half = shown.with([](picture& p) { p.seen.hub_synced = false; });
  EXPECT_FALSE(one.see(half.without_slice(true)).action);
}

member_table empty_table() {
  return member_table{make_identity()};
}

slice_export of_cluster(slice_export out, const std::string& cluster) {
  out.spec.reference.cluster = cluster;
  return out;
}

slice_export ending(slice_export out) {
  out.terminating = true;
  return out;
}

TEST(Leave, TouchesAllAndShowsItself) {
  member_table table = empty_table();
  table.slices(listed<endpoint_slice>({make_slice("s1", "uid-1", 1)}));
  EXPECT_FALSE(table.leave(false).all);
  EXPECT_FALSE(table.inputs_of("uid-1").leaving);
  EXPECT_TRUE(table.leave(true).all);
  EXPECT_FALSE(table.leave(true).all) << "said before";
  EXPECT_TRUE(table.inputs_of("uid-1").leaving);
  EXPECT_TRUE(table.inputs_of("never seen").leaving);
  EXPECT_TRUE(table.leave(false).all);
  EXPECT_FALSE(table.inputs_of("uid-1").leaving);
}

/// The ways in which an export whose slice isn't there comes to be on record at once, without a read.
TEST(Leave, RecordsOrphansWithoutAsking) {
  const auto orphan = make_export("e2", "hub-2", 6, "uid-2");
  using feed = std::function<touched(member_table&)>;
  const feed on = [](auto& t) { return t.leave(true); };
  const feed hub = [=](auto& t) { return t.exports(listed<slice_export>({orphan})); };
  const feed late = [=](auto& t) {
    t.exports(listed<slice_export>({}));
    return t.exports(applied(orphan));
  };
  const feed slices = [](auto& t) { return t.slices(listed<endpoint_slice>({})); };
  const feed unreadable = [](auto& t) {
    auto list = listed<endpoint_slice>({});
    list.unreadable = {{"shop", "of-uid-2"}};
    return t.slices(list);
  };
  const struct {
    const char* name;
    std::vector<feed> feeds;
  } rows[] = {
    {"the hub is known, the member isn't", {hub, on}},
    {"the hub becomes known", {on, hub}},
    {"the export appears later", {on, late}},
    {"all is known", {slices, hub, on}},
    {"the member becomes known last", {hub, on, slices}},
    {"a slice that can't be read holds its key", {unreadable, hub, on}},
  };
  for (const auto& [name, feeds] : rows) {
    SCOPED_TRACE(name);
    member_table table = empty_table();
    touched last;
    for (const auto& each : feeds)
      last = each(table);
    EXPECT_TRUE(last.all || last.uids == uids{"uid-2"});
    ASSERT_TRUE(table.knows("uid-2"));
    const inputs seen = table.inputs_of("uid-2");
    EXPECT_TRUE(seen.gone && seen.leftover && seen.leaving);
    EXPECT_EQ(seen.key, (object_key{"shop", "of-uid-2"}));
    EXPECT_EQ(choose_target(m1, {}, seen), (target{goal::withdraw, proof::leaving}));
    EXPECT_TRUE(table.take_leftovers({}).empty()) << "no read is needed";
  }
}

TEST(Leave, WaitsForTheWholeHub) {
  member_table table = empty_table();
  table.leave(true);
  table.exports(
    changes<slice_export>({{watch_change::init, {}}, {watch_change::applied, make_export("e2", "hub-2", 6, "uid-2")}}));
  EXPECT_FALSE(table.knows("uid-2"));
  EXPECT_FALSE(table.leave_progress().done);
  table.exports(changes<slice_export>({{watch_change::init_done, {}}}));
  EXPECT_TRUE(table.knows("uid-2"));
}

TEST(Leave, LeavesOthersAlone) {
  auto elsewhere = make_export("e3", "hub-3", 7, "uid-3");
  elsewhere.key.nspace = "fleet-m2";
  member_table table = empty_table();
  table.exports(
    listed<slice_export>({of_cluster(make_export("e1", "hub-1", 5, "uid-1"), "m2"), make_export("e2", "hub-2", 6, ""),
                          elsewhere, ending(make_export("e4", "hub-4", 8, "uid-4"))}));
  table.leave(true);
  EXPECT_TRUE(table.uids().empty());
}

TEST(Leave, KnowsTheSliceAgainWhenItIsSeen) {
  member_table table = empty_table();
  table.exports(listed<slice_export>({make_export("e2", "hub-2", 6, "uid-2")}));
  table.leave(true);
  const auto annotated = named(make_slice("of-uid-2", "uid-2", 9), "e2");
  EXPECT_TRUE(table.slices(listed<endpoint_slice>({annotated})).all);
  const inputs seen = table.inputs_of("uid-2");
  EXPECT_TRUE(seen.slice && !seen.gone && !seen.leftover);
  EXPECT_EQ(table.slices(deleted(annotated)).uids, uids{"uid-2"}) << "an ordinary record";
  EXPECT_FALSE(table.inputs_of("uid-2").leftover);
  table.leave(false);
  EXPECT_TRUE(table.inputs_of("uid-2").gone) << "that was seen and needs no leave";
}

TEST(Leave, TakenBackUnsaysWhatWasAssumed) {
  for (const bool is_awake : {false, true}) {
    for (const bool is_synced : {false, true}) {
      SCOPED_TRACE(std::string{is_awake ? "awake" : "dormant"} + (is_synced ? ", synced" : ""));
      member_table table = empty_table();
      if (is_synced)
        table.slices(listed<endpoint_slice>({}));
      table.exports(listed<slice_export>({make_export("e2", "hub-2", 6, "uid-2")}));
      table.leave(true);
      if (is_awake)
        table.wake("uid-2");
      table.leave(false);
      EXPECT_EQ(table.knows("uid-2"), is_awake);
      EXPECT_FALSE(table.inputs_of("uid-2").gone) << "it was never proven";
      if (is_awake) {
        EXPECT_TRUE(table.take_leftovers({}).empty()) << "its exporter is still at it";
        EXPECT_TRUE(table.retire("uid-2", 0, {}));
        EXPECT_FALSE(table.knows("uid-2"));
      }
      EXPECT_EQ(table.has_waiting_leftovers(), is_synced);
      EXPECT_EQ(table.take_leftovers({}).size(), is_synced ? 1U : 0U) << "suspected as any other, so it will be read";
    }
  }
}

TEST(Leave, CanBeSaidAgain) {
  member_table table = empty_table();
  table.exports(listed<slice_export>({make_export("e2", "hub-2", 6, "uid-2")}));
  table.leave(true);
  table.wake("uid-2");
  table.leave(false);
  table.leave(true);
  EXPECT_TRUE(table.inputs_of("uid-2").gone);
  table.died("uid-2");
  EXPECT_TRUE(table.knows("uid-2"));
  table.leave(false);
  EXPECT_FALSE(table.knows("uid-2"));
}

TEST(LeaveProgress, CountsWhatIsLeft) {
  member_table table = empty_table();
  EXPECT_EQ(table.leave_progress(), (leave_progress{}));
  table.leave(true);
  EXPECT_EQ(table.leave_progress(), (leave_progress{true, 0, 0, false, false}));
  const auto annotated = named(make_slice("s1", "uid-1", 1), "e1");
  auto partly = make_slice("s2", "uid-2", 2);
  partly.ours.timestamp = "x";
  table.slices(listed<endpoint_slice>({annotated, partly, make_slice("s3", "uid-3", 3)}));
  table.exports(listed<slice_export>({make_export("e1", "hub-1", 5, "uid-1"), make_export("e2", "hub-2", 6, "uid-9"),
                                      of_cluster(make_export("e3", "hub-3", 7, "uid-3"), "m2")}));
  EXPECT_EQ(table.leave_progress(), (leave_progress{true, 2, 2, true, false}));
  table.exports(applied(ending(make_export("e1", "hub-1", 8, "uid-1"))));
  EXPECT_EQ(table.leave_progress(), (leave_progress{true, 2, 2, true, false})) << "terminating ones are left";
  table.exports(deleted(make_export("e2", "hub-2", 9, "uid-9")));
  table.exports(deleted(make_export("e1", "hub-1", 10, "uid-1")));
  EXPECT_EQ(table.leave_progress(), (leave_progress{true, 0, 2, true, true}));
  table.slices(applied(make_slice("s1", "uid-1", 4)));
  table.slices(deleted(partly));
  EXPECT_EQ(table.leave_progress(), (leave_progress{true, 0, 0, true, true}));
  table.leave(false);
  EXPECT_FALSE(table.leave_progress().done);
}

} // namespace
} // namespace sliceferry::core
