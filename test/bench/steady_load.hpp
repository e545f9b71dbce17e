#pragma once
#include "actors/journal/journal_port.hpp"
#include "test/bench/slice_lives.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <poll.h>

namespace sliceferry::bench {

/// How long appended events waited until they were durable. Filled on the journal's thread.
class durable_waits {
public:
  using clock = std::chrono::steady_clock;

  /// Notes the time from now until `position` is durable.
  void expect(journal::journal_port& of, std::uint64_t position) {
    of.when_durable(position, [held = held_, from = clock::now()] {
      const std::chrono::duration<double, std::milli> took = clock::now() - from;
      const std::lock_guard lock{held->guard};
      held->waits_ms.push_back(took.count());
    });
  }

  std::vector<double> take() {
    const std::lock_guard lock{held_->guard};
    return std::exchange(held_->waits_ms, {});
  }

private:
  struct parts {
    std::mutex guard;
    std::vector<double> waits_ms;
  };
  std::shared_ptr<parts> held_ = std::make_shared<parts>();
};

/// Appends events at an even rate, one by one, each by a slice of its own.
class steady_load {
public:
  steady_load(journal::journal_port& to, const slice_lives& lives, double per_second)
    : to_(to), lives_(lives), per_second_(per_second) {}

  /// Goes on while `more()`; returns in milliseconds how long each event waited until it was durable.
  std::vector<double> run_while(const std::function<bool()>& more) {
    durable_waits waits;
    std::uint64_t last = 0;
    std::size_t done = 0;
    for (const auto began = durable_waits::clock::now(); more();) {
      const std::chrono::duration<double> passed = durable_waits::clock::now() - began;
      for (const auto due = static_cast<std::size_t>(passed.count() * per_second_); done < due; ++done) {
        last = lives_.append_change(to_, next_++ % lives_.size());
        waits.expect(to_, last);
      }
      ::poll(nullptr, 0, 1);
    }
    while (to_.durable() < last)
      ::poll(nullptr, 0, 1);
    ::poll(nullptr, 0, 20); // callbacks of the last commit
    return waits.take();
  }

  std::vector<double> run_for(std::chrono::duration<double> time) {
    const auto until = durable_waits::clock::now() + time;
    return run_while([until] { return durable_waits::clock::now() < until; });
  }

private:
  journal::journal_port& to_;
  const slice_lives& lives_;
  double per_second_;
  std::size_t next_ = 0;
};

} // namespace sliceferry::bench
