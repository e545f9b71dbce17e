#pragma once
#include <boost/json/value.hpp>

#include <cstdint>
#include <functional>
#include <string_view>

namespace sliceferry::storm {

/// Content reduced to 64 bits, so that it can be compared later without being kept. The order of what is added counts.
class digest {
public:
  digest& add(std::uint64_t value) {
    sum_ = (sum_ ^ value) * 0x9e3779b97f4a7c15U;
    sum_ ^= sum_ >> 32;
    return *this;
  }
  digest& add(std::string_view text) { return add(std::hash<std::string_view>{}(text) + text.size()); }

  std::uint64_t value() const { return sum_; }

private:
  std::uint64_t sum_ = 0x2545f4914f6cdd1dU;
};

/// Of any JSON; the order of an object's keys doesn't count.
std::uint64_t digest_of(const boost::json::value& any);

} // namespace sliceferry::storm
