#pragma once
#include "test/storm/simulation/defect.hpp"
#include "test/storm/simulation/safety.hpp"
#include "test/storm/simulation/step.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace sliceferry::storm {

/// Plays the trace and the fair weather after it. Nothing, or what went wrong.
std::optional<violation> replay(const trace& steps, defect planted = defect::none);

/// The trace of a seed: which kinds of trouble come together, and how often, is drawn first.
trace make_trace(std::uint64_t seed, std::size_t length);

/// The shortest trace found that breaks the same check: chunks go, then single steps, then numbers become smaller.
trace shrink(trace steps, const std::string& check, defect planted = defect::none);

/// The trace as a test can replay it, with the time and the requests of each step, and what went wrong.
std::string describe(const trace& steps, defect planted = defect::none);

} // namespace sliceferry::storm
