#include "actors/core/name_choice.hpp"

#include "actors/core/dns1123.hpp"
#include "actors/core/keeper.hpp"

#include <algorithm>

namespace sliceferry::core {

name_choice choose_name(const memory& held, const inputs& seen) {
  const auto is_foreign = [&](const std::string& name) {
    const auto* object = find_named(seen, name);
    return object && !is_mine(held, *object);
  };
  if (held.name_pending && !is_foreign(held.name))
    return {name_rule::pending, held.name};
  const auto& name = seen.slice->ours.name;
  if (!name) {
    const auto* kept = keeper(held, seen);
    return kept ? name_choice{name_rule::kept, kept->name} : name_choice{name_rule::fresh, {}};
  }
  if (std::ranges::any_of(held.withdrawals, [&](const auto& each) { return each.done && each.name == *name; }))
    return {name_rule::renewed, {}};
  if (is_dns1123_subdomain(*name) && !is_foreign(*name))
    return {name_rule::as_is, *name};
  return {name_rule::fresh, {}};
}

} // namespace sliceferry::core
