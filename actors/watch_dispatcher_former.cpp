// The part of the dispatcher that takes away what the member left behind under former names.
#include "actors/watch_dispatcher.hpp"

#include "actors/core/former_target.hpp"
#include "actors/log.hpp"
#include "k8s/resource.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry {

namespace {

/// Deletes that are out together; more are asked for once half of them have ended.
constexpr std::size_t out_max = 64;

/// The guard tells these from the wishes of the slices themselves.
std::string wish_of(const std::string& cluster, const std::string& slice_uid) {
  return cluster + '/' + slice_uid;
}

} // namespace

void watch_dispatcher::take_former(const exports_read& seen) {
  const auto found = former_.find(seen.hub_nspace);
  if (found == former_.end())
    return;
  found->second.exports.exports(*seen.batch);
  house_changed();
}

bool watch_dispatcher::former_ended(const write_answer& answer) {
  for (auto& [nspace, former] : former_) {
    const auto found = former.out.find(answer.slice_uid);
    if (found == former.out.end() || found->second != answer.ticket)
      continue;
    former.exports.ended(answer.slice_uid, answer.how);
    if (answer.how != verdict::too_late)
      former.out.erase(found);
    if (former.out.size() == out_max / 2)
      sweep(former);
    return true;
  }
  return false;
}

void watch_dispatcher::sweep_former() {
  for (auto& [nspace, former] : former_)
    sweep(former);
}

void watch_dispatcher::sweep(former_share& former) {
  auto& guard = gate_.absence_guard();
  const auto moment = clock().now();
  const auto plan = former.exports.due(
    [this](const core::leftover& each) { return core::former_target(*ports_.identity, table_, each); },
    [&](const std::string& slice_uid) { return guard.leave(wish_of(former.cluster, slice_uid)); }, moment, out_max);
  for (const auto& each : plan.withdraw) {
    former.out[each.hub_uid] = ++turn_;
    tell(this, ports_.hub_writer, submission{former.cluster, each.hub_uid, turn_, std::nullopt, each, this});
    log::info("withdrawing an export of a former name", {{"member", ports_.identity->cluster},
                                                         {"former_name", former.cluster},
                                                         {"unique_name", each.name},
                                                         {"reason", std::string(to_string(each.why))}});
  }
  for (const auto& hub_uid : plan.take_back)
    if (const auto found = former.out.find(hub_uid); found != former.out.end())
      tell(this, ports_.hub_writer, take_back_request{former.cluster, hub_uid, found->second, this});
  std::vector<std::string> forgotten;
  for (const auto& uid : plan.forget)
    forgotten.push_back(wish_of(former.cluster, uid));
  obey_if_any(guard.forget(forgotten, moment));
  std::vector<core::guard::wish> wishes;
  for (const auto& each : plan.wishes)
    wishes.push_back({wish_of(former.cluster, each.slice_uid), each.nspace});
  if (!wishes.empty())
    obey_if_any(guard.ask(wishes, table_.exports() + former.exports.left(), moment));
}

/// Nothing, if the wish isn't one under a former name, or forgotten meanwhile.
watch_dispatcher::place watch_dispatcher::what_is_absent_of_former(const std::string& wish) const {
  for (const auto& [nspace, former] : former_) {
    if (!wish.starts_with(former.cluster + '/'))
      continue;
    const auto slice_uid = wish.substr(former.cluster.size() + 1);
    if (table_.knows(slice_uid))
      return what_is_absent(slice_uid);
    if (const auto slice = former.exports.slice_of(slice_uid))
      return {k8s::object_path(k8s::endpoint_slices, *slice), slice_uid};
  }
  return {};
}

bool watch_dispatcher::has_former_left() const {
  return std::ranges::any_of(
    former_, [](const auto& each) { return !each.second.exports.synced() || each.second.exports.left() != 0; });
}

} // namespace sliceferry
