#include "actors/core/backoff.hpp"
#include "actors/core/breaker.hpp"
#include "actors/core/token_bucket.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace sliceferry::core {
namespace {

using namespace std::chrono_literals;
const tick noon = tick{} + 12h;

TEST(TokenBucket, NeverExceedsRateAndBurstInAnyWindow) {
  struct row {
    const char* name;
    std::uint32_t qps;
    std::uint32_t burst;
  };
  const row table[] = {
    {"as shipped", 200, 400}, {"no burst", 7, 1}, {"slow", 1, 3}, {"a rate that divides nothing", 333, 10}};
  for (const auto& [name, qps, burst] : table) {
    SCOPED_TRACE(name);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(seed);
      jitter random(seed);
      token_bucket bucket(qps, burst);
      std::vector<tick> taken;
      tick now = noon;
      for (int i = 0; i < 3000; ++i) {
        now += random.next() % 50 == 0 ? random.up_to(5s) : random.up_to(std::chrono::nanoseconds(1s) / qps);
        if (random.next() % 8 == 0) // HT11: a GET's token booked in advance counts as well
          taken.push_back(now = bucket.reserve(now));
        else if (bucket.take(now))
          taken.push_back(now);
      }
      ASSERT_GT(taken.size(), 2U * burst);
      // N in a closed window of length t: (N - burst) intervals fit into t.
      for (std::size_t from = 0; from < taken.size(); from += 7)
        for (std::size_t to = from + burst; to < taken.size(); ++to)
          ASSERT_LE(std::chrono::nanoseconds(1s).count() * static_cast<std::int64_t>(to - from + 1 - burst),
                    (taken[to] - taken[from]).count() * static_cast<std::int64_t>(qps));
    }
  }
}

TEST(TokenBucket, IsReadyExactlyWhenItSays) {
  token_bucket bucket(3, 2);
  EXPECT_TRUE(bucket.take(noon));
  EXPECT_TRUE(bucket.take(noon));
  EXPECT_FALSE(bucket.take(noon));
  const tick ready = bucket.ready_at();
  EXPECT_GT(ready, noon);
  EXPECT_FALSE(bucket.take(ready - 1ns));
  EXPECT_TRUE(bucket.take(ready));
  const tick booked = bucket.reserve(ready);
  EXPECT_EQ(booked, ready + (ready - noon));
  EXPECT_EQ(bucket.ready_at(), booked + (ready - noon));
}

TEST(Backoff, GrowsWithinItsBoundsAndForgetsOnReset) {
  for (const backoff_limits& limits : {watch_backoff, key_backoff}) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      SCOPED_TRACE(seed);
      backoff waits(limits, seed);
      std::chrono::nanoseconds bound = limits.base;
      for (int i = 0; i < 40; ++i) {
        const auto wait = waits.next();
        EXPECT_GE(wait, 0ns);
        EXPECT_LE(wait, bound);
        bound = std::min(bound * 2, limits.cap);
      }
      waits.reset(); // CR07
      EXPECT_LE(waits.next(), limits.base);
    }
  }
  EXPECT_EQ(longest_wait(key_backoff, 1), 50ms);
  EXPECT_EQ(longest_wait(key_backoff, 3), 200ms);
  EXPECT_EQ(longest_wait(key_backoff, 4'000'000'000U), 30s);
}

TEST(Backoff, IsSpreadAndReproducible) {
  backoff one(key_backoff, 1), same(key_backoff, 1), other(key_backoff, 2);
  int equal = 0;
  for (int i = 0; i < 20; ++i) {
    const auto wait = one.next();
    EXPECT_EQ(wait, same.next());
    equal += wait == other.next() ? 1 : 0;
  }
  EXPECT_LT(equal, 2);
}

TEST(Backoff, HonoursRetryAfter) {
  struct row {
    const char* name;
    std::optional<std::chrono::seconds> asked;
    std::chrono::nanoseconds own;
    std::chrono::nanoseconds wait;
  };
  const row table[] = {
    {"nothing asked", std::nullopt, 70ms, 70ms}, {"HT10: a constant second is spread", 1s, 70ms, 1070ms},
    {"HT10: our own is longer", 1s, 20s, 20s},   {"HT13: negative", -5s, 70ms, 70ms},
    {"HT13: hours", 7200s, 70ms, 60070ms},       {"zero", 0s, 70ms, 70ms},
  };
  for (const auto& [name, asked, own, wait] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(honour(asked, own), wait);
  }
}

TEST(Breaker, LetsOneProbeThroughAtGrowingDistances) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    breaker gate(1, seed);
    tick now = noon;
    EXPECT_TRUE(gate.allows(now));
    gate.sent();
    EXPECT_TRUE(gate.allows(now));
    gate.failed(now, std::nullopt);
    for (const std::chrono::nanoseconds longest : {1s, 2s, 4s, 4s, 4s}) {
      ASSERT_TRUE(gate.ready_at());
      const tick probe = *gate.ready_at();
      EXPECT_LE(probe, now + longest);
      EXPECT_GE(probe, now + longest * 4 / 5);
      EXPECT_FALSE(gate.allows(probe - 1ns));
      gate.failed(now, std::nullopt); // a straggler moves nothing
      EXPECT_EQ(gate.ready_at(), probe);
      now = probe;
      EXPECT_TRUE(gate.allows(now));
      gate.sent();
      EXPECT_FALSE(gate.allows(now + 1h));
      EXPECT_FALSE(gate.ready_at());
      gate.failed(now, std::nullopt);
    }
    gate.succeeded();
    EXPECT_TRUE(gate.closed());
    gate.failed(now, std::nullopt);
    EXPECT_LE(*gate.ready_at(), now + 1s);
  }
}

TEST(Breaker, TolerancesRetryAfterAndInconclusiveProbes) {
  breaker gate(3, 1);
  gate.failed(noon, std::nullopt);
  gate.failed(noon, std::nullopt);
  EXPECT_TRUE(gate.closed());
  gate.succeeded();
  gate.failed(noon, std::nullopt);
  gate.failed(noon, std::nullopt);
  EXPECT_TRUE(gate.closed());
  gate.failed(noon, 10s);
  EXPECT_FALSE(gate.closed());
  EXPECT_GE(*gate.ready_at(), noon + 10s);
  gate.inconclusive(noon); // no probe is out
  EXPECT_FALSE(gate.allows(noon));
  const tick probe = *gate.ready_at();
  gate.sent();
  gate.inconclusive(probe);
  EXPECT_TRUE(gate.allows(probe));
  breaker at_once(3, 1);
  at_once.open(noon, std::nullopt);
  EXPECT_FALSE(at_once.closed());
}

} // namespace
} // namespace sliceferry::core
