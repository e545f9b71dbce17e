#include "test/actors/exported.hpp"

#include <gtest/gtest.h>

namespace sliceferry {
namespace {

using namespace std::chrono_literals;

TEST(MassWithdrawal, AListThatIsWronglyEmptyTakesNothing) { // D34, LW37
  exported here;
  here.list_nothing();
  EXPECT_EQ(here.world.relists, 1U);
  EXPECT_FALSE(here.world.board.ready());
  EXPECT_EQ(here.world.figure("sliceferry_guard_held{member=\"m1\"}"), many);
  here.list_nothing(); // it goes on
  here.world.list_consents("m1");
  here.world.list_exports("m1");
  here.world.settle();
  here.world.pass(3s);
  EXPECT_EQ(here.deletes(), 0U) << "not one slice: that is no live cluster";
  here.relist();
  here.clusters.put_slice("m1", "control", "10.0.0.2");
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.clusters.difference(), "");
  EXPECT_EQ(here.deletes(), 0U);
  EXPECT_TRUE(here.world.board.ready());
}

TEST(MassWithdrawal, WhatListsConfirmGoes) {
  exported here;
  here.delete_slices();
  here.world.settle();
  EXPECT_EQ(here.deletes(), 0U);
  here.relist();
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.deletes(), many);
  EXPECT_EQ(here.clusters.difference(), "");
  EXPECT_TRUE(here.world.board.ready());
}

TEST(MassWithdrawal, ANamespaceThatEndsExplainsItsSlices) {
  exported here;
  here.clusters.members.at("m1").write(k8s::namespace_path("shop"),
                                       R"({"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"}})");
  here.delete_slices();
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.deletes(), many) << "without any list";
  EXPECT_EQ(here.clusters.difference(), "");
}

TEST(MassWithdrawal, ServiceExportsThatGoWithTheirKindTakeNothing) {
  exported here;
  here.clusters.members.at("m1").write(exported::definition(),
                                       R"({"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"}})");
  here.clusters.revoke("m1");
  here.world.settle();
  here.relist();
  here.world.pass(3s);
  EXPECT_EQ(here.deletes(), 0U);
  EXPECT_NE(here.world.board.tell().lines.find("guard of m1"), std::string::npos);

  here.world.desk.attach(
    "m1", [&](operator_order told) { tell_from_thread(here.world.dispatchers.at("m1"), order_given{told}); });
  EXPECT_EQ(here.world.desk.orders().at("/guard/allow/m1")().status, 200U);
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.deletes(), many);
  EXPECT_EQ(here.clusters.difference(), "");
}

TEST(MassWithdrawal, LeftoversOfARestartAreDoubtedToo) {
  exported here;
  mirror_world after(here.clusters); // a new process, and the member lists nothing
  after.list_consents("m1");
  after.list_exports("m1");
  for (int i = 0; i < 3; ++i) {
    auto empty = std::make_shared<watch_batch<endpoint_slice>>();
    empty->events = {{watch_change::init, {}}, {watch_change::init_done, {}}};
    tell_from_thread(after.dispatchers.at("m1"), slices_read{std::move(empty)});
    after.settle();
    after.pass(2s);
  }
  EXPECT_EQ(here.clusters.exports("m1").size(), many);
  EXPECT_EQ(after.take_calls(),
            (std::vector<std::string>{"m1 GET serviceexports.networking.fleet.azure.com", "m1 GET shop"}));
}

TEST(ForeignHands, AreMetWithPatienceAndNamed) { // MC10, MC13
  exported here;
  for (int round = 0; round < 3; ++round) {
    for (const auto& each : here.clusters.exports("m1"))
      here.clusters.hub.write(export_path("m1", each.key.name),
                              R"({"metadata":{"managedFields":[{"manager":"rival","time":"2026-01-01T00:00:00Z",
                              "fieldsV1":{"f:spec":{}}}]},"spec":{"ports":[{"port":1}]}})");
    here.world.pass(round == 0 ? 1s : 30s);
  }
  EXPECT_FALSE(here.world.board.ready());
  EXPECT_NE(here.world.board.tell().lines.find("rival"), std::string::npos) << here.world.board.tell().lines;
  EXPECT_EQ(here.world.figure("sliceferry_exports_contested{member=\"m1\"}"), 1);
  EXPECT_NE(here.world.desk.pages().at("/guard")().body.find("exports without a slice stay"), std::string::npos);
  // Leftovers stay meanwhile: the other one may be who they belong to.
  here.clusters.put_export("m1", "old", "old", "uid-old");
  here.world.pass(5s);
  EXPECT_EQ(here.deletes(), 0U);
  // It stops, and all heals.
  EXPECT_TRUE(here.world.finish(30min));
  EXPECT_EQ(here.clusters.difference(), "");
  EXPECT_EQ(here.deletes(), 1U);
  EXPECT_TRUE(here.world.board.ready());
}

TEST(ForeignHands, ARestoredBackupIsNone) {
  exported here;
  for (const auto& each : here.clusters.exports("m1"))
    here.clusters.hub.remove(export_path("m1", each.key.name));
  here.world.pass(1s);
  EXPECT_EQ(here.clusters.difference(), "");
  EXPECT_TRUE(here.world.board.ready());
  EXPECT_TRUE(here.world.finish(11min)) << "and is forgotten";
}

TEST(Leave, IsNotOverWhileACreateIsOnItsWay) {
  fake_fleet clusters;
  mirror_world world(clusters);
  clusters.grant("m1");
  clusters.put_slice("m1", "web-1", "10.0.0.1");
  world.shut("hub");
  world.sync();
  ASSERT_EQ(world.waiting_at("hub"), 1U) << "the POST";
  tell_from_thread(world.dispatchers.at("m1"), order_given{operator_order::leave});
  world.pass(3s);
  EXPECT_EQ(world.desk.pages().at("/leave/m1")().status, 202U) << "the hub holds none, but may yet";
  world.open("hub");
  EXPECT_TRUE(world.finish());
  EXPECT_EQ(clusters.exports("m1").size(), 0U);
  EXPECT_EQ(world.desk.pages().at("/leave/m1")().status, 200U);
}

TEST(Leave, WithdrawsAllAndSaysHowFarItIs) { // MC17
  exported here;
  here.clusters.put_export("m1", "orphan", "orphan", "uid-orphan");
  here.world.settle();
  here.world.take_calls();
  tell_from_thread(here.world.dispatchers.at("m1"), order_given{operator_order::leave});
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.clusters.exports("m1").size(), 0U);
  for (const auto& slice : here.clusters.slices("m1"))
    EXPECT_TRUE(slice.ours.empty()) << to_string(slice);
  EXPECT_EQ(here.world.desk.pages().at("/leave/m1")().status, 200U);
  here.clusters.put_slice("m1", "late", "10.0.0.3");
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.clusters.exports("m1").size(), 0U);
}

} // namespace
} // namespace sliceferry
