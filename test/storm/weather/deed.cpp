#include "test/storm/weather/deed.hpp"

#include "test/storm/weather/deed_scene.hpp"

#include <utility>

namespace sliceferry::storm {

user_request make_request(const deed_scene& scene, const nspace& place, std::string_view method, std::string path) {
  user_request out;
  out.cluster = scene.member.name;
  out.lane = scene.member.name + '/' + place.name;
  out.method = method;
  out.target = std::move(path);
  return out;
}

user_request with_body(user_request asked, std::string body) {
  asked.content_type = asked.method == "PATCH" ? "application/merge-patch+json" : "application/json";
  asked.body = std::move(body);
  return asked;
}

std::optional<user_request> carry_out(const deed& wanted, fleet& fleet, dice& chance) {
  const deed_scene scene{wanted, fleet.members[wanted.member], chance, fleet.changes + 1};
  std::optional<user_request> out;
  if (wanted.what <= deed_kind::finalize_nspace)
    out = act_on_nspace(scene);
  else if (wanted.what <= deed_kind::release_consent)
    out = act_on_consent(scene);
  else if (wanted.what <= deed_kind::tamper)
    out = act_on_slice(scene);
  else
    out = act_on_hub(scene);
  if (out)
    ++fleet.changes;
  return out;
}

} // namespace sliceferry::storm
