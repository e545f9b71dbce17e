#pragma once
#include "test/storm/history/entry.hpp"
#include "test/storm/oracle/oracle_options.hpp"

#include <algorithm>

namespace sliceferry::storm {

/// Whether in any window of time more requests came than a token bucket lets out, given that `in_flight` of them may
/// have bunched up on the way.
class request_limit {
public:
  request_limit(limit rate, std::size_t in_flight)
    : qps_(rate.qps), full_(rate.burst + static_cast<double>(in_flight)), level_(full_) {}

  /// A new process has a bucket of its own.
  void refill() { level_ = full_; }

  /// One request; false when it is one too many.
  bool take(instant at) {
    const double passed = std::chrono::duration<double>(std::max(at - last_, instant::zero())).count();
    last_ = std::max(last_, at);
    level_ = std::min(full_, level_ + passed * qps_);
    if (level_ < 1)
      return false;
    level_ -= 1;
    return true;
  }

private:
  double qps_;
  double full_;
  double level_;
  instant last_{};
};

} // namespace sliceferry::storm
