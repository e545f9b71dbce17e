#pragma once
#include "test/storm/history/entry.hpp"

#include <vector>

namespace sliceferry::storm {

/// Takes those out of `held` that were carried out until then, in the order in which that happened.
///
/// An audit log tells when a server was done with answering a request, and of two writes of one object it may be done
/// with the later one first, even if that was only sent because the first was answered. The objects' resourceVersions
/// and uids tell the true order: a write was carried out before any answer to one that followed it. Other entries stay
/// in the order of their times.
std::vector<history_entry> take_ordered(std::vector<history_entry>& held, instant until);

} // namespace sliceferry::storm
