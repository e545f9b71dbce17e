// The part of the dispatcher that takes what an earlier run left in the journal.
#include "actors/watch_dispatcher.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sliceferry {

/// Lists may come before, between and after: where both tell of a slice, the clusters win.
void watch_dispatcher::recall(const memories_recalled& kept) {
  core::touched whom;
  for (const auto& [slice_uid, slice, held] : kept.streams)
    std::ranges::move(table_.remember(slice_uid, slice, held).uids, std::back_inserter(whom.uids));
  notify(whom, clock().now());
}

} // namespace sliceferry
