#include "actors/core/wake_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace sliceferry::core {
namespace {

using namespace std::chrono_literals;

constexpr wait_marks create{};
constexpr wait_marks change{work_rank::change, false, true};
constexpr wait_marks withdraw{work_rank::removal, false, true};
constexpr wait_marks refused{work_rank::create, true, false};

class WakeQueueTest : public ::testing::Test {
protected:
  void put(const std::string& uid, const wait_marks& marks = create) { queue.put(uid, marks, now); }
  void rest(const std::string& uid, const wait_marks& marks = create) { queue.rest(uid, marks, now); }

  /// All that wait, in the order in which they leave now.
  std::string drain() {
    std::string out;
    while (const auto next = queue.take(now))
      out += (out.empty() ? "" : " ") + next->slice_uid;
    return out;
  }

  tick now = tick{} + 12h;
  wake_queue queue;
};

using WakeQueue = WakeQueueTest;

TEST_F(WakeQueue, WithdrawalsGoFirstAndEqualsInOrderOfArrival) {
  put("a");
  put("b", change);
  put("c", withdraw);
  put("d");
  put("e", withdraw);
  EXPECT_EQ(drain(), "c e b a d");
}

TEST_F(WakeQueue, EachSliceWaitsOnceAndKeepsItsPlace) {
  put("a");
  put("b");
  put("a");
  EXPECT_EQ(queue.size(), 2U);
  EXPECT_EQ(drain(), "a b");
  EXPECT_EQ(drain(), "");
}

TEST_F(WakeQueue, AnotherKindOfWriteIsAnotherLine) {
  put("a", withdraw);
  put("b", withdraw);
  put("a"); // consent has returned
  put("c");
  EXPECT_EQ(queue.count().withdrawing, 1U);
  EXPECT_EQ(drain(), "b a c");
}

TEST_F(WakeQueue, NewsKeepTheirTimeOfArrivalWhileTheyWait) {
  put("a");
  const auto came = now;
  now += 5s;
  put("a", withdraw);
  EXPECT_EQ(queue.take(now)->since, came);
}

TEST_F(WakeQueue, WhoIsRemovedIsNotTaken) {
  for (const auto* uid : {"a", "b", "c"})
    put(uid);
  EXPECT_TRUE(queue.remove("b"));
  EXPECT_FALSE(queue.remove("b"));
  EXPECT_FALSE(queue.contains("b"));
  EXPECT_EQ(drain(), "a c");
}

TEST_F(WakeQueue, WhoRestsTakesOnlyWhatNobodyElseWantsUntilItsTurnComes) {
  rest("stuck", withdraw);
  put("a");
  put("b");
  EXPECT_EQ(drain(), "a b stuck");
  rest("stuck", withdraw);
  now += wake_queue::rest_for;
  put("a");
  put("b");
  EXPECT_EQ(drain(), "stuck a b");
}

TEST_F(WakeQueue, RefusedOnesComeLast) {
  rest("no", refused);
  rest("stuck");
  now += wake_queue::rest_for;
  put("a");
  EXPECT_EQ(drain(), "a stuck no");
}

TEST_F(WakeQueue, NewsEndARest) {
  rest("stuck", refused);
  put("a");
  put("stuck");
  EXPECT_EQ(queue.count().refused, 0U) << "of the new content nothing is known";
  EXPECT_EQ(queue.ready(now, 9).all, 2U);
  put("b");
  EXPECT_EQ(drain(), "a stuck b");
}

TEST_F(WakeQueue, NobodyStarvesBehindThoseThatComeAgainAndAgain) {
  rest("no", refused);
  now += wake_queue::rest_for;
  bool taken = false;
  for (int i = 0; i < 8 && !taken; ++i) {
    put("news-" + std::to_string(i));
    put("more-" + std::to_string(i));
    taken = queue.take(now)->slice_uid == "no";
  }
  EXPECT_TRUE(taken);
}

TEST_F(WakeQueue, OnlyTheirTurnLetsOthersGiveUpTheirPlaces) {
  rest("w", withdraw);
  rest("no", refused);
  now += 1s;
  rest("late");
  EXPECT_EQ(queue.ready(now, 9).all, 0U);
  now += wake_queue::rest_for - 1s;
  EXPECT_EQ(queue.ready(now, 9).all, 2U);
  using ranks = std::array<std::size_t, 3>;
  EXPECT_EQ(queue.ready(now, 9).by_rank, (ranks{1, 0, 0})) << "what is refused hurries nobody";
  put("a", withdraw);
  put("b", change);
  EXPECT_EQ(queue.ready(now, 9).by_rank, (ranks{2, 1, 0}));
  EXPECT_EQ(queue.ready(now, 9).all, 4U);
  EXPECT_EQ(queue.ready(now, 2).by_rank, (ranks{2, 0, 0}));
  EXPECT_EQ(queue.ready(now, 2).all, 2U);
}

TEST_F(WakeQueue, CountsEachOfThemOnce) {
  put("a");
  put("b", withdraw);
  rest("c", refused);
  rest("d", {work_rank::removal, true, true});
  const auto& count = queue.count();
  EXPECT_EQ(count.all, 4U);
  EXPECT_EQ(count.owed, 1U);
  EXPECT_EQ(count.withdrawing, 1U);
  EXPECT_EQ(count.refused, 2U);
  EXPECT_EQ(count.exported, 2U);
  queue.keep_if([](const std::string& uid) { return uid == "b"; });
  EXPECT_EQ(count.all, 1U);
  EXPECT_EQ(count.exported, 1U);
  EXPECT_EQ(drain(), "b");
  EXPECT_EQ(count.all + count.owed + count.withdrawing + count.refused + count.exported, 0U);
}

/// The same by search through plain lists.
class model {
public:
  struct slice {
    std::string uid;
    wait_marks marks;
    tick since;
    std::size_t line;
  };

  void put(const std::string& uid, const wait_marks& marks, tick since) {
    const auto line = 2 * static_cast<std::size_t>(marks.rank);
    const auto held = find(uid);
    if (held != slices.end() && held->line == line) {
      held->marks = marks;
      return;
    }
    if (held != slices.end() && held->line % 2 == 0 && held->line < 6)
      since = held->since;
    remove(uid);
    slices.push_back({uid, marks, since, line});
  }

  void rest(const std::string& uid, const wait_marks& marks, tick now) {
    remove(uid);
    const auto rank = static_cast<std::size_t>(marks.rank);
    slices.push_back({uid, marks, now, marks.refused ? 6 + rank : 2 * rank + 1});
  }

  bool remove(const std::string& uid) {
    return std::erase_if(slices, [&](const slice& each) { return each.uid == uid; }) != 0;
  }

  std::optional<slice> take(tick now) {
    std::vector<const slice*> due, fronts;
    for (std::size_t line = 0; line < 9; ++line)
      for (const auto& each : slices)
        if (each.line == line) {
          fronts.push_back(&each);
          if (line == 0 || line == 2 || line == 4 || now - each.since >= wake_queue::rest_for)
            due.push_back(&each);
          break;
        }
    if (fronts.empty())
      return std::nullopt;
    const slice* chosen = fronts.front();
    if (chosen->line != 0 && !due.empty()) {
      const auto oldest =
        std::min_element(due.begin(), due.end(), [](const auto* a, const auto* b) { return a->since < b->since; });
      chosen = ++turns % 4 == 0 ? *oldest : due.front();
    }
    auto out = *chosen;
    remove(out.uid);
    return out;
  }

  std::vector<slice>::iterator find(const std::string& uid) {
    return std::find_if(slices.begin(), slices.end(), [&](const slice& each) { return each.uid == uid; });
  }

  std::vector<slice> slices;

private:
  unsigned turns = 0;
};

std::string uuid(unsigned number) {
  auto tail = std::to_string(number);
  return "5f0c6a1e-9b7d-4c3e-8a2f-" + std::string(12 - tail.size(), '0') + tail;
}

/// UUIDs, names, and UUIDs that look like the queue's own numbers.
std::string uid_of(unsigned number) {
  switch (number % 3) {
    case 0:
      return uuid(number);
    case 1:
      return "slice-" + std::to_string(number);
    default:
      return "00000000-0000-0000-0" + std::to_string(100 + number) + "-000000000000";
  }
}

TEST(WakeQueueProperty, DoesAsItsModelDoes) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 dice(seed);
    const auto below = [&](unsigned bound) { return static_cast<unsigned>(dice() % bound); };
    wake_queue queue;
    model plain;
    tick now = tick{} + 12h;
    for (int step = 0; step < 400; ++step) {
      const auto uid = uid_of(below(24));
      const wait_marks marks{static_cast<work_rank>(below(3)), below(3) == 0, below(2) == 0};
      switch (below(6)) {
        case 0:
        case 1:
          queue.put(uid, marks, now);
          plain.put(uid, marks, now);
          break;
        case 2:
          queue.rest(uid, marks, now);
          plain.rest(uid, marks, now);
          break;
        case 3:
          ASSERT_EQ(queue.remove(uid), plain.remove(uid));
          break;
        case 4: {
          const auto taken = queue.take(now);
          const auto expected = plain.take(now);
          ASSERT_EQ(taken.has_value(), expected.has_value());
          if (!taken)
            break;
          ASSERT_EQ(taken->slice_uid, expected->uid);
          ASSERT_EQ(taken->marks, expected->marks);
          ASSERT_EQ(taken->since, expected->since);
          break;
        }
        default:
          now += std::chrono::seconds(below(20));
      }
      ASSERT_EQ(queue.size(), plain.slices.size());
      ASSERT_EQ(queue.contains(uid), plain.find(uid) != plain.slices.end());
    }
  }
}

} // namespace
} // namespace sliceferry::core
