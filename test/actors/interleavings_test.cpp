#include "test/actors/mirror_world.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace sliceferry {
namespace {

using namespace std::chrono_literals;

/// News that may come at any moment.
struct news {
  const char* name;
  std::function<void(fake_fleet&, mirror_world&)> happen;
};

const news table[] = {
  {"the slice changes", [](fake_fleet& clusters, mirror_world&) { clusters.put_slice("m1", "web-1", "10.0.0.2"); }},
  {"the slice goes", [](fake_fleet& clusters, mirror_world&) { clusters.delete_slice("m1", "web-1"); }},
  {"the slice is replaced by another of its name",
   [](fake_fleet& clusters, mirror_world&) {
     clusters.delete_slice("m1", "web-1");
     clusters.put_slice("m1", "web-1", "10.0.0.3");
   }},
  {"the consent goes", [](fake_fleet& clusters, mirror_world&) { clusters.revoke("m1"); }},
  {"the consent goes and returns",
   [](fake_fleet& clusters, mirror_world& world) {
     clusters.revoke("m1");
     world.tell();
     clusters.grant("m1");
   }},
  {"the slice moves to a Service without consent",
   [](fake_fleet& clusters, mirror_world&) { clusters.put_slice("m1", "web-1", "10.0.0.1", "private"); }},
  {"everything is listed anew",
   [](fake_fleet&, mirror_world& world) {
     world.list_slices("m1");
     world.list_consents("m1");
     world.list_exports("m1");
   }},
};

/// Takes `steps` messages of the work that `begin` causes, then lets the news in. Returns whether
/// the work had ended before.
bool interpose(echo order, const std::function<void(fake_fleet&)>& begin, std::size_t steps, const news& told) {
  fake_fleet clusters;
  mirror_world world(clusters, order);
  clusters.put_slice("m1", "web-1", "10.0.0.1");
  clusters.grant("m1");
  world.sync();
  EXPECT_TRUE(world.finish());
  begin(clusters);
  world.tell();
  bool ended = false;
  while (steps > 0 && !ended) {
    --steps;
    ended = !world.stage.step() && !world.tell();
  }
  told.happen(clusters, world);
  world.tell();
  EXPECT_TRUE(world.finish(15min));
  EXPECT_EQ(clusters.difference(), "");
  EXPECT_EQ(world.awake(), 0);
  EXPECT_LE(world.requests.size(), 2U + 2U + 8U);
  return ended;
}

void interpose_everywhere(const char* work, const std::function<void(fake_fleet&)>& begin) {
  for (const auto& told : table)
    for (const auto order : {echo::before_answer, echo::after_answer})
      for (std::size_t steps = 0;; ++steps) {
        SCOPED_TRACE(std::string("during ") + work + ", after " + std::to_string(steps) + " messages: " + told.name +
                     (order == echo::before_answer ? ", echo first" : ", answer first"));
        const bool ended = interpose(order, begin, steps, told);
        if (ended || testing::Test::HasFailure())
          break;
      }
}

// Among the moments is the one between an exporter's wish to retire and the dispatcher's leave.
TEST(Interleavings, NewsMayComeAtEachMomentOfAChange) {
  interpose_everywhere("a change", [](fake_fleet& clusters) { clusters.put_slice("m1", "web-1", "10.0.0.9"); });
}

TEST(Interleavings, NewsMayComeAtEachMomentOfARepair) {
  interpose_everywhere("a repair", [](fake_fleet& clusters) {
    clusters.hub.remove(export_path("m1", clusters.exports("m1").at(0).key.name));
  });
}

TEST(Interleavings, NewsMayComeAtEachMomentOfARename) {
  interpose_everywhere("a rename", [](fake_fleet& clusters) {
    clusters.members.at("m1").write(
      slice_path("web-1"), R"({"metadata":{"annotations":{"networking.fleet.azure.com/fleet-unique-name":null}}})");
  });
}

/// The process ends after so many messages and starts anew. Returns whether the work had ended before.
bool restart(const std::function<void(fake_fleet&)>& begin, std::size_t steps) {
  fake_fleet clusters;
  clusters.put_slice("m1", "web-1", "10.0.0.1");
  bool ended = false;
  std::size_t requests = 0;
  {
    mirror_world world(clusters);
    world.sync();
    begin(clusters);
    world.tell();
    for (; steps > 0 && !ended; --steps)
      ended = !world.stage.step() && !world.tell();
    requests = world.requests.size();
  }
  mirror_world anew(clusters);
  anew.sync();
  EXPECT_TRUE(anew.finish(10min));
  EXPECT_EQ(clusters.difference(), "");
  EXPECT_LE(requests + anew.requests.size(), 2U * (2U + 2U) + 2U);
  return ended;
}

TEST(Interleavings, TheProcessMayRestartAtEachMoment) {
  const auto create = [](fake_fleet& clusters) { clusters.grant("m1"); };
  for (std::size_t steps = 0;; ++steps) {
    SCOPED_TRACE("after " + std::to_string(steps) + " messages");
    if (restart(create, steps) || HasFailure())
      break;
  }
}

/// The exporter that is next to take a message ends by an exception instead.
TEST(Interleavings, TheExporterMayFailAtEachMoment) {
  for (std::size_t turns = 1;; ++turns) {
    SCOPED_TRACE("at its message number " + std::to_string(turns));
    fake_fleet clusters;
    mirror_world world(clusters);
    clusters.put_slice("m1", "web-1", "10.0.0.1");
    clusters.grant("m1");
    world.list_slices("m1");
    world.list_consents("m1");
    world.list_exports("m1");
    std::size_t seen = 0;
    bool ended = false;
    while (!ended) {
      const auto next = world.stage.next("slice_exporter");
      if (next && ++seen == turns) {
        tell_to_exit(next);
        tell_from_thread(world.dispatchers.at("m1"),
                         exporter_failed{clusters.slice("m1", "web-1").uid, "as good as an exception"});
        break;
      }
      ended = !world.stage.step() && !world.tell();
    }
    EXPECT_TRUE(world.finish());
    EXPECT_EQ(clusters.difference(), "");
    EXPECT_EQ(world.awake(), 0);
    EXPECT_LE(world.requests.size(), 6U);
    const journal::stream_id whose{"m1", clusters.slice("m1", "web-1").uid};
    EXPECT_EQ(world.journal_of_test.fold(whose), world.journal_of_test.added.back().after)
      << "none but the last life's";
    if (ended || HasFailure())
      break;
  }
}

} // namespace
} // namespace sliceferry
