#pragma once
#include "actors/core/member_identity.hpp"
#include "actors/core/memory.hpp"
#include "messages/command.hpp"
#include "messages/inputs.hpp"

#include <optional>

namespace sliceferry::core {

/// The one command that is owed next, given what is remembered and what the clusters show; nothing if they agree.
///
/// On export the slice is annotated before the hub is written, and each acknowledged annotate is followed by one apply
/// with the newest content. On withdrawal the exports go first, then the annotations. Asked again without news, it
/// says the same again: that is how a crash anywhere heals.
std::optional<command> outstanding(const member_identity& identity, const memory& held, const inputs& seen);

} // namespace sliceferry::core
