#include "actors/core/keeper.hpp"

#include <algorithm>
#include <tuple>

namespace sliceferry::core {

bool is_mine(const memory& held, const hub_export& seen) {
  return seen.mine || created(held, seen.uid);
}

bool is_live(const memory& held, const hub_export& seen) {
  return !seen.terminating && is_mine(held, seen) && std::ranges::none_of(held.withdrawals, [&](const auto& each) {
    return each.done && each.hub_uid == seen.uid;
  });
}

const hub_export* find_named(const inputs& seen, std::string_view name) {
  const auto found = std::ranges::find(seen.hub, name, &hub_export::name);
  return found == seen.hub.end() ? nullptr : &*found;
}

const hub_export* find_uid(const inputs& seen, std::string_view hub_uid) {
  const auto found = std::ranges::find(seen.hub, hub_uid, &hub_export::uid);
  return found == seen.hub.end() ? nullptr : &*found;
}

const hub_export* keeper(const memory& held, const inputs& seen) {
  const hub_export* best = nullptr;
  for (const auto& each : seen.hub) {
    if (!is_live(held, each))
      continue;
    if (seen.slice && seen.slice->ours.name == each.name)
      return &each;
    if (!best || std::tie(each.created, each.name) < std::tie(best->created, best->name))
      best = &each;
  }
  return best;
}

} // namespace sliceferry::core
