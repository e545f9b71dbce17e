#include "test/storm/weather/fault.hpp"
#include "test/storm/weather/fault_table.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace sliceferry::storm {
namespace {

using std::chrono::milliseconds;

const std::vector<std::string> members{"alpha", "beta", "gamma"};

weather_options options_of(std::string faults, std::uint64_t seed, int seconds) {
  return {seed, {std::move(faults)}, members, std::chrono::seconds{seconds}};
}

const fault_kind& kind_of(const fault& each) {
  return *kinds_named(each.kind).value().at(0);
}

/// As the forecast counts it: an outage's amount is down time.
milliseconds end_of(const fault& each) {
  return each.at + (kind_of(each).is_outage ? std::max(each.lasts, each.amount) : each.lasts);
}

std::map<std::string, int> strikes(const std::vector<fault>& faults) {
  std::map<std::string, int> out;
  for (const auto& each : faults)
    ++out[each.kind];
  return out;
}

struct run_of {
  std::string faults;
  int seconds;
};

const std::vector<run_of> runs{{"basic", 600},      {"all", 600},    {"basic", 120}, {"all", 120},
                               {"all", 20},         {"basic", 5},    {"reset", 30},  {"kill_program", 60},
                               {"empty_lists", 60}, {"emptied", 60}, {"outage", 60}, {"disk", 120},
                               {"long_outage", 300}};

template <class Check>
void for_many(Check check) {
  for (const auto& each : runs)
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      SCOPED_TRACE(each.faults + ' ' + std::to_string(each.seconds) + " s, seed " + std::to_string(seed));
      const auto options = options_of(each.faults, seed, each.seconds);
      check(options, forecast(options));
    }
}

TEST(Forecast, EachFaultKeepsWithinItsKindsBounds) {
  for_many([](const weather_options&, const std::vector<fault>& faults) {
    for (const auto& each : faults) {
      const fault_kind& kind = kind_of(each);
      EXPECT_GE(each.lasts.count(), kind.lasts_ms.least);
      EXPECT_LE(each.lasts.count(), kind.lasts_ms.most);
      EXPECT_GE(std::abs(each.amount.count()), kind.amount_ms.least);
      EXPECT_LE(std::abs(each.amount.count()), kind.amount_ms.most);
      EXPECT_GE(each.share, kind.share_percent.least / 100.0);
      EXPECT_LE(each.share, kind.share_percent.most / 100.0);
      const bool is_member = std::count(members.begin(), members.end(), each.where) == 1;
      if (kind.where == fault_place::any_cluster || kind.where == fault_place::member)
        EXPECT_TRUE(is_member || (each.where == "hub" && kind.where != fault_place::member)) << each.where;
      else
        EXPECT_EQ(each.where, kind.where == fault_place::hub ? "hub" : "program");
    }
  });
}

TEST(Forecast, IsInOrderOfTimeAndLeavesTheLastTenthFree) {
  for_many([](const weather_options& options, const std::vector<fault>& faults) {
    EXPECT_TRUE(std::is_sorted(faults.begin(), faults.end(), [](auto& a, auto& b) { return a.at < b.at; }));
    const milliseconds free = std::max(options.length / 10, milliseconds{2'000});
    for (const auto& each : faults) {
      EXPECT_GE(each.at.count(), 0);
      EXPECT_LE(end_of(each), options.length - free) << each.kind;
    }
  });
}

TEST(Forecast, KillsAndStopsOfTheProgramKeepApart) {
  for_many([](const weather_options&, const std::vector<fault>& faults) {
    std::optional<milliseconds> up_since;
    for (const auto& each : faults) {
      if (each.where != "program")
        continue;
      EXPECT_TRUE(!up_since || each.at - *up_since >= milliseconds{8'000}) << each.kind;
      if (kind_of(each).is_outage)
        up_since = end_of(each);
    }
  });
}

TEST(Forecast, OneClusterHasNoTwoOutagesAtOnceAndNoKindTwice) {
  for_many([](const weather_options&, const std::vector<fault>& faults) {
    for (std::size_t i = 0; i < faults.size(); ++i)
      for (std::size_t j = i + 1; j < faults.size(); ++j) {
        if (faults[i].where != faults[j].where || faults[j].at >= end_of(faults[i]))
          continue;
        EXPECT_NE(faults[i].kind, faults[j].kind);
        EXPECT_FALSE(kind_of(faults[i]).is_outage && kind_of(faults[j]).is_outage)
          << faults[i].kind << ", " << faults[j].kind;
      }
  });
}

std::size_t running_at(const std::vector<fault>& faults, milliseconds now) {
  return static_cast<std::size_t>(
    std::count_if(faults.begin(), faults.end(), [&](const auto& x) { return x.at <= now && now < end_of(x); }));
}

TEST(Forecast, FaultsOverlapNowAndThenAndNeverMoreThanThree) {
  for (const std::string set : {"basic", "all"})
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      SCOPED_TRACE(set + ", seed " + std::to_string(seed));
      const auto faults = forecast(options_of(set, seed, 120));
      std::size_t overlaps = 0;
      for (const auto& each : faults) {
        const std::size_t running = running_at(faults, each.at);
        EXPECT_LE(running, 3U);
        overlaps += running >= 2 ? 1U : 0U;
      }
      EXPECT_GE(overlaps, 5U);
    }
}

TEST(Forecast, EachKindStrikesOnceInTwoMinutesAndTwiceInTen) {
  for (const std::string set : {"basic", "all", "disk"})
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      SCOPED_TRACE(set + ", seed " + std::to_string(seed));
      const auto shorter = strikes(forecast(options_of(set, seed, 120)));
      const auto longer = strikes(forecast(options_of(set, seed, 600)));
      const auto kinds = kinds_named(set).value();
      for (const auto* each : kinds) {
        const std::string name{each->name};
        EXPECT_GE(shorter.count(name), 1U) << name;
        EXPECT_GE(longer.count(name) == 0 ? 0 : longer.at(name), 2) << name;
      }
    }
}

TEST(Forecast, SpreadsOverTheWholeRun) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto faults = forecast(options_of("basic", seed, 600));
    for (int minute = 0; minute < 9; ++minute)
      EXPECT_TRUE(std::any_of(faults.begin(), faults.end(),
                              [&](const auto& x) { return x.at / std::chrono::minutes{1} == minute; }))
        << "seed " << seed << ", minute " << minute;
  }
}

TEST(Forecast, TheSameOptionsGiveTheSameFaultsAndAnotherSeedOthers) {
  EXPECT_EQ(forecast(options_of("all", 3, 120)), forecast(options_of("all", 3, 120)));
  EXPECT_NE(forecast(options_of("all", 3, 120)), forecast(options_of("all", 4, 120)));
}

TEST(Forecast, ChoosesFromTheNamedKindsAlone) {
  EXPECT_TRUE(forecast(options_of("none", 1, 600)).empty());
  EXPECT_TRUE(forecast({1, {}, members, std::chrono::seconds{600}}).empty());
  const auto few = strikes(forecast({1, {"reset", "latency"}, members, std::chrono::seconds{60}}));
  EXPECT_EQ(few.size(), 2U);
  for (const auto& each : forecast(options_of("basic", 1, 600)))
    EXPECT_EQ(kind_of(each).set, fault_set::basic) << each.kind;
  for (const auto& each : forecast(options_of("all", 1, 600)))
    EXPECT_NE(kind_of(each).set, fault_set::apart) << each.kind;
  for (const auto& each : forecast(options_of("disk", 1, 600)))
    EXPECT_EQ(kind_of(each).set, fault_set::disk) << each.kind;
  EXPECT_THROW(forecast(options_of("no such fault", 1, 600)), std::invalid_argument);
}

TEST(Forecast, EachKindStrikesWhenChosenAloneForHalfAMinute) {
  for (const auto& each : fault_kinds()) {
    const int least = each.name == "long_outage" ? 245 : 30;
    EXPECT_FALSE(forecast(options_of(std::string{each.name}, 9, least)).empty()) << each.name;
  }
}

TEST(Fault, IsToldAsJson) {
  const fault told{.at = milliseconds{1},
                   .lasts = milliseconds{1'500},
                   .kind = "clock_step",
                   .where = "program",
                   .share = 0.25,
                   .amount = milliseconds{-7},
                   .seed = 99};
  EXPECT_EQ(boost::json::parse(to_json(told)), (boost::json::value{{"kind", "clock_step"},
                                                                   {"cluster", "program"},
                                                                   {"lasts_ms", 1'500},
                                                                   {"share", 0.25},
                                                                   {"amount_ms", -7},
                                                                   {"seed", 99}}));
}

TEST(Fault, NamesAndSentencesAreThere) {
  std::set<std::string> seen;
  for (const auto& each : fault_names()) {
    EXPECT_TRUE(seen.insert(each).second) << each;
    EXPECT_TRUE(describe_fault(each).ends_with('.')) << each;
  }
  EXPECT_EQ(fault_names().front(), "none");
  EXPECT_EQ(seen.size(), fault_kinds().size() + 4);
  EXPECT_EQ(describe_fault("no such fault"), "");
}

} // namespace
} // namespace sliceferry::storm
