#pragma once
#include <chrono>
#include <csignal>
#include <functional>

namespace sliceferry {

/// Waits for one of these signals, which every thread must block, and returns it.
///
/// Meanwhile it looks now and then whether the program is ready. When it is, and still is at the next look, it gives
/// the system back, once, what lists and journal took to get there: nobody needs that any more, and the allocator alone
/// would keep some 200 bytes a slice of it for ever.
int await_signal(const sigset_t& signals, const std::function<bool()>& is_ready,
                 std::chrono::nanoseconds look_every = std::chrono::seconds{2});

} // namespace sliceferry
