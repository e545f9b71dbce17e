#pragma once
#include "test/storm/weather/fleet.hpp"

#include <cstdint>
#include <string>

namespace sliceferry::storm {

/// A ServiceExport for a POST, not judged yet.
std::string consent_object(const std::string& name, const std::string& nspace, bool held);
/// Its status as a merge patch: both conditions, as the controller of ServiceExports writes them.
std::string verdict_patch(verdict judged, std::uint32_t changes);
/// Takes all finalizers away.
std::string released_patch();

} // namespace sliceferry::storm
