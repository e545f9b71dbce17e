#pragma once
#include "actors/core/explanation.hpp"
#include "actors/core/member_identity.hpp"
#include "actors/core/memory.hpp"
#include "messages/clock.hpp"
#include "messages/command.hpp"
#include "messages/inputs.hpp"

namespace sliceferry::core {

/// Why the slice is exported or not, from what an exporter goes by and by the very rules that it applies:
/// `reason_target` says which one decided, `decide` what would be concluded, `outstanding` what is owed. Here is
/// nothing but words for it.
///
/// `out`: the command that the slice's exporter has out, or null. Only then is nothing decided beyond what `held`
/// tells, as an exporter doesn't either. A blank memory is adopted from what the clusters show, as on a cold start.
explanation explain(const member_identity& identity, const memory& held, const inputs& seen, const command* out,
                    seconds_utc now);

} // namespace sliceferry::core
