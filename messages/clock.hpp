#pragma once
#include <chrono>

namespace sliceferry {

/// Wall-clock time in whole seconds of UTC: all that annotations and exports can carry.
/// Rules receive it as an argument and never read a clock.
using seconds_utc = std::chrono::sys_seconds;

/// Monotonic time, for delays and deadlines; immune to steps of the wall clock.
using tick = std::chrono::steady_clock::time_point;

} // namespace sliceferry
