#pragma once
#include "test/storm/weather/fleet.hpp"

#include <cstdint>
#include <string>

namespace sliceferry::storm {

/// A slice and when its users' clock stands at `changes`.
struct slice_view {
  const member_fleet& member;
  const slice& object;
  std::uint32_t changes = 0;
};

/// The object for a POST. `saved_annotations` are those of a saved manifest: empty, or members of an object with a
/// comma in front.
std::string slice_object(const slice_view& seen, const std::string& saved_annotations);

// Merge patches. Each shows what the model holds now.

std::string endpoints_patch(const slice_view& seen);
std::string ports_patch(const slice_view& seen);
std::string wiped_patch(const slice_view& seen);
std::string touched_patch(const slice_view& seen);
std::string service_label_patch(const slice_view& seen);
std::string manager_label_patch(const slice_view& seen);

} // namespace sliceferry::storm
