#include "k8s/encode.hpp"
#include "test/actors/mirror_world.hpp"

#include <gtest/gtest.h>

namespace sliceferry {
namespace {

using namespace std::chrono_literals;
using calls = std::vector<std::string>;

constexpr echo orders[] = {echo::before_answer, echo::after_answer};

/// A member with one slice that is exported and at rest.
struct exported_slice {
  explicit exported_slice(echo order = echo::after_answer) : world(clusters, order) {
    clusters.put_slice("m1", "web-1", "10.0.0.1");
    clusters.grant("m1");
    clusters.members.at("m1").take_changes();
    world.sync();
    EXPECT_TRUE(world.finish());
    EXPECT_EQ(clusters.difference(), "");
    name = clusters.slice("m1", "web-1").ours.name.value_or("");
    EXPECT_EQ(world.take_calls(), (calls{"m1 PATCH web-1", "hub POST endpointsliceexports"}));
  }

  fake_fleet clusters;
  mirror_world world;
  std::string name; ///< of the export
};

TEST(SliceLife, FirstExportIsPatchThenPost) {
  exported_slice here;
  ASSERT_EQ(here.world.requests.size(), 2U);
  const auto slice = here.clusters.slice("m1", "web-1");
  const auto& patch = here.world.requests[0];
  EXPECT_EQ(patch.target, slice_path("web-1"));
  EXPECT_EQ(patch.content_type, k8s::merge_patch_type);
  EXPECT_TRUE(same_json(patch.body, R"({"metadata":{"uid":"member-uid-1","annotations":{)"
                                    R"("networking.fleet.azure.com/fleet-unique-name":")" +
                                      here.name +
                                      R"(","networking.fleet.azure.com/last-seen-generation":"1",)"
                                      R"("networking.fleet.azure.com/last-seen-timestamp":")" +
                                      slice.ours.timestamp.value_or("") + R"("}}})"))
    << patch.body;
  const auto& post = here.world.requests[1];
  EXPECT_EQ(post.target, "/apis/networking.fleet.azure.com/v1alpha1/namespaces/fleet-m1/endpointsliceexports");
  EXPECT_EQ(post.content_type, k8s::json_type);
  EXPECT_TRUE(same_json(
    post.body, R"({"apiVersion":"networking.fleet.azure.com/v1alpha1","kind":"EndpointSliceExport",)"
               R"("metadata":{"namespace":"fleet-m1","name":")" +
                 here.name +
                 R"("},"spec":{"addressType":"IPv4","endpoints":[{"addresses":["10.0.0.1"]}],)"
                 R"("ports":[{"name":"http","protocol":"TCP","port":80}],"endpointSliceReference":{)"
                 R"("clusterId":"m1","apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice",)"
                 R"("namespace":"shop","name":"web-1","namespacedName":"shop/web-1","uid":"member-uid-1",)"
                 R"("resourceVersion":")" +
                 slice.resource_version + R"(","generation":1,"exportedSince":")" + slice.ours.timestamp.value_or("") +
                 R"("},"ownerServiceReference":{"namespace":"shop","name":"web",)"
                 R"("namespacedName":"shop/web"}}})"))
    << post.body;
}

TEST(SliceLife, ChangeIsPatchThenPatch) {
  for (const auto order : orders) {
    exported_slice here(order);
    here.clusters.put_slice("m1", "web-1", "10.0.0.2");
    EXPECT_TRUE(here.world.finish());
    EXPECT_EQ(here.clusters.difference(), "");
    EXPECT_EQ(here.world.take_calls(), (calls{"m1 PATCH web-1", "hub PATCH " + here.name}));
    EXPECT_EQ(here.clusters.exports("m1").at(0).spec.endpoints.at(0).addresses.at(0), "10.0.0.2");
  }
}

TEST(SliceLife, WithdrawalIsDeleteThenPatch) {
  for (const auto order : orders) {
    exported_slice here(order);
    here.clusters.revoke("m1");
    EXPECT_TRUE(here.world.finish());
    EXPECT_EQ(here.clusters.difference(), "");
    EXPECT_EQ(here.world.take_calls(), (calls{"hub DELETE " + here.name, "m1 PATCH web-1"}));
    EXPECT_TRUE(here.clusters.slice("m1", "web-1").ours.empty());
    EXPECT_TRUE(same_json(here.world.requests.at(2).body,
                          R"({"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"hub-uid-1"},)"
                          R"("propagationPolicy":"Background"})"));
  }
}

TEST(SliceLife, ADeletedSliceCostsOneDelete) {
  for (const auto order : orders) {
    exported_slice here(order);
    here.clusters.delete_slice("m1", "web-1");
    EXPECT_TRUE(here.world.finish());
    EXPECT_EQ(here.clusters.difference(), "");
    EXPECT_EQ(here.world.take_calls(), (calls{"hub DELETE " + here.name}));
    EXPECT_EQ(here.world.awake() + here.world.dormant(), 0) << "nothing of it is kept";
  }
}

TEST(SliceLife, AWithdrawnSliceReturnsUnderANewName) { // C27
  exported_slice here;
  here.clusters.revoke("m1");
  EXPECT_TRUE(here.world.finish());
  here.clusters.grant("m1");
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.clusters.difference(), "");
  EXPECT_NE(here.clusters.exports("m1").at(0).key.name, here.name);
  EXPECT_EQ(here.world.take_calls().size(), 4U);
}

TEST(SliceLife, ARepetitionOfEverythingWritesNothing) {
  exported_slice here;
  for (int time = 0; time < 3; ++time)
    here.world.sync();
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.world.take_calls(), calls{});
  EXPECT_EQ(here.world.figure("sliceferry_commands_total{command=\"apply\"}"), 1);
}

TEST(SliceLife, ARestartInSyncWritesNothing) {
  exported_slice here;
  mirror_world anew(here.clusters);
  anew.sync();
  EXPECT_TRUE(anew.finish());
  EXPECT_EQ(anew.take_calls(), calls{});
  EXPECT_EQ(anew.dormant(), 1);
  here.clusters.put_slice("m1", "web-1", "10.0.0.2");
  EXPECT_TRUE(anew.finish());
  EXPECT_EQ(here.clusters.difference(), "");
  EXPECT_EQ(anew.take_calls(), (calls{"m1 PATCH web-1", "hub PATCH " + here.name}));
}

TEST(SliceLife, AForeignHandOnTheHubIsRepaired) {
  exported_slice here;
  here.clusters.hub.write(export_path("m1", here.name), R"({"spec":{"endpoints":[]}})");
  here.world.pass(1s); // not to the end of all timers: foreign hands are remembered for minutes
  EXPECT_EQ(here.clusters.difference(), "");
  EXPECT_EQ(here.world.take_calls(), (calls{"hub PATCH " + here.name}));
  here.clusters.hub.remove(export_path("m1", here.name));
  here.world.pass(1s);
  EXPECT_EQ(here.clusters.difference(), "");
  EXPECT_EQ(here.world.take_calls(), (calls{"hub POST endpointsliceexports"}));
}

TEST(SliceLife, ASettledExporterSleepsUntilTheNextChange) {
  exported_slice here;
  EXPECT_EQ(here.world.awake(), 0);
  EXPECT_EQ(here.world.dormant(), 1);
  EXPECT_EQ(here.world.figure("sliceferry_exports{member=\"m1\",state=\"exported\"}"), 1);
  here.world.shut("hub");
  here.clusters.put_slice("m1", "web-1", "10.0.0.2");
  here.world.pass(std::chrono::seconds(3));
  EXPECT_EQ(here.world.awake(), 1);
  EXPECT_EQ(here.world.figure("sliceferry_exports{member=\"m1\",state=\"owed\"}"), 1);
  here.world.open("hub");
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.world.awake(), 0);
  EXPECT_EQ(here.world.figure("sliceferry_exports{member=\"m1\",state=\"exported\"}"), 1);
  EXPECT_EQ(here.world.figure("sliceferry_propagation_duration_seconds_count{member=\"m1\"}") +
              here.world.figure("sliceferry_propagation_duration_seconds_count"),
            2);
}

TEST(SliceLife, ChangesDuringAWriteBecomeOne) {
  exported_slice here;
  for (const auto* server : {"m1", "hub"}) {
    SCOPED_TRACE(server);
    here.world.shut(server);
    for (int i = 0; i < 10; ++i) {
      here.clusters.put_slice("m1", "web-1", "10.0.1." + std::to_string(i));
      here.world.settle();
      EXPECT_EQ(here.world.waiting_at(server), 1U) << "one writer per object";
    }
    here.world.open(server);
    EXPECT_TRUE(here.world.finish());
    EXPECT_EQ(here.clusters.difference(), "");
    EXPECT_LE(here.world.take_calls().size(), 4U);
  }
}

TEST(SliceLife, AWithdrawalThatHasNotLeftIsTakenBack) {
  fake_fleet clusters;
  core::write_limits one_at_a_time;
  one_at_a_time.concurrency = 1;
  mirror_world world(clusters, echo::after_answer, one_at_a_time);
  clusters.put_slice("m1", "web-1", "10.0.0.1", "web");
  clusters.put_slice("m1", "api-1", "10.0.0.2", "api");
  clusters.grant("m1", "web");
  clusters.grant("m1", "api");
  world.sync();
  EXPECT_TRUE(world.finish());
  world.take_calls();
  const auto name = clusters.slice("m1", "web-1").ours.name;

  world.shut("hub");
  clusters.put_slice("m1", "api-1", "10.0.0.3", "api");
  world.settle();
  clusters.revoke("m1", "web");
  world.settle();
  clusters.grant("m1", "web");
  world.settle();
  world.open("hub");
  EXPECT_TRUE(world.finish());
  EXPECT_EQ(clusters.difference(), "");
  EXPECT_EQ(world.take_calls().size(), 2U) << "api-1's change alone";
  EXPECT_EQ(clusters.slice("m1", "web-1").ours.name, name);
}

TEST(SliceLife, MembersShareOneHubWriter) {
  fake_fleet clusters({"m1", "m2"});
  mirror_world world(clusters);
  for (const auto* member : {"m1", "m2"}) {
    clusters.put_slice(member, "web-1", "10.0.0.1"); // cloned clusters
    clusters.grant(member);
  }
  world.sync();
  EXPECT_TRUE(world.finish());
  EXPECT_EQ(clusters.difference(), "");
  EXPECT_EQ(world.take_calls().size(), 4U);
  clusters.revoke("m2");
  clusters.put_slice("m1", "web-1", "10.0.0.7");
  EXPECT_TRUE(world.finish());
  EXPECT_EQ(clusters.difference(), "");
  EXPECT_EQ(clusters.exports("m1").size(), 1U);
  EXPECT_EQ(clusters.exports("m2").size(), 0U);
  EXPECT_EQ(world.take_calls().size(), 4U);
}

} // namespace
} // namespace sliceferry
