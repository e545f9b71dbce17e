#pragma once
#include "actors/mail.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

namespace sliceferry {

/// The actors' door to one API server with one credential.
///
/// Takes `http_call`, answers `http_reply`. It holds the promises of the calls in flight; the I/O
/// thread's completions come back to it as one message each. Retries nothing.
class api_gateway : public caf::event_based_actor {
public:
  /// Told of every finished call: verb, HTTP status (0: no answer) and how long it took.
  using call_observer = std::function<void(k8s::http_method, unsigned, std::chrono::duration<double>)>;

  api_gateway(caf::actor_config& config, std::shared_ptr<k8s::http_client> client, call_observer observer);

  const char* name() const override { return "api_gateway"; }
  caf::behavior make_behavior() override;
  void on_exit() override;

private:
  struct pending_call {
    caf::typed_response_promise<http_reply> promise;
    k8s::http_method method;
    tick sent;
  };

  caf::typed_response_promise<http_reply> start(const http_call& call);
  void finish(const call_ended& ended);

  std::shared_ptr<k8s::http_client> client_;
  call_observer observer_;
  std::uint64_t next_id_ = 1;
  std::unordered_map<std::uint64_t, pending_call> pending_;
};

} // namespace sliceferry
