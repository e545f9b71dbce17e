#pragma once
#include "messages/endpoint_slice.hpp"
#include "messages/service_export.hpp"
#include "messages/slice_export.hpp"
#include "test/storm/simulation/clusters.hpp"

#include <string>

namespace sliceferry::storm {

/// Whether a slice ought to be on the hub. `unsure`: its ServiceExport was changed and not judged anew, so that what
/// was decided before stands.
enum class calling { no, unsure, yes };

/// Worked out from the objects alone; shares no rule with the program.
calling calls_for_export(const endpoint_slice& slice, const service_export* consent);
calling calls_for_export(const clusters& truth, const endpoint_slice& slice);

/// The same content for those who read it: all of the spec but `reference.resourceVersion`. An empty kind or
/// apiVersion, as other agents leave them, means the usual one.
bool same_content(const slice_export_spec& left, const slice_export_spec& right);

/// What is wrong with the hub and with the slices' annotations, or nothing. Every slice that is called for has exactly
/// one export, under the name that it carries, with the content that it has; of all others none is left.
std::string difference(const clusters& truth);

} // namespace sliceferry::storm
