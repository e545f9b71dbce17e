#include "actors/journal/record_text.hpp"

#include "actors/journal/json_line.hpp"

#include <gtest/gtest.h>

namespace sliceferry::journal {
namespace {

const std::string uid = "0f3c9a52-7a0e-4c57-9a55-3f1f0c1f6f01";
constexpr moment at{std::chrono::milliseconds{1'796'040'309'023}};
constexpr seconds_utc since{std::chrono::seconds{1'796'040'000}};

journal_record record(decltype(journal_record::what) what) {
  return {7, at, {"member-1", uid}, {"shop", "web-7kq2p"}, std::move(what)};
}

core::memory full_memory() {
  core::memory held;
  held.name = "n";
  held.generation = 3;
  held.since = since;
  held.hub_uids = {"u"};
  held.digest = 5;
  held.accepted = 6;
  held.withdrawals = {{"old", "w", proof::gone, true}};
  held.names_chosen = 2;
  held.annotated_in_row = 1;
  held.apply_owed = true;
  return held;
}

TEST(JsonLine, SpellsAnyText) {
  const std::pair<std::string, std::string> table[] = {
    {"", R"("")"},
    {"plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x9a\xa2", "\"plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x9a\xa2\""},
    {"\"\\\n\t\x01\x7f", R"("\"\\\n\t\u0001\u007f")"},
    {"cut \xe2\x82", "\"cut \xef\xbf\xbd\xef\xbf\xbd\""},
    {"\xc0\xaf overlong", "\"\xef\xbf\xbd\xef\xbf\xbd overlong\""},
    {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
    {"\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
    {"\xff", "\"\xef\xbf\xbd\""},
  };
  for (const auto& [text, spelled] : table) {
    std::string out;
    append_quoted(text, out);
    EXPECT_EQ(out, spelled);
  }
}

TEST(RecordText, FormatsMoments) {
  EXPECT_EQ(format_moment(at), "2026-11-30T12:05:09.023Z");
  EXPECT_EQ(format_moment(moment{std::chrono::milliseconds{-1}}), "1969-12-31T23:59:59.999Z");
}

TEST(RecordText, IsJson) {
  const std::string begin = R"({"position":7,"time":"2026-11-30T12:05:09.023Z","member":"member-1","namespace":"shop",)"
                            R"("name":"web-7kq2p","uid":")" +
                            uid + R"(","event":")";
  const std::pair<decltype(journal_record::what), std::string> table[] = {
    {event{adopted{"n", 5, since, {"a", "b"}, 0x8000000000000001U}},
     R"(adopted","export":"n","generation":5,"since":"2026-11-30T12:00:00Z","hub_uids":["a","b"],)"
     R"("digest":"9223372036854775809")"},
    {event{generation_seen{-1, since}}, R"(generation seen","generation":-1,"since":"2026-11-30T12:00:00Z")"},
    {event{name_chosen{"n"}}, R"(name chosen","export":"n")"},
    {event{annotated{2}}, R"(annotated","generation":2)"},
    {event{export_applied{"n", "u", 1, 2}},
     R"(export applied","export":"n","hub_uid":"u","digest":"1","accepted":"2")"},
    {event{withdrawal_begun{"n", "u", proof::gone}}, R"(withdrawal begun","export":"n","hub_uid":"u","why":"gone")"},
    {event{withdrawal_cancelled{}}, R"(withdrawal cancelled")"},
    {event{export_withdrawn{"u"}}, R"(export withdrawn","hub_uid":"u")"},
    {event{annotations_cleared{}}, R"(annotations cleared")"},
    {event{refused{"annotate", "\"no\""}}, R"(refused","command":"annotate","reason":"\"no\"")"},
    {event{drift_repaired{"spec"}}, R"(drift repaired","what":"spec")"},
    {event{contradiction{"c"}}, R"(contradiction","what":"c")"},
    {event{slice_gone{}}, R"(slice gone")"},
    {remembered{}, R"(remembered","blank":true)"},
    {remembered{full_memory()},
     R"(remembered","export":"n","generation":3,"since":"2026-11-30T12:00:00Z","hub_uids":["u"],"digest":"5",)"
     R"("accepted":"6","withdrawals":[{"export":"old","hub_uid":"w","why":"gone","done":true}],"names_chosen":2,)"
     R"("annotated_in_row":1,"apply_owed":true)"},
  };
  for (const auto& [what, end] : table)
    EXPECT_EQ(to_json(record(what)), begin + end + "}\n");
  EXPECT_EQ(to_json({8, at, {}, {}, interruption{at - std::chrono::seconds{9}, "disk full"}}),
            R"({"position":8,"time":"2026-11-30T12:05:09.023Z","event":"interruption",)"
            R"("from":"2026-11-30T12:05:00.023Z","reason":"disk full"})"
            "\n");
  EXPECT_EQ(unreadable_to_json(9, true), "{\"position\":9,\"event\":\"unreadable\",\"why\":\"newer\"}\n");
}

TEST(RecordText, IsLinesForPeople) {
  record_lines lines;
  const auto first = lines.line(record(event{name_chosen{"n"}}));
  EXPECT_EQ(first, "2026-11-30T12:05:09.023Z  member-1  shop/web-7kq2p  0f3c9a52  name chosen           name=n\n");
  auto shorter = record(event{slice_gone{}});
  shorter.whose = {"m", "u"};
  shorter.slice = {"s", "w"};
  EXPECT_EQ(lines.line(shorter), "2026-11-30T12:05:09.023Z  m         s/w             u         slice gone\n")
    << "as wide as the widest so far, and nothing behind the last word";
  EXPECT_EQ(lines.line({8, at, {}, {}, interruption{at - std::chrono::seconds{9}, "disk\nfull"}}),
            "2026-11-30T12:05:09.023Z  not recorded: from 2026-11-30T12:05:00.023Z to 2026-11-30T12:05:09.023Z: disk "
            "full\n");
  EXPECT_NE(lines.line(record(remembered{})).find("nothing: "), std::string::npos);
  EXPECT_NE(lines.line(record(remembered{full_memory()})).find("apply_owed"), std::string::npos);
  const auto hostile = lines.line(record(event{refused{"apply", "\x1b[2J\nforged"}}));
  EXPECT_EQ(hostile.find('\x1b'), std::string::npos);
  EXPECT_EQ(hostile.find('\n'), hostile.size() - 1);
}

} // namespace
} // namespace sliceferry::journal
