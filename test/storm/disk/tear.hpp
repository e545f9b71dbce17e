#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace sliceferry::storm {

/// Damages a journal's data file of which no process knows at the moment, as a disk does that lost or mixed up what was
/// written last: either it ends somewhere in its last half, or some bits near its end are flipped. The seed decides.
///
/// Says what it did; empty where the file isn't there or too small to be damaged.
std::string tear(const std::filesystem::path& file, std::uint64_t seed);

} // namespace sliceferry::storm
