#include "test/actors/exported.hpp"
#include "test/actors/mirror_world.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace sliceferry {
namespace {

using calls = std::vector<std::string>;

/// A member with one slice that is exported and at rest, and a disk that answers when the test says so.
struct held_back {
  held_back() : world(clusters) {
    clusters.put_slice("m1", "web-1", "10.0.0.1");
    clusters.grant("m1");
    world.sync();
    EXPECT_TRUE(world.finish());
    EXPECT_EQ(clusters.difference(), "");
    name = clusters.slice("m1", "web-1").ours.name.value_or("");
    world.take_calls();
    world.journal_of_test.holds = true;
  }

  /// Lets everything happen that needs neither time nor the disk.
  void settle() {
    while (world.tell())
      world.settle();
    world.settle();
  }

  fake_fleet clusters;
  mirror_world world;
  std::string name; ///< of the export
};

TEST(WriteAhead, NoCommandLeavesBeforeItsDecisionIsDurable) {
  held_back here;
  here.clusters.put_slice("m1", "web-1", "10.0.0.2");
  here.settle();
  EXPECT_EQ(here.world.take_calls(), calls{});
  ASSERT_FALSE(here.world.journal_of_test.added.empty());
  EXPECT_TRUE(std::holds_alternative<generation_seen>(here.world.journal_of_test.added.back().told.front()));
  here.world.journal_of_test.sync();
  EXPECT_TRUE(here.world.finish());
  // The answer to the first write is a fact: the second one waits for no disk.
  EXPECT_EQ(here.world.take_calls(), (calls{"m1 PATCH web-1", "hub PATCH " + here.name}));
  EXPECT_EQ(here.clusters.difference(), "");
}

TEST(WriteAhead, AWithdrawalWaitsToo) {
  held_back here;
  here.clusters.revoke("m1");
  here.settle();
  EXPECT_EQ(here.world.take_calls(), calls{});
  here.world.journal_of_test.sync();
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.world.take_calls(), (calls{"hub DELETE " + here.name, "m1 PATCH web-1"}));
}

TEST(WriteAhead, WhatIsTakenBackMeanwhileIsNeverSent) {
  held_back here;
  here.clusters.revoke("m1");
  here.settle();
  here.clusters.grant("m1");
  here.settle();
  here.world.journal_of_test.holds = false;
  here.world.journal_of_test.sync();
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.world.take_calls(), calls{});
  EXPECT_EQ(here.clusters.difference(), "");
}

TEST(WriteAhead, NobodyWaitsForADiskThatWasGivenUp) {
  held_back here;
  here.clusters.put_slice("m1", "web-1", "10.0.0.2");
  here.settle();
  EXPECT_EQ(here.world.take_calls(), calls{});
  here.world.journal_of_test.degrade();
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.world.take_calls(), (calls{"m1 PATCH web-1", "hub PATCH " + here.name}));
  here.clusters.put_slice("m1", "web-1", "10.0.0.3");
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.world.take_calls(), (calls{"m1 PATCH web-1", "hub PATCH " + here.name}));
}

TEST(WriteAhead, EachStreamFoldsIntoTheMemoryThatItsExporterLeft) {
  exported here;
  here.clusters.put_slice("m1", "web-1", "10.0.0.2");
  here.clusters.delete_slice("m1", "web-2");
  EXPECT_TRUE(here.world.finish());
  std::map<journal::stream_id, const staged_journal::addition*> last;
  for (const auto& each : here.world.journal_of_test.added) {
    EXPECT_FALSE(each.slice.name.empty());
    EXPECT_EQ(each.begins, last.count(each.whose) == 0) << "blank is its memory at first, and only then";
    last[each.whose] = &each;
  }
  EXPECT_GE(last.size(), many);
  for (const auto& [whose, addition] : last)
    EXPECT_EQ(here.world.journal_of_test.fold(whose), addition->after) << whose.slice_uid;
}

} // namespace
} // namespace sliceferry
