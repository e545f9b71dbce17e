#include "actors/core/name_choice.hpp"

#include "actors/core/dns1123.hpp"
#include "actors/core/keeper.hpp"
#include "actors/core/last_seen.hpp"

#include <algorithm>

namespace sliceferry::core {
namespace {

bool is_foreign(const memory& held, const inputs& seen, const std::string& name) {
  const auto* object = find_named(seen, name);
  return object && !is_mine(held, *object);
}

bool was_withdrawn(const memory& held, const std::string& name) {
  return std::ranges::any_of(held.withdrawals, [&](const auto& each) { return each.done && each.name == name; });
}

/// The slice goes by a name that memory never heard of, though it was given later than the one that memory takes for
/// pending: its export is there, or its date is newer.
bool has_left_behind(const memory& held, const inputs& seen) {
  const auto& ours = seen.slice->ours;
  if (!ours.name || ours.name == held.name || !is_dns1123_subdomain(*ours.name) || was_withdrawn(held, *ours.name) ||
      is_foreign(held, seen, *ours.name))
    return false;
  const auto* object = find_named(seen, *ours.name);
  const auto told = read_last_seen(ours);
  return (object && is_live(held, *object)) ||
         (told && (told->generation > held.generation || told->since > held.since));
}

} // namespace

name_choice choose_name(const memory& held, const inputs& seen) {
  if (held.name_pending && !is_foreign(held, seen, held.name) && !has_left_behind(held, seen))
    return {name_rule::pending, held.name};
  const auto& name = seen.slice->ours.name;
  if (!name) {
    const auto* kept = keeper(held, seen);
    return kept ? name_choice{name_rule::kept, kept->name} : name_choice{name_rule::fresh, {}};
  }
  if (was_withdrawn(held, *name))
    return {name_rule::renewed, {}};
  if (is_dns1123_subdomain(*name) && !is_foreign(held, seen, *name))
    return {name_rule::as_is, *name};
  return {name_rule::fresh, {}};
}

} // namespace sliceferry::core
