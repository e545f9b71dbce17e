#include "test/storm/weather/deed_scene.hpp"

namespace sliceferry::storm {
namespace {

bool is_empty(const member_fleet& member, const nspace& place) {
  for (std::uint32_t i = place.first_service; i < place.first_service + place.services; ++i) {
    const service& each = member.services[i];
    if (each.consent != consent_state::absent)
      return false;
    for (std::uint32_t s = each.first_slice; s < each.first_slice + each.slices; ++s)
      if (member.slices[s].present)
        return false;
  }
  return true;
}

std::string object_of(const nspace& place, std::string_view spec) {
  std::string out = R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":")";
  out += place.name;
  out += "\"}";
  out += spec;
  return out + '}';
}

} // namespace

std::optional<user_request> act_on_nspace(const deed_scene& scene) {
  nspace& place = scene.member.nspaces[scene.wanted.object];
  const std::string collection = "/api/v1/namespaces";
  const std::string path = collection + '/' + place.name;
  if (scene.wanted.what == deed_kind::create_nspace && place.state == nspace_state::absent) {
    place.state = nspace_state::live;
    return with_body(make_request(scene, place, "POST", collection), object_of(place, ""));
  }
  if (scene.wanted.what == deed_kind::delete_nspace && place.state == nspace_state::live) {
    place.state = nspace_state::terminating;
    return make_request(scene, place, "DELETE", path);
  }
  if (scene.wanted.what == deed_kind::finalize_nspace && place.state == nspace_state::terminating &&
      is_empty(scene.member, place)) {
    place.state = nspace_state::absent;
    return with_body(make_request(scene, place, "PUT", path + "/finalize"),
                     object_of(place, R"(,"spec":{"finalizers":[]})"));
  }
  return std::nullopt;
}

} // namespace sliceferry::storm
