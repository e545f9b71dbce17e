#include "test/storm/simulation/trial.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace sliceferry::storm {
namespace {

void expect_right(std::uint64_t seed, std::size_t length) {
  const auto steps = make_trace(seed, length);
  const auto found = replay(steps);
  if (!found)
    return;
  const auto least = shrink(steps, found->check);
  ADD_FAILURE() << found->check << " with SLICEFERRY_SEED=" << seed << " of " << length << " steps, shrunk from "
                << steps.size() << " to " << least.size() << ":\n"
                << describe(least);
}

/// All of these seeds, or the one that SLICEFERRY_SEED names, or as many as SLICEFERRY_SEEDS says. The first that fails
/// ends it.
void from_seeds(std::uint64_t first, std::uint64_t count, std::size_t length) {
  if (const char* only = std::getenv("SLICEFERRY_SEED"))
    return expect_right(std::stoull(only), length);
  if (const char* more = std::getenv("SLICEFERRY_SEEDS"))
    count = std::stoull(more);
  for (std::uint64_t seed = first; seed < first + count && !::testing::Test::HasFailure(); ++seed)
    expect_right(seed, length);
}

// In several tests, so that they run side by side.
TEST(Simulation, ComesRightAfterShortTroubles) {
  from_seeds(1, 1000, 40);
}

TEST(Simulation, ComesRightAfterOtherShortTroubles) {
  from_seeds(1'000'001, 1000, 40);
}

TEST(Simulation, ComesRightAfterFurtherShortTroubles) {
  from_seeds(2'000'001, 1000, 40);
}

TEST(Simulation, ComesRightAfterLongTroubles) {
  from_seeds(3'000'001, 200, 300);
}

TEST(Simulation, RepeatsExactly) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto steps = make_trace(seed, 100);
    EXPECT_EQ(make_trace(seed, 100), steps);
    const auto told = describe(steps);
    EXPECT_NE(told.find("sent #1 "), std::string::npos);
    EXPECT_EQ(describe(steps), told);
  }
}

} // namespace
} // namespace sliceferry::storm
