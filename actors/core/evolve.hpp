#pragma once
#include "actors/core/memory.hpp"
#include "messages/event.hpp"

namespace sliceferry::core {

/// Folds one fact into memory. Replaying a journal is folding its events over an empty memory, and sends nothing.
memory evolve(memory held, const event& told);

} // namespace sliceferry::core
