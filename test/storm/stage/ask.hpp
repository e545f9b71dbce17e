#pragma once
#include "k8s/http_client.hpp"

#include <string>

namespace sliceferry::storm {

/// A call whose answer is waited for; never on the loop's own thread. `status` 0: none came.
k8s::http_response ask(k8s::http_client& of, k8s::http_request what);
k8s::http_response get(k8s::http_client& of, std::string target);

} // namespace sliceferry::storm
