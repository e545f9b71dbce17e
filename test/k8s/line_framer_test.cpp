#include "k8s/line_framer.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sliceferry::k8s {
namespace {

std::vector<std::string> lines(line_framer& framer, std::string_view bytes, std::size_t step, bool clean_end) {
  std::vector<std::string> out;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(step, bytes.size()))) {
    std::string_view part = bytes.substr(0, step);
    while (const auto line = framer.next(part))
      out.emplace_back(*line);
    EXPECT_TRUE(part.empty() || framer.overflowed());
  }
  if (clean_end)
    if (const auto last = framer.rest())
      out.emplace_back(*last);
  return out;
}

TEST(LineFramer, AnySplitYieldsTheSame) {
  struct row {
    const char* name;
    std::string bytes;
    bool clean_end;
    std::vector<std::string> want;
  };
  const row table[] = {
    {"HT05 several in one", "a\nbc\nd\n", true, {"a", "bc", "d"}},
    {"HT05 blank lines", "\n\r\n  \na\n\n\n", true, {"a"}},
    {"HT05 carriage returns", "a\r\nb\r\n", true, {"a", "b"}},
    {"HT05 a last line without a newline at a clean end", "a\nb", true, {"a", "b"}},
    {"HT06 half a line at a cut", "a\nb", false, {"a"}},
    {"HT04 characters of several bytes", "é€😀\n", true, {"é€😀"}},
    {"nothing", "", true, {}},
  };
  for (const auto& [name, bytes, clean_end, want] : table) {
    SCOPED_TRACE(name);
    for (std::size_t step = 1; step <= bytes.size() + 1; ++step) {
      line_framer framer;
      EXPECT_EQ(lines(framer, bytes, step, clean_end), want) << step;
    }
  }
}

TEST(LineFramer, StopsAtItsCap) {
  for (const std::size_t step : {1U, 4U, 100U}) {
    line_framer framer{8};
    EXPECT_EQ(lines(framer, "12345678\n123456789\nafter\n", step, true), std::vector<std::string>{"12345678"})
      << step; // HT03
    EXPECT_TRUE(framer.overflowed());
  }
}

} // namespace
} // namespace sliceferry::k8s
