#include "test/actors/mirror_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sliceferry {
namespace {

using namespace std::chrono_literals;
using calls = std::vector<std::string>;

/// A hub with exports of `m1` whose slices the member doesn't hold.
struct orphans {
  explicit orphans(std::size_t count, core::write_limits limits = {}) : world(clusters, echo::after_answer, limits) {
    clusters.grant("m1");
    for (std::size_t i = 0; i < count; ++i)
      clusters.put_export("m1", "old-" + std::to_string(i), "web-" + std::to_string(i), "uid-" + std::to_string(i));
    clusters.hub.take_changes();
    clusters.members.at("m1").take_changes();
  }

  std::size_t count(const std::string& beginning) {
    return static_cast<std::size_t>(
      std::ranges::count_if(seen = world.take_calls(), [&](const auto& call) { return call.starts_with(beginning); }));
  }

  fake_fleet clusters;
  mirror_world world;
  calls seen;
};

TEST(Leftovers, AFewAreReadEach) {
  for (const std::size_t many : {1U, 32U}) {
    orphans here(many);
    here.world.sync();
    EXPECT_TRUE(here.world.finish());
    EXPECT_EQ(here.clusters.difference(), "");
    EXPECT_EQ(here.count("m1 GET"), many);
    EXPECT_EQ(std::ranges::count_if(here.seen, [](const auto& call) { return call.starts_with("hub DELETE"); }),
              static_cast<std::ptrdiff_t>(many));
    EXPECT_EQ(here.seen.size(), 2 * many);
    EXPECT_EQ(here.world.relists, 0U);
    EXPECT_EQ(here.world.awake() + here.world.dormant(), 0);
  }
}

/// They go to the same server as the writes, and so they take their tokens from the same bucket.
TEST(Leftovers, AreReadNoFasterThanTheMembersLimiterAllows) {
  core::write_limits slow;
  slow.qps = 2;
  slow.burst = 4;
  orphans here(20, slow);
  here.world.sync();
  EXPECT_EQ(here.count("m1 GET"), 4U);
  for (int second = 0; second < 8; ++second) {
    here.world.pass(1s);
    EXPECT_EQ(here.count("m1 GET"), 2U);
  }
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.clusters.difference(), "");
}

TEST(Leftovers, ManyAreProvenByOneMoreList) {
  orphans here(33);
  here.world.sync();
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.world.take_calls(), calls{});
  EXPECT_EQ(here.world.relists, 1U);
  here.world.list_slices("m1");
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.clusters.difference(), "");
  EXPECT_EQ(here.count("hub DELETE"), 33U);
  EXPECT_EQ(here.seen.size(), 33U);
  EXPECT_EQ(here.world.relists, 1U);
}

TEST(Leftovers, TheListMayFindThem) {
  orphans here(33);
  here.world.sync();
  for (int i = 0; i < 33; ++i)
    here.clusters.put_slice("m1", "web-" + std::to_string(i), "10.0.0.1"); // with other UIDs
  here.clusters.members.at("m1").take_changes();
  here.world.list_slices("m1");
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.clusters.difference(), "");
  EXPECT_EQ(here.count("hub DELETE"), 33U);
}

TEST(Leftovers, AReadThatFindsTheSliceSparesItsExport) {
  fake_fleet clusters;
  clusters.put_slice("m1", "web-1", "10.0.0.1");
  clusters.grant("m1");
  {
    mirror_world before(clusters);
    before.sync();
    ASSERT_TRUE(before.finish());
    ASSERT_EQ(clusters.difference(), "");
  }
  // The member's list misses the slice, as one of a lagging replica may.
  const auto object = clusters.members.at("m1").find(slice_path("web-1")).value();
  mirror_world world(clusters, echo::withheld);
  world.list_consents("m1");
  world.list_exports("m1");
  auto empty = std::make_shared<watch_batch<endpoint_slice>>();
  empty->events = {{watch_change::init, {}}, {watch_change::init_done, {}}};
  tell_from_thread(world.dispatchers.at("m1"), slices_read{std::move(empty)});
  EXPECT_TRUE(world.finish());
  EXPECT_EQ(world.take_calls(), (calls{"m1 GET web-1"}));
  EXPECT_EQ(clusters.exports("m1").size(), 1U);
}

TEST(Leftovers, AReadThatFailsIsTriedAgain) {
  for (const auto& broken : {k8s::http_response{503, {}, status_body(503, "ServiceUnavailable", "")},
                             k8s::http_response{403, {}, status_body(403, "Forbidden", "")},
                             k8s::http_response{404, {}, "page not found"}, k8s::http_response{200, {}, "{"}}) {
    SCOPED_TRACE(broken.status);
    orphans here(2);
    here.world.sabotage = [&](std::size_t call) -> std::optional<fault> {
      return call <= 4 ? std::optional(fault{false, broken}) : std::nullopt;
    };
    here.world.sync();
    EXPECT_EQ(here.clusters.exports("m1").size(), 2U) << "a failed read proves nothing";
    EXPECT_TRUE(here.world.finish());
    EXPECT_EQ(here.clusters.difference(), "");
    EXPECT_EQ(here.count("m1 GET"), 6U);
  }
}

TEST(Leftovers, HalfAPictureProvesNothing) {
  orphans here(1);
  here.world.list_consents("m1");
  here.world.list_exports("m1");
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.world.take_calls(), calls{});
  EXPECT_EQ(here.clusters.exports("m1").size(), 1U);
}

TEST(Leftovers, TheExportsOfOthersAreNotOurs) {
  orphans here(0);
  here.clusters.put_export("m1", "foreign", "web-1", "uid-1");
  here.clusters.hub.write(export_path("m1", "foreign"), R"({"spec":{"endpointSliceReference":{"clusterId":"m9"}}})");
  here.world.sync();
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.world.take_calls(), calls{});
  EXPECT_EQ(here.clusters.exports("m1").size(), 1U);
}

} // namespace
} // namespace sliceferry
