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
    each.private_bytes = 1'000'000'000;
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
    {"memory that grew before the middle third", [](auto& x, int s) { x.private_bytes += s < 30 ? 0 : 50'000'000; }, 0},
    {"memory within its limit", [](auto& x, int s) { x.private_bytes += s < 60 ? 0 : 19'000'000; }, 0},
    {"memory beyond it", [](auto& x, int s) { x.private_bytes += s < 60 ? 0 : 21'000'000; }, 1},
    {"memory of a small process, within the noise",
     [](auto& x, int s) { x.private_bytes = s < 60 ? 20'000'000 : 24'000'000; }, 0},
    {"memory that shrank", [](auto& x, int s) { x.private_bytes -= s < 60 ? 0 : 50'000'000; }, 0},
    {"one thread more", [](auto& x, int s) { x.threads += s == 80 ? 1 : 0; }, 0},
    {"two threads more", [](auto& x, int s) { x.threads += s == 80 ? 2 : 0; }, 1},
    {"connections that come and go", [](auto& x, int s) { x.descriptors += s == 80 ? 48 : 0; }, 0},
    {"descriptors that leak", [](auto& x, int s) { x.descriptors += static_cast<std::size_t>(s) * 2; }, 1},
    {"a queue that is long at times", [](auto& x, int s) { x.queued += s == 80 ? 20'000 : 0; }, 0},
    {"a queue that is never short again", [](auto& x, int s) { x.queued += s < 60 ? 0 : 1'100; }, 1},
  };
  for (const auto& [name, change, growths] : table) {
    SCOPED_TRACE(name);
    const auto found = judge_flatness(samples(change));
    EXPECT_TRUE(found.measured);
    EXPECT_EQ(found.growths.size(), growths);
  }
}

TEST(Flatness, LetsAFreshProcessWarmUp) {
  const auto young = samples([](auto& x, int second) {
    x.age = std::chrono::seconds{second};
    x.private_bytes = second < 20 ? 500'000'000 : 100'000'000;
  });
  const auto found = judge_flatness(young);
  EXPECT_TRUE(found.measured);
  EXPECT_EQ(found.memory_ratio, 1);
}

TEST(Flatness, JudgesTheProcessThatLivedLongest) {
  const auto age = [](int second) { return std::chrono::seconds{second < 85 ? second : second - 85}; };
  const auto larger = samples([&](auto& x, int second) {
    x.age = age(second);
    x.private_bytes = second < 85 ? 100'000'000 : 150'000'000;
  });
  EXPECT_TRUE(judge_flatness(larger).growths.empty());
  const auto leaking = samples([&](auto& x, int second) {
    x.age = age(second);
    x.private_bytes += static_cast<std::uint64_t>(second) * 2'000'000;
  });
  EXPECT_EQ(judge_flatness(leaking).growths.size(), 1U);
}

TEST(Flatness, ProvesNothingByAShortLifeOrFewSamples) {
  const auto leak = [](auto& x, int second) { x.private_bytes += static_cast<std::uint64_t>(second) * 1'000'000; };
  auto life = samples(leak);
  EXPECT_TRUE(judge_flatness(life).measured);
  life.resize(60);
  EXPECT_FALSE(judge_flatness(life).measured) << "59 s";
  const auto all = samples(leak);
  std::vector<program_sample> few;
  for (std::size_t i = 0; i < all.size(); i += 9)
    few.push_back(all[i]);
  EXPECT_FALSE(judge_flatness(few).measured) << "ten in all";
}

} // namespace
} // namespace sliceferry::storm
