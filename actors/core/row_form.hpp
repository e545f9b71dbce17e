#pragma once
#include "messages/clock.hpp"

#include <cstdint>
#include <string>

/// What packing and unpacking of a row agree about; for `row_codec` alone.
namespace sliceferry::core::row_form {

constexpr unsigned bit(unsigned at) {
  return 1U << at;
}
/// The bit, if it is so.
constexpr unsigned flag(bool is, unsigned at) {
  return is ? bit(at) : 0;
}

/// In the first byte: the row's exporter is awake.
constexpr unsigned awake_bit = 5;

/// What other parts of a row repeat, most often.
struct common {
  std::string prefix; ///< of the names of exports of the row's slice
  std::string name;   ///< as the slice's annotation has it, or empty
  std::int64_t generation = 0;
  seconds_utc since{}; ///< as the annotation has it, or the epoch
};

/// How a text is stored that may be absent: not at all, as the value from which it follows, or as it is.
enum spelling : unsigned { absent, derived, spelt };

} // namespace sliceferry::core::row_form
