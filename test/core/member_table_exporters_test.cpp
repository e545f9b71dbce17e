#include "actors/core/decide.hpp"
#include "actors/core/member_table.hpp"

#include "test/core/member_makers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

using uids = std::vector<std::string>;

member_table synced(const std::vector<endpoint_slice>& slices, const std::vector<slice_export>& exports) {
  member_table table{make_identity()};
  table.slices(listed(slices));
  table.consents(listed<service_export>({}));
  table.exports(listed(exports));
  return table;
}

memory named_memory(const std::string& name) {
  memory out;
  out.name = name;
  return out;
}

TEST(MemberTable, KeepsTheMemoryOfARetiredExporter) {
  member_table table = synced({make_slice("s1", "uid-1", 1), make_slice("s2", "uid-2", 2)}, {});
  EXPECT_EQ(table.dormant(), 2U);
  EXPECT_EQ(table.wake("uid-1"), memory{});
  EXPECT_EQ(table.awake(), 1U);
  EXPECT_EQ(table.next_number("uid-1"), 1U);
  EXPECT_TRUE(table.retire("uid-1", 1, named_memory("e1")));
  EXPECT_EQ(table.awake(), 0U);
  EXPECT_EQ(table.wake("uid-1"), named_memory("e1"));
  EXPECT_EQ(table.next_number("uid-1"), 2U); // a wish of the former exporter can't be taken for this one's
  EXPECT_EQ(table.dormant(), 1U);
}

TEST(MemberTable, LetsNobodyRetireWithNewsOnTheWay) {
  member_table table = synced({make_slice("s1", "uid-1", 1)}, {});
  table.wake("uid-1");
  table.next_number("uid-1");
  table.next_number("uid-1");
  EXPECT_FALSE(table.retire("uid-1", 1, named_memory("e1")));
  EXPECT_EQ(table.awake(), 1U);
  EXPECT_TRUE(table.retire("uid-1", 2, named_memory("e2")));
  EXPECT_FALSE(table.retire("uid-1", 2, named_memory("e3"))); // it asks twice
  EXPECT_EQ(table.wake("uid-1"), named_memory("e2"));
}

TEST(MemberTable, SurvivesTheDeathOfAnExporter) {
  member_table table = synced({make_slice("s1", "uid-1", 1)}, {});
  table.wake("uid-1");
  table.next_number("uid-1");
  table.died("uid-1");
  table.died("uid-1");
  EXPECT_EQ(table.awake(), 0U);
  EXPECT_EQ(table.wake("uid-1"), memory{});
  EXPECT_EQ(table.next_number("uid-1"), 2U);
}

TEST(MemberTable, ForgetsASliceThatIsGoneWithItsExports) {
  member_table table = synced({make_slice("s1", "uid-1", 1)}, {make_export("e1", "hub-1", 5, "uid-1")});
  table.slices(deleted(make_slice("s1", "uid-1", 2)));
  table.wake("uid-1");
  EXPECT_TRUE(table.retire("uid-1", 0, named_memory("e1")));
  EXPECT_TRUE(table.knows("uid-1")); // its export is still there

  EXPECT_EQ(table.exports(deleted(make_export("e1", "hub-1", 6, "uid-1"))).uids, uids{"uid-1"});
  EXPECT_EQ(table.wake("uid-1"), named_memory("e1"));
  EXPECT_TRUE(table.retire("uid-1", 0, {}));
  EXPECT_FALSE(table.knows("uid-1"));
  EXPECT_EQ(table.awake() + table.dormant(), 0U);
  EXPECT_TRUE(table.retire("uid-1", 0, {}));
  EXPECT_EQ(table.next_number("uid-1"), 0U);

  auto late = answer_to("uid-1");
  late.slice = make_slice("s1", "uid-1", 9);
  table.answered(late);
  table.slices(applied(make_slice("s1", "uid-1", 1)));
  EXPECT_FALSE(table.knows("uid-1"));
}

TEST(MemberTable, ForgetsWhatWasOverWhenTheLastExportVanishes) {
  member_table table = synced({make_slice("s1", "uid-1", 1)}, {make_export("e1", "hub-1", 5, "uid-1")});
  table.slices(deleted(make_slice("s1", "uid-1", 2)));
  table.wake("uid-1");
  memory over;
  over.over = true; // the export is terminating: held by a finalizer, it counts as withdrawn
  EXPECT_TRUE(table.retire("uid-1", 0, over));
  EXPECT_EQ(*table.kept("uid-1"), over);
  EXPECT_TRUE(table.exports(deleted(make_export("e1", "hub-1", 6, "uid-1"))).uids.empty());
  EXPECT_FALSE(table.knows("uid-1"));
}

TEST(MemberTable, DoesNotForgetWhileTheHubIsUnknown) {
  member_table table{make_identity()};
  table.slices(listed<endpoint_slice>({make_slice("s1", "uid-1", 1)}));
  table.slices(deleted(make_slice("s1", "uid-1", 2)));
  table.wake("uid-1");
  EXPECT_TRUE(table.retire("uid-1", 0, {}));
  EXPECT_TRUE(table.knows("uid-1"));
}

TEST(Leftovers, AreSuspectedOnlyOfAWholePicture) {
  member_table table{make_identity()};
  table.exports(listed<slice_export>({make_export("e1", "hub-1", 5, "uid-1"), make_export("e2", "hub-2", 6, "uid-2")}));
  EXPECT_TRUE(table.take_leftovers({}).empty()); // LW37
  table.exports(applied(make_export("e1", "hub-1", 7, "uid-1")));
  EXPECT_TRUE(table.take_leftovers({}).empty()) << "news of one by the watch";
  table.slices(
    changes<endpoint_slice>({{watch_change::init, {}}, {watch_change::applied, make_slice("s1", "uid-1", 1)}}));
  EXPECT_TRUE(table.take_leftovers({}).empty());
  table.slices(changes<endpoint_slice>({{watch_change::init_done, {}}}));
  const std::vector<leftover> found{{"e2", "hub-2", {"shop", "of-uid-2"}, "uid-2"}};
  EXPECT_EQ(table.take_leftovers({}), found);
  EXPECT_TRUE(table.take_leftovers({}).empty()); // each once
}

TEST(Leftovers, AreExportsOfOurClusterWithoutASlice) {
  auto foreign = make_export("e1", "hub-1", 5, "uid-9");
  foreign.spec.reference.cluster = "m2";
  auto nobody = make_export("e2", "hub-2", 6, "");
  auto going = make_export("e3", "hub-3", 7, "uid-8");
  going.terminating = true;
  auto elsewhere = make_export("e4", "hub-4", 8, "uid-7");
  elsewhere.key.nspace = "fleet-m2";
  auto withdrawn = make_export("e5", "hub-5", 9, "uid-5");
  member_table table{make_identity()};
  table.exports(listed<slice_export>({foreign, nobody, going, elsewhere, withdrawn}));
  table.slices(listed<endpoint_slice>({make_slice("s5", "uid-5", 1)}));
  table.slices(deleted(make_slice("s5", "uid-5", 2)));
  EXPECT_TRUE(table.take_leftovers({}).empty()); // of uid-5 there is a record: its exporter withdraws
}

TEST(Leftovers, BecomeRecordsWhenConfirmed) {
  struct row {
    const char* name;
    std::optional<std::string> uid_found;
    bool confirmed;
  };
  const row table_of[] = {
    {"404", {}, true},
    {"another object holds the name", "uid-7", true},
    {"the slice exists", "uid-2", false},
  };
  for (const auto& [name, uid_found, confirmed] : table_of) {
    SCOPED_TRACE(name);
    member_table table = synced({}, {make_export("e2", "hub-2", 6, "uid-2")});
    const auto found = table.take_leftovers({});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(table.confirm(found[0], uid_found).uids, confirmed ? uids{"uid-2"} : uids{});
    EXPECT_EQ(table.knows("uid-2"), confirmed);
    const inputs seen = table.inputs_of("uid-2");
    EXPECT_EQ(seen.gone, confirmed);
    EXPECT_EQ(seen.leftover, confirmed);
    EXPECT_EQ(seen.hub.size(), confirmed ? 1U : 0U);
    EXPECT_TRUE(table.take_leftovers({}).empty());

    // The slice turns up after all: it cancels what was concluded.
    EXPECT_EQ(table.slices(applied(make_slice("of-uid-2", "uid-2", 9))).uids, uids{"uid-2"});
    const inputs back = table.inputs_of("uid-2");
    EXPECT_TRUE(back.slice && !back.gone && !back.leftover);
    EXPECT_TRUE(back.hub.at(0).mine);
  }
}

TEST(Leftovers, CannotBeConfirmedAfterTheFact) {
  member_table table = synced({}, {make_export("e2", "hub-2", 6, "uid-2"), make_export("e3", "hub-3", 7, "uid-3"),
                                   make_export("e4", "hub-4", 8, "uid-4")});
  const auto found = table.take_leftovers({});
  ASSERT_EQ(found.size(), 3U);
  table.slices(applied(make_slice("of-uid-2", "uid-2", 9)));
  table.exports(deleted(make_export("e3", "hub-3", 9, "uid-3")));
  table.exports(applied(make_export("e4", "hub-4b", 10, "uid-4b"))); // the name holds another object
  for (const auto& suspected : found)
    EXPECT_TRUE(table.confirm(suspected, std::nullopt).uids.empty());
  EXPECT_FALSE(table.inputs_of("uid-2").gone);
  EXPECT_FALSE(table.knows("uid-3") || table.knows("uid-4"));
  EXPECT_EQ(table.take_leftovers({}).size(), 1U); // uid-4b
}

TEST(Leftovers, ArriveLaterToo) {
  member_table table = synced({}, {});
  table.exports(applied(make_export("e2", "hub-2", 6, "uid-2"))); // by a foreign hand
  const auto first = table.take_leftovers({});
  ASSERT_EQ(first.size(), 1U);
  table.exports(applied(make_export("e2", "hub-2", 7, "uid-2")));
  EXPECT_TRUE(table.take_leftovers({}).empty()); // it is being asked about
  table.confirm(first[0], "uid-2");

  table.exports(applied(make_export("e2", "hub-2", 8, "uid-2")));
  EXPECT_EQ(table.take_leftovers({}), first); // news after it was refuted
  table.confirm(first[0], "uid-2");
  table.slices(listed<endpoint_slice>({}));
  EXPECT_EQ(table.take_leftovers({}), first); // a complete list still doesn't show the slice
  EXPECT_EQ(table.confirm(first[0], std::nullopt).uids, uids{"uid-2"});

  table.exports(deleted(make_export("e2", "hub-2", 9, "uid-2")));
  table.wake("uid-2");
  EXPECT_TRUE(table.retire("uid-2", 0, {}));
  EXPECT_FALSE(table.knows("uid-2"));
  table.exports(applied(make_export("e2", "hub-2b", 10, "uid-2"))); // and again
  EXPECT_EQ(table.take_leftovers({}).size(), 1U);
}

/// The dispatcher passes over all news before that, and hears of every slice then.
TEST(MemberTable, DecidesNothingBeforeTheLastOfTheFirstLists) {
  const std::function<touched(member_table&)> lists[] = {
    [](member_table& to) {
      return to.slices(
        listed<endpoint_slice>({named(make_slice("s1", "uid-1", 10), "e1"),
                                named(make_slice("s2", "uid-2", 11, "gone"), "e2"), make_slice("s3", "uid-3", 12)}));
    },
    [](member_table& to) { return to.consents(listed<service_export>({make_consent("web", 20)})); },
    [](member_table& to) {
      return to.exports(
        listed<slice_export>({make_export("e1", "hub-1", 30, "uid-1"), make_export("e2", "hub-2", 31, "uid-2"),
                              make_export("e9", "hub-9", 32, "uid-9")}));
    },
  };
  std::vector<std::size_t> order{0, 1, 2};
  do {
    SCOPED_TRACE(testing::Message() << "lists " << order[0] << ", " << order[1] << ", " << order[2]);
    member_table held{make_identity()};
    memory kept;
    kept.name = "e2";
    kept.hub_uids = {"hub-2"};
    held.remember("uid-2", {"shop", "s2"}, kept);
    for (const auto list : order) {
      EXPECT_FALSE(held.decides());
      for (const auto& uid : held.uids())
        EXPECT_TRUE(quiet(*make_identity(), *held.kept(uid), held.inputs_of(uid), {})) << uid;
      const bool is_last = list == order.back();
      EXPECT_EQ(lists[list](held).all || !is_last, true);
    }
    EXPECT_TRUE(held.decides());
    EXPECT_FALSE(quiet(*make_identity(), *held.kept("uid-3"), held.inputs_of("uid-3"), {}));
  } while (std::next_permutation(order.begin(), order.end()));
  member_table leaver{make_identity()};
  leaver.leave(true);
  EXPECT_TRUE(leaver.decides()) << "whoever leaves needs only the exports";
}

} // namespace
} // namespace sliceferry::core
