#pragma once
#include "messages/clock.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace sliceferry::core {

/// Limits how often something happens: in any span of time t no more than `qps`·t + `burst` times.
///
/// Kept as the moment at which the bucket would be full again (the generic cell rate algorithm):
/// integers only, so `ready_at` is exact.
class token_bucket {
public:
  /// Both at least 1.
  token_bucket(std::uint32_t qps, std::uint32_t burst)
    : interval_((std::chrono::nanoseconds(std::chrono::seconds(1)).count() + qps - 1) / qps),
      slack_(interval_ * (static_cast<std::int64_t>(burst) - 1)) {}

  /// Takes a token if there is one.
  bool take(tick now) {
    if (now < ready_at())
      return false;
    full_at_ = std::max(full_at_, now) + interval_;
    return true;
  }

  /// Takes a token in advance; returns when it may be used, `now` at the earliest.
  tick reserve(tick now) {
    const tick when = std::max(now, ready_at());
    full_at_ = std::max(full_at_, now) + interval_;
    return when;
  }

  /// The first moment at which `take` succeeds; may lie in the past.
  tick ready_at() const { return full_at_ - slack_; }

private:
  std::chrono::nanoseconds interval_;
  std::chrono::nanoseconds slack_;
  tick full_at_{};
};

} // namespace sliceferry::core
