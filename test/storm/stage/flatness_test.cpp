#include "test/storm/stage/flatness.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace sliceferry::storm {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

/// A sample a second for 90 s.
std::vector<program_sample> samples(const std::function<void(program_sample&, int second)>& change) {
  std::vector<program_sample> out;
  for (int second = 0; second < 90; ++second) {
    program_sample each;
    each.at = std::chrono::seconds{second};
    each.age = 60s + each.at;
    each.resident_bytes = 100'000'000;
    each.threads = 6;
    each.descriptors = 50;
    each.queued = static_cast<std::size_t>(second % 10) * 100;
    change(each, second);
    out.push_back(each);
  }
  return out;
}

TEST(Flatness, JudgesTheLastThirdByTheMiddleOne) {
  struct row {
    const char* name;
    std::function<void(program_sample&, int)> change;
    std::size_t growths;
  };
  const row table[] = {
    {"all flat", [](auto&, int) {}, 0},
    {"memory that grew before the middle third", [](auto& x, int s) { x.resident_bytes += s < 30 ? 0 : 50'000'000; },
     0},
    {"memory within its limit", [](auto& x, int s) { x.resident_bytes += s < 60 ? 0 : 1'900'000; }, 0},
    {"memory beyond it", [](auto& x, int s) { x.resident_bytes += s < 60 ? 0 : 2'100'000; }, 1},
    {"memory that shrank", [](auto& x, int s) { x.resident_bytes -= s < 60 ? 0 : 50'000'000; }, 0},
    {"one thread more", [](auto& x, int s) { x.threads += s == 80 ? 1 : 0; }, 1},
    {"connections that come and go", [](auto& x, int s) { x.descriptors += s == 80 ? 48 : 0; }, 0},
    {"descriptors that leak", [](auto& x, int s) { x.descriptors += static_cast<std::size_t>(s) * 2; }, 1},
    {"a queue that is long at times", [](auto& x, int s) { x.queued += s == 80 ? 20'000 : 0; }, 0},
    {"a queue that is never short again", [](auto& x, int s) { x.queued += s < 60 ? 0 : 1'100; }, 1},
  };
  for (const auto& [name, change, growths] : table) {
    SCOPED_TRACE(name);
    const auto found = judge_flatness(samples(change), 90s);
    EXPECT_TRUE(found.measured);
    EXPECT_EQ(found.growths.size(), growths);
  }
}

TEST(Flatness, LetsAFreshProcessWarmUp) {
  const auto young = samples([](auto& x, int second) {
    x.age = second < 60 ? 60s : std::chrono::seconds{second - 60}; // restarted at the last third's begin
    x.resident_bytes = x.age < 20s ? 500'000'000 : 100'000'000;
  });
  EXPECT_TRUE(judge_flatness(young, 90s).growths.empty());
}

TEST(Flatness, ProvesNothingByTooFewSamples) {
  auto few = samples([](auto& x, int second) { x.resident_bytes += second < 60 ? 0 : 50'000'000; });
  few.resize(63);
  EXPECT_FALSE(judge_flatness(few, 90s).measured);
}

} // namespace
} // namespace sliceferry::storm
