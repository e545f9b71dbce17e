#include "actors/core/evolve.hpp"

#include <algorithm>
#include <cstddef>

namespace sliceferry::core {
namespace {

// Whoever deletes our exports again and again must not make memory grow: older UIDs than these name nothing any more.
constexpr std::size_t uids_max = 16;
constexpr std::size_t withdrawals_max = 8;

template <class T>
void keep_newest(std::vector<T>& all, std::size_t count_max) {
  if (all.size() > count_max)
    all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(count_max));
}

void take(memory& held, const adopted& x) {
  held.name = x.name;
  held.generation = x.generation;
  held.since = x.since;
  held.hub_uids = x.hub_uids;
  held.digest = held.accepted = x.digest;
  held.name_pending = held.annotate_owed = held.annotate_refused = held.apply_owed = held.over = false;
}

void take(memory& held, const generation_seen& x) {
  held.generation = x.generation;
  held.since = x.since;
  held.annotate_owed = true;
  held.apply_owed = held.over = false;
}

void take(memory& held, const name_chosen& x) {
  held.name = x.name;
  ++held.names_chosen;
  held.name_pending = held.annotate_owed = true;
  held.annotate_refused = held.apply_owed = held.over = false;
}

void take(memory& held, const annotated&) {
  held.name_pending = held.annotate_owed = held.annotate_refused = false;
  held.apply_owed = true;
  ++held.annotated_in_row;
}

void take(memory& held, const export_applied& x) {
  std::erase(held.hub_uids, x.hub_uid);
  held.hub_uids.push_back(x.hub_uid);
  keep_newest(held.hub_uids, uids_max);
  held.digest = x.digest;
  held.accepted = x.accepted;
  held.apply_owed = held.over = false;
  held.annotated_in_row = 0;
  std::erase_if(held.withdrawals, &withdrawal::done);
}

void take(memory& held, const withdrawal_begun& x) {
  held.withdrawals.push_back({x.name, x.hub_uid, x.why, false});
  keep_newest(held.withdrawals, withdrawals_max);
}

void take(memory& held, const withdrawal_cancelled&) {
  std::erase_if(held.withdrawals, [](const auto& each) { return !each.done; });
}

void take(memory& held, const export_withdrawn& x) {
  std::erase(held.hub_uids, x.hub_uid);
  for (auto& each : held.withdrawals)
    each.done = each.done || each.hub_uid == x.hub_uid;
  if (held.hub_uids.empty())
    held.digest = held.accepted = 0;
}

void take(memory& held, const annotations_cleared&) {
  held.name.clear();
  held.generation = 0;
  held.since = {};
  std::erase_if(held.withdrawals, &withdrawal::done);
  held.name_pending = held.annotate_owed = held.annotate_refused = held.apply_owed = false;
}

void take(memory& held, const refused& x) {
  held.annotate_refused = held.annotate_refused || x.command == name_of(command{annotate_slice{}});
}

void take(memory&, const drift_repaired&) {}
void take(memory&, const contradiction&) {}

void take(memory& held, const slice_gone&) {
  held.over = true;
}

} // namespace

memory evolve(memory held, const event& told) {
  std::visit([&](const auto& x) { take(held, x); }, told);
  return held;
}

} // namespace sliceferry::core
