#include "test/storm/weather/scenario.hpp"

#include "test/storm/weather/complaints.hpp"
#include "test/storm/weather/fault_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace sliceferry::storm {
namespace {

std::vector<std::string> texts(const std::vector<std::string_view>& names) {
  return {names.begin(), names.end()};
}

std::vector<std::string> members_of(const scenario& each) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < each.members; ++i)
    out.push_back("member-" + std::to_string(i));
  return out;
}

TEST(Scenarios, EachCanStart) {
  std::set<std::string_view> seen;
  for (const auto& each : scenarios()) {
    EXPECT_TRUE(seen.insert(each.name).second) << each.name;
    const auto members = members_of(each);
    const auto found = complaints(
      {.seed = 1, .members = members, .slices = each.slices, .storms = texts(each.storms)},
      {.seed = 1, .faults = texts(each.faults), .members = members, .length = std::chrono::seconds{each.seconds}});
    EXPECT_TRUE(found.empty()) << each.name << ": " << testing::PrintToString(found);
    EXPECT_TRUE(each.sentence.ends_with('.')) << each.name;
    EXPECT_EQ(find_scenario(each.name), &each);
  }
  EXPECT_EQ(find_scenario("no such scenario"), nullptr);
}

TEST(Scenarios, EachIsSmall) {
  for (const auto& each : scenarios()) {
    if (each.name == "outage")
      continue; // it is about many changes
    EXPECT_TRUE(each.seconds >= 15 && each.seconds <= 40) << each.name;
    EXPECT_TRUE(each.slices >= 300 && each.slices <= 1'000) << each.name;
    EXPECT_TRUE(each.changes_per_s >= 100 && each.changes_per_s <= 300) << each.name;
    EXPECT_GE(each.members, 1U) << each.name;
  }
}

TEST(Scenarios, APortableOneHasNoFaultButOfTheProgram) {
  for (const auto& each : scenarios())
    for (const auto name : each.faults) {
      const auto kinds = kinds_named(name).value();
      const bool is_portable = std::all_of(kinds.begin(), kinds.end(), [](const auto* x) {
        return x->name == "kill_program" || x->name == "stop_program";
      });
      EXPECT_TRUE(is_portable || !each.is_portable) << each.name;
    }
}

TEST(Scenarios, EachStormHasAPortableOneOfItsNameAndEachFaultOne) {
  for (const auto& name : storm_names()) {
    const auto* found = find_scenario(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_TRUE(found->is_portable && found->storms == std::vector<std::string_view>{name}) << name;
  }
  for (const auto& kind : fault_kinds())
    if (kind.set == fault_set::basic) {
      EXPECT_TRUE(std::any_of(scenarios().begin(), scenarios().end(),
                              [&](const auto& x) {
                                return x.name != "everything-basic" &&
                                       std::count(x.faults.begin(), x.faults.end(), kind.name) > 0;
                              }))
        << kind.name;
    }
}

TEST(Scenarios, EachFaultOfASmallOneStrikes) {
  for (const auto& each : scenarios()) {
    if (each.storms == std::vector<std::string_view>{"everything"} ||
        each.faults == std::vector<std::string_view>{"none"})
      continue;
    const auto struck = forecast({1, texts(each.faults), members_of(each), std::chrono::seconds{each.seconds}});
    for (const auto name : each.faults)
      EXPECT_TRUE(std::any_of(struck.begin(), struck.end(), [&](const auto& x) { return x.kind == name; }))
        << each.name << ": " << name;
  }
}

} // namespace
} // namespace sliceferry::storm
