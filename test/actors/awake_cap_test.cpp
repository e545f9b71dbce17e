// What holds where fewer exporters may be awake than slices have something owed.
#include "test/actors/mirror_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace sliceferry {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t places = 8;
constexpr std::size_t all = 200;

std::string slice_name(std::size_t number) {
  return "web-" + std::to_string(number);
}

/// A member with many slices and few places for exporters.
struct crowd {
  explicit crowd(core::write_limits limits = {})
    : world(clusters, echo::after_answer, limits, {}, places), others(running()) {
    clusters.grant("m1");
    world.sabotage = [this](std::size_t) -> std::optional<fault> {
      return trouble ? trouble(world.requests.back()) : std::nullopt;
    };
  }

  void put(std::size_t from, std::size_t to, const std::string& service = "web") {
    for (auto i = from; i < to; ++i)
      clusters.put_slice("m1", slice_name(i), "10.0.0.1", service);
  }

  /// Exports all of them; what they do later is what the test is about.
  void settle_all() {
    put(0, all);
    world.sync();
    EXPECT_TRUE(world.finish());
    EXPECT_EQ(clusters.difference(), "");
    world.take_calls();
  }

  void hub_is_away() {
    trouble = [](const k8s::http_request& asked) -> std::optional<fault> {
      if (asked.target.find("/endpointsliceexports") == std::string::npos)
        return std::nullopt;
      return fault{false, k8s::result<k8s::http_response>(failure{errc::unavailable, "connection refused", {}, 0})};
    };
  }

  /// Whatever runs besides the actors of the composition is an exporter.
  std::size_t running() { return world.stage.running(); }
  std::size_t awake() { return running() - others; }

  /// Time passes; at no moment at which nothing is under way are more awake than may be.
  void pass(std::chrono::seconds time) {
    for (auto left = time; left > 0s; left -= 1s) {
      world.pass(1s);
      ASSERT_LE(awake(), places);
    }
  }

  double state(const std::string& of) const {
    return world.figure("sliceferry_exports{member=\"m1\",state=\"" + of + "\"}");
  }
  double waiting() const { return world.figure("sliceferry_slices_waiting{member=\"m1\"}"); }

  fake_fleet clusters;
  std::function<std::optional<fault>(const k8s::http_request&)> trouble;
  mirror_world world;
  std::size_t others;
};

bool is_create(const k8s::http_request& asked) {
  return asked.method == k8s::http_method::post;
}

fault refused() {
  return {false, k8s::http_response{403, {}, status_body(403, "Forbidden", "exports is forbidden: exceeded quota: x")}};
}

TEST(AwakeCap, AFirstExportOfManyTakesTurns) {
  crowd here({20, 5, 64});
  here.put(0, all);
  here.world.sync();
  while (here.world.stage.due()) {
    ASSERT_LE(here.awake(), places);
    here.world.stage.next_moment();
    here.world.settle();
  }
  EXPECT_EQ(here.clusters.difference(), "");
  EXPECT_EQ(here.awake(), 0U);
  EXPECT_EQ(here.world.take_calls().size(), 2 * all);
}

TEST(AwakeCap, HoldsThroughAStormWhileTheHubIsAway) {
  crowd here;
  here.settle_all();
  here.hub_is_away();
  std::mt19937 dice(1);
  for (std::size_t change = 0; change < 2000; ++change) {
    here.clusters.put_slice("m1", slice_name(dice() % all), "10.0." + std::to_string(change % 200) + ".7");
    here.world.settle();
    ASSERT_LE(here.awake(), places);
    if (change % 50 == 0)
      here.pass(1s);
    ASSERT_LE(here.world.figure("sliceferry_queue_depth{writer=\"hub\"}"), places);
  }
  for (std::size_t i = 0; i < 20; ++i)
    here.clusters.delete_slice("m1", slice_name(i));
  here.pass(8s);
  EXPECT_EQ(here.state("withdrawing"), 20);
  EXPECT_GE(here.waiting(), 150);
  EXPECT_EQ(here.state("withdrawing") + here.state("owed") + here.state("exported"), all);
  EXPECT_EQ(here.state("ignored"), 0);

  here.trouble = nullptr;
  here.world.take_calls();
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.clusters.difference(), "");
  EXPECT_EQ(here.awake(), 0U);
  EXPECT_EQ(here.waiting(), 0);
  const auto calls = here.world.take_calls();
  std::size_t deletes = 0, before = 0;
  for (const auto& call : calls) {
    deletes += call.starts_with("hub DELETE") ? 1 : 0;
    before += call.starts_with("hub PATCH") && deletes < 20 ? 1 : 0;
  }
  EXPECT_EQ(deletes, 20U);
  EXPECT_LE(before, places) << "withdrawals first";
}

TEST(AwakeCap, WhatChangedWhileItWaitedIsWrittenOnceAndNew) {
  crowd here;
  here.settle_all();
  here.world.shut("hub"); // calls are under way and stay unanswered: their exporters can't give up their places
  here.put(0, places);
  for (std::size_t i = 0; i < places; ++i)
    here.clusters.put_slice("m1", slice_name(i), "10.0.0.9");
  here.pass(3s);
  for (const auto* address : {"10.0.0.2", "10.0.0.3", "10.0.0.4"}) {
    here.clusters.put_slice("m1", "web-100", address);
    here.pass(2s);
  }
  here.clusters.put_slice("m1", "web-101", "10.0.0.2");
  here.pass(2s);
  here.clusters.put_slice("m1", "new", "10.0.0.1", "nobody's");
  here.clusters.delete_slice("m1", "new");
  here.pass(2s);
  here.world.open("hub");
  here.world.take_calls();
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.clusters.difference(), "");
  const auto calls = here.world.take_calls();
  EXPECT_EQ(std::ranges::count(calls, "m1 PATCH web-100"), 1);
  EXPECT_EQ(here.waiting(), 0);
}

TEST(AwakeCap, WhatIsNoLongerOwedCostsNothing) {
  crowd here;
  here.settle_all();
  here.world.shut("m1");
  here.world.shut("hub");
  for (std::size_t i = 0; i < places; ++i)
    here.clusters.put_slice("m1", slice_name(i), "10.0.0.9");
  here.pass(2s);
  here.put(300, 310, "later"); // without consent nothing is owed
  here.pass(2s);
  EXPECT_EQ(here.waiting(), 0);
  here.clusters.grant("m1", "later");
  here.pass(2s);
  EXPECT_EQ(here.waiting(), 10);
  here.clusters.revoke("m1", "later");
  here.pass(2s);
  EXPECT_EQ(here.waiting(), 0);
  here.world.open("m1");
  here.world.open("hub");
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.clusters.difference(), "");
}

TEST(AwakeCap, RefusedOnesLetOthersPass) {
  crowd here;
  here.trouble = [](const k8s::http_request& asked) -> std::optional<fault> {
    return is_create(asked) && asked.body.find("no-") != std::string::npos ? std::optional(refused()) : std::nullopt;
  };
  for (std::size_t i = 0; i < 3 * places; ++i)
    here.clusters.put_slice("m1", "no-" + std::to_string(i), "10.0.0.1");
  here.world.sync();
  here.pass(60s);
  here.put(0, 20);
  here.pass(10s);
  EXPECT_EQ(here.clusters.exports("m1").size(), 20U);
  here.clusters.delete_slice("m1", slice_name(0));
  here.pass(5s);
  EXPECT_EQ(here.clusters.exports("m1").size(), 19U);
  EXPECT_EQ(here.state("refused") + here.state("owed"), 3 * places);
  EXPECT_NE(here.world.board.tell().lines.find(std::to_string(3 * places) + " refused"), std::string::npos)
    << "whether awake or at rest: " << here.world.board.tell().lines;

  // They are tried again slowly: taking a command back is no way around its parking.
  here.world.take_calls();
  here.pass(10min);
  std::size_t creates = 0;
  for (const auto& call : here.world.take_calls())
    creates += call.starts_with("hub POST") ? 1 : 0;
  EXPECT_GE(creates, 3 * places) << "each of them at least once";
  EXPECT_LE(creates, 3 * places * 6);

  here.trouble = nullptr;
  EXPECT_TRUE(here.world.finish(20min));
  EXPECT_EQ(here.clusters.difference(), "");
  EXPECT_EQ(here.awake(), 0U);
  EXPECT_EQ(here.world.board.tell().lines.find("refused"), std::string::npos) << here.world.board.tell().lines;
}

TEST(AwakeCap, CreatesWithoutANamespaceLetOthersPass) {
  crowd here;
  here.settle_all();
  here.trouble = [](const k8s::http_request& asked) -> std::optional<fault> {
    if (!is_create(asked))
      return std::nullopt;
    return fault{
      false, k8s::http_response{
               404, {}, status_body(404, "NotFound", "namespaces \"fleet-m1\" not found", R"({"kind":"namespaces"})")}};
  };
  here.put(300, 300 + 5 * places);
  here.pass(5s);
  here.clusters.delete_slice("m1", slice_name(0));
  here.pass(3s);
  EXPECT_EQ(here.clusters.exports("m1").size(), all - 1);
  for (std::size_t i = 1; i < 20; ++i)
    here.clusters.put_slice("m1", slice_name(i), "10.0.0.9");
  here.pass(90s);
  for (std::size_t i = 1; i < 20; ++i)
    EXPECT_EQ(here.clusters.slice("m1", slice_name(i)).ours.generation, "2") << i;
  here.trouble = nullptr;
  EXPECT_TRUE(here.world.finish());
  EXPECT_EQ(here.clusters.difference(), "");
}

TEST(AwakeCap, SlicesThatTheMemberDeniesLetOthersPass) {
  crowd here;
  here.trouble = [](const k8s::http_request& asked) -> std::optional<fault> {
    if (asked.target.find("/no-") == std::string::npos)
      return std::nullopt;
    return fault{false, k8s::http_response{404, {}, status_body(404, "NotFound", "endpointslices not found")}};
  };
  for (std::size_t i = 0; i < 2 * places; ++i)
    here.clusters.put_slice("m1", "no-" + std::to_string(i), "10.0.0.1");
  here.world.sync();
  here.pass(5s);
  here.put(0, 10);
  here.pass(120s);
  EXPECT_EQ(here.clusters.exports("m1").size(), 10U);
  here.world.take_calls();
  here.pass(60s);
  EXPECT_LE(here.world.take_calls().size(), 4 * places) << "each once in half a minute";
}

TEST(AwakeCap, NobodyIsAskedToRestWhileThereIsRoom) {
  crowd here;
  here.trouble = [](const k8s::http_request& asked) -> std::optional<fault> {
    return is_create(asked) ? std::optional(refused()) : std::nullopt;
  };
  here.put(0, places);
  here.world.sync();
  here.pass(100s);
  EXPECT_EQ(here.awake(), places);
  EXPECT_EQ(here.world.figure("sliceferry_outcomes_total{command=\"apply\",verdict=\"taken_back\"}"), 0);
  EXPECT_EQ(here.waiting(), 0);
}

} // namespace
} // namespace sliceferry
