#include "actors/api_gateway.hpp"

namespace sliceferry {

api_gateway::api_gateway(caf::actor_config& config, std::shared_ptr<k8s::http_client> client, call_observer observer)
  : caf::event_based_actor(config), client_(std::move(client)), observer_(std::move(observer)) {}

caf::behavior api_gateway::make_behavior() {
  return {
    [this](const http_call& call) -> caf::result<http_reply> { return start(call); },
    [this](const call_ended& ended) { finish(ended); },
  };
}

/// Promises hold their actor: without this, a call in flight would keep gateway and client for ever.
void api_gateway::on_exit() {
  pending_.clear();
  client_.reset();
}

caf::typed_response_promise<http_reply> api_gateway::start(const http_call& call) {
  auto promise = make_response_promise<http_reply>();
  const auto id = next_id_++;
  pending_.emplace(id, pending_call{promise, call.request.method, std::chrono::steady_clock::now()});
  client_->call(call.request, [self = caf::actor{this}, id](k8s::result<k8s::http_response> end) {
    tell_from_thread(self, call_ended{id, std::move(end)});
  });
  return promise;
}

void api_gateway::finish(const call_ended& ended) {
  const auto found = pending_.find(ended.id);
  if (found == pending_.end())
    return;
  const auto took = std::chrono::steady_clock::now() - found->second.sent;
  observer_(found->second.method, ended.end ? ended.end->status : 0, took);
  found->second.promise.deliver(http_reply{ended.end});
  pending_.erase(found);
}

} // namespace sliceferry
