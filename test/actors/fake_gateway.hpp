#pragma once
#include "actors/mail.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <utility>

namespace sliceferry {

/// A door that the test can shut: calls then arrive and stay unanswered.
struct gate {
  bool shut = false;
  std::size_t waiting = 0; ///< calls that arrived and weren't answered
};

/// Stands for an `api_gateway`: answers each call by `serve`, at once or when the gate is open
/// again and a `moment_due` comes.
class fake_gateway : public caf::event_based_actor {
public:
  using serving = std::function<k8s::result<k8s::http_response>(const k8s::http_request&)>;

  fake_gateway(caf::actor_config& config, serving serve, std::shared_ptr<gate> door)
    : caf::event_based_actor(config), serve_(std::move(serve)), door_(std::move(door)) {}

  const char* name() const override { return "fake_gateway"; }
  void on_exit() override { waiting_.clear(); } ///< a promise holds its actor

  caf::behavior make_behavior() override {
    return {[this](const http_call& call) -> caf::result<http_reply> {
              auto promise = make_response_promise<http_reply>();
              waiting_.emplace_back(promise, call.request);
              ++door_->waiting;
              serve_waiting();
              return promise;
            },
            [this](const moment_due&) { serve_waiting(); }};
  }

private:
  void serve_waiting() {
    while (!door_->shut && !waiting_.empty()) {
      auto [promise, request] = std::move(waiting_.front());
      waiting_.pop_front();
      --door_->waiting;
      promise.deliver(http_reply{serve_(request)});
    }
  }

  serving serve_;
  std::shared_ptr<gate> door_;
  std::deque<std::pair<caf::typed_response_promise<http_reply>, k8s::http_request>> waiting_;
};

} // namespace sliceferry
