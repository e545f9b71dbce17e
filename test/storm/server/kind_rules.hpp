#pragma once
#include "test/storm/server/proposal.hpp"

namespace sliceferry::storm {

/// What the server itself puts into an object that is created.
void prepare_create(const resource_kind& kind, proposal& wanted);

/// What is wrong with the object's name, if anything.
void check_name(const resource_kind& kind, std::string_view name, field_errors& errors);

/// What the schema can't say. `before` is null when the object is created.
void check_kind(const resource_kind& kind, const proposal& wanted, const revision* before, field_errors& errors);

/// Whether an update of the subresource (empty: the object itself) may change the member.
bool is_writable(const resource_kind& kind, std::string_view member, std::string_view subresource);

/// Whether a change counts in metadata.generation.
bool raises_generation(const resource_kind& kind, const object_draft& wanted, const object_draft& before);

/// Whether nothing holds a terminating object any more.
bool is_released(const resource_kind& kind, const object_draft& object);

} // namespace sliceferry::storm
