#pragma once
#include "actors/core/member_identity.hpp"
#include "actors/core/memory.hpp"
#include "messages/command.hpp"
#include "messages/event.hpp"
#include "messages/inputs.hpp"
#include "messages/outcome.hpp"

#include <vector>

namespace sliceferry::core {

/// What a command's outcome tells beyond the inputs that came with it, which already show the objects it touched.
///
/// Most outcomes need no fact: what is then still owed is judged from the inputs (`conflict`, a lost answer, a change
/// that met no object). `superseded`, `taken_back` and `too_late` tell nothing.
std::vector<event> facts_of(const member_identity& identity, const memory& held, const inputs& seen,
                            const command& asked, const outcome& end);

} // namespace sliceferry::core
