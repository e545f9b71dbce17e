#pragma once
#include "actors/core/work.hpp"
#include "k8s/http_client.hpp"
#include "messages/outcome.hpp"

#include <string>

namespace sliceferry {

/// The write that a work asks for, as one HTTP request. `hub_nspace` is where the member's exports live.
k8s::http_request write_request(const core::work& asked, const std::string& hub_nspace);

/// The read of the object that a work writes to.
k8s::http_request read_request(const core::work& asked, const std::string& hub_nspace);

/// What the server said to the write: why it failed, or nothing.
std::optional<failure> failure_of_write(const core::work& asked, const k8s::result<k8s::http_response>& end);

/// What the server said to the read; a missing object is `errc::missing`.
std::optional<failure> failure_of_read(const k8s::result<k8s::http_response>& end);

/// Puts the object of a successful answer into `answer`. False: the body is unreadable.
/// A delete may be answered with a Status instead of the object; then nothing is put. A read
/// (`answer.read`) never is: what can't be read proves no absence.
bool take_object(const core::work& asked, const std::string& body, write_answer& answer);

} // namespace sliceferry
