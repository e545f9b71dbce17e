#include "actors/journal/recovery.hpp"

#include "actors/journal/memory_codec.hpp"
#include "actors/journal/stream_key.hpp"
#include "actors/journal/stream_scan.hpp"

#include <map>
#include <utility>

namespace sliceferry::journal {
namespace {

constexpr std::size_t streams_per_batch = 1000;
constexpr std::size_t streams_per_read = 4000;

} // namespace

recovery_counts recover_streams(const journal_store& store, std::uint64_t through, const recovery_hooks& hooks,
                                const std::atomic<bool>& stopped) {
  recovery_counts out;
  std::map<std::string, std::vector<recovered_stream>> batches;
  const auto hand_over = [&](const std::string& member, std::vector<recovered_stream>& batch) {
    out.streams += batch.size();
    hooks.recovered(member, std::exchange(batch, {}));
  };
  stream_scan scan(store, through);
  while (out.failure.empty() && !scan.is_done() && !stopped) {
    out.failure = scan.next(streams_per_read, [&](std::string_view key, std::string_view memory) {
      auto kept = decode_memory(memory);
      auto whose = kept && is_hashed_key(key) && stream_key(kept->whose) == key ? kept->whose : stream_of(key);
      if (!whose || !kept) {
        ++out.skipped;
        return;
      }
      batches[whose->member].push_back({std::move(whose->slice_uid), std::move(kept->slice), std::move(kept->held)});
    });
    for (auto& [member, batch] : batches)
      if (batch.size() >= streams_per_batch)
        hand_over(member, batch);
  }
  for (auto& [member, batch] : batches)
    if (!batch.empty() && !stopped)
      hand_over(member, batch);
  out.records = scan.records();
  out.skipped += scan.skipped();
  return out;
}

} // namespace sliceferry::journal
