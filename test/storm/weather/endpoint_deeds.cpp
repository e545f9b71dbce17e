#include "test/storm/weather/deed_scene.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::storm {
namespace {

bool retire_pod(const deed_scene& scene, slice& object) {
  const auto old =
    std::find_if(object.endpoints.begin(), object.endpoints.end(), [](const auto& x) { return x.ready; });
  if (old == object.endpoints.end())
    return false;
  endpoint successor = fresh_endpoint(scene.member, scene.chance);
  successor.ready = false;
  if (object.endpoints.size() >= endpoints_max) {
    *old = successor;
    return true;
  }
  old->ready = false;
  old->terminating = true;
  object.endpoints.push_back(successor);
  return true;
}

bool finish_pod(slice& object) {
  bool changed = std::erase_if(object.endpoints, [](const auto& x) { return x.terminating; }) > 0;
  for (auto& each : object.endpoints)
    changed = !std::exchange(each.ready, true) || changed;
  return changed;
}

bool has(const slice& object, const endpoint& wanted) {
  return std::any_of(object.endpoints.begin(), object.endpoints.end(),
                     [&](const auto& x) { return x.pod == wanted.pod; });
}

/// The last half of the other slice's, as far as there is room. Both show them for a moment, as while kube repacks.
bool take_endpoints(const slice& other, slice& object) {
  bool changed = false;
  for (std::size_t i = other.endpoints.size() / 2; i < other.endpoints.size(); ++i)
    if (object.endpoints.size() < endpoints_max && !has(object, other.endpoints[i])) {
      object.endpoints.push_back(other.endpoints[i]);
      changed = true;
    }
  return changed;
}

bool set_node(slice& object, std::uint32_t node, bool ready) {
  bool changed = false;
  for (auto& each : object.endpoints)
    if (each.node == node && !each.terminating && each.ready != ready) {
      each.ready = ready;
      changed = true;
    }
  return changed;
}

bool churn(const deed_scene& scene, slice& object) {
  const std::uint32_t luck = scene.chance.below(100);
  if (object.endpoints.empty() || (luck < 15 && object.endpoints.size() < 8))
    object.endpoints.push_back(fresh_endpoint(scene.member, scene.chance));
  else if (luck < 30 && object.endpoints.size() > 1)
    object.endpoints.pop_back();
  else {
    auto& each = object.endpoints[scene.chance.below(object.endpoints.size())];
    each.ready = !each.ready;
  }
  return true;
}

} // namespace

bool change_endpoints(const deed_scene& scene, slice& object) {
  switch (scene.wanted.what) {
    case deed_kind::retire_pod:
      return retire_pod(scene, object);
    case deed_kind::finish_pod:
      return finish_pod(object);
    case deed_kind::take_endpoints:
      return take_endpoints(scene.member.slices[scene.wanted.with], object);
    case deed_kind::drop_endpoints: {
      const slice& other = scene.member.slices[scene.wanted.with];
      return std::erase_if(object.endpoints, [&](const auto& x) { return has(other, x); }) > 0;
    }
    case deed_kind::refill_slice:
      if (!object.endpoints.empty())
        return false;
      object.endpoints = fresh_endpoints(scene.member, scene.chance);
      return true;
    case deed_kind::lose_node:
      return set_node(object, scene.wanted.with, false);
    case deed_kind::regain_node:
      return set_node(object, scene.wanted.with, true);
    case deed_kind::churn_slice:
      return churn(scene, object);
    default:
      return false;
  }
}

} // namespace sliceferry::storm
