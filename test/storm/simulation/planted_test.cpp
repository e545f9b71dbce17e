#include "test/storm/simulation/trial.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace sliceferry::storm {
namespace {

constexpr std::size_t steps_max = 15;

/// A bug, within how many seeds it must be found, and by which checks.
struct plant {
  defect planted;
  std::uint64_t seeds_max;
  std::set<std::string> checks;
};

/// The first seed that shows the bug must show it by one of its checks, in a short trace that does no harm without it.
void expect_found(const plant& one) {
  SCOPED_TRACE(name_of(one.planted));
  for (std::uint64_t seed = 1; seed <= one.seeds_max; ++seed) {
    const auto steps = make_trace(seed, 40);
    const auto found = replay(steps, one.planted);
    if (!found)
      continue;
    const auto least = shrink(steps, found->check, one.planted);
    EXPECT_EQ(one.checks.count(found->check), 1U) << found->check << ": " << describe(least, one.planted);
    EXPECT_LE(least.size(), steps_max) << describe(least, one.planted);
    EXPECT_FALSE(replay(least)) << describe(least);
    return;
  }
  ADD_FAILURE() << "not found";
}

const std::vector<plant> in_watches{
  {defect::spares_absent, 200, {"nothing to write", "clusters wrong"}},
  {defect::empties_expired, 5, {"deletes what is called for"}},
  {defect::lists_before_init, 600, {"nothing to write", "known to be there"}},
  {defect::acts_before_sync, 10, {"before sync", "restart writes"}},
  {defect::rewrites_on_echo, 5, {"nothing to write"}},
  {defect::retires_unheard, 600, {"clusters wrong", "nothing to write", "known to be there", "not settled"}},
  {defect::leaves_dead, 200, {"clusters wrong"}},
  {defect::moves_since, 50, {"restart writes", "since moved", "nothing to write"}},
  {defect::drops_failed_reads, 50, {"clusters wrong"}},
};

const std::vector<plant> in_writes{
  {defect::repeats_lost_write, 20, {"lost answer not read"}},
  {defect::forgets_outcome, 20, {"not settled"}},
  {defect::forgets_superseded, 200, {"not settled"}},
  {defect::deletes_by_name, 600, {"foreign touched", "deletes another object"}},
  {defect::replaces_whole, 50, {"finalizer lost"}},
  {defect::skips_queue, 5, {"two in flight"}},
  {defect::ignores_take_back,
   100,
   {"name first", "known to be forbidden", "deletes what is called for", "two in flight"}},
  {defect::ignores_limits, 600, {"too fast"}},
};

TEST(PlantedBugs, InWatchesAreFoundSoonAndToldShortly) {
  for (const auto& each : in_watches)
    expect_found(each);
}

TEST(PlantedBugs, InWritesAreFoundSoonAndToldShortly) {
  for (const auto& each : in_writes)
    expect_found(each);
}

TEST(PlantedBugs, AreAllSearchedFor) {
  std::set<defect> all;
  for (const auto* list : {&in_watches, &in_writes})
    for (const auto& each : *list)
      all.insert(each.planted);
  EXPECT_EQ(all.size(), static_cast<std::size_t>(defects_count - 1));
  EXPECT_EQ(all.count(defect::none), 0U);
}

} // namespace
} // namespace sliceferry::storm
