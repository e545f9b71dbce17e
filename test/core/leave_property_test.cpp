#include "actors/core/consent_rule.hpp"
#include "test/core/table_rig.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

class LeaveProperty : public ::testing::Test {
protected:
  /// Runs `story` from many seeds after some life of the member; the first that fails is printed.
  template <class Story>
  void from_seeds(Story story) {
    for (unsigned seed = 1; seed <= 80 && !HasFailure(); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      table_rig rig{seed};
      live(rig, 40);
      story(rig);
    }
  }

  static void live(table_rig& rig, int steps) {
    for (int i = 0; i < steps; ++i) {
      rig.world.step();
      rig.hear(static_cast<std::size_t>(rig.world.below(3)));
      if (rig.world.below(2) == 0)
        rig.serve();
    }
  }

  static std::size_t annotated(const table_rig& rig) {
    return static_cast<std::size_t>(
      std::ranges::count_if(rig.world.slices.stored(), [](const auto& each) { return !each.second.ours.empty(); }));
  }

  static bool is_granted(const table_rig& rig, const endpoint_slice& slice) {
    if (!slice.service)
      return false;
    const auto& consents = rig.world.consents.stored();
    const auto at = consents.find({slice.key.nspace, *slice.service});
    return at != consents.end() && judge(consent::absent, at->second) == consent::granted;
  }

  /// One export under the annotated name of each slice that is exported; no other of our cluster.
  static void expect_exported(const table_rig& rig) {
    std::multiset<std::string> wanted, found;
    for (const auto& [key, slice] : rig.world.slices.stored())
      if (is_granted(rig, slice))
        wanted.insert(slice.uid + " " + slice.ours.name.value_or("-"));
    for (const auto& each : rig.exports_of("m1"))
      found.insert(each.spec.reference.uid + " " + each.key.name);
    EXPECT_EQ(found, wanted);
  }
};

TEST_F(LeaveProperty, NothingOfOursIsLeftAndNothingElseIsTouched) {
  from_seeds([](table_rig& rig) {
    rig.leave(true);
    live(rig, 30); // slices and consents come and go, exports of our cluster too
    const auto foreign = rig.exports_of("m2");
    rig.settle();
    EXPECT_TRUE(rig.exports_of("m1").empty());
    EXPECT_EQ(rig.exports_of("m2"), foreign);
    EXPECT_EQ(annotated(rig), 0U);
    EXPECT_EQ(rig.table().leave_progress(), (leave_progress{true, 0, 0, true, true}));
    EXPECT_EQ(rig.awake(), 0U);
  });
}

TEST_F(LeaveProperty, WorksWithoutTheMember) {
  from_seeds([](table_rig& rig) {
    const bool was_known = rig.world.below(2) == 0;
    rig.is_reachable = false;
    rig.holds_deletes = true;
    if (!was_known)
      rig.restart();
    rig.leave(true);
    if (rig.world.below(2) == 0)
      rig.restart(true);
    rig.settle();
    const auto left = rig.exports_of("m1");
    EXPECT_TRUE(std::ranges::all_of(left, &slice_export::terminating));
    EXPECT_EQ(rig.table().leave_progress().exports, left.size());
    EXPECT_EQ(rig.table().leave_progress().done, left.empty());
    rig.let_go();
    rig.settle();
    EXPECT_TRUE(rig.exports_of("m1").empty());
    EXPECT_TRUE(rig.table().leave_progress().done) << "though annotations are left";

    rig.is_reachable = true; // the member comes back
    rig.relist();
    rig.settle();
    EXPECT_TRUE(rig.exports_of("m1").empty());
    EXPECT_EQ(annotated(rig), 0U);
  });
}

TEST_F(LeaveProperty, TakenBackHalfWayAllIsExportedAgain) {
  from_seeds([](table_rig& rig) {
    rig.settle();
    std::map<std::string, std::string> before; // export name by hub UID
    for (const auto& each : rig.exports_of("m1"))
      before[each.uid] = each.key.name;
    rig.withdrawn = 0;
    rig.leave(true);
    for (int i = rig.world.below(6); i > 0; --i)
      rig.serve();
    rig.hear(static_cast<std::size_t>(rig.world.below(3)));
    rig.leave(false);
    rig.settle();
    expect_exported(rig);
    std::size_t kept = 0;
    for (const auto& each : rig.exports_of("m1")) {
      const bool is_same = before.contains(each.uid);
      kept += is_same ? 1U : 0U;
      for (const auto& [hub_uid, name] : before)
        EXPECT_TRUE(is_same || name != each.key.name) << "C27: what was withdrawn comes back under a new name";
    }
    EXPECT_EQ(kept + rig.withdrawn, before.size());
  });
}

TEST_F(LeaveProperty, TakenBackWithoutTheMemberNothingMoreGoes) {
  from_seeds([](table_rig& rig) {
    rig.settle();
    rig.is_reachable = false;
    rig.restart();
    const auto had = rig.exports_of("m1").size();
    rig.withdrawn = 0;
    rig.leave(true);
    for (int i = rig.world.below(4); i > 0; --i)
      rig.serve();
    const auto gone = rig.withdrawn;
    rig.leave(false);
    rig.settle();
    EXPECT_EQ(rig.withdrawn, gone) << "no proof is left";
    EXPECT_EQ(rig.exports_of("m1").size(), had - gone);
    EXPECT_EQ(rig.awake(), 0U);

    for (int i = 0; i < 10; ++i)
      rig.world.step(); // some slices are no more when the member comes back
    rig.is_reachable = true;
    rig.relist();
    rig.settle();
    expect_exported(rig);
  });
}

} // namespace
} // namespace sliceferry::core
