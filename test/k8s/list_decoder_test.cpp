#include "k8s/list_decoder.hpp"

#include "messages/endpoint_slice.hpp"
#include "messages/slice_export.hpp"
#include "test/k8s/wire_samples.hpp"

#include <gtest/gtest.h>

namespace sliceferry::k8s {
namespace {

struct decoded {
  std::vector<endpoint_slice> items;
  std::vector<malformed> broken;
  result<list_end> end = list_end{};
};

decoded decode(std::string_view body, std::size_t step) {
  decoded out;
  list_decoder<endpoint_slice> decoder;
  for (; !body.empty(); body.remove_prefix(std::min(step, body.size())))
    decoder.feed(body.substr(0, step), out.items, out.broken);
  out.end = decoder.finish();
  return out;
}

struct page {
  const char* name;
  std::string body;
  std::size_t items, broken;
  list_end end;
};
const std::string a = samples::small_slice("a", "1"), tricky = samples::small_slice("b", "2", R"(,"x":"]}\"{[,\\")");
const std::string bad = samples::small_slice("c", "3", R"(,"ports":7)");
const page pages[] = {
  {"a page", samples::list("9", a + "," + samples::slice + "," + tricky, "tok=="), 3, 0, {"9", "tok=="}},
  {"empty", samples::list("9", ""), 0, 0, {"9", ""}},
  {"items null", R"({"metadata":{"resourceVersion":"9"},"items":null})", 0, 0, {"9", ""}},
  {"no items", R"({"metadata":{"resourceVersion":"9"}})", 0, 0, {"9", ""}},
  {"custom resources: sorted members",
   R"({"apiVersion":"v","items":[)" + a + "," + a + R"(],"kind":"L","metadata":{"continue":"","resourceVersion":"9"}})",
   2,
   0,
   {"9", ""}},
  {"spaces and lines",
   "{ \"metadata\" : {\"resourceVersion\":\"9\"},\n \"items\" : [ " + a + " ,\n" + a + " ] }",
   2,
   0,
   {"9", ""}},
  {"LW40 one broken object", samples::list("9", a + "," + bad + "," + a), 2, 1, {"9", ""}},
  {"HT24 one broken text", samples::list("9", a + ",{\"x\":\"\xff\"}," + a), 2, 1, {"9", ""}},
  {"items that are no objects", samples::list("9", "null,7,\"a,]\",[[1]]," + a), 1, 4, {"9", ""}},
  {"items of something else",
   R"({"x":{"items":[1,2]},"metadata":{"resourceVersion":"9"},"items":[)" + a + "]}",
   1,
   0,
   {"9", ""}},
};

TEST(ListDecoder, AnySplitYieldsTheSame) {
  for (const auto& [name, body, items, broken, end] : pages) {
    SCOPED_TRACE(name);
    const decoded whole = decode(body, body.size());
    ASSERT_TRUE(whole.end) << whole.end.error().text;
    EXPECT_EQ(*whole.end, end);
    EXPECT_EQ(whole.items.size(), items);
    EXPECT_EQ(whole.broken.size(), broken);
    for (const std::size_t step : {1U, 2U, 3U, 7U, 64U}) {
      const decoded parts = decode(body, step);
      ASSERT_TRUE(parts.end) << parts.end.error().text;
      EXPECT_EQ(parts.items, whole.items) << step;
      EXPECT_EQ(parts.broken, whole.broken) << step;
      EXPECT_EQ(*parts.end, *whole.end) << step;
    }
  }
}

TEST(ListDecoder, NamesTheBrokenObject) {
  const decoded got = decode(samples::list("9", samples::small_slice("c", "3", R"(,"ports":7)")), 5);
  ASSERT_EQ(got.broken.size(), 1U);
  EXPECT_EQ(got.broken[0], (malformed{{"shop", "c"}, "ports has the wrong type"}));
}

TEST(ListDecoder, AnIncompleteListIsNone) {
  const std::string whole = samples::list("9", samples::slice + "," + samples::small_slice("a", "1"), "t");
  const std::size_t end = whole.find_last_of('}');
  for (std::size_t cut = 0; cut <= end; ++cut)
    ASSERT_FALSE(decode(std::string_view{whole}.substr(0, cut), 16).end) << cut;
  const std::string table[] = {
    R"({"metadata":{},"items":[]})", // LW45
    R"({"metadata":{"resourceVersion":""},"items":[]})",
    R"({"items":[]})",
    R"({"metadata":{"resourceVersion":"9"},"items":[}]})",
    R"({"metadata":{"resourceVersion":"9"},"items":[]})" + whole,
    R"({"kind":"Status","code":500})",
    "<html></html>",
  };
  for (const auto& body : table)
    EXPECT_FALSE(decode(body, 16).end) << body;
}

TEST(ListDecoder, AListOfMegabytesStreams) {
  std::string items;
  for (int i = 0; i < 2000; ++i)
    items += (i == 0 ? "" : ",") + samples::slice;
  const std::string body = samples::list("9", items);
  ASSERT_GT(body.size(), 3'000'000U);
  list_decoder<endpoint_slice> decoder;
  std::vector<endpoint_slice> seen;
  std::vector<malformed> broken;
  std::size_t count = 0;
  for (std::size_t at = 0; at < body.size(); at += 16'384) {
    decoder.feed(std::string_view{body}.substr(at, 16'384), seen, broken);
    EXPECT_LE(seen.size(), 20U) << "items come as they are complete";
    count += seen.size();
    seen.clear();
  }
  EXPECT_EQ(count, 2000U);
  EXPECT_TRUE(broken.empty());
  EXPECT_TRUE(decoder.finish());
}

TEST(ListDecoder, AnOversizedItemEndsTheList) {
  list_decoder<endpoint_slice> decoder;
  std::vector<endpoint_slice> items;
  std::vector<malformed> broken;
  decoder.feed(R"({"metadata":{"resourceVersion":"9"},"items":[{"x":")", items, broken);
  const std::string megabyte(1U << 20U, 'x');
  for (int i = 0; i < 17; ++i)
    decoder.feed(megabyte, items, broken);
  decoder.feed("\"}]}", items, broken);
  const auto end = decoder.finish();
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, errc::malformed);
}

} // namespace
} // namespace sliceferry::k8s
