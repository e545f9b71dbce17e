#include "test/storm/weather/deed_scene.hpp"
#include "test/storm/weather/fleet_names.hpp"
#include "test/storm/weather/slice_body.hpp"
#include "test/storm/weather/tampering.hpp"

namespace sliceferry::storm {
namespace {

bool may_act(deed_kind what, const slice& object, nspace_state place) {
  if (what == deed_kind::create_slice)
    return place == nspace_state::live && !object.present;
  if (what == deed_kind::delete_slice)
    return object.present;
  return place == nspace_state::live && object.present;
}

/// An object of the same name, and another one: nothing is left of labels that were moved.
void give_birth(const deed_scene& scene, slice& object) {
  object.present = true;
  object.label = object.service;
  if (object.role != slice_role::import)
    object.imported = false;
  if (object.role == slice_role::family) {
    object.ipv6 = scene.chance.chance(60);
    object.portless = scene.chance.chance(40);
  }
  bool is_whole = !object.endpoints.empty();
  for (const auto& each : object.endpoints)
    is_whole = is_whole && each.ready;
  if (!is_whole || scene.chance.chance(50))
    object.endpoints = fresh_endpoints(scene.member, scene.chance);
}

bool change_label(slice& object, std::uint32_t label) {
  if (object.label == label)
    return false;
  object.label = label;
  return true;
}

bool change_manager(slice& object, bool imported) {
  if (object.imported == imported)
    return false;
  object.imported = imported;
  return true;
}

/// The patch of a slice that is there, or nothing.
std::optional<std::string> change_slice(const deed_scene& scene, slice& object) {
  const slice_view seen{scene.member, object, scene.changes};
  switch (scene.wanted.what) {
    case deed_kind::touch_slice:
      return touched_patch(seen);
    case deed_kind::tamper:
      return tampered_patch(scene, object);
    case deed_kind::relabel_slice:
      return change_label(object, scene.wanted.with) ? std::optional{service_label_patch(seen)} : std::nullopt;
    case deed_kind::claim_slice:
      return change_manager(object, scene.wanted.with != 0) ? std::optional{manager_label_patch(seen)} : std::nullopt;
    case deed_kind::change_ports:
      if (object.portless)
        return std::nullopt;
      object.port_set = static_cast<std::uint8_t>((object.port_set + 1U) % port_sets);
      return ports_patch(seen);
    case deed_kind::empty_slice:
      if (object.endpoints.empty())
        return std::nullopt;
      object.endpoints.clear();
      object.taken_name = 0;
      return wiped_patch(seen);
    default:
      return change_endpoints(scene, object) ? std::optional{endpoints_patch(seen)} : std::nullopt;
  }
}

} // namespace

std::optional<user_request> act_on_slice(const deed_scene& scene) {
  const deed_kind what = scene.wanted.what;
  slice& object = scene.member.slices[scene.wanted.object];
  const nspace& place = scene.member.place(object);
  if (!may_act(what, object, place.state))
    return std::nullopt;
  const std::string collection = "/apis/discovery.k8s.io/v1/namespaces/" + place.name + "/endpointslices";
  if (what == deed_kind::create_slice) {
    give_birth(scene, object);
    std::string saved = scene.chance.chance(50) ? saved_annotations(object) : std::string{};
    if (saved.empty())
      object.taken_name = 0;
    return with_body(make_request(scene, place, "POST", collection),
                     slice_object({scene.member, object, scene.changes}, saved));
  }
  const std::string path = collection + '/' + slice_name(scene.member.home(object).number, object.ordinal);
  if (what == deed_kind::delete_slice) {
    object.present = false;
    return make_request(scene, place, "DELETE", path);
  }
  auto body = change_slice(scene, object);
  if (!body)
    return std::nullopt;
  return with_body(make_request(scene, place, "PATCH", path), std::move(*body));
}

} // namespace sliceferry::storm
