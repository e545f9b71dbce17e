#include "test/storm/weather/complaints.hpp"

#include "test/storm/weather/nearest_name.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sliceferry::storm {
namespace {

plan_options good_plan() {
  return {.seed = 1, .members = {"alpha", "beta"}, .slices = 300, .storms = {"rolling"}};
}

weather_options good_weather() {
  return {.seed = 1, .faults = {"basic"}, .members = {"alpha", "beta"}, .length = std::chrono::seconds{30}};
}

struct wrong_run {
  std::string what;
  void (*spoil)(plan_options&, weather_options&);
  std::vector<std::string> words; ///< one complaint has all of them
};

const std::vector<wrong_run> wrong_runs{
  {"unknown storm", [](auto& p, auto&) { p.storms = {"roling"}; }, {"'roling'", "mean 'rolling'", "namespaces, "}},
  {"unknown fault", [](auto&, auto& w) { w.faults = {"resets"}; }, {"'resets'", "mean 'reset'", "latency, "}},
  {"no storm", [](auto& p, auto&) { p.storms = {}; }, {"no storm", "rolling"}},
  {"none and others",
   [](auto&, auto& w) {
     w.faults = {"none", "reset"};
   },
   {"'none'", "alone"}},
  {"none twice",
   [](auto&, auto& w) {
     w.faults = {"none", "none"};
   },
   {"'none'", "alone"}},
  {"no slices", [](auto& p, auto&) { p.slices = 0; }, {"'rolling'", "at least 2 slices"}},
  {"restless without slices",
   [](auto& p, auto&) {
     p.storms = {"restless"};
     p.slices = 0;
   },
   {"'restless'", "a slice"}},
  {"fewer slices than members", [](auto& p, auto&) { p.slices = 1; }, {"'rolling'", "each member"}},
  {"too few for namespaces",
   [](auto& p, auto&) {
     p.storms = {"namespaces"};
     p.slices = 19;
   },
   {"'namespaces'", "10 slices", "at least 20"}},
  {"too few for everything",
   [](auto& p, auto&) {
     p.storms = {"everything"};
     p.slices = 19;
   },
   {"'namespaces'", "at least 20"}},
  {"too many slices", [](auto& p, auto&) { p.slices = 3'000'000; }, {"at most 2000000"}},
  {"no member", [](auto& p, auto&) { p.members = {}; }, {"no member"}},
  {"a member twice",
   [](auto& p, auto&) {
     p.members = {"alpha", "alpha"};
   },
   {"'alpha'", "twice"}},
  {"a member with a bad name", [](auto& p, auto&) { p.members = {"Alpha"}; }, {"'Alpha'", "lower-case"}},
  {"a member with a long name", [](auto& p, auto&) { p.members = {std::string(41, 'a')}; }, {"40"}},
  {"a member called hub", [](auto& p, auto&) { p.members = {"hub"}; }, {"'hub'"}},
  {"too short for faults", [](auto&, auto& w) { w.length = std::chrono::seconds{2}; }, {"at least 5 seconds"}},
};

TEST(Complaints, EachWrongRunIsRefusedWithASentence) {
  for (const auto& each : wrong_runs) {
    auto plan = good_plan();
    auto weather = good_weather();
    each.spoil(plan, weather);
    const auto found = complaints(plan, weather);
    EXPECT_TRUE(std::any_of(found.begin(), found.end(),
                            [&](const std::string& x) {
                              return std::all_of(each.words.begin(), each.words.end(),
                                                 [&](const auto& word) { return x.find(word) != x.npos; });
                            }))
      << each.what << ": " << testing::PrintToString(found);
  }
}

TEST(Complaints, GoodRunsPass) {
  EXPECT_TRUE(complaints(good_plan(), good_weather()).empty());
  for (const auto& name : storm_names()) {
    auto plan = good_plan();
    plan.storms = {name};
    plan.slices = 20;
    EXPECT_TRUE(complaints(plan).empty()) << name;
  }
  for (const std::string name : {"none", "all", "reset", "remove_crd", "disk", "torn_journal"}) {
    auto weather = good_weather();
    weather.faults = {name};
    EXPECT_TRUE(complaints(weather).empty()) << name;
  }
}

TEST(Complaints, ACalmRunMayBeShort) {
  for (const auto& faults : {std::vector<std::string>{}, std::vector<std::string>{"none"}})
    EXPECT_TRUE(
      complaints(weather_options{.faults = faults, .members = {}, .length = std::chrono::seconds{1}}).empty());
}

TEST(Complaints, AllAreToldAtOnce) {
  auto plan = good_plan();
  auto weather = good_weather();
  plan.storms = {"a", "b"};
  plan.members = {"A"};
  weather.faults = {"c", "disc"};
  EXPECT_EQ(complaints(plan, weather).size(), 5U);
}

TEST(NearestName, HasTheFewestEdits) {
  const std::vector<std::string> known{"rolling", "scaling", "flapping", "everything"};
  for (const auto& [wrong, right] : std::vector<std::pair<std::string, std::string>>{
         {"roling", "rolling"}, {"scalling", "scaling"}, {"flappnig", "flapping"}, {"everythin", "everything"}})
    EXPECT_EQ(nearest_name(wrong, known), right);
  EXPECT_EQ(nearest_name("x", {}), "");
}

} // namespace
} // namespace sliceferry::storm
