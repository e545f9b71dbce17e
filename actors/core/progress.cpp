#include "actors/core/progress.hpp"

#include "actors/core/desired_export.hpp"
#include "actors/core/keeper.hpp"
#include "actors/core/last_seen.hpp"

namespace sliceferry::core {

bool is_named(const memory& held, const endpoint_slice& slice) {
  return !held.name.empty() && slice.ours.name == held.name;
}

bool is_annotated(const memory& held, const endpoint_slice& slice) {
  return is_named(held, slice) && read_last_seen(slice.ours) == last_seen{held.generation, held.since};
}

bool is_apply_due(const memory& held, const inputs& seen) {
  if (!held.apply_owed || !is_named(held, *seen.slice))
    return false;
  // A journal that wasn't written for a while remembers a time that the slice has left behind.
  const auto told = read_last_seen(seen.slice->ours);
  if (told && *told != last_seen{held.generation, held.since})
    return false;
  const auto* object = find_named(seen, held.name);
  return !object || !is_live(held, *object) || object->generation < held.generation || object->since != held.since;
}

bool is_exported(const member_identity& identity, const memory& held, const inputs& seen) {
  if (held.annotate_owed || !is_annotated(held, *seen.slice))
    return false;
  const auto* object = find_named(seen, held.name);
  return object && is_live(held, *object) && holds(held, *object, desire(identity, held, *seen.slice).digest);
}

} // namespace sliceferry::core
