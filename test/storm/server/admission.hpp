#pragma once
#include "test/storm/server/proposal.hpp"

namespace sliceferry::storm {

/// What a webhook puts into the ports of exports.
inline constexpr std::string_view mutated_protocol = "storm.example.com/mutated";

/// Lets the server's mutating webhooks change what is about to be stored.
void admit(server_state& state, const resource_kind& kind, proposal& wanted, field_errors& errors);

} // namespace sliceferry::storm
