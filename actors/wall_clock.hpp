#pragma once
#include "messages/clock.hpp"

namespace sliceferry {

/// The wall clock, read at the rim and handed to the rules as a value.
inline seconds_utc wall_clock() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

/// The same, finer, for what people read.
inline std::chrono::sys_time<std::chrono::milliseconds> wall_clock_in_milliseconds() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

} // namespace sliceferry
