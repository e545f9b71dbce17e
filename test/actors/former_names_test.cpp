#include "k8s/resource.hpp"
#include "test/actors/mirror_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace sliceferry {
namespace {

/// A member that was called `m0` before and is exported anew as `m1`.
struct renamed {
  explicit renamed(echo order = echo::after_answer) : world(clusters, order, {}, {{"m0", hub_nspace_of("m0")}}) {
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

  void put_lost(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      clusters.put_export("m0", "lost-" + std::to_string(i), "lost-" + std::to_string(i), "lost-" + std::to_string(i));
    clusters.hub.take_changes();
  }

  /// Every list anew, as feeds do when they are asked to.
  void list() {
    world.list_former_exports();
    world.sync();
  }

  /// The first lists, and the one of slices that is asked for then.
  void sync() {
    list();
    world.pass(std::chrono::seconds(3));
    EXPECT_EQ(world.relists, 1U);
    world.list_slices("m1");
    world.settle();
  }

  fake_fleet clusters;
  mirror_world world;
};

std::string guards_of(renamed& here) {
  return here.world.desk.pages().at("/guard")().body;
}

TEST(FormerNames, TheirExportsGoOnceTheNewOnesAreThere) { // D27
  renamed here;
  here.sync();
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

TEST(FormerNames, AnExportOfASliceThatTheListIsTooOldForStays) { // law 3, D7
  renamed here;
  here.world.sync();
  here.clusters.put_slice("m1", "late", "10.0.0.9");
  here.clusters.members.at("m1").take_changes(); // its watch is slower than the hub's
  here.clusters.put_export("m0", "m0-shop-late", "late", here.clusters.slice("m1", "late").uid);
  const auto late = [&] {
    return std::ranges::count_if(here.clusters.exports("m0"),
                                 [](const auto& each) { return each.key.name == "m0-shop-late"; });
  };
  here.clusters.hub.take_changes();
  here.world.list_former_exports();
  here.world.pass(std::chrono::seconds(10));
  EXPECT_EQ(late(), 1);
  EXPECT_EQ(here.world.relists, 1U) << "asked for once";
  here.world.take_calls();
  here.world.list_slices("m1");
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(late(), 0);
  const auto calls = here.world.take_calls();
  const auto deleted = std::ranges::find(calls, "hub DELETE m0-shop-late");
  EXPECT_EQ(std::count(calls.begin(), deleted, "hub POST endpointsliceexports"), 1)
    << "not before the new one is there";
}

TEST(FormerNames, WhatComesLaterIsSomebodyElses) {
  renamed here;
  here.sync();
  EXPECT_TRUE(here.world.finish());
  here.clusters.put_export("m0", "m0-shop-web", "web", "uid-of-the-next-m0");
  EXPECT_TRUE(here.world.finish()) << "and it is waited for nothing";
  here.list();
  here.world.pass(std::chrono::minutes(1));
  EXPECT_EQ(here.clusters.exports("m0").size(), 2U);
  tell_from_thread(here.world.dispatchers.at("m1"), order_given{operator_order::leave});
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.clusters.exports("m0").size(), 2U);
  EXPECT_EQ(here.world.desk.pages().at("/leave/m1")().status, 200U);
}

TEST(FormerNames, AMassOfThemIsReadBeforeItGoes) { // D34
  constexpr std::size_t many = 60;
  renamed here;
  here.put_lost(many);
  here.clusters.members.at("m1").write(k8s::definition_path(k8s::service_exports),
                                       R"({"metadata":{"name":"serviceexports.networking.fleet.azure.com"}})");
  here.clusters.members.at("m1").write(k8s::namespace_path("shop"), R"({"metadata":{"name":"shop"}})");
  here.sync();
  here.world.pass(std::chrono::seconds(3));
  EXPECT_EQ(here.clusters.exports("m0").size(), many + 2) << "superseded ones alone have gone";
  here.world.sync();
  here.world.pass(std::chrono::seconds(3));
  EXPECT_EQ(here.clusters.exports("m0").size(), many + 2) << "the former namespace counts, not the new one";
  here.list();
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.clusters.exports("m0").size(), 1U);
  const auto calls = here.world.take_calls();
  EXPECT_EQ(std::ranges::count_if(calls, [](const auto& call) { return call.starts_with("m1 GET lost-"); }), 8);
}

TEST(FormerNames, AMassOfThemGoesByAnOrder) {
  renamed here;
  here.put_lost(60);
  here.sync();
  here.world.pass(std::chrono::seconds(3));
  EXPECT_NE(guards_of(here).find("former name m0 of m1: 61 withdrawals are held"), std::string::npos);
  EXPECT_FALSE(here.world.board.ready());
  tell_from_thread(here.world.dispatchers.at("m1"), order_given{operator_order::allow});
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.clusters.exports("m0").size(), 1U);
  EXPECT_EQ(guards_of(here).find("former name"), std::string::npos);
}

TEST(FormerNames, DoNotWidenWhatTheMembersGuardLetsGo) { // D34
  constexpr std::size_t many = 60;
  renamed here;
  here.put_lost(3 * many);
  for (const auto& each : here.clusters.exports("m0"))
    if (each.key.name.starts_with("lost-"))
      here.clusters.hub.write(export_path("m0", each.key.name),
                              R"({"metadata":{"deletionTimestamp":"2026-11-30T10:00:00Z"}})");
  here.clusters.hub.take_changes();
  for (std::size_t i = 0; i < many; ++i)
    here.clusters.put_slice("m1", "own-" + std::to_string(i), "10.0.0.1");
  here.clusters.members.at("m1").take_changes();
  here.sync(); // one leftover is asked about, among many of the former name
  here.world.pass(std::chrono::seconds(10));
  ASSERT_EQ(here.clusters.exports("m1").size(), many + 3);
  for (std::size_t i = 0; i < many; ++i)
    here.clusters.delete_slice("m1", "own-" + std::to_string(i));
  here.world.pass(std::chrono::seconds(10));
  EXPECT_EQ(here.clusters.exports("m1").size(), many + 3);
  EXPECT_NE(guards_of(here).find("60 withdrawals are held"), std::string::npos);
}

TEST(FormerNames, OfAMemberThatLeavesAreWaitedForByName) {
  renamed here;
  here.world.sync();
  tell_from_thread(here.world.dispatchers.at("m1"), order_given{operator_order::leave});
  here.world.pass(std::chrono::seconds(10));
  const auto page = [&] { return here.world.desk.pages().at("/leave/m1")(); };
  EXPECT_EQ(page().status, 202U);
  EXPECT_NE(page().body.find("waiting for the list of exports in " + hub_nspace_of("m0") + " (former name m0)"),
            std::string::npos);
  here.world.list_former_exports();
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(page().status, 200U);
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

/// What the journal holds of streams under the former name: those that are over, and those that aren't.
std::pair<std::size_t, std::size_t> streams_of(const staged_journal& journal) {
  std::set<journal::stream_id> all;
  for (const auto& each : journal.added)
    if (each.whose.member == "m0")
      all.insert(each.whose);
  const auto over = std::ranges::count_if(all, [&](const auto& whose) { return core::ended(journal.fold(whose)); });
  return {static_cast<std::size_t>(over), all.size() - static_cast<std::size_t>(over)};
}

TEST(FormerNames, TheirStreamsAreOverOnceNothingIsOut) {
  for (const auto order : {echo::before_answer, echo::after_answer, echo::withheld}) {
    renamed here{order};
    for (const auto* name : {"m0-shop-web-a", "m0-shop-web-b"}) // more of one slice
      here.clusters.put_export("m0", name, "web-1", here.clusters.slice("m1", "web-1").uid);
    here.clusters.hub.take_changes();
    here.sync();
    do
      here.world.pass(std::chrono::seconds(10));
    while (here.world.tell());
    ASSERT_EQ(here.clusters.exports("m0").size(), 1U);
    EXPECT_EQ(streams_of(here.world.journal_of_test), (std::pair<std::size_t, std::size_t>{4, 0}));
  }
}

TEST(FormerNames, TheirStreamsAreOverWhoeverTookThemAway) {
  struct row {
    const char* name;
    std::function<void(renamed&)> others;
    bool heard; ///< before our delete is answered
  };
  const auto delete_all = [](renamed& here) {
    for (const auto& each : here.clusters.exports("m0"))
      if (each.spec.reference.cluster == "m0")
        here.clusters.hub.remove(export_path("m0", each.key.name));
  };
  const auto replace_all = [&](renamed& here) {
    const auto all = here.clusters.exports("m0");
    delete_all(here);
    for (const auto& each : all)
      if (each.spec.reference.cluster == "m0")
        here.clusters.put_export("m0", each.key.name, "other", "uid-of-another");
  };
  const row table[] = {
    {"deleted", delete_all, false},
    {"deleted, and the watch tells first", delete_all, true},
    {"another object is there", replace_all, false},
    {"another object is there, and the watch tells first", replace_all, true},
    {"with their namespace",
     [&](renamed& here) {
       delete_all(here);
       here.clusters.hub.remove_nspace(hub_nspace_of("m0"));
     },
     false},
  };
  for (const auto& [name, others, heard] : table) {
    SCOPED_TRACE(name);
    renamed here{echo::withheld};
    here.world.journal_of_test.holds = true; // so that the deletes are out, and wait
    here.sync();
    here.world.pass(std::chrono::seconds(10));
    here.world.journal_of_test.sync(); // the new exports' names
    here.world.pass(std::chrono::seconds(10));
    here.world.tell();
    here.world.pass(std::chrono::seconds(10));
    ASSERT_EQ(streams_of(here.world.journal_of_test), (std::pair<std::size_t, std::size_t>{1, 3}));
    others(here);
    if (heard)
      here.world.tell();
    here.world.settle();
    here.world.journal_of_test.holds = false;
    here.world.journal_of_test.sync();
    EXPECT_TRUE(here.world.finish());
    here.world.tell();
    EXPECT_TRUE(here.world.finish());
    EXPECT_EQ(streams_of(here.world.journal_of_test), (std::pair<std::size_t, std::size_t>{4, 0}));
  }
}

} // namespace
} // namespace sliceferry
