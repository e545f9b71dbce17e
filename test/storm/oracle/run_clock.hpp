#pragma once
#include "test/storm/history/entry.hpp"

#include <algorithm>
#include <set>
#include <string>

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

/// A clock that stands still while the program is halted, or a server is down: then nothing can be asked of the
/// program. It runs from the beginning.
class run_clock {
public:
  moment read(instant at) const {
    return {at, halts_.empty() ? passed_ + std::max(at - since_, run_time::zero()) : passed_};
  }

  /// `who` halts it until `who` goes on.
  void stop(const std::string& who, instant at) {
    passed_ = read(at).run;
    halts_.insert(who);
  }

  void go(const std::string& who, instant at) {
    passed_ = read(at).run;
    since_ = at;
    halts_.erase(who);
  }

private:
  std::set<std::string> halts_;
  instant since_{};
  run_time passed_{};
};

} // namespace sliceferry::storm
