#pragma once
#include <cstdint>

namespace sliceferry::storm {

/// Chance from a seed, the same with each compiler and library (splitmix64).
class dice {
public:
  explicit dice(std::uint64_t seed) : state_{seed} {}

  std::uint64_t roll() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
  }

  /// 0 … bound − 1; 0 for a bound of 0.
  std::uint32_t below(std::uint64_t bound) {
    return bound == 0 ? 0 : static_cast<std::uint32_t>((roll() >> 32U) * bound >> 32U);
  }

  std::uint32_t between(std::uint32_t least, std::uint32_t most) { return least + below(most - least + 1U); }

  bool chance(std::uint32_t percent) { return below(100) < percent; }

private:
  std::uint64_t state_;
};

} // namespace sliceferry::storm
