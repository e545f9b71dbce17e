#include "k8s/resource.hpp"
#include "test/actors/mirror_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sliceferry {
namespace {

/// A member that was called `m0` before and is exported anew as `m1`.
struct renamed {
  renamed() : world(clusters, echo::after_answer, {}, {{"m0", hub_nspace_of("m0")}}) {
    clusters.hub.add_nspace(hub_nspace_of("m0"));
    clusters.grant("m1");
    for (const auto* name : {"web-0", "web-1", "web-2"}) {
      clusters.put_slice("m1", name, "10.0.0.1");
      clusters.put_export("m0", std::string("m0-shop-") + name, name, clusters.slice("m1", name).uid);
    }
    clusters.put_export("m0", "m0-shop-gone", "gone", "uid-gone");
    clusters.put_export("m0", "m9-shop-web", "web-0", clusters.slice("m1", "web-0").uid);
    clusters.hub.write(export_path("m0", "m9-shop-web"), R"({"spec":{"endpointSliceReference":{"clusterId":"m9"}}})");
    clusters.hub.take_changes();
    clusters.members.at("m1").take_changes();
  }

  fake_fleet clusters;
  mirror_world world;
};

TEST(FormerNames, TheirExportsGoOnceTheNewOnesAreThere) { // D27
  renamed here;
  here.world.list_former_exports();
  here.world.sync();
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.clusters.difference(), "");
  const auto left = here.clusters.exports("m0");
  ASSERT_EQ(left.size(), 1U) << "another cluster's isn't ours, whatever slice it names";
  EXPECT_EQ(left.front().key.name, "m9-shop-web");
  const auto calls = here.world.take_calls();
  for (const auto* name : {"web-0", "web-1", "web-2"}) {
    const auto old = std::ranges::find(calls, std::string("hub DELETE m0-shop-") + name);
    EXPECT_GE(std::count(calls.begin(), old, "hub POST endpointsliceexports"), 1) << name;
    EXPECT_NE(old, calls.end()) << name;
  }
}

TEST(FormerNames, WithoutTheMembersListsNothingGoes) {
  renamed here;
  here.world.list_former_exports();
  here.world.list_consents("m1");
  here.world.list_exports("m1");
  here.world.pass(std::chrono::seconds(10));
  EXPECT_EQ(here.clusters.exports("m0").size(), 5U);
  here.world.list_slices("m1");
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.clusters.exports("m0").size(), 1U);
}

TEST(FormerNames, AMassOfThemIsReadBeforeItGoes) { // D34
  constexpr std::size_t many = 60;
  renamed here;
  for (std::size_t i = 0; i < many; ++i)
    here.clusters.put_export("m0", "lost-" + std::to_string(i), "lost-" + std::to_string(i),
                             "lost-" + std::to_string(i));
  here.clusters.members.at("m1").write(k8s::definition_path(k8s::service_exports),
                                       R"({"metadata":{"name":"serviceexports.networking.fleet.azure.com"}})");
  here.clusters.members.at("m1").write(k8s::namespace_path("shop"), R"({"metadata":{"name":"shop"}})");
  here.clusters.hub.take_changes();
  here.world.list_former_exports();
  here.world.sync();
  here.world.pass(std::chrono::seconds(3));
  EXPECT_EQ(here.clusters.exports("m0").size(), many + 2) << "superseded ones alone have gone";
  here.world.sync();
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.clusters.exports("m0").size(), 1U);
  const auto calls = here.world.take_calls();
  EXPECT_EQ(std::ranges::count_if(calls, [](const auto& call) { return call.starts_with("m1 GET lost-"); }), 8);
}

TEST(FormerNames, LeaveWithTheMember) {
  renamed here;
  here.world.list_former_exports();
  here.world.sync();
  tell_from_thread(here.world.dispatchers.at("m1"), order_given{operator_order::leave});
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.clusters.exports("m1").size(), 0U);
  EXPECT_EQ(here.clusters.exports("m0").size(), 1U);
  EXPECT_EQ(here.world.desk.pages().at("/leave/m1")().status, 200U);
}

} // namespace
} // namespace sliceferry
