#include "test/storm/weather/storm_plan.hpp"

#include "test/storm/weather/small_server.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace sliceferry::storm {
namespace {

const std::vector<std::string> members{"alpha", "beta", "gamma"};

plan_options options_of(std::vector<std::string> storms, std::uint64_t seed = 1, std::size_t slices = 150) {
  return {.seed = seed, .members = members, .slices = slices, .storms = std::move(storms)};
}

void expect_success(small_server& server, const user_request& asked) {
  const std::string wrong = server.apply(asked);
  ASSERT_EQ(wrong, "") << asked.method << ' ' << asked.cluster << asked.target << ' ' << asked.body;
}

TEST(StormPlan, NoRequestOfAnyStormWouldBeRefused) {
  for (const auto& storm : storm_names())
    for (const std::uint64_t seed : {1U, 2U}) {
      SCOPED_TRACE(storm + ", seed " + std::to_string(seed));
      storm_plan plan{options_of({storm}, seed)};
      small_server server;
      for (const auto& asked : plan.setup())
        ASSERT_NO_FATAL_FAILURE(expect_success(server, asked));
      for (int i = 0; i < 1'000; ++i)
        ASSERT_NO_FATAL_FAILURE(expect_success(server, plan.next()));
    }
}

TEST(StormPlan, StormsCombineWithoutAnyRequestThatWouldBeRefused) {
  const auto names = storm_names();
  for (std::size_t i = 0; i + 1 < names.size(); ++i) {
    const std::vector<std::string> storms{names[i], names[(i + 4) % (names.size() - 1)], "namespaces", "recreation"};
    SCOPED_TRACE(storms[0] + " with " + storms[1]);
    storm_plan plan{options_of(storms, i, 60)};
    small_server server;
    for (const auto& asked : plan.setup())
      ASSERT_NO_FATAL_FAILURE(expect_success(server, asked));
    for (int n = 0; n < 700; ++n)
      ASSERT_NO_FATAL_FAILURE(expect_success(server, plan.next()));
  }
}

TEST(StormPlan, TheSameOptionsGiveTheSameRequests) {
  storm_plan one{options_of({"everything"})};
  storm_plan two{options_of({"everything"})};
  ASSERT_EQ(one.setup(), two.setup());
  for (int i = 0; i < 5'000; ++i)
    ASSERT_EQ(one.next(), two.next()) << i;
}

TEST(StormPlan, AnotherSeedGivesOtherRequests) {
  storm_plan one{options_of({"everything"}, 1)};
  storm_plan two{options_of({"everything"}, 2)};
  EXPECT_NE(one.setup(), two.setup());
  int same = 0;
  for (int i = 0; i < 1'000; ++i)
    same += one.next() == two.next() ? 1 : 0;
  EXPECT_LT(same, 100);
}

TEST(StormPlan, SetupIsTheSameHoweverFarTheStormIs) {
  storm_plan plan{options_of({"everything"})};
  const auto before = plan.setup();
  for (int i = 0; i < 2'000; ++i)
    plan.next();
  EXPECT_EQ(plan.setup(), before);
}

TEST(StormPlan, AStormGivenTwiceOrWithEverythingCountsOnce) {
  storm_plan one{options_of({"rolling", "labels", "rolling"})};
  storm_plan two{options_of({"rolling", "labels"})};
  storm_plan all{options_of({"everything"})};
  storm_plan more{options_of({"everything", "labels"})};
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(one.next(), two.next());
    ASSERT_EQ(all.next(), more.next());
  }
}

struct census {
  std::size_t nspaces = 0;
  std::size_t consents = 0;
  std::size_t granted = 0;
  std::size_t slices = 0;
  std::size_t endpoints = 0;
  std::size_t full_slices = 0;
  std::size_t foreign = 0;
};

bool has_condition(const json::object& object, const char* type, const char* status) {
  for (const auto& each : object.at("status").at("conditions").as_array())
    if (each.at("type") == type && each.at("status") == status)
      return true;
  return false;
}

census count(const small_server& server) {
  census out;
  for (const auto& [path, object] : server.objects()) {
    out.nspaces += small_server::is_nspace(path) ? 1U : 0U;
    out.foreign += path.find("/endpointsliceexports/") != path.npos ? 1U : 0U;
    if (small_server::is_consent(path)) {
      ++out.consents;
      out.granted += has_condition(object, "Valid", "True") && has_condition(object, "Conflict", "False") ? 1U : 0U;
    }
    if (small_server::is_slice(path)) {
      ++out.slices;
      const std::size_t size = object.at("endpoints").as_array().size();
      out.endpoints += size;
      out.full_slices += size == 100 ? 1U : 0U;
    }
  }
  return out;
}

small_server set_up(const storm_plan& plan) {
  small_server out;
  plan.setup([&](const user_request& asked) { out.apply(asked); });
  return out;
}

TEST(StormPlan, SetupHasTheSlicesAskedForInNamespacesThatFitThem) {
  struct expectation {
    std::size_t slices;
    std::size_t nspaces_min; ///< per member
    std::size_t nspaces_max;
  };
  for (const auto& each :
       {expectation{3, 1, 1}, expectation{60, 20, 20}, expectation{2'000, 20, 60}, expectation{4'501, 60, 60}}) {
    SCOPED_TRACE(each.slices);
    const census found = count(set_up(storm_plan{options_of({"rolling"}, 7, each.slices)}));
    EXPECT_EQ(found.slices, each.slices);
    // `fleet-system` in each member, and the members' own on the hub, are added.
    EXPECT_GE(found.nspaces, (each.nspaces_min + 2) * members.size());
    EXPECT_LE(found.nspaces, (each.nspaces_max + 2) * members.size());
  }
}

TEST(StormPlan, MostServicesAreExportedAndSlicesAreOfAllSizes) {
  const census found = count(set_up(storm_plan{options_of({"rolling"}, 3, 3'000)}));
  EXPECT_EQ(found.foreign, 15U);
  EXPECT_GT(found.consents, found.granted);
  const double mean = static_cast<double>(found.endpoints) / static_cast<double>(found.slices);
  EXPECT_GT(mean, 5);
  EXPECT_LT(mean, 9);
  EXPECT_GT(found.full_slices, 15U);
  // 85 of 92 that have a ServiceExport; 8 of 100 have none.
  EXPECT_NEAR(static_cast<double>(found.granted) / static_cast<double>(found.consents), 85.0 / 92, 0.03);
}

TEST(StormPlan, TheHubIsSetUpWithForeignExportsAndLeftAloneThen) {
  storm_plan plan{options_of({"everything"})};
  const small_server server = set_up(plan);
  for (const auto& each : members) {
    const auto* foreign = server.find("hub/apis/networking.fleet.azure.com/v1alpha1/namespaces/fleet-member-" + each +
                                      "/endpointsliceexports/stranger-team-cart-0-cart-0");
    ASSERT_NE(foreign, nullptr) << each;
    const auto& reference = foreign->at("spec").at("endpointSliceReference");
    EXPECT_EQ(std::count(members.begin(), members.end(), std::string{reference.at("clusterId").as_string()}), 0);
    EXPECT_NE(server.find(each + "/apis/discovery.k8s.io/v1/namespaces/" +
                          std::string{reference.at("namespace").as_string()} + "/endpointslices/" +
                          std::string{reference.at("name").as_string()}),
              nullptr);
  }
  for (int i = 0; i < 5'000; ++i)
    ASSERT_NE(plan.next().cluster, "hub");
}

TEST(StormPlan, RefusesOptionsThatCannotWork) {
  EXPECT_THROW(storm_plan{options_of({"rolling"}, 1, 0)}, std::invalid_argument);
  EXPECT_THROW(storm_plan{options_of({"no such storm"})}, std::invalid_argument);
  EXPECT_THROW(storm_plan{options_of({})}, std::invalid_argument);
}

} // namespace
} // namespace sliceferry::storm
