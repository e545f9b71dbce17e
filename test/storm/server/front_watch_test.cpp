#include "test/storm/server/front_watch.hpp"

#include <gtest/gtest.h>

namespace sliceferry::storm {
namespace {

using state = front_watch::state;

shared_text text(std::string line) {
  return std::make_shared<const std::string>(std::move(line));
}

line_treatment untouched() {
  return {};
}

std::string encoded(front_watch& watch) {
  std::string out;
  watch.encode(out, 1 << 30);
  return out;
}

TEST(FrontWatch, WritesEachLineAsAChunk) {
  front_watch watch{untouched};
  watch.push(text("abc\n"));
  watch.push(text("d\n"));
  EXPECT_EQ(encoded(watch), "4\r\nabc\n\r\n2\r\nd\n\r\n");
  EXPECT_EQ(encoded(watch), "");
  watch.push(text("e\n"));
  watch.finish();
  watch.push(text("too late\n"));
  EXPECT_EQ(encoded(watch), "2\r\ne\n\r\n0\r\n\r\n");
  EXPECT_EQ(watch.now(), state::finished);
  EXPECT_EQ(encoded(watch), "");
}

TEST(FrontWatch, EncodesNoMoreThanIsWanted) {
  front_watch watch{untouched};
  for (int i = 0; i < 100; ++i)
    watch.push(text("0123456789\n"));
  std::string out;
  EXPECT_EQ(watch.encode(out, 50), state::open);
  EXPECT_GE(out.size(), 50U);
  EXPECT_LT(out.size(), 80U);
}

TEST(FrontWatch, LosesReadersThatAreTooSlow) {
  front_watch watch{untouched};
  const auto line = text(std::string(1 << 20, 'x'));
  for (int i = 0; i < 20; ++i)
    watch.push(line);
  EXPECT_FALSE(watch.overflown()) << "what was there at the beginning";
  watch.begun();
  for (int i = 0; i < 8; ++i)
    watch.push(line);
  EXPECT_FALSE(watch.overflown());
  watch.push(line);
  EXPECT_TRUE(watch.overflown());
  std::string out;
  watch.encode(out, 1 << 20);
  EXPECT_FALSE(watch.overflown());
}

TEST(FrontWatch, IsMute) {
  front_watch watch{untouched};
  watch.push(text("before\n"));
  watch.mute();
  watch.push(text("after\n"));
  watch.finish();
  EXPECT_EQ(encoded(watch), "");
  EXPECT_EQ(watch.now(), state::open);
}

TEST(FrontWatch, RepeatsNothingHugelyButChanges) {
  front_watch watch{[] { return line_treatment{.repeated_hugely = true}; }};
  for (const char* line : {R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7"}}})",
                           R"({"type":"ERROR","object":{"code":{}}})"}) {
    watch.push(text(std::string{line} + "\n"));
    EXPECT_LT(encoded(watch).size(), 100U) << line;
  }
  watch.push(text("{\"type\":\"DELETED\",\"object\":{\"a\":{}}}\n"));
  EXPECT_GT(encoded(watch).size(), 1'500'000U);
}

TEST(FrontWatch, SplitsNoMoreThanSomeThousandBytes) {
  front_watch watch{[] { return line_treatment{.in_pieces = true}; }};
  watch.push(text(std::string(100'000, 'x') + "\n"));
  EXPECT_LT(encoded(watch).size(), 130'000U);
}

} // namespace
} // namespace sliceferry::storm
