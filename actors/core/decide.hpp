#pragma once
#include "actors/core/member_identity.hpp"
#include "actors/core/memory.hpp"
#include "messages/clock.hpp"
#include "messages/event.hpp"
#include "messages/inputs.hpp"

#include <vector>

namespace sliceferry::core {

/// The facts that follow from what the clusters show now, to be folded in this order; nothing if there is nothing new.
///
/// Decided only while no command is out, since facts that presuppose its outcome must not come before it. Asked again
/// with those facts folded it may find further ones, and after a few rounds none: the same picture never yields
/// a fact twice.
std::vector<event> decide(const member_identity& identity, const memory& held, const inputs& seen, seconds_utc now);

/// All facts that follow, one after the other, where they leave nothing outstanding; none where there are none, or a
/// command is owed in the end. A slice in sync of which memory knows nothing needs no exporter to take what there is.
std::vector<event> decide_to_rest(const member_identity& identity, memory held, const inputs& seen, seconds_utc now);

/// True when `decide` finds nothing and nothing is outstanding: the slice's exporter need not be woken.
bool quiet(const member_identity& identity, const memory& held, const inputs& seen, seconds_utc now);

} // namespace sliceferry::core
