#pragma once
#include "test/storm/history/entry.hpp"

#include <algorithm>

namespace sliceferry::storm {

/// Time that the program was running, as a point on its own scale.
using run_time = std::chrono::microseconds;

/// Earlier than any lag can reach.
constexpr run_time long_ago = -std::chrono::hours{24 * 365};

/// The two times at which something happened.
struct moment {
  instant at{};
  run_time run{};
};

/// A clock that stands still while the program is stopped or paused: then nothing can be asked of it. It runs from the
/// beginning.
class run_clock {
public:
  moment read(instant at) const { return {at, runs_ ? passed_ + std::max(at - since_, run_time::zero()) : passed_}; }

  void stop(instant at) {
    passed_ = read(at).run;
    runs_ = false;
  }

  void go(instant at) {
    passed_ = read(at).run;
    since_ = at;
    runs_ = true;
  }

private:
  bool runs_ = true;
  instant since_{};
  run_time passed_{};
};

} // namespace sliceferry::storm
