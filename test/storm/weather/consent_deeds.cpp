#include "test/storm/weather/consent_body.hpp"
#include "test/storm/weather/deed_scene.hpp"
#include "test/storm/weather/fleet_names.hpp"

namespace sliceferry::storm {
namespace {

bool may_act(deed_kind what, const service& object, nspace_state place) {
  switch (what) {
    case deed_kind::create_consent:
      return place == nspace_state::live && object.consent == consent_state::absent;
    case deed_kind::judge_consent:
      return place == nspace_state::live && object.consent == consent_state::present;
    case deed_kind::delete_consent:
      return object.consent == consent_state::present;
    case deed_kind::release_consent:
      return object.consent == consent_state::terminating;
    default:
      return false;
  }
}

} // namespace

std::optional<user_request> act_on_consent(const deed_scene& scene) {
  const deed_kind what = scene.wanted.what;
  service& object = scene.member.services[scene.wanted.object];
  const nspace& place = scene.member.nspaces[object.nspace];
  if (!may_act(what, object, place.state))
    return std::nullopt;
  const std::string name = service_name(object.number);
  const std::string collection =
    "/apis/networking.fleet.azure.com/v1beta1/namespaces/" + place.name + "/serviceexports";
  const std::string path = collection + '/' + name;
  if (what == deed_kind::create_consent) {
    object.consent = consent_state::present;
    object.judged.reset();
    return with_body(make_request(scene, place, "POST", collection), consent_object(name, place.name, object.held));
  }
  if (what == deed_kind::judge_consent) {
    const auto judged = static_cast<verdict>(scene.wanted.with);
    if (object.judged == judged)
      return std::nullopt;
    object.judged = judged;
    return with_body(make_request(scene, place, "PATCH", path + "/status"), verdict_patch(judged, scene.changes));
  }
  if (what == deed_kind::delete_consent) {
    object.consent = object.held ? consent_state::terminating : consent_state::absent;
    return make_request(scene, place, "DELETE", path);
  }
  object.consent = consent_state::absent;
  return with_body(make_request(scene, place, "PATCH", path), released_patch());
}

} // namespace sliceferry::storm
