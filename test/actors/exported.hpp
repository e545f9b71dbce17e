#pragma once
#include "k8s/resource.hpp"
#include "test/actors/mirror_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>

namespace sliceferry {

inline constexpr std::size_t many = 60; // more than the guard lets go unasked

/// A member with many exported slices, in sync with its hub.
struct exported {
  exported() : world(clusters) {
    auto& member = clusters.members.at("m1");
    clusters.grant("m1");
    for (std::size_t i = 0; i < many; ++i)
      clusters.put_slice("m1", "web-" + std::to_string(i), "10.0.0.1");
    clusters.put_slice("m1", "kubernetes", "10.9.9.9", "kubernetes"); // as every live cluster has one
    member.write(k8s::namespace_path("shop"), R"({"metadata":{"name":"shop"}})");
    member.write(definition(), R"({"metadata":{"name":"serviceexports.networking.fleet.azure.com"}})");
    world.sync();
    EXPECT_TRUE(world.finish());
    EXPECT_EQ(clusters.difference(), "");
    world.take_calls();
  }

  static std::string definition() { return k8s::definition_path(k8s::service_exports); }

  void delete_slices() {
    for (std::size_t i = 0; i < many; ++i)
      clusters.delete_slice("m1", "web-" + std::to_string(i));
  }

  /// The member's server answers a list as if it held nothing.
  void list_nothing() {
    auto empty = std::make_shared<watch_batch<endpoint_slice>>();
    empty->events = {{watch_change::init, {}}, {watch_change::init_done, {}}};
    tell_from_thread(world.dispatchers.at("m1"), slices_read{std::move(empty)});
    world.settle();
  }

  void relist() {
    world.list_consents("m1");
    world.list_exports("m1");
    world.list_slices("m1");
    world.settle();
  }

  std::size_t deletes() {
    const auto calls = world.take_calls();
    return static_cast<std::size_t>(
      std::ranges::count_if(calls, [](const auto& call) { return call.starts_with("hub DELETE"); }));
  }

  fake_fleet clusters;
  mirror_world world;
};

} // namespace sliceferry
