#pragma once

namespace sliceferry {

/// SIGTERM and SIGINT ask us to end. Blocked in every thread, so that whoever awaits them alone takes them: to be
/// called before any thread starts.
void block_ending_signals();

/// Waits for one of them, and says which it was. One that came before counts.
int await_ending_signal();

} // namespace sliceferry
