#pragma once
#include <chrono>
#include <cstdint>

namespace sliceferry::core {

/// A stream of numbers from a seed (splitmix64), to spread delays so that many clients, or many
/// keys, don't come back in the same moment. The same seed yields the same stream.
class jitter {
public:
  explicit jitter(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31);
  }

  /// Anything from nothing to `most`, evenly.
  std::chrono::nanoseconds up_to(std::chrono::nanoseconds most) {
    return std::chrono::nanoseconds(next() % (static_cast<std::uint64_t>(most.count()) + 1));
  }

  /// Between four fifths of `delay` and all of it.
  std::chrono::nanoseconds shortened(std::chrono::nanoseconds delay) { return delay - up_to(delay / 5); }

private:
  std::uint64_t state_;
};

} // namespace sliceferry::core
