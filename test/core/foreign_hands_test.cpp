#include "actors/core/foreign_hands.hpp"

#include "actors/core/jitter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

using namespace std::chrono_literals;
using names = std::vector<std::string>;

constexpr hands_limits limits{2, 10min};

std::string number(const char* prefix, std::size_t i) {
  return prefix + std::to_string(i);
}

TEST(ForeignHands, RaiseAnAlarmWhenExportsAreUndoneAgainAndAgain) {
  struct act {
    std::chrono::seconds at;
    const char* name;
  };
  struct row {
    const char* name;
    std::vector<act> acts;
    bool alarmed;
  };
  const row table[] = {
    {"nothing happened", {}, false},
    {"once each, as a restored backup does", {{0s, "a"}, {1s, "b"}, {2s, "c"}, {3s, "d"}, {4s, "e"}}, false},
    {"one over and over", {{0s, "a"}, {1s, "a"}, {2s, "a"}, {3s, "a"}, {4s, "a"}, {5s, "a"}}, false},
    {"as many as are allowed", {{0s, "a"}, {1s, "a"}, {2s, "b"}, {3s, "b"}, {4s, "c"}}, false},
    {"one more", {{0s, "a"}, {1s, "a"}, {2s, "b"}, {3s, "b"}, {4s, "c"}, {5s, "c"}}, true},
    {"all in turn", {{0s, "a"}, {1s, "b"}, {2s, "c"}, {3s, "a"}, {4s, "b"}, {5s, "c"}}, true},
    {"just within the window", {{0s, "a"}, {0s, "b"}, {0s, "c"}, {599s, "a"}, {599s, "b"}, {599s, "c"}}, true},
    {"the first of each is too long ago",
     {{0s, "a"}, {0s, "b"}, {0s, "c"}, {600s, "a"}, {600s, "b"}, {600s, "c"}},
     false},
    {"two were repeated too long ago", {{0s, "a"}, {1s, "a"}, {0s, "b"}, {1s, "b"}, {590s, "c"}, {605s, "c"}}, false},
  };
  for (const auto& [name, acts, alarmed] : table) {
    SCOPED_TRACE(name);
    foreign_hands subject{limits};
    for (const auto& each : acts)
      subject.undone(each.name, "kubectl", tick{} + each.at);
    EXPECT_EQ(subject.alarmed(), alarmed);
  }
}

TEST(ForeignHands, AreForgottenAfterTheWindow) {
  foreign_hands subject{limits};
  for (const auto* name : {"c", "a", "b", "a", "b", "c"})
    subject.undone(name, "kubectl", tick{} + 1s);
  subject.undone("a", "kubectl", tick{} + 60s);
  EXPECT_TRUE(subject.alarmed());
  EXPECT_EQ(subject.times("a"), 3u);
  EXPECT_EQ(subject.times("b"), 2u);
  EXPECT_EQ(subject.times("x"), 0u);
  EXPECT_EQ(subject.review(tick{} + 600s), names{});
  EXPECT_TRUE(subject.alarmed());
  EXPECT_EQ(subject.review(tick{} + 601s), (names{"b", "c"}));
  EXPECT_FALSE(subject.alarmed());
  EXPECT_EQ(subject.times("b"), 0u);
  EXPECT_EQ(subject.times("a"), 3u) << "its last time is within the window";
  EXPECT_EQ(subject.review(tick{} + 660s), names{"a"});
  EXPECT_EQ(subject.text(), "");
}

TEST(ForeignHands, CountAnewAfterARest) {
  foreign_hands subject{limits};
  subject.undone("a", "kubectl", tick{});
  subject.undone("a", "kubectl", tick{} + 599s);
  subject.undone("a", "kubectl", tick{} + 1000s);
  EXPECT_EQ(subject.times("a"), 3u) << "each within the window of the one before";
  subject.undone("a", "kubectl", tick{} + 1600s);
  EXPECT_EQ(subject.times("a"), 1u) << "nobody reviewed, yet it was long enough";
}

TEST(ForeignHands, AreNamed) {
  foreign_hands subject{limits};
  EXPECT_EQ(subject.text(), "");
  subject.undone("a", "kubectl-edit", tick{});
  subject.undone("a", "", tick{} + 1s);
  subject.undone("b", "kubectl-edit", tick{} + 400s);
  const auto holds = [&](const std::string& part) { return subject.text().find(part) != std::string::npos; };
  EXPECT_TRUE(holds("kubectl-edit (2x)")) << subject.text();
  EXPECT_TRUE(holds("unknown, as by a DELETE (1x)")) << subject.text();
  EXPECT_EQ(subject.review(tick{} + 700s), names{"a"});
  EXPECT_TRUE(holds("kubectl-edit")) << subject.text();
  EXPECT_FALSE(holds("someone")) << subject.text();
}

TEST(ForeignHands, AreBounded) {
  foreign_hands subject{limits};
  const auto more = foreign_hands::names_max + 5;
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < more; ++i)
      subject.undone(number("e", i), number("m", i), tick{});
  EXPECT_EQ(subject.times(number("e", foreign_hands::names_max - 1)), 2u);
  EXPECT_EQ(subject.times(number("e", foreign_hands::names_max)), 0u);
  EXPECT_TRUE(subject.alarmed());
  EXPECT_NE(subject.text().find("m7 (2x)"), std::string::npos) << subject.text();
  EXPECT_EQ(subject.text().find("m8"), std::string::npos) << subject.text();
  EXPECT_NE(subject.text().find("others (" + std::to_string(2 * (more - 8)) + "x)"), std::string::npos);
  EXPECT_EQ(subject.review(tick{} + 10min).size(), foreign_hands::names_max);
  subject.undone(number("e", more), "late", tick{} + 10min);
  EXPECT_EQ(subject.times(number("e", more)), 1u) << "there is room again";
  EXPECT_NE(subject.text().find("late (1x)"), std::string::npos) << subject.text();
  EXPECT_EQ(subject.text().find("others"), std::string::npos) << subject.text();
}

TEST(ForeignHandsProperty, AgreeWithTheWholeHistory) {
  unsigned alarms = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    jitter random{seed};
    foreign_hands subject{limits};
    std::map<std::string, std::vector<tick>> history;
    tick now{};
    for (int i = 0; i < 120 && !HasFailure(); ++i) {
      now += std::chrono::seconds(random.next() % (seed % 2 == 0 ? 60 : 240));
      const auto name = number("e", random.next() % 8);
      subject.undone(name, "m", now);
      history[name].push_back(now);
      const bool reviewed = random.next() % 3 == 0;
      const auto forgotten = reviewed ? subject.review(now) : names{};
      std::size_t repeated = 0;
      names due;
      for (auto& [each, times] : history) {
        const auto recent =
          std::count_if(times.begin(), times.end(), [&](tick then) { return now - then < limits.window; });
        repeated += recent >= 2 ? 1 : 0;
        if (reviewed && recent == 0 && !times.empty()) {
          times.clear();
          due.push_back(each);
        }
        EXPECT_EQ(subject.times(each) > 0, !times.empty());
        EXPECT_GE(subject.times(each), static_cast<unsigned>(recent));
      }
      EXPECT_EQ(forgotten, due);
      if (reviewed) {
        EXPECT_EQ(subject.alarmed(), repeated > limits.exports);
      }
      if (repeated > limits.exports) {
        EXPECT_TRUE(subject.alarmed()) << "an alarm doesn't wait for the review";
        ++alarms;
      }
    }
  }
  EXPECT_GT(alarms, 100u);
}

} // namespace
} // namespace sliceferry::core
