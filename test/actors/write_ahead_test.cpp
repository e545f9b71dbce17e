#include "actors/slice_exporter.hpp"
#include "test/actors/exported.hpp"
#include "test/actors/mirror_world.hpp"
#include "test/core/picture.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
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

/// As many places as there are tell whether any was taken: none.
TEST(WriteAhead, AStartInSyncRemembersAllWithoutAnyExporter) {
  exported here;
  mirror_world again{here.clusters, echo::after_answer, {}, {}, 0};
  again.sync();
  EXPECT_TRUE(again.finish());
  EXPECT_EQ(again.take_calls(), calls{});
  EXPECT_EQ(again.awake(), 0);
  EXPECT_EQ(again.figure("sliceferry_exports{member=\"m1\",state=\"exported\"}"), many);
  EXPECT_EQ(again.journal_of_test.added.size(), many);
  for (const auto& each : again.journal_of_test.added) {
    EXPECT_TRUE(each.begins);
    ASSERT_EQ(each.told.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<adopted>(each.told.front()));
    EXPECT_EQ(again.journal_of_test.fold(each.whose), each.after);
  }
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

/// Stands for a writer; notes what each command must wait for.
class noting_writer : public caf::event_based_actor {
public:
  noting_writer(caf::actor_config& config, std::vector<std::uint64_t>* noted)
    : caf::event_based_actor(config), noted_(noted) {}

  caf::behavior make_behavior() override {
    return {[this](const submission& asked) { noted_->push_back(asked.durable_at); }};
  }

private:
  std::vector<std::uint64_t>* noted_;
};

TEST(WriteAhead, OneThatRestedLeavesItsSuccessorTheWait) {
  observation seen;
  seen.number = 1;
  seen.now = core::picture{};
  core::exporter before{std::make_shared<const core::member_identity>(core::m1), "u1", {}};
  ASSERT_FALSE(before.observe(seen, core::noon).events.empty());

  std::vector<std::uint64_t> noted;
  metrics figures{"test"};
  staged_journal journal;
  staged_system stage;
  auto ports = std::make_shared<exporter_ports>();
  ports->identity = std::make_shared<const core::member_identity>(core::m1);
  ports->dispatcher = ports->member_writer = ports->hub_writer = stage.spawn<noting_writer>(&noted);
  ports->journal = &journal;
  ports->figures = &figures;
  const auto after = stage.spawn<slice_exporter>(std::shared_ptr<const exporter_ports>(ports), "u1", before.held(), 7U);
  tell_from_thread(after, seen);
  stage.run();
  EXPECT_TRUE(journal.added.empty()) << "it has decided nothing itself";
  EXPECT_EQ(noted, std::vector<std::uint64_t>{7});
}

/// A snapshot may have left the stream out, so what follows its end is worth nothing by itself.
TEST(WriteAhead, WhatFollowsAStreamsEndCarriesItsMemory) {
  struct row {
    const char* name;
    bool was_over;
    std::vector<bool> resume; ///< its additions
  };
  for (const auto& [name, was_over, resume] : {row{"the slice comes back to export", true, {true, false}},
                                               row{"it was there all along", false, {false, false}}}) {
    SCOPED_TRACE(name);
    core::memory held;
    held.names_chosen = 2;
    held.over = was_over;
    metrics figures{"test"};
    staged_journal journal;
    staged_system stage;
    auto ports = std::make_shared<exporter_ports>();
    ports->identity = std::make_shared<const core::member_identity>(core::m1);
    std::vector<std::uint64_t> noted;
    ports->dispatcher = ports->member_writer = ports->hub_writer = stage.spawn<noting_writer>(&noted);
    ports->journal = &journal;
    ports->figures = &figures;
    const auto exporter = stage.spawn<slice_exporter>(std::shared_ptr<const exporter_ports>(ports), "u1", held, 0U);
    observation seen;
    seen.number = 1;
    seen.now = core::picture{};
    tell_from_thread(exporter, seen);
    stage.run();
    ASSERT_EQ(noted.size(), 1U) << "the annotate is out";
    seen.number = 2;
    seen.ended = outcome{1, verdict::refused};
    tell_from_thread(exporter, seen);
    stage.run();
    ASSERT_EQ(journal.added.size(), resume.size());
    for (std::size_t i = 0; i < resume.size(); ++i) {
      EXPECT_FALSE(journal.added[i].begins);
      EXPECT_EQ(journal.added[i].resumes, resume[i]) << i;
    }
  }
}

} // namespace
} // namespace sliceferry
