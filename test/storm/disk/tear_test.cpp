#include "test/storm/disk/tear.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

namespace sliceferry::storm {
namespace {

class Tear : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "storm-tear-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path file() const { return folder_ / "journal.mdb"; }
  std::string torn(std::size_t bytes, std::uint64_t seed) const {
    std::ofstream{file(), std::ios::binary | std::ios::trunc} << std::string(bytes, 'x');
    tear(file(), seed);
    std::ostringstream out;
    out << std::ifstream{file(), std::ios::binary}.rdbuf();
    return out.str();
  }

  std::filesystem::path folder_;
};

TEST_F(Tear, CutsOrFlipsBitsNearTheEndAndNothingElse) {
  constexpr std::size_t size = 1'000'000;
  std::set<bool> kinds;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const auto left = torn(size, seed);
    kinds.insert(left.size() < size);
    EXPECT_GE(left.size(), size / 2);
    EXPECT_EQ(torn(size, seed), left) << "the seed decides";
    const auto first = left.find_first_not_of('x');
    if (left.size() == size)
      EXPECT_TRUE(first != left.npos && first >= size - 128 * 1024) << first;
    else
      EXPECT_EQ(first, left.npos);
  }
  EXPECT_EQ(kinds.size(), 2U);
}

TEST_F(Tear, LeavesAloneWhatIsMissingOrTiny) {
  EXPECT_EQ(tear(folder_ / "none", 1), "");
  EXPECT_EQ(torn(100, 1), std::string(100, 'x'));
}

} // namespace
} // namespace sliceferry::storm
