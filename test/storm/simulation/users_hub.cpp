#include "test/storm/simulation/users.hpp"

#include <iterator>
#include <vector>

namespace sliceferry::storm {

bool users::on_hub(const step& one) {
  const auto* slice = truth_.slices().find(slot_key(one.a));
  const auto* held = export_at(one.a);
  switch (one.what) {
    case op::hub_edit:
      return edit(one.a, one.b), true;
    case op::hub_delete:
      if (held != nullptr)
        truth_.remove_export(object_key{held->key});
      return true;
    case op::hub_foreign: {
      const bool is_free = slice && slice->ours.name && !truth_.exports().find({our_nspace, *slice->ours.name});
      const auto name = is_free ? *slice->ours.name : "foreign-" + std::to_string(one.b % 3);
      if (truth_.exports().find({our_nspace, name}) == nullptr)
        put_export(name, make_slice(slot_key(one.a), "another"), "m2");
      return true;
    }
    case op::hub_leftover:
      return leftovers(one.a % 64 == 7 ? 40 : 1 + one.a % 2), true;
    case op::hub_twin:
      if (slice != nullptr)
        put_export("twin-" + std::to_string(++made_), *slice, our_cluster);
      return true;
    case op::controller:
      if (held != nullptr)
        truth_.finalize(object_key{held->key});
      return true;
    case op::hub_nspace:
      return set_nspace(one.a % 3), true;
    default: // not theirs
      return false;
  }
}

void users::edit(std::uint32_t index, std::uint32_t how) {
  const auto* held = export_at(index);
  if (held == nullptr)
    return;
  auto next = *held;
  const auto* other = truth_.slices().find(slot_key(how / 8));
  switch (how % 8) {
    case 0:
    case 1:
      next.spec.endpoints = {{{"6.6.6.6"}}};
      break;
    case 2:
      next.spec.reference.generation -= 1;
      break;
    case 3:
      next.spec.reference.exported_since.reset();
      break;
    case 4:
      next.spec.owner = {{"shop", "stolen"}, "shop/stolen"};
      break;
    case 5:
      if (other != nullptr)
        next.spec.reference.uid = other->uid;
      break;
    case 6:
      next.spec.reference.cluster = "m2";
      break;
    default: // a label
      break;
  }
  truth_.put(next);
}

void users::put_export(const std::string& name, const endpoint_slice& of, const std::string& cluster) {
  slice_export out;
  out.key = {our_nspace, name};
  out.uid = truth_.fresh_uid('h');
  out.created = truth_.now;
  auto& reference = out.spec.reference;
  reference.cluster = cluster;
  reference.slice = of.key;
  reference.namespaced_name = to_string(of.key);
  reference.uid = of.uid;
  reference.generation = of.generation;
  reference.exported_since = truth_.now;
  out.spec.owner = {{of.key.nspace, "web"}, of.key.nspace + "/web"};
  if (truth_.hub_nspace == clusters::nspace::there)
    truth_.put(out);
}

void users::leftovers(std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto number = std::to_string(++made_);
    put_export("leftover-" + number, make_slice({"shop", "old-" + number}, truth_.fresh_uid('u')), our_cluster);
  }
}

void users::set_nspace(std::uint32_t state) {
  truth_.hub_nspace = static_cast<clusters::nspace>(state);
  if (truth_.hub_nspace == clusters::nspace::there)
    return;
  std::vector<object_key> all;
  for (const auto& [key, one] : truth_.exports().all())
    all.push_back(key);
  for (const auto& key : all) {
    truth_.remove_export(key);
    if (truth_.hub_nspace == clusters::nspace::gone)
      truth_.finalize(key); // lets go of what still terminates
  }
}

const slice_export* users::export_at(std::uint32_t index) const {
  const auto& all = truth_.exports().all();
  return all.empty() ? nullptr : std::next(all.begin(), static_cast<std::ptrdiff_t>(index % all.size()))->second.get();
}

} // namespace sliceferry::storm
