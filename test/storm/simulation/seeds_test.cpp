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

/// All of these seeds, or the one that the environment names. The first that fails ends it.
void from_seeds(std::uint64_t first, std::uint64_t count, std::size_t length) {
  if (const char* only = std::getenv("SLICEFERRY_SEED"))
    return expect_right(std::stoull(only), length);
  for (std::uint64_t seed = first; seed < first + count && !::testing::Test::HasFailure(); ++seed)
    expect_right(seed, length);
}

TEST(Simulation, ComesRightAfterShortTroubles) {
  from_seeds(1, 3000, 50);
}

TEST(Simulation, ComesRightAfterLongTroubles) {
  from_seeds(100'001, 200, 400);
}

} // namespace
} // namespace sliceferry::storm
