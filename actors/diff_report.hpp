#pragma once
#include "actors/core/diff.hpp"

#include <string>

namespace sliceferry {

/// How one member stands, for people: counts of each kind, then of each kind at most 20 lines
/// `NAMESPACE/NAME  EXPORT  what differs`, then one line that closes it. What is harmless is counted alone.
std::string text_of(const std::string& member, const core::comparison& told);

/// The same for programs, whole: one JSON object on one line.
///
/// `member`, `in_sync`, `slices`, `wanted`, `exports`, `foreign`, and the lists `differences` and `harmless` of objects
/// with `kind` (as `to_string(difference_kind)` spells it), `namespace`, `name` and `uid` of the slice, `export`,
/// `why`, and `fields`, a list of objects with `field`, `is`, `should_be`. What isn't known is an empty text. These
/// names stay; others may join them.
std::string json_of(const std::string& member, const core::comparison& told);

/// Of a member that could not be read, for programs: `member`, and `failures`, a list of texts.
std::string json_of_failures(const std::string& member, const std::vector<std::string>& failures);

} // namespace sliceferry
