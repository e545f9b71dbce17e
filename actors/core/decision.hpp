#pragma once
#include "messages/event.hpp"

namespace sliceferry::core {

/// True for what was decided, and so must be durable before a command that follows from it leaves: after a crash the
/// next life decides from it as the last one did. The rest are facts that the clusters showed or answered; they are
/// journaled without anybody waiting, since the clusters show them again.
bool is_decision(const event& told);

} // namespace sliceferry::core
