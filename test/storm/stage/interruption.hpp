#pragma once
#include <chrono>

namespace sliceferry::storm {

/// Ctrl-C and SIGTERM ask a run to end: it then stops what it started and leaves nothing behind.
void listen_for_interruption();
bool is_interrupted();
/// Waits for that long, or until interrupted. True where it was.
bool wait_unless_interrupted(std::chrono::milliseconds span);

} // namespace sliceferry::storm
