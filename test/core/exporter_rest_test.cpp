#include "test/core/fleet_model.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>

namespace sliceferry::core {
namespace {

TEST(ExporterRest, TakesBackWhatIsQueuedAndRetiresOwing) {
  auto all = exported();
  all.change_endpoints();
  all.look();
  EXPECT_FALSE(all.observe().settled);
  ASSERT_TRUE(all.is_queued());
  all.rests = true;
  all.observe();
  EXPECT_FALSE(all.is_queued());
  EXPECT_TRUE(all.observe().settled);
  EXPECT_TRUE(all.written.empty());
  all.rests = false;
  EXPECT_TRUE(all.run());
  EXPECT_EQ(all.written.size(), 2U);
}

TEST(ExporterRest, WaitsForTheEndOfWhatHasLeft) {
  auto all = exported();
  all.change_endpoints();
  all.look();
  all.observe();
  all.send();
  all.rests = true;
  EXPECT_FALSE(all.observe().settled) << "too late";
  all.serve();
  EXPECT_FALSE(all.is_queued()) << "what is owed next isn't asked for";
  EXPECT_TRUE(all.observe().settled);
  EXPECT_EQ(all.machine().held().generation, all.slice->generation);
  EXPECT_TRUE(all.machine().held().apply_owed) << "its successor knows";
}

TEST(ExporterRest, DoesNotWaitForAMissingSlice) {
  exporter machine{std::make_shared<const member_identity>(m1), "u1", {}};
  observation told;
  told.now = picture{};
  told.number = 1;
  ASSERT_TRUE(machine.observe(told, noon).action);
  told.number = 2;
  told.ended = make_outcome(1, verdict::missing); // and no watch has told of it yet
  EXPECT_FALSE(machine.observe(told, noon).settled);
  told.number = 3;
  told.ended.reset();
  told.rest = true;
  EXPECT_TRUE(machine.observe(told, noon).settled);
}

TEST(ExporterRest, NewsCallItBack) {
  auto all = exported();
  all.change_endpoints();
  all.look();
  all.observe();
  all.rests = true;
  all.observe();
  all.rests = false;
  EXPECT_FALSE(all.observe().settled);
  EXPECT_TRUE(all.is_queued());
}

/// Rests come at any moment; each time the exporter retires, another one starts from what it left.
TEST(ExporterRestProperty, NoRestLosesOrRepeatsAnything) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 dice(seed);
    const auto below = [&](unsigned bound) { return static_cast<unsigned>(dice() % bound); };
    fleet all;
    for (int step = 0; step < 60; ++step) {
      switch (below(7)) {
        case 0:
          all.change_endpoints();
          break;
        case 1:
          all.says = below(3) == 0 ? consent::absent : consent::granted;
          break;
        case 2:
          all.rests = below(2) == 0;
          break;
        case 3:
          if (all.is_queued())
            all.send();
          break;
        case 4:
          if (all.is_queued())
            all.serve();
          break;
        default:
          all.look();
      }
      const auto seen = all.observe();
      if (!all.rests || !seen.settled)
        continue;
      ASSERT_FALSE(all.is_queued()) << "a successor would have two commands out";
      all.rests = false;
      all.restart(all.machine().held());
    }
    all.rests = false;
    all.says = consent::granted;
    ASSERT_TRUE(all.run());
    ASSERT_EQ(all.hub.size(), 1U);
    const auto& each = all.hub.begin()->second;
    EXPECT_EQ(all.slice->ours.name, all.hub.begin()->first);
    EXPECT_TRUE(equivalent(each.spec, project(m1, *all.slice, *each.spec.reference.exported_since)));
    EXPECT_EQ(replay(all.journal), all.machine().held());
    all.written.clear();
    EXPECT_TRUE(all.run());
    EXPECT_TRUE(all.written.empty());
  }
}

} // namespace
} // namespace sliceferry::core
