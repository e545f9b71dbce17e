#include "test/core/fleet_model.hpp"

#include <gtest/gtest.h>

#include <random>
#include <utility>

namespace sliceferry::core {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

seconds_utc since_on_hub(const fleet& all) {
  EXPECT_EQ(all.hub.size(), 1U);
  return all.hub.begin()->second.spec.reference.exported_since.value_or(seconds_utc{});
}

void expect_since(const fleet& all, seconds_utc then) {
  EXPECT_EQ(format_rfc3339(since_on_hub(all)), format_rfc3339(then));
  EXPECT_EQ(all.slice->ours.timestamp, format_rfc3339(then));
}

TEST(ClockSteps, MoveNoSinceByThemselves) {
  // D11: the Go agent starts every slice's time anew when the clock steps back.
  for (const auto step : {seconds{-1}, seconds{-90}, seconds{-hours{24 * 365}}, seconds{1}, seconds{hours{24 * 365}}}) {
    for (const bool restarts : {false, true}) {
      SCOPED_TRACE(std::to_string(step.count()) + (restarts ? " and a restart" : ""));
      auto all = exported();
      all.now += step;
      if (restarts)
        all.restart({});
      EXPECT_TRUE(all.run());
      EXPECT_TRUE(all.written.empty()) << to_string(all.written.front());
      expect_since(all, noon);
    }
  }
}

TEST(ClockSteps, DateTheNextChange) {
  // A change is dated by the clock as it then is, even if that is before the last one: never by a guess.
  for (const auto step : {seconds{-hours{2}}, seconds{hours{2}}}) {
    SCOPED_TRACE(step.count());
    auto all = exported();
    all.now += step;
    all.change_endpoints();
    EXPECT_TRUE(all.run());
    expect_since(all, all.now);
    all.restart({});
    all.written.clear();
    EXPECT_TRUE(all.run());
    EXPECT_TRUE(all.written.empty());
  }
}

TEST(ClockSteps, BetweenTheTwoWritesOfAChangeDateItOnce) {
  // D10: both writes of one change carry one time, though the clock stepped and the process ended in between.
  for (const auto step : {seconds{-hours{2}}, seconds{hours{2}}}) {
    for (const bool restarts : {false, true}) {
      SCOPED_TRACE(std::to_string(step.count()) + (restarts ? " and a restart" : ""));
      auto all = exported();
      const auto changed_at = all.now;
      all.change_endpoints();
      all.look();
      all.observe();
      all.serve(); // annotated
      all.now += step;
      if (restarts)
        all.restart({});
      EXPECT_TRUE(all.run());
      // A restart between the writes meets a time that only the slice tells of. Of the future it isn't believed.
      expect_since(all, restarts && step < seconds{0} ? all.now : changed_at);
    }
  }
}

TEST(ExportedSince, SurvivesWhatIsNoChange) {
  const struct {
    const char* name;
    void (*act)(fleet&);
    bool is_kept;
  } table[] = {
    {"A10 a restart", [](fleet& f) { f.restart({}); }, true},
    {"A10 a metadata bump", [](fleet& f) { f.touch(); }, true},
    {"A10 a metadata bump while we were away",
     [](fleet& f) {
       f.touch();
       f.restart({});
     },
     true},
    {"A10 a new name for an invalid one", [](fleet& f) { f.slice->ours.name = "x_y"; }, true},
    {"A10 a new name, chosen by the next process",
     [](fleet& f) {
       f.slice->ours.name = "x_y";
       f.restart({});
     },
     true},
    {"A10 a name of another's choice", [](fleet& f) { f.slice->ours.name = "unused"; }, true},
    {"A10 the export deleted by hand", [](fleet& f) { f.hub.clear(); }, true},
    {"A10 all three annotations wiped", [](fleet& f) { f.slice->ours = {}; }, true},
    {"A10 no last-seen generation", [](fleet& f) { f.slice->ours.generation.reset(); }, false},
    {"A10 no last-seen timestamp", [](fleet& f) { f.slice->ours.timestamp.reset(); }, false},
    {"A10 no last-seen timestamp after a restart",
     [](fleet& f) {
       f.slice->ours.timestamp.reset();
       f.restart({});
     },
     false},
    {"tampering: an earlier time is believed", [](fleet& f) { f.slice->ours.timestamp = format_rfc3339(noon); }, true},
    {"tampering: a future time is not", [](fleet& f) { f.slice->ours.timestamp = "2036-01-01T00:00:00Z"; }, false},
    {"tampering: not a time", [](fleet& f) { f.slice->ours.timestamp = "soon"; }, false},
    {"tampering: another generation", [](fleet& f) { f.slice->ours.generation = "2"; }, false},
    {"tampering: not a number", [](fleet& f) { f.slice->ours.generation = "three"; }, false},
    {"consent withdrawn and given again",
     [](fleet& f) {
       f.says = consent::invalid;
       EXPECT_TRUE(f.run());
       f.says = consent::granted;
     },
     false},
  };
  for (const auto& [name, act, is_kept] : table) {
    SCOPED_TRACE(name);
    auto all = exported();
    act(all);
    all.touch();
    EXPECT_TRUE(all.run());
    expect_since(all, is_kept ? noon : all.now);
  }
}

TEST(ExportedSince, NeverMovesBackOnTheHubAtARightClock) {
  // D10: no write takes a generation or its time back. (A slice that changes faster than a round trip is shown with the
  // time of the change before for as long as that: its newest content leaves with the apply that was owed.)
  for (std::uint32_t seed = 1; seed <= 200 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 dice{seed};
    fleet all;
    std::pair<std::int64_t, seconds_utc> last{};
    for (int i = 0; i < 60; ++i) {
      all.now += seconds{dice() % 3};
      if (dice() % 4 == 0)
        all.change_endpoints();
      if (dice() % 5 == 0)
        all.touch();
      if (dice() % 2 == 0)
        all.look();
      all.observe();
      if (all.is_queued() && dice() % 2 == 0)
        all.serve(dice() % 4 == 0 ? fleet::answer::lost_done : fleet::answer::given);
      if (dice() % 15 == 0)
        all.restart({});
      if (all.hub.empty())
        continue;
      const std::pair now{all.hub.begin()->second.shown.generation, since_on_hub(all)};
      EXPECT_GE(now, last);
      last = now;
    }
  }
}

} // namespace
} // namespace sliceferry::core
