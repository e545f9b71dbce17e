#pragma once
#include "actors/journal/journal.hpp"
#include "actors/journal/journal_store.hpp"

#include <atomic>
#include <cstdint>

namespace sliceferry::journal {

/// Tells `hooks` of all streams as of a position, in batches of one member each, until `stopped`. The store must be
/// kept from replacing its snapshot.
recovery_counts recover_streams(const journal_store& store, std::uint64_t through, const recovery_hooks& hooks,
                                const std::atomic<bool>& stopped);

} // namespace sliceferry::journal
