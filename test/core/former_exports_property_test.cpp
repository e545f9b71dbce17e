#include "actors/core/former_exports.hpp"
#include "actors/core/former_target.hpp"
#include "test/core/table_rig.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::core {
namespace {

constexpr auto old_nspace = "fleet-old";

/// A member that was renamed from "old" to "m1": a rig of the new name beside the machine of the old one, whose writes
/// reach the old namespace late and in any order.
class renamed_member {
public:
  explicit renamed_member(unsigned seed) : rig(seed) {}

  table_rig rig;
  simulated_collection<slice_export> old;
  former_exports machine{{"old", old_nspace}};
  std::size_t deleted = 0;
  bool gives_leave = true;

  slice_export put(const std::string& name, const object_key& slice, const std::string& uid,
                   const std::string& cluster) {
    slice_export out;
    out.key = {old_nspace, name};
    out.uid = "old-" + std::to_string(++made_);
    out.spec.reference.cluster = cluster;
    out.spec.reference.slice = slice;
    out.spec.reference.uid = uid;
    return old.write(out);
  }

  void list() {
    watch_batch<slice_export> batch;
    batch.events = old.list(rig.world.dice);
    machine.exports(batch);
  }

  /// What the member and the hub hold under the new name.
  void relist() {
    machine.slices_began();
    rig.relist();
    if (rig.is_reachable)
      machine.slices_done();
  }

  void ask() {
    machine.exports(old.hear(static_cast<std::size_t>(rig.world.below(3))));
    member_identity who = *make_identity();
    const auto plan = machine.due([&](const leftover& each) { return former_target(who, rig.table(), each); },
                                  [&](const std::string&) { return gives_leave; }, now_, 3);
    now_ += std::chrono::seconds(1);
    if (plan.relist)
      relist();
    for (const auto& hub_uid : plan.take_back)
      end(hub_uid, verdict::taken_back);
    for (const auto& each : plan.withdraw) {
      EXPECT_TRUE(out_.emplace(each.hub_uid, each).second) << "each once";
      EXPECT_TRUE(gives_leave || !needs_leave(each.why));
    }
    EXPECT_LE(out_.size(), 3U);
  }

  /// One of the deletes that are out, or nothing. False if none is.
  bool serve() {
    if (out_.empty())
      return false;
    const auto at = std::next(out_.begin(), rig.world.below(static_cast<int>(out_.size())));
    const auto asked = at->second;
    const auto found = old.stored().find({old_nspace, asked.name});
    if (found == old.stored().end() || found->second.uid != asked.hub_uid) {
      end(asked.hub_uid, found == old.stored().end() ? verdict::missing : verdict::other_uid);
      return true;
    }
    const auto& reference = found->second.spec.reference;
    EXPECT_EQ(reference.cluster, "old") << "law 6";
    ++deleted;
    old.remove({old_nspace, asked.name});
    end(asked.hub_uid, rig.world.below(4) == 0 ? verdict::ambiguous : verdict::done);
    return true;
  }

  void settle() {
    rig.settle();
    for (int round = 0; round < 400; ++round) {
      ask();
      if (!serve() && old.unheard() == 0 && round > 3)
        return;
    }
    ADD_FAILURE() << "it doesn't come to an end";
  }

  std::set<std::string> uids_of(const std::string& cluster) const {
    std::set<std::string> out;
    for (const auto& [key, each] : old.stored())
      if (each.spec.reference.cluster == cluster)
        out.insert(each.uid);
    return out;
  }

  std::size_t left_of(const std::string& cluster) const {
    std::size_t out = 0;
    for (const auto& [key, each] : old.stored())
      out += each.spec.reference.cluster == cluster ? 1U : 0U;
    return out;
  }

private:
  void end(const std::string& hub_uid, verdict how) {
    out_.erase(hub_uid);
    machine.ended(hub_uid, how);
  }

  std::map<std::string, withdraw_export> out_;
  tick now_{};
  int made_ = 0;
};

class FormerExportsProperty : public ::testing::Test {
protected:
  template <class Story>
  void from_seeds(Story story) {
    for (unsigned seed = 1; seed <= 80 && !HasFailure(); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      renamed_member all{seed};
      story(all);
    }
  }
};

TEST_F(FormerExportsProperty, ARenameNeverLeavesASliceWithoutExport) {
  from_seeds([](renamed_member& all) {
    auto& world = all.rig.world;
    world.consents.write(make_consent("web", 0));
    std::set<std::string> exported;
    for (int i = 0; i < 6; ++i) { // under the old name all was well
      auto slice = make_slice("s" + std::to_string(i), "uid-" + std::to_string(i), 0);
      const std::string name = "old-shop-" + slice.key.name;
      slice.ours = {name, "0", "2026-11-30T10:00:00Z"};
      all.put(name, slice.key, slice.uid, "old");
      world.slices.write(slice);
      exported.insert(slice.uid);
    }
    all.put("stale", {"shop", "s9"}, "uid-9", "old");
    const auto others = all.put("others", {"shop", "s1"}, "uid-1", "m2");
    const auto expect_no_gap = [&] {
      std::set<std::string> shown;
      for (const auto* each : {&all.old.stored(), &world.exports.stored()})
        for (const auto& [key, held] : *each)
          shown.insert(held.spec.reference.uid);
      for (const auto& uid : exported)
        EXPECT_TRUE(shown.contains(uid)) << uid;
    };
    bool was_listed = false;
    all.rig.is_reachable = false;
    all.rig.restart(); // under the new name
    for (int i = 0; i < 200; ++i) {
      switch (world.below(6)) {
        case 0:
          all.rig.hear(static_cast<std::size_t>(world.below(3)));
          break;
        case 1:
          all.rig.serve();
          break;
        case 2:
          all.ask();
          break;
        case 3:
          all.serve();
          break;
        case 4:
          if (!std::exchange(was_listed, true))
            all.list();
          break;
        default:
          if (!std::exchange(all.rig.is_reachable, true))
            all.relist();
      }
      expect_no_gap();
    }
    all.settle();
    expect_no_gap();
    EXPECT_EQ(all.deleted, 7U) << "each is deleted once";
    ASSERT_EQ(all.old.stored().size(), 1U);
    EXPECT_EQ(all.old.stored().begin()->second, others);
    EXPECT_EQ(all.machine.left(), 0U);
    EXPECT_EQ(all.rig.exports_of("m1").size(), 6U);
  });
}

TEST_F(FormerExportsProperty, WhateverHappensOnlyOursGoAndAllOfThem) {
  from_seeds([](renamed_member& all) {
    auto& world = all.rig.world;
    std::set<std::string> came_later;
    bool was_listed = false;
    const auto put = [&] { // in the old namespace, by whomever
      const auto& slices = world.slices.stored();
      const bool is_known = !slices.empty() && world.below(3) != 0;
      const auto at = is_known ? std::next(slices.begin(), world.below(static_cast<int>(slices.size()))) : slices.end();
      const std::string name = "n" + std::to_string(world.below(6));
      const auto held = all.old.stored().find({old_nspace, name});
      if (held != all.old.stored().end() && held->second.spec.reference.cluster != "old")
        return;
      const auto made = all.put(name, is_known ? at->first : object_key{"shop", "s99"},
                                is_known ? at->second.uid : "uid-never", world.below(5) == 0 ? "m2" : "old");
      if (was_listed)
        came_later.insert(made.uid);
    };
    for (int i = 0; i < 3; ++i) // which nobody makes anew
      all.put("left" + std::to_string(i), {"shop", "s" + std::to_string(i)}, "uid-never", "old");
    for (int i = 0; i < 200; ++i) {
      world.step();
      all.rig.hear(static_cast<std::size_t>(world.below(3)));
      all.rig.serve();
      if (world.below(4) == 0)
        put();
      if (i == 60 || (was_listed && world.below(25) == 0)) {
        all.list();
        was_listed = true;
      }
      all.gives_leave = world.below(3) != 0;
      if (was_listed)
        all.ask();
      if (world.below(2) == 0)
        all.serve();
    }
    const auto m2 = all.uids_of("m2");
    auto later = all.uids_of("old");
    std::erase_if(later, [&](const auto& uid) { return !came_later.contains(uid); });
    all.gives_leave = true;
    all.relist();
    all.settle();
    EXPECT_EQ(all.uids_of("m2"), m2);
    EXPECT_EQ(all.uids_of("old"), later) << "what came later stays, and nothing else";
    EXPECT_EQ(all.machine.left(), 0U);
    const auto before = all.deleted;
    all.list();
    all.settle();
    EXPECT_EQ(all.deleted, before) << "nothing is deleted twice";
  });
}

TEST_F(FormerExportsProperty, WithoutLeaveAndWithoutSuccessorAllStays) {
  from_seeds([](renamed_member& all) {
    all.gives_leave = false;
    for (int i = 0; i < 5; ++i)
      all.put("n" + std::to_string(i), {"shop", "s" + std::to_string(i)}, "uid-" + std::to_string(i), "old");
    all.list();
    all.settle();
    EXPECT_EQ(all.deleted, 0U);
    all.rig.leave(true); // an operator's word needs no leave
    all.settle();
    EXPECT_EQ(all.left_of("old"), 0U);
  });
}

} // namespace
} // namespace sliceferry::core
