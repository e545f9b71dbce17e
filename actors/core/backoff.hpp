#pragma once
#include "actors/core/jitter.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace sliceferry::core {

/// The longest first wait, and the longest of all.
struct backoff_limits {
  std::chrono::nanoseconds base;
  std::chrono::nanoseconds cap;
};

inline constexpr backoff_limits watch_backoff{std::chrono::milliseconds(800), std::chrono::seconds(30)};
/// Of a writer whose server answers 429. Short for the reason that `breaker` gives.
inline constexpr backoff_limits throttle_backoff{std::chrono::milliseconds(50), std::chrono::seconds(4)};
inline constexpr backoff_limits key_backoff{std::chrono::milliseconds(50), std::chrono::seconds(30)};

/// The longest wait after `failures` (at least one) in a row: `base`, doubled by each further one, up to `cap`.
inline std::chrono::nanoseconds longest_wait(const backoff_limits& limits, unsigned failures) {
  std::chrono::nanoseconds wait = limits.base;
  for (unsigned i = 1; i < failures && wait < limits.cap; ++i)
    wait *= 2;
  return std::min(wait, limits.cap);
}

/// The wait that honours both a server's `Retry-After` and our own, jittered one.
///
/// Most servers say a constant 1 s, so what is added to it keeps clients apart. The wish is
/// clamped to 0–60 s: servers have sent negative and huge ones.
inline std::chrono::nanoseconds honour(std::optional<std::chrono::seconds> retry_after, std::chrono::nanoseconds own) {
  using namespace std::chrono_literals;
  if (!retry_after)
    return own;
  const std::chrono::nanoseconds asked = std::clamp<std::chrono::seconds>(*retry_after, 0s, 60s);
  return std::max(own, asked + std::min<std::chrono::nanoseconds>(own, 1s));
}

/// Exponential back-off with full jitter: each wait is anything between nothing and a bound that
/// doubles with every failure in a row. Resetting it on success is the caller's duty.
class backoff {
public:
  backoff(const backoff_limits& limits, std::uint64_t seed) : limits_(limits), jitter_(seed) {}

  /// Counts one more failure; returns how long to wait.
  std::chrono::nanoseconds next() { return jitter_.up_to(longest_wait(limits_, ++failures_)); }
  void reset() { failures_ = 0; }
  unsigned failures() const { return failures_; }

private:
  backoff_limits limits_;
  jitter jitter_;
  unsigned failures_ = 0;
};

} // namespace sliceferry::core
