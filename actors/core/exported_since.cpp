#include "actors/core/exported_since.hpp"

#include "actors/core/last_seen.hpp"

namespace sliceferry::core {

seconds_utc exported_since(const memory& held, const inputs& seen, const hub_export* exported, seconds_utc now) {
  const auto& slice = *seen.slice;
  if (held.annotate_owed && held.generation == slice.generation)
    return held.since;
  if (const auto told = read_last_seen(slice.ours); told && told->generation == slice.generation) {
    const bool stepped_back = exported && exported->since == told->since;
    return told->since <= now || stepped_back ? told->since : now;
  }
  if (!slice.ours.name && exported && exported->generation == slice.generation && exported->since)
    return *exported->since;
  return now;
}

} // namespace sliceferry::core
