#pragma once
#include "actors/core/backoff.hpp"
#include "actors/core/jitter.hpp"
#include "messages/clock.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace sliceferry::core {

/// Stands before something that many keys depend on (a server, a namespace). While it is down,
/// one probe at a time finds that out, instead of every key on its own.
///
/// Opened, it lets one attempt through after 1 s, then after 2 and every 4 s (each up to a fifth
/// less, so that clients spread). Any success closes it. Never farther apart: all that is owed must be right within
/// what the rate takes and 5 s more once the server is back, and until the next probe nobody knows that it is.
class breaker {
public:
  /// Opens at the `tolerance`th failure in a row.
  breaker(unsigned tolerance, std::uint64_t seed) : tolerance_(tolerance), jitter_(seed) {}

  bool closed() const { return state_ == state::closed; }

  /// When an attempt may leave: any time if closed, nothing while a probe is out.
  std::optional<tick> ready_at() const {
    if (state_ == state::probing)
      return std::nullopt;
    return state_ == state::closed ? tick::min() : probe_at_;
  }

  bool allows(tick now) const {
    const auto ready = ready_at();
    return ready && *ready <= now;
  }

  /// An attempt leaves; if the breaker is open, it is the probe.
  void sent() {
    if (state_ == state::open)
      state_ = state::probing;
  }

  void succeeded() {
    state_ = state::closed;
    failures_ = 0;
    opened_ = 0;
  }

  /// Counts one failure, unless it is a straggler, sent before the breaker opened.
  void failed(tick now, std::optional<std::chrono::seconds> retry_after) {
    if (state_ == state::closed && ++failures_ < tolerance_)
      return;
    open(now, retry_after);
  }

  /// Opens at once, whatever the tolerance.
  void open(tick now, std::optional<std::chrono::seconds> retry_after) {
    if (state_ == state::open)
      return;
    state_ = state::open;
    probe_at_ = now + honour(retry_after, jitter_.shortened(longest_wait(probe_limits, ++opened_)));
  }

  /// The probe ended for a reason of another kind: the next attempt may be the probe.
  void inconclusive(tick now) {
    if (state_ != state::probing)
      return;
    state_ = state::open;
    probe_at_ = now;
  }

private:
  enum class state { closed, open, probing };
  static constexpr backoff_limits probe_limits{std::chrono::seconds(1), std::chrono::seconds(4)};

  unsigned tolerance_;
  jitter jitter_;
  state state_ = state::closed;
  unsigned failures_ = 0;
  unsigned opened_ = 0;
  tick probe_at_{};
};

} // namespace sliceferry::core
