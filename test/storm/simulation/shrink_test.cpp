#include "test/storm/simulation/trial.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sliceferry::storm {
namespace {

const trace noisy{{op::consent, 0, 0},    {op::consent, 1, 8},     {op::write_slice, 0, 77}, {op::write_slice, 2, 9},
                  {op::calm, 11, 0},      {op::tamper, 2, 9},      {op::controller, 1, 0},   {op::pass, 40'000, 0},
                  {op::hub_delete, 0, 3}, {op::write_slice, 2, 5}, {op::calm, 3, 3}};

TEST(Shrinking, LeavesOnlyWhatBreaksTheSameCheck) {
  const auto found = replay(noisy, defect::replaces_whole);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->check, "finalizer lost");
  const auto least = shrink(noisy, found->check, defect::replaces_whole);
  EXPECT_LT(least.size(), noisy.size());
  const auto still = replay(least, defect::replaces_whole);
  ASSERT_TRUE(still);
  EXPECT_EQ(still->check, found->check);
  for (std::size_t i = 0; i < least.size(); ++i) {
    auto shorter = least;
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
    const auto other = replay(shorter, defect::replaces_whole);
    EXPECT_FALSE(other && other->check == found->check) << to_string(least[i]) << " isn't needed";
  }
}

TEST(Shrinking, TellsATraceThatCanBePasted) {
  const auto told = describe(noisy, defect::replaces_whole);
  EXPECT_EQ(told.find("replay({\n  {op::consent, 0, 0}, // 0.001 s\n"), 0U) << told;
  EXPECT_NE(told.find("finalizer lost: "), std::string::npos) << told;
  EXPECT_NE(describe(noisy).find("nothing went wrong"), std::string::npos);
}

TEST(Shrinking, AnyPartOfATraceMakesSense) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    auto steps = make_trace(seed, 40);
    for (; !steps.empty(); steps.erase(steps.begin()))
      EXPECT_FALSE(replay(steps)) << "seed " << seed << " without the first " << 40 - steps.size();
  }
}

} // namespace
} // namespace sliceferry::storm
