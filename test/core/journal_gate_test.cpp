#include "actors/core/journal_gate.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace sliceferry::core {
namespace {

TEST(JournalGate, LetsNothingOvertakeWhatWaits) {
  journal_gate<char> gate;
  EXPECT_TRUE(gate.passes(0, 0)) << "waits for nothing";
  EXPECT_TRUE(gate.passes(7, 7));
  ASSERT_FALSE(gate.passes(8, 7));
  gate.hold(8, 'a');
  ASSERT_FALSE(gate.passes(0, 7)) << "it would overtake";
  gate.hold(0, 'b');
  gate.hold(9, 'c');
  EXPECT_EQ(gate.awaited(), 8U);
  EXPECT_EQ(gate.release(7), std::nullopt);
  EXPECT_EQ(gate.release(8), 'a');
  EXPECT_EQ(gate.release(8), 'b');
  EXPECT_EQ(gate.release(8), std::nullopt);
  EXPECT_EQ(gate.release(9), 'c');
  EXPECT_EQ(gate.awaited(), std::nullopt);
}

TEST(JournalGateProperty, KeepsOrderAndNeverLetsGoTooEarly) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random{seed};
    journal_gate<std::pair<std::uint64_t, int>> gate;
    std::uint64_t written = 0;
    std::uint64_t durable = 0;
    std::vector<int> passed;
    int sent = 0;
    const auto pass = [&](std::uint64_t position, int number) {
      EXPECT_LE(position, durable);
      passed.push_back(number);
    };
    for (int step = 0; step < 200; ++step) {
      if (random() % 3 != 0) {
        const auto position = random() % 2 == 0 ? ++written : 0;
        if (gate.passes(position, durable))
          pass(position, sent++);
        else
          gate.hold(position, {position, sent++});
        continue;
      }
      durable += written == durable ? 0 : random() % (written - durable + 1);
      while (const auto next = gate.release(durable))
        pass(next->first, next->second);
      EXPECT_TRUE(!gate.awaited() || *gate.awaited() > durable) << "held though it may go";
    }
    durable = written;
    while (const auto next = gate.release(durable))
      pass(next->first, next->second);
    ASSERT_EQ(passed.size(), static_cast<std::size_t>(sent));
    EXPECT_TRUE(std::is_sorted(passed.begin(), passed.end()));
  }
}

} // namespace
} // namespace sliceferry::core
