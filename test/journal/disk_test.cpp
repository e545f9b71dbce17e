#include "actors/journal/journal.hpp"
#include "test/journal/disk_faults.hpp"
#include "test/journal/journal_place.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <limits>
#include <memory>
#include <optional>

namespace sliceferry::journal {
namespace {

using namespace std::chrono_literals;
using state = core::journal_state;

constexpr std::uint64_t nobody_waits = std::numeric_limits<std::uint64_t>::max();

struct FailingDisk : testing::Test {
  temporary_directory place;
  moved_clock clock;
  std::vector<told_stream> streams;
  std::unique_ptr<journal> made;

  journal_options options() {
    journal_options out;
    out.directory = place.path();
    out.now = [this] { return clock.wall(); };
    return out;
  }

  void open(const journal_options& how, unsigned count) {
    made = open_or_die(how);
    for (unsigned i = 0; i < count; ++i)
      streams.emplace_back("member-1", i);
    tell_all();
    ASSERT_TRUE(wait_until([this] { return made->status().durable == made->status().handed_over; }));
  }

  std::uint64_t tell_all() {
    std::uint64_t last = 0;
    for (auto& each : streams)
      last = each.tell(*made);
    return last;
  }

  bool wait_for(state wanted) {
    return wait_until([&] { return made->status().state == wanted; });
  }

  /// Closes the journal; what it holds is what the streams remember, and its log has no gaps.
  std::vector<journal_record> expect_nothing_lost() {
    made.reset();
    auto log = read_log(place.path());
    for (std::size_t i = 0; i < log.size(); ++i)
      EXPECT_EQ(log[i].position, log.front().position + i);
    memories wanted;
    for (const auto& each : streams)
      wanted[each.whose()] = each.held();
    made = open_or_die(options());
    const recovered found = recover_all(*made);
    EXPECT_EQ(made->status().set_aside + made->status().cut_records, 0U) << "the file is whole";
    EXPECT_EQ(found.counts.failure, "");
    EXPECT_TRUE(found.streams == wanted);
    return log;
  }

  void TearDown() override { disk_faults::set({}); }
};

TEST_F(FailingDisk, FullIsDegradedAndNobodyWaits) {
  open(options(), 5);
  disk_faults::set(disk_faults::always(ENOSPC));
  const std::uint64_t position = streams[0].tell(*made);
  EXPECT_GT(position, 0U);
  EXPECT_TRUE(wait_durable(*made, position)) << "the journal gives up on it";
  EXPECT_TRUE(wait_for(state::degraded));
  EXPECT_EQ(made->durable(), nobody_waits);
  EXPECT_NE(made->status().why.find("No space left"), std::string::npos) << made->status().why;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(streams[1].tell(*made), 0U);
    EXPECT_EQ(streams[2].tell(*made), 0U);
  }
  EXPECT_EQ(made->status().noted_streams, 2U);
  disk_faults::set({});
  ASSERT_TRUE(wait_for(state::healthy));
  const std::uint64_t later = streams[3].tell(*made);
  EXPECT_GT(later, position);
  EXPECT_TRUE(wait_durable(*made, later));
  EXPECT_EQ(made->status().noted_streams, 0U);
  EXPECT_EQ(made->status().degradations, 1U);

  const auto log = expect_nothing_lost();
  const auto gap = std::find_if(log.begin(), log.end(),
                                [](const auto& each) { return std::holds_alternative<interruption>(each.what); });
  ASSERT_NE(gap, log.end());
  EXPECT_EQ((gap - 1)->whose, streams[0].whose()) << "what waited comes first";
  ASSERT_EQ(log.end() - gap, 1 + 2 + 2);
  EXPECT_TRUE(std::holds_alternative<remembered>(gap[1].what));
  EXPECT_TRUE(std::holds_alternative<remembered>(gap[2].what));
  EXPECT_EQ(gap[3].whose, streams[3].whose()) << "what is appended afterwards follows";
}

TEST_F(FailingDisk, EachCallMayFail) {
  for (int failing = 0; failing < 12; ++failing)
    for (const int error : {EIO, ENOSPC}) {
      SCOPED_TRACE(std::to_string(failing) + ": " + std::to_string(error));
      temporary_directory fresh;
      std::swap(place, fresh);
      streams.clear();
      open(options(), 40);
      const auto calls = std::make_shared<std::atomic<int>>(0);
      disk_faults::set([=](disk_faults::call) { return (*calls)++ == failing ? error : 0; });
      for (int round = 0; round < 4; ++round)
        wait_durable(*made, tell_all());
      ASSERT_TRUE(wait_until([&] { return *calls > failing; }));
      ASSERT_TRUE(wait_for(state::healthy));
      ASSERT_TRUE(wait_durable(*made, tell_all()));
      disk_faults::set({});
      expect_nothing_lost();
      EXPECT_EQ(made->status().set_aside, 0U);
      made.reset();
    }
}

TEST_F(FailingDisk, SilentForHalfASecondIsDegraded) {
  auto how = options();
  how.steady = [this] { return clock.steady(); };
  open(how, 3);
  {
    disk_faults::hang disk;
    const std::uint64_t first = streams[0].tell(*made);
    disk.wait_for_one();
    std::atomic<bool> freed{false};
    made->when_durable(first, [&] { freed = true; });
    const std::uint64_t second = streams[1].tell(*made);
    clock.advance(499ms);
    made->review();
    EXPECT_EQ(made->status().state, state::healthy);
    EXPECT_LT(made->durable(), first);
    EXPECT_FALSE(freed);
    clock.advance(1ms);
    made->review();
    EXPECT_EQ(made->status().state, state::degraded);
    EXPECT_EQ(made->durable(), nobody_waits);
    EXPECT_TRUE(wait_until([&] { return freed.load(); }));
    EXPECT_GT(second, first);
    EXPECT_EQ(streams[2].tell(*made), 0U);
  }
  EXPECT_TRUE(wait_for(state::healthy)) << "the disk is back";
  EXPECT_TRUE(wait_durable(*made, tell_all()));
  const auto log = expect_nothing_lost();
  EXPECT_EQ(std::count_if(log.begin(), log.end(),
                          [](const auto& each) { return std::holds_alternative<interruption>(each.what); }),
            1);
}

TEST_F(FailingDisk, SilenceIsNoticedByItself) {
  open(options(), 3);
  disk_faults::hang disk;
  EXPECT_TRUE(wait_durable(*made, tell_all()));
  EXPECT_EQ(made->status().state, state::degraded);
  disk.release();
  EXPECT_TRUE(wait_for(state::healthy));
  expect_nothing_lost();
}

TEST_F(FailingDisk, MoreThanMayWaitIsNotWaitedFor) {
  auto how = options();
  how.steady = [this] { return clock.steady(); };
  how.buffer_bytes_max = 20'000;
  open(how, 3);
  disk_faults::hang disk;
  streams[0].tell(*made);
  disk.wait_for_one();
  for (int i = 0; i < 1000; ++i)
    tell_all();
  EXPECT_EQ(made->status().state, state::degraded);
  EXPECT_LT(made->status().waiting_bytes, 21'000U);
  disk.release();
  EXPECT_TRUE(wait_for(state::healthy));
  expect_nothing_lost();
}

TEST_F(FailingDisk, TooManyChangesMeanwhileBeginTheJournalAnew) {
  auto how = options();
  how.noted_streams_max = 10;
  open(how, 30);
  disk_faults::set(disk_faults::always(ENOSPC));
  streams[0].tell(*made);
  ASSERT_TRUE(wait_for(state::degraded));
  tell_all();
  EXPECT_LE(made->status().noted_streams, 10U);
  disk_faults::set({});
  ASSERT_TRUE(wait_for(state::healthy));
  EXPECT_EQ(made->status().set_aside, 1U);
  EXPECT_NE(place.name_with("set-aside"), "");
  // Of each stream that goes on, the new file knows all.
  EXPECT_TRUE(wait_durable(*made, tell_all()));
  const auto log = expect_nothing_lost();
  EXPECT_TRUE(std::holds_alternative<interruption>(log.front().what));
}

TEST_F(FailingDisk, AFullMapMakesRoomOfWhatTheSnapshotCovers) {
  auto how = options();
  how.map_bytes = 1 << 20;
  open(how, 50);
  for (int i = 0; i < 30; ++i)
    ASSERT_TRUE(wait_durable(*made, tell_all()));
  made->snapshot_now();
  ASSERT_TRUE(wait_until([&] { return made->status().snapshots == 1; }));
  for (int i = 0; i < 200 && made->status().failures == 0; ++i)
    wait_durable(*made, tell_all());
  ASSERT_GT(made->status().failures, 0U) << "it is full";
  EXPECT_TRUE(wait_for(state::healthy));
  EXPECT_EQ(made->status().set_aside, 0U);
  EXPECT_GT(made->status().first, 1U);
  expect_nothing_lost();
}

TEST_F(FailingDisk, AFullMapWithoutSnapshotBeginsAnew) {
  auto how = options();
  how.map_bytes = 1 << 19;
  open(how, 50);
  for (int i = 0; i < 100 && made->status().failures == 0; ++i)
    wait_durable(*made, tell_all());
  ASSERT_GT(made->status().failures, 0U);
  EXPECT_TRUE(wait_for(state::healthy));
  EXPECT_EQ(made->status().set_aside, 1U);
  EXPECT_TRUE(wait_durable(*made, tell_all()));
  expect_nothing_lost();
}

TEST_F(FailingDisk, RelaxedSyncsLaterAndNoticesThatItCannot) {
  auto how = options();
  how.relaxed = true;
  open(how, 5);
  disk_faults::set([](disk_faults::call which) { return which == disk_faults::call::fdatasync ? EIO : 0; });
  tell_all();
  EXPECT_TRUE(wait_for(state::degraded));
  disk_faults::set({});
  EXPECT_TRUE(wait_for(state::healthy));
  EXPECT_TRUE(wait_durable(*made, tell_all()));
  expect_nothing_lost();
}

TEST_F(FailingDisk, AnUnwritableDirectoryIsTriedAgain) {
  ASSERT_EQ(chmod(place.path().c_str(), 0555), 0);
  const bool is_root = geteuid() == 0;
  constexpr uid_t nobody = 65534;
  if (is_root) {
    ASSERT_EQ(chown(place.path().c_str(), nobody, nobody), 0);
    ASSERT_EQ(seteuid(nobody), 0);
  }
  made = open_or_die(options());
  EXPECT_TRUE(wait_for(state::degraded));
  EXPECT_NE(made->status().why.find(place.path()), std::string::npos) << made->status().why;
  streams.emplace_back("member-1", 1);
  EXPECT_EQ(tell_all(), 0U);
  ASSERT_EQ(chmod(place.path().c_str(), 0755), 0);
  EXPECT_TRUE(wait_for(state::healthy));
  EXPECT_TRUE(wait_durable(*made, tell_all()));
  expect_nothing_lost();
  made.reset();
  if (is_root) {
    ASSERT_EQ(seteuid(0), 0);
  }
}

TEST_F(FailingDisk, DoesNotHoldUpTheEnd) {
  open(options(), 3);
  disk_faults::hang disk;
  tell_all();
  disk.wait_for_one();
  const auto began = std::chrono::steady_clock::now();
  made.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - began, 30s);
  disk.release();
  // The thread that hung lets go of the directory in the end.
  ASSERT_TRUE(wait_until([&] { return std::holds_alternative<std::unique_ptr<journal>>(journal::open(options())); }));
}

/// Whoever was to be called is gone before the journal is.
TEST_F(FailingDisk, SilentJournalCallsNobodyAndKeepsNobody) {
  auto how = options();
  how.steady = [this] { return clock.steady(); };
  std::atomic<unsigned> calls{0};
  open(how, 3);
  const auto token = std::make_shared<int>();
  const auto call = [&calls, token] { ++calls; };
  disk_faults::hang disk;
  const std::uint64_t first = streams[0].tell(*made);
  disk.wait_for_one();
  made->when_durable(first, call);
  made->recover({[call](const std::string&, const std::vector<recovered_stream>&) { call(); },
                 [call](const recovery_counts&) { call(); }});
  ASSERT_TRUE(wait_until([&] { return calls == 1; })) << "nothing was there";
  EXPECT_TRUE(wait_until([&] { return token.use_count() == 3; })) << "ours, the call's and what waits for the disk";
  made->fall_silent();
  EXPECT_EQ(token.use_count(), 2) << "nobody waits any more";
  const std::uint64_t second = streams[1].tell(*made);
  EXPECT_GT(second, first) << "and all is written still";
  made->when_durable(second, call);
  EXPECT_EQ(token.use_count(), 2);
  EXPECT_LT(made->durable(), first);
  disk.release();
  EXPECT_TRUE(wait_until([&] { return made->durable() >= second; }));
  EXPECT_EQ(calls, 1U);
  expect_nothing_lost();
}

TEST_F(FailingDisk, NobodyWaitsForAStoppedJournal) {
  for (const bool hangs : {false, true}) {
    SCOPED_TRACE(hangs);
    streams.clear();
    place = temporary_directory{};
    open(options(), 3);
    std::optional<disk_faults::hang> disk;
    if (hangs)
      disk.emplace();
    tell_all();
    if (hangs)
      disk->wait_for_one();
    made->stop();
    EXPECT_EQ(made->durable(), nobody_waits);
    EXPECT_EQ(streams[0].tell(*made), 0U);
    unsigned calls = 0;
    made->when_durable(1'000'000, [&] { ++calls; });
    EXPECT_EQ(calls, 1U);
    if (disk)
      disk->release(); // its thread comes back, and changes nothing about that
    EXPECT_TRUE(wait_until([&] { return std::holds_alternative<std::unique_ptr<journal>>(journal::open(options())); }));
    EXPECT_EQ(made->durable(), nobody_waits);
  }
}

} // namespace
} // namespace sliceferry::journal
