#include "test/storm/stage/ask.hpp"

#include <future>
#include <memory>

namespace sliceferry::storm {

k8s::http_response ask(k8s::http_client& of, k8s::http_request what) {
  const auto answer = std::make_shared<std::promise<k8s::http_response>>();
  of.call(std::move(what), [answer](const k8s::result<k8s::http_response>& got) {
    answer->set_value(got ? *got : k8s::http_response{});
  });
  return answer->get_future().get();
}

k8s::http_response get(k8s::http_client& of, std::string target) {
  k8s::http_request what;
  what.target = std::move(target);
  return ask(of, std::move(what));
}

} // namespace sliceferry::storm
