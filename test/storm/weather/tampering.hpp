#pragma once
#include "test/storm/weather/deed_scene.hpp"

#include <string>

namespace sliceferry::storm {

/// A merge patch that edits one or more of our annotations in a way that the table of them names.
std::string tampered_patch(const deed_scene& scene, slice& object);
/// Our annotations as a manifest saved from this slice would hold them: members with a comma in front.
std::string saved_annotations(const slice& object);

} // namespace sliceferry::storm
