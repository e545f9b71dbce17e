#include "test/storm/history/entry.hpp"

#include <gtest/gtest.h>

namespace sliceferry::storm {
namespace {

history_entry whole() {
  history_entry out;
  out.seq = 18'000'000'000;
  out.at = instant{1'764'519'999'123'456};
  out.cluster = "member-1";
  out.user = "sliceferry";
  out.verb = "patch";
  out.resource = "serviceexports";
  out.nspace = "shop";
  out.name = "web";
  out.subresource = "status";
  out.code = 200;
  out.fault = "latency";
  out.mark = "a \"mark\"\twith a tab";
  out.what = history_entry::change::modified;
  out.object = R"({"metadata":{"annotations":{"a":"tab\tinside"}}})";
  return out;
}

void expect_same(const history_entry& left, const history_entry& right) {
  EXPECT_EQ(left.seq, right.seq);
  EXPECT_EQ(left.at, right.at);
  EXPECT_EQ(left.cluster, right.cluster);
  EXPECT_EQ(left.user, right.user);
  EXPECT_EQ(left.verb, right.verb);
  EXPECT_EQ(left.resource, right.resource);
  EXPECT_EQ(left.nspace, right.nspace);
  EXPECT_EQ(left.name, right.name);
  EXPECT_EQ(left.subresource, right.subresource);
  EXPECT_EQ(left.code, right.code);
  EXPECT_EQ(left.fault, right.fault);
  EXPECT_EQ(left.mark, right.mark);
  EXPECT_EQ(left.what, right.what);
  EXPECT_EQ(left.object, right.object);
}

TEST(HistoryEntry, ComesBackAsItWasWritten) {
  auto bare = history_entry{};
  bare.cluster = "hub";
  bare.verb = "mark";
  for (const auto what : {history_entry::change::none, history_entry::change::added, history_entry::change::modified,
                          history_entry::change::deleted}) {
    for (auto entry : {whole(), bare}) {
      entry.what = what;
      const auto line = format(entry);
      EXPECT_EQ(line.find('\n'), std::string::npos);
      const auto read = parse_history_line(line);
      ASSERT_TRUE(read) << line;
      expect_same(*read, entry);
    }
  }
}

TEST(HistoryEntry, IsNothingWhereTheLineIsSomethingElse) {
  for (const char* line : {"", "{}", "[]", "text", R"({"cluster":"hub"})", R"({"verb":"get"})",
                           R"({"cluster":"hub","verb":"get","change":"melted"})", R"({"cluster":"hub","verb":"get")"})
    EXPECT_FALSE(parse_history_line(line)) << line;
}

} // namespace
} // namespace sliceferry::storm
