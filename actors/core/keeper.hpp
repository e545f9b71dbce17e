#pragma once
#include "actors/core/memory.hpp"
#include "messages/hub_export.hpp"
#include "messages/inputs.hpp"

#include <string_view>

namespace sliceferry::core {

/// True if the export is this slice's: we created it, or the member's table says so from its reference.
bool is_mine(const memory& held, const hub_export& seen);

/// Mine, not terminating, and no delete of ours was sent for it (the hub view may lag behind that).
bool is_live(const memory& held, const hub_export& seen);

/// The object of that name or UID, whoever owns it, or null.
const hub_export* find_named(const inputs& seen, std::string_view name);
const hub_export* find_uid(const inputs& seen, std::string_view hub_uid);

/// Of several exports of one slice the one to keep: the live one that the slice names, else the oldest live one (by
/// creation, then name). Null when none is live.
const hub_export* keeper(const memory& held, const inputs& seen);

} // namespace sliceferry::core
