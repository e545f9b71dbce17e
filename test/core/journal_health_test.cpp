#include "actors/core/journal_health.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace sliceferry::core {
namespace {

using namespace std::chrono_literals;
using state = journal_state;

const tick start{1h};

TEST(JournalHealth, FollowsWhatTheDiskSays) {
  struct row {
    const char* name;
    std::function<void(journal_health&)> told;
    state then;
    std::string why;
  };
  const auto opened = [](journal_health& of) { of.opened(start); };
  const row table[] = {
    {"at first it is being opened", [](journal_health&) {}, state::opening, ""},
    {"opened", opened, state::healthy, ""},
    {"nothing waits", [&](auto& of) { opened(of), of.review(std::nullopt, start + 1h); }, state::healthy, ""},
    {"an answer in time", [&](auto& of) { opened(of), of.review(start, start + 499ms); }, state::healthy, ""},
    {"no answer in time", [&](auto& of) { opened(of), of.review(start, start + 500ms); }, state::degraded,
     "the disk doesn't answer"},
    {"examined for too long", [](auto& of) { of.review(start, start + 500ms); }, state::degraded,
     "the journal is still being examined"},
    {"opened too late: what was missed comes first",
     [&](auto& of) { of.review(start, start + 500ms), of.opened(start + 1s); }, state::degraded,
     "the journal is still being examined"},
    {"a failed write", [&](auto& of) { opened(of), of.failed("disk full", start); }, state::degraded, "disk full"},
    {"a failure while opening", [](auto& of) { of.failed("no right", start); }, state::degraded, "no right"},
    {"the newest failure is the reason", [](auto& of) { of.failed("disk full", start), of.failed("no disk", start); },
     state::degraded, "no disk"},
    {"a write alone heals nothing", [&](auto& of) { opened(of), of.failed("disk full", start), of.written(); },
     state::degraded, "disk full"},
    {"healed", [](auto& of) { of.failed("disk full", start), of.healed(start + 1s); }, state::healthy, ""},
    {"healed and silent again",
     [](auto& of) { of.failed("disk full", start), of.healed(start + 1s), of.review(start + 1s, start + 2s); },
     state::degraded, "the disk doesn't answer"},
    {"too much waits", [&](auto& of) { opened(of), of.give_up("too much", start); }, state::degraded, "too much"},
  };
  for (const auto& [name, told, then, why] : table) {
    SCOPED_TRACE(name);
    journal_health of(1, start);
    told(of);
    EXPECT_EQ(of.state(), then);
    EXPECT_EQ(of.why(), why);
  }
}

TEST(JournalHealth, CountsOnlyTheBeginning) {
  journal_health of(1, start);
  of.failed("disk full", start);
  of.failed("disk full", start + 1s);
  EXPECT_EQ(of.since(), start);
  EXPECT_FALSE(of.review(start, start + 1h)) << "it is degraded already";
  EXPECT_EQ(of.degradations(), 1U);
  of.healed(start + 2s);
  EXPECT_EQ(of.since(), start + 2s);
  of.give_up("too much", start + 3s);
  EXPECT_EQ(of.degradations(), 2U);
}

TEST(JournalHealth, TriesWithGrowingPauses) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    journal_health of(seed, start);
    std::chrono::nanoseconds longest = journal_health::retry_limits.base;
    for (int i = 0; i < 10; ++i) {
      of.failed("disk full", start);
      const auto pause = of.retry_at() - start;
      EXPECT_LE(pause, longest);
      EXPECT_GE(pause, longest * 4 / 5);
      longest = std::min<std::chrono::nanoseconds>(longest * 2, 4s);
    }
    of.written();
    of.failed("disk full", start);
    EXPECT_LE(of.retry_at() - start, journal_health::retry_limits.base) << "a write succeeded";
  }
}

TEST(JournalHealth, ASilentDiskIsTriedAtOnce) {
  journal_health of(1, start);
  of.opened(start);
  ASSERT_TRUE(of.review(start, start + 500ms));
  EXPECT_LE(of.retry_at(), start + 500ms);
}

} // namespace
} // namespace sliceferry::core
