#include "test/storm/simulation/users.hpp"

#include "messages/rfc3339.hpp"

#include <array>
#include <utility>
#include <vector>

namespace sliceferry::storm {
namespace {

const std::array services{object_key{"shop", "web"}, object_key{"shop", "api"}, object_key{"bank", "web"}};

condition judged(condition::status is, std::int64_t generation) {
  return {is, generation};
}

} // namespace

object_key users::slot_key(std::uint32_t slot) {
  slot %= slots_count;
  const std::string name = "s" + std::to_string(slot);
  return {slot == slots_count - 1 ? imports_nspace : slot == slots_count - 2 ? "bank" : "shop", name};
}

endpoint_slice users::make_slice(const object_key& key, std::string uid) {
  endpoint_slice out;
  out.key = key;
  out.uid = std::move(uid);
  out.generation = 1;
  out.address_type = "IPv4";
  out.service = "web";
  out.ports = {{port{"http", "TCP", 80, {}}}};
  return out;
}

bool users::carry_out(const step& one) {
  return on_member(one) || on_hub(one);
}

bool users::on_member(const step& one) {
  const auto key = slot_key(one.a);
  switch (one.what) {
    case op::write_slice:
      return write_slice(key, one.b), true;
    case op::label_slice:
      return label(key, one.b), true;
    case op::mark_slice:
      return mark(key, one.b), true;
    case op::delete_slice:
      return remove_slice(key, one.b % 3 == 1), true;
    case op::recreate_slice:
      return recreate(key, one.b % 2 == 1), true;
    case op::tamper:
      return tamper(key, one.b), true;
    case op::consent:
      return consent(one.a, one.b), true;
    case op::drop_nspace:
      return drop_nspace(one.a % 2 == 0 ? "shop" : "bank"), true;
    default: // the others belong to the hub, or to nobody
      return false;
  }
}

bool users::tidy() {
  bool any = std::exchange(truth_.hub_nspace, clusters::nspace::there) != clusters::nspace::there;
  std::vector<service_export> stale;
  for (const auto& [key, one] : truth_.consents().all())
    if (!one->valid || one->valid->observed_generation != one->generation)
      stale.push_back(*one);
  for (auto& one : stale) {
    if (!one.valid) {
      one.valid = judged(condition::status::yes, one.generation);
      one.conflict = judged(condition::status::no, one.generation);
    }
    one.valid->observed_generation = one.conflict->observed_generation = one.generation;
    truth_.put(one);
  }
  std::vector<object_key> unfinished;
  for (const auto& [key, one] : truth_.exports().all())
    if (one->terminating || !truth_.finalized(one->uid))
      unfinished.push_back(key);
  for (const auto& key : unfinished)
    truth_.finalize(key);
  return any || !stale.empty() || !unfinished.empty();
}

void users::write_slice(const object_key& key, std::uint32_t content) {
  const auto* held = truth_.slices().find(key);
  auto next = held ? *held : make_slice(key, truth_.fresh_uid('u'));
  const std::vector<endpoint> ready{{{"10.0." + key.name.substr(1) + "." + std::to_string(content % 200)}}};
  if (held && held->ready == ready)
    return;
  next.ready = ready;
  next.generation += held ? 1 : 0;
  truth_.put(next);
}

void users::label(const object_key& key, std::uint32_t service) {
  const auto* held = truth_.slices().find(key);
  constexpr std::array texts{"web", "api", "none", ""};
  std::optional<std::string> wanted = texts[service % texts.size()];
  if (wanted == "none")
    wanted.reset();
  if (held == nullptr || held->service == wanted)
    return;
  auto next = *held;
  next.service = wanted;
  next.generation += 1;
  truth_.put(next);
}

void users::mark(const object_key& key, std::uint32_t how) {
  const auto* held = truth_.slices().find(key);
  if (held == nullptr)
    return;
  auto next = *held;
  next.generation += 1;
  switch (how % 6) {
    case 0:
      next.address_type = held->address_type == "IPv4" ? "IPv6" : "IPv4";
      break;
    case 1:
      next.managed_by =
        held->managed_by.empty() ? "endpointsliceimport-controller.networking.fleet.azure.com" : std::string{};
      break;
    case 2:
      next.ports = held->ports ? port_list{} : port_list{{port{"grpc", "TCP", 90, {}}}};
      break;
    case 3:
      next.ready.clear();
      break;
    default: // somebody's label or annotation
      next.generation = held->generation;
      break;
  }
  truth_.put(next);
}

void users::remove_slice(const object_key& key, bool held_by_finalizer) {
  const auto* held = truth_.slices().find(key);
  if (held == nullptr)
    return;
  if (!held_by_finalizer || held->deleting)
    return truth_.remove_slice(key);
  auto next = *held;
  next.deleting = true;
  truth_.put(next);
}

void users::recreate(const object_key& key, bool with_annotations) {
  const auto* held = truth_.slices().find(key);
  if (held == nullptr)
    return;
  auto next = *held;
  next.uid = truth_.fresh_uid('u');
  next.generation = 1;
  next.deleting = false;
  if (with_annotations)
    meddled_.insert(next.uid);
  else
    next.ours = {};
  truth_.remove_slice(key);
  truth_.put(next);
}

void users::tamper(const object_key& key, std::uint32_t how) {
  const auto* held = truth_.slices().find(key);
  if (held == nullptr)
    return;
  auto next = *held;
  constexpr std::array times{"x", "2036-01-01T00:00:00Z", "2006-01-01T00:00:00.5+02:00"};
  if (how % 10 == 0)
    next.ours = {};
  else if (how % 10 == 7)
    next.ours.generation = how % 3 == 0 ? "x" : "99";
  else if (how % 10 > 7)
    next.ours.timestamp = times[how / 10 % times.size()];
  else
    set_name(next, how);
  if (next == *held)
    return;
  meddled_.insert(next.uid);
  truth_.put(next);
}

void users::set_name(endpoint_slice& slice, std::uint32_t how) {
  const auto* other = export_at(how / 10);
  switch (how % 10) {
    case 1:
    case 2:
      slice.ours.name.reset();
      return;
    case 3:
      slice.ours.name = "Not_Valid";
      return;
    case 4:
      slice.ours.name = "";
      return;
    case 5:
      slice.ours.name = "unused-" + std::to_string(++made_);
      return;
    default: // another's export, if there is any
      if (other != nullptr)
        slice.ours.name = other->key.name;
      return;
  }
}

void users::consent(std::uint32_t service, std::uint32_t how) {
  const auto& key = services[service % services.size()];
  const auto* held = truth_.consents().find(key);
  how %= 8;
  if (how == 1)
    return truth_.remove_consent(key);
  service_export next = held ? *held : service_export{};
  if (held == nullptr || how == 6 || (held->deleting && how != 4)) { // what is being deleted never comes back
    next = {};
    next.key = key;
    next.uid = truth_.fresh_uid('c');
    next.generation = 1;
    if (held != nullptr)
      truth_.remove_consent(key);
  }
  using status = condition::status;
  next.generation += how == 5 ? 1 : 0;
  next.deleting = how == 4;
  if (how != 5 && how != 6) {
    next.valid = judged(how == 2 ? status::no : status::yes, next.generation);
    next.conflict = judged(how == 3 ? status::yes : status::no, next.generation);
  }
  truth_.put(next);
}

void users::drop_nspace(const std::string& nspace) {
  for (std::uint32_t slot = 0; slot < slots_count; ++slot)
    if (const auto key = slot_key(slot); key.nspace == nspace && truth_.slices().find(key))
      truth_.remove_slice(key);
  for (const auto& key : services)
    if (key.nspace == nspace && truth_.consents().find(key))
      truth_.remove_consent(key);
}

} // namespace sliceferry::storm
