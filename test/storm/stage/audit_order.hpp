#pragma once
#include "test/storm/history/entry.hpp"

#include <vector>

namespace sliceferry::storm {

/// Takes those out of `held` that were carried out until then, in the order in which that happened, with times that
/// tell it too.
///
/// Of two writes of one object a server may be done with the later one first, even if that was only sent because the
/// first was answered, and it may receive the later one first. The objects' resourceVersions and uids tell the true
/// order. Other entries stay in the order of their times; see `audit_line.hpp` for what those are.
std::vector<history_entry> take_ordered(std::vector<history_entry>& held, instant until);

} // namespace sliceferry::storm
