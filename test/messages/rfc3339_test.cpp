#include "messages/rfc3339.hpp"

#include <gtest/gtest.h>

#include <random>

namespace sliceferry {
namespace {

using namespace std::chrono_literals;

constexpr seconds_utc noon = std::chrono::sys_days{std::chrono::year{2026} / 11 / 30} + 12h;

TEST(Rfc3339, WritesWholeSecondsOfUtc) {
  struct row {
    const char* name;
    seconds_utc time;
    const char* text;
  };
  const row table[] = {
    {"noon", noon, "2026-11-30T12:00:00Z"},
    {"every field padded", std::chrono::sys_days{std::chrono::year{987} / 1 / 2} + 3h + 4min + 5s,
     "0987-01-02T03:04:05Z"},
    {"the epoch", seconds_utc{}, "1970-01-01T00:00:00Z"},
    {"before the epoch", seconds_utc{} - 1s, "1969-12-31T23:59:59Z"},
    {"last second of a leap day", std::chrono::sys_days{std::chrono::year{2024} / 2 / 29} + 24h - 1s,
     "2024-02-29T23:59:59Z"},
  };
  for (const auto& [name, time, text] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(format_rfc3339(time), text);
    EXPECT_EQ(parse_rfc3339(text), time);
  }
}

TEST(Rfc3339, WritesTheEndsOfTheCalendarForWhatLiesBeyond) {
  EXPECT_EQ(format_rfc3339(seconds_utc::min()), "-32767-01-01T00:00:00Z");
  EXPECT_EQ(format_rfc3339(seconds_utc::max()), "32767-12-31T00:00:00Z");
}

TEST(Rfc3339, ReadsWhatGoReads) {
  struct row {
    const char* name;
    const char* text;
    seconds_utc time;
  };
  const row table[] = {
    {"A11 Z", "2026-11-30T12:00:00Z", noon},
    {"A11 offset east", "2026-11-30T17:30:00+05:30", noon},
    {"A11 offset west into the day before", "2026-11-29T23:00:00-13:00", noon},
    {"A11 offset zero", "2026-11-30T12:00:00-00:00", noon},
    {"A11 fraction is cut off", "2026-11-30T12:00:00.999999999Z", noon},
    {"A11 fraction before the epoch is cut off downwards", "1969-12-31T23:59:59.9Z", seconds_utc{} - 1s},
    {"A11 fraction of one digit with an offset", "2026-11-30T13:00:00.5+01:00", noon},
    {"A11 fraction longer than a nanosecond", "2026-11-30T12:00:00.0000000000001Z", noon},
    {"Go: comma before the fraction", "2026-11-30T12:00:00,5Z", noon},
    {"Go: hour of one digit", "2026-11-30T9:00:00Z", noon - 3h},
    {"Go: offset of 24:60", "2026-12-01T13:00:00+24:60", noon},
    {"leap day", "2024-02-29T00:00:00Z", std::chrono::sys_days{std::chrono::year{2024} / 2 / 29}},
    {"year zero", "0000-01-01T00:00:00Z", std::chrono::sys_days{std::chrono::year{0} / 1 / 1}},
  };
  for (const auto& [name, text, time] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(parse_rfc3339(text), time);
  }
}

TEST(Rfc3339, RejectsWhatGoRejects) {
  struct row {
    const char* name;
    const char* text;
  };
  const row table[] = {
    {"empty", ""},
    {"A11 lower-case z", "2026-11-30T12:00:00z"},
    {"A11 lower-case t", "2026-11-30t12:00:00Z"},
    {"A11 Feb 30", "2026-02-30T12:00:00Z"},
    {"no leap day that year", "2026-02-29T12:00:00Z"},
    {"no leap day in a century", "1900-02-29T12:00:00Z"},
    {"month 13", "2026-13-01T12:00:00Z"},
    {"month 0", "2026-00-01T12:00:00Z"},
    {"day 0", "2026-01-00T12:00:00Z"},
    {"hour 24", "2026-11-30T24:00:00Z"},
    {"minute 60", "2026-11-30T12:60:00Z"},
    {"leap second", "2026-11-30T23:59:60Z"},
    {"no zone", "2026-11-30T12:00:00"},
    {"offset without a colon", "2026-11-30T12:00:00+0100"},
    {"offset of hours only", "2026-11-30T12:00:00+01"},
    {"offset hour beyond 24", "2026-11-30T12:00:00+25:00"},
    {"offset minute beyond 60", "2026-11-30T12:00:00+01:61"},
    {"fraction without digits", "2026-11-30T12:00:00.Z"},
    {"Z and an offset", "2026-11-30T12:00:00Z+01:00"},
    {"trailing blank", "2026-11-30T12:00:00Z "},
    {"leading blank", " 2026-11-30T12:00:00Z"},
    {"blank for T", "2026-11-30 12:00:00Z"},
    {"year of five digits", "12026-11-30T12:00:00Z"},
    {"year of two digits", "26-11-30T12:00:00Z"},
    {"signed year", "+026-11-30T12:00:00Z"},
    {"minute of one digit", "2026-11-30T12:0:00Z"},
    {"month of one digit", "2026-1-30T12:00:00Z"},
    {"date only", "2026-11-30"},
    {"words", "yesterday"},
  };
  for (const auto& [name, text] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(parse_rfc3339(text), std::nullopt);
  }
}

TEST(Rfc3339, ReadsBackWhatItWrites) {
  const unsigned seed = 20261130;
  SCOPED_TRACE(seed);
  std::mt19937_64 random{seed};
  std::uniform_int_distribution<std::int64_t> second{-62'167'219'200, 253'402'300'799}; // years 0 to 9999
  for (int i = 0; i < 10'000; ++i) {
    const seconds_utc time{std::chrono::seconds{second(random)}};
    ASSERT_EQ(parse_rfc3339(format_rfc3339(time)), time) << format_rfc3339(time);
  }
}

} // namespace
} // namespace sliceferry
