#pragma once
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sliceferry::storm {

struct percentiles {
  std::uint64_t count = 0;
  std::chrono::microseconds p50{};
  std::chrono::microseconds p99{};
  std::chrono::microseconds max{};
};

/// Durations in buckets, each an eighth of an octave wide: a percentile is at most a tenth too high. The last few are
/// kept as they are.
class latencies {
public:
  void add(std::chrono::microseconds each);
  percentiles overall() const;
  percentiles last() const; ///< of the last 1,024

private:
  static constexpr std::size_t kept_max = 1024;
  std::array<std::uint64_t, 320> buckets_{};
  std::uint64_t count_ = 0;
  std::chrono::microseconds max_{};
  std::vector<std::chrono::microseconds> kept_;
};

} // namespace sliceferry::storm
