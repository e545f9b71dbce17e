#include "actors/journal/journal.hpp"

#include "test/journal/journal_place.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sliceferry::journal {
namespace {

struct Journal : testing::Test {
  temporary_directory place;
  moved_clock clock;

  journal_options options() {
    journal_options out;
    out.directory = place.path();
    out.now = [this] { return clock.wall(); };
    return out;
  }
};

TEST_F(Journal, KeepsWhatIsAppendedInOrderAndWithoutGaps) {
  std::vector<told_stream> streams;
  for (unsigned i = 0; i < 20; ++i)
    streams.emplace_back("member-1", i);
  std::uint64_t last = 0;
  {
    const auto made = open_or_die(options());
    for (unsigned round = 0; round < 50; ++round)
      for (auto& each : streams) {
        const std::uint64_t position = each.tell(*made);
        EXPECT_GT(position, last);
        last = position;
      }
    EXPECT_TRUE(wait_durable(*made, last));
    EXPECT_EQ(made->status().durable, last);
    EXPECT_EQ(made->status().state, core::journal_state::healthy);
  }
  const auto log = read_log(place.path());
  ASSERT_EQ(log.size(), last);
  for (std::size_t i = 0; i < log.size(); ++i)
    EXPECT_EQ(log[i].position, i + 1);
  memories wanted;
  for (const auto& each : streams)
    wanted[each.whose()] = each.held();
  EXPECT_EQ(fold_all(log), wanted);
}

TEST_F(Journal, RecoversWhatTheLastRunLeft) {
  memories wanted;
  told_stream over("member-1", 99);
  {
    const auto made = open_or_die(options());
    for (unsigned i = 0; i < 2500; ++i) {
      told_stream each(i % 3 == 0 ? "member-1" : "member-2", i);
      each.tell(*made);
      wanted[each.whose()] = each.held();
    }
    over.tell(*made);
    over.end(*made);
    wanted.erase(over.whose());
  }
  const auto made = open_or_die(options());
  told_stream late("member-3", 1);
  late.tell(*made);
  const recovered found = recover_all(*made);
  EXPECT_EQ(found.counts.failure, "");
  EXPECT_EQ(found.counts.streams, wanted.size());
  EXPECT_EQ(found.streams, wanted);
}

} // namespace
} // namespace sliceferry::journal
