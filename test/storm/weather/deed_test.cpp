#include "test/storm/weather/deed.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sliceferry::storm {
namespace {

/// A member with one service of two slices, whose endpoints a test chooses.
struct small_fleet {
  fleet all;
  dice chance{1};

  small_fleet(std::size_t first, std::size_t second) {
    auto& member = all.members.emplace_back();
    member.name = "alpha";
    member.nspaces.push_back({.name = "team", .services = 1, .state = nspace_state::live});
    service home;
    home.slices = 2;
    member.services.push_back(home);
    for (const std::size_t size : {first, second}) {
      slice& made = member.slices.emplace_back();
      made.ordinal = static_cast<std::uint8_t>(member.slices.size() - 1);
      made.present = true;
      for (std::size_t i = 0; i < size; ++i)
        made.endpoints.push_back(fresh_endpoint(member, chance));
    }
  }

  std::vector<endpoint>& endpoints(std::size_t slice) { return all.members[0].slices[slice].endpoints; }

  bool act(deed_kind what, std::uint32_t slice, std::uint32_t with = 0) {
    return carry_out({what, 0, slice, with}, all, chance).has_value();
  }

  std::size_t ready(std::size_t slice) {
    return static_cast<std::size_t>(
      std::count_if(endpoints(slice).begin(), endpoints(slice).end(), [](const auto& x) { return x.ready; }));
  }
};

TEST(Deed, ARestartedPodHasASuccessorBesideItAndThenAlone) {
  small_fleet here{3, 0};
  const auto before = here.endpoints(0);
  ASSERT_TRUE(here.act(deed_kind::retire_pod, 0));
  ASSERT_EQ(here.endpoints(0).size(), 4U);
  EXPECT_TRUE(here.endpoints(0).front().terminating);
  EXPECT_EQ(here.ready(0), 2U);
  ASSERT_TRUE(here.act(deed_kind::finish_pod, 0));
  EXPECT_EQ(here.ready(0), 3U);
  EXPECT_EQ(here.endpoints(0).front(), before[1]);
  EXPECT_FALSE(here.act(deed_kind::finish_pod, 0)) << "nothing is left to finish";
}

TEST(Deed, AFullSliceStaysFull) {
  small_fleet here{endpoints_max, 8};
  ASSERT_TRUE(here.act(deed_kind::retire_pod, 0));
  EXPECT_EQ(here.endpoints(0).size(), endpoints_max);
  EXPECT_EQ(here.ready(0), endpoints_max - 1);
  EXPECT_FALSE(here.act(deed_kind::take_endpoints, 0, 1));
  EXPECT_EQ(here.endpoints(0).size(), endpoints_max);
}

TEST(Deed, RepackedEndpointsAreInBothSlicesAndThenInOne) {
  small_fleet here{10, 97};
  const auto all = here.endpoints(0);
  ASSERT_TRUE(here.act(deed_kind::take_endpoints, 1, 0));
  EXPECT_EQ(here.endpoints(1).size(), endpoints_max) << "there was room for three";
  EXPECT_EQ(here.endpoints(0), all);
  EXPECT_FALSE(here.act(deed_kind::take_endpoints, 1, 0)) << "no endpoint is in a slice twice";
  ASSERT_TRUE(here.act(deed_kind::drop_endpoints, 0, 1));
  EXPECT_EQ(here.endpoints(0).size(), 7U);
  EXPECT_FALSE(here.act(deed_kind::drop_endpoints, 0, 1));
}

TEST(Deed, NoEndpointIsTakenTwice) {
  small_fleet here{10, 0};
  ASSERT_TRUE(here.act(deed_kind::take_endpoints, 1, 0));
  EXPECT_EQ(here.endpoints(1).size(), 5U);
  EXPECT_FALSE(here.act(deed_kind::take_endpoints, 1, 0));
  EXPECT_EQ(here.endpoints(1).size(), 5U);
}

TEST(Deed, WhatChangesNothingIsNoRequest) {
  small_fleet here{2, 0};
  EXPECT_FALSE(here.act(deed_kind::create_slice, 0)) << "it is there";
  EXPECT_FALSE(here.act(deed_kind::refill_slice, 0)) << "it isn't empty";
  EXPECT_FALSE(here.act(deed_kind::empty_slice, 1)) << "it is empty";
  EXPECT_FALSE(here.act(deed_kind::relabel_slice, 0, 0)) << "it has that label";
  EXPECT_FALSE(here.act(deed_kind::claim_slice, 0, 0)) << "nobody claimed it";
  EXPECT_FALSE(here.act(deed_kind::lose_node, 0, 999)) << "nothing runs there";
  EXPECT_FALSE(here.act(deed_kind::create_nspace, 0)) << "it is there";
  EXPECT_FALSE(here.act(deed_kind::judge_consent, 0)) << "there is no consent";
  EXPECT_FALSE(here.act(deed_kind::delete_consent, 0)) << "there is no consent";
  EXPECT_FALSE(here.act(deed_kind::finalize_nspace, 0)) << "nobody deleted it";
  EXPECT_EQ(here.all.changes, 0U);
}

TEST(Deed, ADyingNamespaceIsFinalizedOnceItIsEmpty) {
  small_fleet here{1, 1};
  ASSERT_TRUE(here.act(deed_kind::delete_nspace, 0));
  EXPECT_FALSE(here.act(deed_kind::churn_slice, 0)) << "users leave it alone";
  EXPECT_FALSE(here.act(deed_kind::create_consent, 0));
  ASSERT_TRUE(here.act(deed_kind::delete_slice, 0));
  EXPECT_FALSE(here.act(deed_kind::finalize_nspace, 0));
  ASSERT_TRUE(here.act(deed_kind::delete_slice, 1));
  EXPECT_TRUE(here.act(deed_kind::finalize_nspace, 0));
  EXPECT_TRUE(here.act(deed_kind::create_nspace, 0));
}

} // namespace
} // namespace sliceferry::storm
