#include "test/storm/stage/fault_actor.hpp"

#include "test/storm/stage/workplace.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace sliceferry::storm {
namespace {

using namespace std::chrono_literals;
using event = fault_actor::program_event;

fault at(std::chrono::milliseconds when, const char* kind, std::chrono::milliseconds lasts) {
  return {.at = when, .lasts = lasts, .kind = kind, .where = "program", .share = 0.5, .amount = 300ms, .seed = 4};
}

/// A program that does nothing, with a journal that is a file of noughts.
class FaultActor : public testing::Test {
protected:
  FaultActor() {
    const auto binary = place_.folder() / "sliceferry", shim = place_.folder() / "shim";
    std::ofstream{binary} << "#!/bin/sh\nexec sleep 1000\n";
    std::filesystem::permissions(binary, std::filesystem::perms::owner_all);
    std::ofstream{shim}; // what can't be preloaded is passed over
    std::filesystem::create_directories(place_.folder() / "data");
    std::ofstream{place_.folder() / "data/journal.mdb"} << std::string(100'000, '0');
    program_options how;
    how.binary = binary;
    how.folder = place_.folder() / "program";
    how.data_dir = place_.folder() / "data";
    how.shim = shim;
    server_map servers;
    servers.by_name["hub"] = {};
    target_.emplace(how, servers);
    EXPECT_TRUE(target_->start());
  }

  fault_actor make(std::vector<fault> forecast) {
    return {std::move(forecast), nullptr, *target_, [this](fault_actor::program_news what) {
              told_.push_back(what.what);
              alive_.push_back(target_->process().alive());
              lasts_ = what.lasts;
            }};
  }
  const disk_control& disk() { return target_->disk()->control(); }

  workplace place_;
  std::optional<program> target_;
  std::vector<event> told_;
  std::vector<bool> alive_; ///< the program, each time
  std::chrono::milliseconds lasts_{};
};

TEST_F(FaultActor, LetsEachFaultOfTheDiskLastAsLongAsItShall) {
  auto actor = make({at(10ms, "disk_full", 100ms), at(20ms, "disk_errors", 100ms), at(30ms, "slow_disk", 100ms),
                     at(40ms, "hung_disk", 100ms)});
  actor.act(9ms);
  EXPECT_EQ(disk().full, 0U);
  actor.act(40ms);
  EXPECT_EQ(disk().full, 1U);
  EXPECT_EQ(disk().errors_percent, 50U);
  EXPECT_EQ(disk().sync_delay_ms, 300U);
  EXPECT_EQ(disk().hangs, 1U);
  EXPECT_EQ(told_, std::vector<event>(4, event::disk_struck));
  EXPECT_EQ(lasts_, 100ms);
  actor.act(139ms); // each was struck at 40 ms
  EXPECT_EQ(disk().hangs, 1U);
  actor.act(140ms);
  EXPECT_EQ(disk().full + disk().errors_percent + disk().sync_delay_ms + disk().hangs, 0U);
  EXPECT_TRUE(target_->process().alive());
}

TEST_F(FaultActor, ClearsTheDiskAtOnceInTheEnd) {
  auto actor = make({at(0ms, "disk_full", 10s), at(0ms, "hung_disk", 10s)});
  actor.act(0ms);
  actor.clear();
  EXPECT_EQ(disk().full + disk().hangs, 0U);
}

TEST_F(FaultActor, TearsTheJournalWhileTheProgramIsDown) {
  auto actor = make({at(0ms, "torn_journal", 0ms)});
  actor.act(0ms);
  EXPECT_EQ(told_, (std::vector{event::ending, event::stopped, event::torn}));
  EXPECT_EQ(alive_, (std::vector{true, false, false}));
  EXPECT_TRUE(actor.holds_program());
  std::ifstream file{place_.folder() / "data/journal.mdb"};
  std::string left;
  std::getline(file, left);
  EXPECT_NE(left, std::string(100'000, '0'));
  actor.act(299ms);
  EXPECT_TRUE(actor.holds_program());
  actor.act(300ms);
  EXPECT_EQ(told_.back(), event::started);
  EXPECT_TRUE(target_->process().alive());
  EXPECT_FALSE(actor.holds_program());
}

TEST_F(FaultActor, LeavesAPausedProgramPausedWhenTheDiskFails) {
  auto actor = make({at(0ms, "stop_program", 100ms), at(50ms, "disk_full", 10ms)});
  actor.act(0ms);
  actor.act(50ms);
  EXPECT_TRUE(target_->is_paused());
  EXPECT_EQ(disk().full, 1U);
  actor.act(100ms);
  EXPECT_FALSE(target_->is_paused());
  EXPECT_EQ(disk().full, 0U);
}

} // namespace
} // namespace sliceferry::storm
