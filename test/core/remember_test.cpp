#include "actors/core/decide.hpp"
#include "test/core/member_makers.hpp"
#include "test/core/table_rig.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

using uids = std::vector<std::string>;
using feed = std::function<touched(member_table&)>;

const object_key key{"shop", "s1"};

/// Of a slice whose export "e1" is on the hub as "hub-1".
memory exported() {
  memory out;
  out.name = "e1";
  out.hub_uids = {"hub-1"};
  out.digest = out.accepted = 7;
  out.names_chosen = 3;
  return out;
}

/// All that it waits for is the first list of slices.
member_table without_slices() {
  member_table out{make_identity()};
  out.consents(listed<service_export>({}));
  out.exports(listed<slice_export>({}));
  return out;
}

touched remembers(member_table& table) {
  return table.remember("uid-1", key, exported());
}

feed slices(std::vector<endpoint_slice> all) {
  return [all](member_table& t) { return t.slices(listed(all)); };
}
feed exports(std::vector<slice_export> all) {
  return [all](member_table& t) { return t.exports(listed(all)); };
}
const endpoint_slice mine = make_slice("s1", "uid-1", 5);
const auto seen = slices({mine});
const auto unseen = slices({make_slice("other", "uid-9", 5)});
const auto recalled = feed{remembers};

const feed sleeps_blank = [](member_table& t) {
  return t.wake("uid-1"), t.retire("uid-1", t.next_number("uid-1"), {}), touched{};
};
const feed adopts = [](member_table& t) {
  memory held;
  held.name = "e2";
  return t.wake("uid-1"), t.retire("uid-1", 0, held), touched{};
};
const feed wakes = [](member_table& t) { return t.wake("uid-1"), touched{}; };
const feed blank = [](member_table& t) { return t.remember("uid-1", key, {}); };
const feed over = [](member_table& t) {
  auto held = exported();
  held.over = true;
  return t.remember("uid-1", key, held);
};
const feed another = [](member_table& t) {
  auto held = exported();
  held.name = "e9";
  return t.remember("uid-1", key, held);
};
const feed watched_delete = [](member_table& t) { return t.slices(deleted(mine)); };
const feed watched = [](member_table& t) { return t.slices(applied(mine)); };
const feed begins = [](member_table& t) { return t.slices(changes<endpoint_slice>({{watch_change::init, {}}})); };
const feed ends = [](member_table& t) { return t.slices(changes<endpoint_slice>({{watch_change::init_done, {}}})); };

TEST(Remember, ByWhatIsKnownOfTheSlice) {
  struct row {
    const char* name;
    std::vector<feed> steps; ///< the last one's touch counts
    bool is_heard;
    bool known;
    bool gone;
    memory kept;
  };
  memory adopted;
  adopted.name = "e2";
  const row table_of[] = {
    {"nothing is known yet: it waits", {recalled}, false, false, false, {}},
    {"a list that is open proves nothing", {recalled, begins}, false, false, false, {}},
    {"an end without a beginning proves nothing", {recalled, ends}, false, false, false, {}},
    {"the slice appears", {recalled, begins, watched}, false, true, false, exported()},
    {"the list holds the slice", {recalled, seen}, true, true, false, exported()},
    {"the list doesn't hold it", {recalled, slices({})}, true, true, true, exported()},
    {"a DELETE is seen of it", {recalled, watched_delete}, false, true, true, exported()},
    {"synced already, and not there", {unseen, recalled}, true, true, true, exported()},
    {"known and asleep without a memory", {seen, recalled}, true, true, false, exported()},
    {"an exporter knew better, and left nothing", {seen, sleeps_blank, recalled}, false, true, false, {}},
    {"adopted from the clusters", {seen, adopts, recalled}, false, true, false, adopted},
    {"an exporter is awake", {seen, wakes, recalled}, false, true, false, {}},
    {"told twice: the first counts", {recalled, another, seen}, true, true, false, exported()},
    {"told again when it is known", {recalled, seen, another}, false, true, false, exported()},
    {"blank, of an unknown slice", {unseen, blank}, false, false, false, {}},
    {"over, of an unknown slice", {unseen, over}, false, false, false, {}},
    {"blank, of a known slice", {seen, blank}, false, true, false, {}},
  };
  for (const auto& [name, steps, is_heard, known, gone, kept] : table_of) {
    SCOPED_TRACE(name);
    member_table table = without_slices();
    touched last;
    for (const auto& step : steps)
      last = step(table);
    EXPECT_EQ((last.all && table.decides()) || last.uids == uids{"uid-1"}, is_heard);
    EXPECT_EQ(table.knows("uid-1"), known);
    EXPECT_EQ(table.inputs_of("uid-1").gone, gone);
    EXPECT_FALSE(table.inputs_of("uid-1").leftover) << "not only an export tells of it";
    EXPECT_EQ(table.kept("uid-1").value_or(memory{}), kept);
  }
}

TEST(Remember, WhatWaitsCountsForNobody) {
  member_table table{make_identity()};
  remembers(table);
  table.exports(listed<slice_export>({make_export("e1", "hub-1", 5, "uid-1")}));
  EXPECT_FALSE(table.knows("uid-1"));
  EXPECT_TRUE(table.uids().empty());
  EXPECT_EQ(table.awake() + table.dormant(), 0U);
  EXPECT_FALSE(table.kept("uid-1"));
  EXPECT_EQ(table.wake("uid-1"), memory{});
  EXPECT_EQ(table.next_number("uid-1"), 0U);
  EXPECT_TRUE(table.is_without_slices());
  EXPECT_FALSE(table.inputs_of("uid-1").gone);
  EXPECT_TRUE(table.take_leftovers({}).empty());
  table.slices(listed<endpoint_slice>({mine}));
  EXPECT_EQ(table.uids(), uids{"uid-1"});
  EXPECT_EQ(table.dormant(), 1U);
}

TEST(Remember, ASliceThatCannotBeReadIsNotGone) {
  auto broken = listed<endpoint_slice>({});
  broken.unreadable = {key};
  const feed put_right = [](member_table& t) { return t.slices(applied(mine)); };
  const feed cannot_be_read = [&](member_table& t) { return t.slices(broken); };
  for (const auto& steps : {std::vector{recalled, cannot_be_read}, {cannot_be_read, recalled}}) {
    for (const bool is_gone : {false, true}) {
      member_table table = without_slices();
      for (const auto& step : steps)
        EXPECT_TRUE(step(table).uids.empty());
      EXPECT_FALSE(table.knows("uid-1"));
      EXPECT_EQ((is_gone ? slices({}) : put_right)(table).uids, uids{"uid-1"}) << "by the next list, or put right";
      EXPECT_EQ(table.inputs_of("uid-1").gone, is_gone);
      EXPECT_EQ(table.kept("uid-1"), exported());
    }
  }
}

// Whose: ours if its hub UID is in this slice's memory, else if its reference names us.

TEST(Remember, AnExportOfThatMemoryIsTheSlicesWhateverItsReferenceSays) {
  auto edited = make_export("e1", "hub-1", 5, "uid-other");
  auto foreign = edited;
  foreign.spec.reference.cluster = "m2";
  struct row {
    const char* name;
    std::vector<feed> order;
    bool gone;
  };
  for (const auto& export_of : {edited, foreign}) {
    const auto shown = exports({export_of});
    const row table_of[] = {
      {"slice, memory, hub", {seen, recalled, shown}, false},
      {"slice, hub, memory", {seen, shown, recalled}, false},
      {"memory, slice, hub", {recalled, seen, shown}, false},
      {"memory, hub, slice", {recalled, shown, seen}, false},
      {"hub, memory, slice", {shown, recalled, seen}, false},
      {"hub, slice, memory", {shown, seen, recalled}, false},
      {"no slice, memory, hub", {unseen, recalled, shown}, true},
      {"hub, memory, no slice", {shown, recalled, unseen}, true},
      {"memory, no slice, hub", {recalled, unseen, shown}, true},
    };
    for (const auto& [name, order, gone] : table_of) {
      SCOPED_TRACE(export_of.spec.reference.cluster + ": " + name);
      member_table table{make_identity()};
      for (const auto& step : order)
        step(table);
      const auto now = table.inputs_of("uid-1");
      EXPECT_EQ(now.gone, gone);
      ASSERT_EQ(now.hub.size(), 1U);
      EXPECT_TRUE(now.hub[0].mine);
      EXPECT_TRUE(table.take_leftovers({}).empty()) << "it is the slice's own";
      table.exports(applied(make_export("e1", "hub-1", 6, "uid-third")));
      EXPECT_TRUE(table.inputs_of("uid-1").hub.at(0).mine) << "the claim holds for the life of the object";
      table.exports(applied(make_export("e1", "hub-2", 7, "uid-third")));
      EXPECT_TRUE(table.inputs_of("uid-1").hub.empty()) << "another object under that name is another's";
    }
  }
}

TEST(Remember, AnotherObjectUnderThatNameIsNotTheSlices) {
  member_table table{make_identity()};
  remembers(table);
  table.slices(listed<endpoint_slice>({mine}));
  table.exports(listed<slice_export>({make_export("e1", "hub-7", 5, "uid-other")}));
  EXPECT_TRUE(table.inputs_of("uid-1").hub.empty());
}

TEST(Remember, AnExportThatIsClaimedByAWriteStaysThatSlices) {
  member_table table{make_identity()};
  table.slices(listed<endpoint_slice>({mine, make_slice("s2", "uid-2", 6)}));
  table.exports(listed<slice_export>({}));
  auto written = answer_to("uid-2");
  written.exported = make_export("e1", "hub-1", 9, "uid-2");
  table.answered(written);
  remembers(table);
  EXPECT_TRUE(table.inputs_of("uid-1").hub.empty());
  EXPECT_TRUE(table.inputs_of("uid-2").hub.at(0).mine);
}

TEST(Remember, WhatIsGoneIsWithdrawnOrEnds) {
  for (const bool has_export : {false, true}) {
    SCOPED_TRACE(has_export);
    member_table table{make_identity()};
    remembers(table);
    table.slices(listed<endpoint_slice>({}));
    table.consents(listed<service_export>({}));
    auto edited = make_export("e1", "hub-1", 5, "uid-1");
    edited.spec.reference.cluster = "m2";
    table.exports(listed<slice_export>(has_export ? std::vector{edited} : std::vector<slice_export>{}));
    exporter machine{make_identity(), "uid-1", table.wake("uid-1")};
    observation told{table.next_number("uid-1"), table.inputs_of("uid-1"), {}, {}};
    const auto step = machine.observe(told, {});
    if (has_export) {
      ASSERT_TRUE(step.action);
      EXPECT_EQ(std::get<submit_command>(*step.action).what, command(withdraw_export{"e1", "hub-1", proof::gone}));
    } else {
      EXPECT_EQ(step.events, std::vector<event>{slice_gone{}});
      EXPECT_TRUE(step.settled);
      EXPECT_TRUE(table.retire("uid-1", machine.seen(), machine.held()));
      EXPECT_FALSE(table.knows("uid-1"));
    }
  }
}

} // namespace
} // namespace sliceferry::core
