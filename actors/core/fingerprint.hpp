#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sliceferry::core {

/// Hashes a sequence of fields into 64 bits, the same in every process and on every little-endian machine.
/// Every text carries its length, so that ("ab", "c") and ("a", "bc") differ. Not for secrets.
class fingerprint {
public:
  void add(std::uint64_t number) { state_ = mixed(state_ ^ number); }

  void add(std::string_view text) {
    add(std::uint64_t{text.size()});
    while (!text.empty()) {
      std::uint64_t chunk = 0;
      const auto taken = std::min(text.size(), sizeof chunk);
      std::memcpy(&chunk, text.data(), taken);
      add(chunk);
      text.remove_prefix(taken);
    }
  }

  std::uint64_t value() const { return mixed(state_); }

private:
  // The finaliser of SplitMix64: a bijection in which every input bit moves every output bit.
  static constexpr std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
  }

  std::uint64_t state_ = 0;
};

} // namespace sliceferry::core
