#pragma once
#include "actors/core/memory.hpp"
#include "messages/clock.hpp"
#include "messages/hub_export.hpp"
#include "messages/inputs.hpp"

namespace sliceferry::core {

/// When the slice's present generation was seen first (C35–C40, C68), in whole seconds.
///
/// What a `generation seen` told stands until the member acknowledged it, so that a retry or a replay keeps it. Then
/// the slice's own annotations count, if they speak of this generation and not of the future; a future time that the
/// hub holds too was ours before the clock stepped back, and is kept (D11). A slice that lost all of it takes the
/// hub's value for this generation. Everything else is `now`.
/// `exported` is the export under the slice's name or its keeper, or null. Precondition: `seen.slice` is not null.
seconds_utc exported_since(const memory& held, const inputs& seen, const hub_export* exported, seconds_utc now);

} // namespace sliceferry::core
