#pragma once
#include "test/storm/history/entry.hpp"

#include <vector>

namespace sliceferry::storm {

/// Takes those out of `held` that were carried out until then, in the order in which that happened.
///
/// An audit log tells when a request was answered, and of two writes of one object that came at once the later one may
/// be answered first. The objects' resourceVersions tell the true order: a write was carried out before any answer to
/// one that followed it, and one of an object that ended before the answer to its deletion. Other entries stay in the
/// order of their times.
std::vector<history_entry> take_ordered(std::vector<history_entry>& held, instant until);

} // namespace sliceferry::storm
