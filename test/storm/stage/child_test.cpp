#include "test/storm/stage/child.hpp"
#include "test/storm/stage/workplace.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

namespace sliceferry::storm {
namespace {

using namespace std::chrono_literals;

class ChildTest : public testing::Test {
protected:
  child make(std::vector<std::string> command, int keep = -1) {
    return child{{std::move(command), {"STORM_WORD=hail"}, (place_.folder() / "log").string(), keep, {}}};
  }

  workplace place_;
};

TEST_F(ChildTest, TellsItsExitCodeAndKeepsItsOutput) {
  auto one = make({"sh", "-c", "echo $STORM_WORD; echo storm >&2; exit 7"});
  ASSERT_TRUE(one.start());
  EXPECT_EQ(one.wait(20s), 7);
  EXPECT_FALSE(one.alive());
  EXPECT_EQ(one.tail(), "hail\nstorm\n");
}

TEST_F(ChildTest, PutsItsStandardOutputApartIfAskedTo) {
  const auto file = (place_.folder() / "output").string();
  for (const char* word : {"first", "second"}) {
    child one{{{"sh", "-c", std::string{"echo "} + word + "; echo aside >&2"},
               {},
               (place_.folder() / "log").string(),
               -1,
               file}};
    ASSERT_TRUE(one.start());
    EXPECT_EQ(one.wait(20s), 0);
    std::string got;
    std::getline(std::ifstream{file}, got, '\0');
    EXPECT_EQ(got, std::string{word} + '\n');
  }
  EXPECT_EQ(make({}).tail(), "aside\naside\n");
}

TEST_F(ChildTest, TellsTheSignalThatEndedIt) {
  auto one = make({"sleep", "1000"});
  ASSERT_TRUE(one.start());
  EXPECT_TRUE(one.alive());
  EXPECT_FALSE(one.wait(0ms));
  one.signal(SIGTERM);
  EXPECT_EQ(one.wait(20s), 128 + SIGTERM);
}

TEST_F(ChildTest, StartsAgain) {
  auto one = make({"sh", "-c", "echo again"});
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(one.start());
    EXPECT_EQ(one.wait(20s), 0);
  }
  EXPECT_EQ(one.tail(), "again\nagain\n");
}

TEST_F(ChildTest, IsGoneWithItsOwner) {
  pid_t pid = 0;
  {
    auto one = make({"sleep", "1000"});
    ASSERT_TRUE(one.start());
    pid = one.pid();
    EXPECT_EQ(::kill(pid, 0), 0);
  }
  EXPECT_EQ(::kill(pid, 0), -1);
}

TEST_F(ChildTest, SaysWhatTheSystemKnows) {
  auto one = make({"sleep", "1000"});
  EXPECT_FALSE(one.sample());
  ASSERT_TRUE(one.start());
  const auto found = one.sample();
  ASSERT_TRUE(found);
  EXPECT_GT(found->private_bytes, 0U);
  EXPECT_GE(found->resident_bytes, found->private_bytes);
  EXPECT_EQ(found->threads, 1U);
  one.kill();
  EXPECT_FALSE(one.sample());
}

TEST_F(ChildTest, KeepsOnlyTheDescriptorItIsTold) {
  int ends[2] = {};
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  auto one = make({"sh", "-c", "echo through >&" + std::to_string(ends[1])}, ends[1]);
  ASSERT_TRUE(one.start());
  EXPECT_EQ(one.wait(20s), 0);
  ::close(ends[1]);
  char got[16] = {};
  EXPECT_EQ(::read(ends[0], got, sizeof got), 8);
  EXPECT_EQ(std::string(got), "through\n");
  ::close(ends[0]);
}

TEST(Workplace, LeavesNothingBehind) {
  std::filesystem::path folder;
  {
    const workplace place;
    folder = place.folder();
    ASSERT_TRUE(std::filesystem::is_directory(folder));
    std::filesystem::create_directories(folder / "a/b");
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
}

} // namespace
} // namespace sliceferry::storm
