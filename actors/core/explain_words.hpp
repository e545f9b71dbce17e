#pragma once
#include "actors/core/explanation.hpp"
#include "actors/core/member_identity.hpp"
#include "actors/core/memory.hpp"
#include "messages/endpoint_slice.hpp"
#include "messages/inputs.hpp"

#include <string>

namespace sliceferry::core {

// The words of an explanation: they judge nothing.

/// What was seen that the rule looks at. Precondition: the rule was reached.
std::string evidence_of(target_rule rule, const member_identity& identity, const inputs& seen);
/// Why this rule names the export. Precondition: `seen.slice` is not null.
std::string evidence_of(name_rule rule, const memory& held, const inputs& seen);
std::string evidence_of_last_seen(const endpoint_slice& slice);
/// The whole in one sentence. `told` is complete but for it; `held` is what its exporter holds.
std::string conclude(const explanation& told, const memory& held, const inputs& seen);

} // namespace sliceferry::core
