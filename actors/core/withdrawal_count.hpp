#pragma once
#include "messages/clock.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>

namespace sliceferry::core {

/// What a member's guard counts over a sliding window of time: withdrawals that were let go, and the highest count of
/// exports, of which they are a share.
///
/// Bounded whatever happens: what falls within a 64th of the window is kept together. A withdrawal then counts up to
/// that much longer than the window and a count of exports that much shorter; both err on the side of the guard.
class withdrawal_count {
public:
  explicit withdrawal_count(std::chrono::nanoseconds window) : window_(window), grain_(window / 64) {}

  /// Time went on: what is older than the window is forgotten.
  void pass(tick now) {
    while (!let_go_.empty() && now - let_go_.front().last >= window_)
      let_go_.pop_front();
    while (!exports_.empty() && now - exports_.front().first >= window_)
      exports_.pop_front();
  }

  void add(std::size_t count, tick now) {
    if (!let_go_.empty() && now - let_go_.back().first < grain_) {
      let_go_.back().last = std::max(let_go_.back().last, now);
      let_go_.back().count += count;
    } else if (count > 0) {
      let_go_.push_back({now, now, count});
    }
  }

  /// The member has this many exports now.
  void exports(std::size_t count, tick now) {
    while (!exports_.empty() && exports_.back().count <= count)
      exports_.pop_back();
    if (exports_.empty() || now - exports_.back().first >= grain_)
      exports_.push_back({now, now, count});
  }

  void clear() { let_go_.clear(); }

  std::size_t let_go() const {
    std::size_t sum = 0;
    for (const auto& each : let_go_)
      sum += each.count;
    return sum;
  }
  std::size_t most_exports() const { return exports_.empty() ? 0 : exports_.front().count; }

private:
  struct entry {
    tick first;
    tick last;
    std::size_t count;
  };

  std::chrono::nanoseconds window_;
  std::chrono::nanoseconds grain_;
  std::deque<entry> let_go_;  ///< oldest first
  std::deque<entry> exports_; ///< the same, and counts descend
};

} // namespace sliceferry::core
