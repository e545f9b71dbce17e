#include "actors/core/exported_since.hpp"
#include "actors/core/last_seen.hpp"
#include "test/core/picture.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace sliceferry::core {
namespace {

using std::chrono::seconds;

TEST(LastSeen, ReadsGenerationsAsGoDoes) {
  const struct {
    const char* text;
    std::optional<std::int64_t> value;
  } table[] = {
    {"0", 0},
    {"3", 3},
    {"-3", -3},
    {"+3", 3},
    {"007", 7},
    {"9223372036854775807", INT64_MAX},
    {"-9223372036854775808", INT64_MIN},
    {"", {}},
    {"+", {}},
    {"-", {}},
    {"+-3", {}},
    {"--3", {}},
    {"++3", {}},
    {" 3", {}},
    {"3 ", {}},
    {"3x", {}},
    {"0x3", {}},
    {"1_000", {}},
    {"3.0", {}},
    {"9223372036854775808", {}},
  };
  for (const auto& [text, value] : table) {
    SCOPED_TRACE(std::string{"A11 '"} + text + "'");
    EXPECT_EQ(parse_generation(text), value);
  }
}

TEST(LastSeen, NeedsBothAnnotationsReadable) {
  const auto noon_text = format_rfc3339(noon);
  const struct {
    const char* name;
    slice_annotations ours;
    std::optional<last_seen> then;
  } table[] = {
    {"both", {{}, "3", noon_text}, last_seen{3, noon}},
    {"C35 no generation", {{}, {}, noon_text}, {}},
    {"C35 no timestamp", {{}, "3", {}}, {}},
    {"U35 generation is no number", {{}, "x", noon_text}, {}},
    {"U37 timestamp is no time", {{}, "3", "yesterday"}, {}},
    {"A11 offset", {{}, "3", "2026-11-30T13:00:00+01:00"}, last_seen{3, noon}},
    {"A11 offset and fraction", {{}, "3", "2026-11-30T08:30:00.5-03:30"}, last_seen{3, noon}},
    {"A11 fraction", {{}, "3", "2026-11-30T12:00:00.999Z"}, last_seen{3, noon}},
    {"A11 sign and zeros", {{}, "+003", noon_text}, last_seen{3, noon}},
    {"A11 a blank before the number", {{}, " 3", noon_text}, {}},
    {"A11 beyond 64 bits", {{}, "9223372036854775808", noon_text}, {}},
    {"A11 a blank after the time", {{}, "3", noon_text + ' '}, {}},
    {"A11 Feb 30", {{}, "3", "2026-02-30T12:00:00Z"}, {}},
    {"A11 lower-case z", {{}, "3", "2026-11-30T12:00:00z"}, {}},
  };
  for (const auto& [name, ours, then] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(read_last_seen(ours), then);
  }
}

TEST(ExportedSince, FollowsTheAnnotationsOrIsNow) {
  const auto at = [](seconds shift) { return format_rfc3339(noon + shift); };
  const auto future = [](picture& p) { p.seen.hub[0].since = noon + seconds{240}; };
  const auto acknowledged = replay({generation_seen{3, morning}, name_chosen{"n"}, annotated{3}});
  const auto retried = replay({generation_seen{3, morning}, name_chosen{"n"}});
  const struct {
    const char* name;
    memory held;
    picture seen;
    seconds_utc then;
  } table[] = {
    {"U33 name only", {}, picture{}.with([](picture& p) { p.slice.ours.name = "n"; }), noon},
    {"U34 five seconds ago", {}, picture{}.named("n", "3", at(seconds{-5})), noon - seconds{5}},
    {"C37 this very second", {}, picture{}.named("n", "3", at(seconds{0})), noon},
    {"U35 generation is no number", {}, picture{}.named("n", "x", at(seconds{-5})), noon},
    {"U36 another generation", {}, picture{}.named("n", "4", at(seconds{-5})), noon},
    {"U37 timestamp is no time", {}, picture{}.named("n", "3", "x"), noon},
    {"U38 in the future", {}, picture{}.named("n", "3", at(seconds{240})), noon},
    {"D11 in the future, and the hub holds it",
     {},
     picture{}.named("n", "3", at(seconds{240})).exported("n", "h").with(future),
     noon + seconds{240}},
    {"U38 in the future, and the hub holds another",
     {},
     picture{}.named("n", "3", at(seconds{240})).exported("n", "h"),
     noon},
    {"C57 a new generation", acknowledged, picture{}.named("n", "2"), noon},
    {"C68 lost while the name stays", acknowledged,
     picture{}.exported("n", "h").with([](picture& p) { p.slice.ours.name = "n"; }), noon},
    {"C72 all lost, the hub holds this generation", acknowledged, picture{}.exported("n", "h"), morning},
    {"C72 all lost, the hub holds another generation", acknowledged,
     picture{}.exported("n", "h").with([](picture& p) { p.seen.hub[0].generation = 2; }), noon},
    {"C67 only the name was lost", acknowledged, picture{}.named("n").with([](picture& p) { p.slice.ours.name = {}; }),
     morning},
    {"a retry keeps it", retried, picture{}, morning},
    {"a retry for a newer generation doesn't", retried, picture{}.with([](picture& p) { p.slice.generation = 4; }),
     noon},
  };
  for (const auto& [name, held, seen, then] : table) {
    SCOPED_TRACE(name);
    const inputs in = seen;
    EXPECT_EQ(format_rfc3339(exported_since(held, in, in.hub.empty() ? nullptr : &in.hub[0], noon)),
              format_rfc3339(then));
  }
}

TEST(ExportedSince, ReadsTheAnnotationsAsGoDoes) {
  const auto at = [](seconds shift) { return format_rfc3339(noon + shift); };
  const struct {
    const char* name;
    picture seen;
    seconds_utc then;
  } table[] = {
    {"A11 a fraction of this second isn't the future", picture{}.named("n", "3", "2026-11-30T12:00:00.999Z"), noon},
    {"A11 an offset", picture{}.named("n", "3", "2026-11-30T12:59:00+01:00"), noon - seconds{60}},
    {"A11 lower-case z is no time", picture{}.named("n", "3", "2026-11-30T11:59:00z"), noon},
    {"A11 Feb 30 is no time", picture{}.named("n", "3", "2026-02-30T12:00:00Z"), noon},
    {"A11 sign and zeros", picture{}.named("n", "+003", at(seconds{-5})), noon - seconds{5}},
    {"A11 a blank is no number", picture{}.named("n", "3 ", at(seconds{-5})), noon},
    {"A11 overflow is no number", picture{}.named("n", "18446744073709551619", at(seconds{-5})), noon},
    {"A10 a time of long ago", picture{}.named("n", "3", "1999-01-01T00:00:00Z"),
     std::chrono::sys_days{std::chrono::year{1999} / 1 / 1}},
    {"D11 a second ahead of the clock, and not on the hub", picture{}.named("n", "3", at(seconds{1})), noon},
    {"D11 a second ahead of the clock, and on the hub",
     picture{}.named("n", "3", at(seconds{1})).exported("n", "h").with([](picture& p) {
       p.seen.hub[0].since = noon + seconds{1};
     }),
     noon + seconds{1}},
  };
  for (const auto& [name, seen, then] : table) {
    SCOPED_TRACE(name);
    const inputs in = seen;
    EXPECT_EQ(format_rfc3339(exported_since({}, in, in.hub.empty() ? nullptr : &in.hub[0], noon)),
              format_rfc3339(then));
  }
}

} // namespace
} // namespace sliceferry::core
