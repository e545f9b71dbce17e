#pragma once
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <memory>

namespace sliceferry::k8s {

/// A deadline that moves much more often than it passes. Moving it costs a look at the clock: the
/// timer beneath stays where it is and, when it fires early, is set anew. On the loop's thread only.
class deadline {
public:
  /// `passed` runs when a deadline passes; none runs after this object is gone.
  deadline(boost::asio::io_context& context, std::function<void()> passed)
    : state_{std::make_shared<state>(context, std::move(passed))} {}

  ~deadline() {
    state_->passed = nullptr;
    state_->timer.cancel();
  }

  deadline(const deadline&) = delete;
  deadline& operator=(const deadline&) = delete;

  void set(std::chrono::milliseconds from_now) {
    state_->due = clock::now() + from_now;
    if (!state_->armed || state_->timer.expiry() > state_->due)
      state::arm(state_);
  }

  void clear() { state_->due = clock::time_point::max(); }

private:
  using clock = std::chrono::steady_clock;

  struct state {
    state(boost::asio::io_context& context, std::function<void()> on_passed)
      : timer{context}, passed{std::move(on_passed)} {}

    static void arm(const std::shared_ptr<state>& self) {
      self->armed = true;
      self->timer.expires_at(self->due);
      self->timer.async_wait([self](const boost::system::error_code& moved) {
        if (moved)
          return; // Set anew, or gone.
        self->armed = false;
        if (self->due == clock::time_point::max() || !self->passed)
          return;
        if (clock::now() < self->due)
          return arm(self);
        self->due = clock::time_point::max();
        const auto call = self->passed; // may destroy the deadline
        call();
      });
    }

    boost::asio::steady_timer timer;
    std::function<void()> passed;
    clock::time_point due = clock::time_point::max();
    bool armed = false;
  };

  std::shared_ptr<state> state_;
};

} // namespace sliceferry::k8s
