// The part of the dispatcher that takes what an earlier run left in the journal.
#include "actors/watch_dispatcher.hpp"

#include "actors/journal/memory_codec.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace sliceferry {

/// Lists may come before, between and after: where both tell of a slice, the clusters win.
void watch_dispatcher::recall(const memories_recalled& kept) {
  core::touched whom;
  for (const auto& [slice_uid, slice, held] : kept.streams)
    std::ranges::move(table_.remember(slice_uid, slice, held).uids, std::back_inserter(whom.uids));
  notify(whom, clock().now());
}

/// Before its slices are listed a member knows nothing of what it remembers.
void watch_dispatcher::tell_memories(const std::shared_ptr<const memories_question>& asked) {
  const bool is_synced = table_.synced(core::mirrored::slices);
  tell_memories({asked,
                 std::make_shared<std::vector<std::string>>(is_synced ? table_.uids() : std::vector<std::string>{}),
                 std::make_shared<std::string>()});
}

/// A little at a time: news must not wait for a million slices.
void watch_dispatcher::tell_memories(const memories_due& rest) {
  constexpr std::size_t at_once = 1000;
  for (std::size_t told = 0; told < at_once && !rest.left->empty(); ++told) {
    const auto uid = std::move(rest.left->back());
    rest.left->pop_back();
    if (!table_.knows(uid))
      continue;
    const auto held = table_.kept(uid);
    if (!held || *held != core::memory{})
      *rest.lines +=
        memory_line(ports_.identity->cluster, uid, held ? std::optional{journal::digest_of(*held)} : std::nullopt);
  }
  if (rest.left->empty())
    return rest.what->answer(std::move(*rest.lines));
  tell(this, caf::actor{this}, rest);
}

} // namespace sliceferry
