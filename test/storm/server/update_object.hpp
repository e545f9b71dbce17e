#pragma once
#include "test/storm/server/proposal.hpp"
#include "test/storm/server/verbs.hpp"

namespace sliceferry::storm {

/// Makes a stored object be what PUT or PATCH wants it to be, or says why not.
///
/// The proposal's parts that aren't given are as before. Nothing is written where nothing differs; a terminating object
/// that loses its last finalizer is deleted.
verb_outcome update_object(server_state& state, const verb_request& request, const shared_revision& before,
                           proposal& wanted, field_errors& errors, const subject& about);

/// The same for the server's own changes of metadata, which aren't checked.
store_change update_by_server(server_state& state, const resource_kind& kind, object_place at,
                              const shared_revision& before, object_draft wanted, std::string_view user);

} // namespace sliceferry::storm
