#pragma once
#include "test/storm/server/proposal.hpp"

namespace sliceferry::storm {

/// Holds a CustomResourceDefinition that is being deleted until its objects are gone.
constexpr std::string_view definition_finalizer = "customresourcecleanup.apiextensions.k8s.io";

/// A new definition is served at once: names accepted, established. (A real one takes some milliseconds.)
void prepare_definition(const resource_kind& kind, proposal& wanted);

/// The status of a definition that is being deleted.
std::string terminating_status(std::string_view status, const std::string& stamp);

void check_definition(const proposal& wanted, field_errors& errors);

} // namespace sliceferry::storm
