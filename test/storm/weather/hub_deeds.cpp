#include "test/storm/weather/deed_scene.hpp"
#include "test/storm/weather/fleet_names.hpp"

namespace sliceferry::storm {
namespace {

constexpr std::chrono::milliseconds terminating_for{2'000};
constexpr std::chrono::milliseconds missing_for{1'000};

std::optional<user_request> meddle(const deed_scene& scene) {
  const slice& object = scene.member.slices[scene.wanted.object];
  const nspace& place = scene.member.place(object);
  if (!object.present || place.state != nspace_state::live)
    return std::nullopt;
  export_wish wish;
  wish.what = static_cast<export_deed>(scene.wanted.with);
  wish.member = scene.member.name;
  wish.nspace = place.name;
  wish.slice = slice_name(scene.member.home(object).number, object.ordinal);
  wish.number = scene.changes;
  user_request out;
  out.cluster = "hub";
  out.lane = "hub/fleet-member-" + wish.member + '/' + wish.nspace + '/' + wish.slice;
  out.upon = std::move(wish);
  return out;
}

std::string object_of(const std::string& nspace, const char* spec) {
  return R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":")" + nspace + "\"}" + spec + '}';
}

} // namespace

std::optional<user_request> act_on_hub(const deed_scene& scene) {
  if (scene.wanted.what == deed_kind::meddle)
    return meddle(scene);
  const std::string nspace = "fleet-member-" + scene.member.name;
  const std::string collection = "/api/v1/namespaces";
  user_request out;
  out.cluster = "hub";
  out.lane = "hub/" + nspace;
  out.method = "DELETE";
  out.target = collection + '/' + nspace;
  switch (scene.wanted.what) {
    case deed_kind::empty_hub_nspace:
      out.target = "/apis/networking.fleet.azure.com/v1alpha1/namespaces/" + nspace + "/endpointsliceexports";
      return out;
    case deed_kind::finalize_hub_nspace:
      out.method = "PUT";
      out.target += "/finalize";
      out.pause = terminating_for;
      return with_body(std::move(out), object_of(nspace, R"(,"spec":{"finalizers":[]})"));
    case deed_kind::create_hub_nspace:
      out.method = "POST";
      out.target = collection;
      out.pause = missing_for;
      return with_body(std::move(out), object_of(nspace, ""));
    default:
      return out;
  }
}

} // namespace sliceferry::storm
