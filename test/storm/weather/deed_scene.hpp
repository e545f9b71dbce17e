#pragma once
#include "test/storm/weather/deed.hpp"

#include <string>
#include <string_view>

namespace sliceferry::storm {

/// Where a deed is done. `wanted` names existing parts of the model.
struct deed_scene {
  const deed& wanted;
  member_fleet& member;
  dice& chance;
  std::uint32_t changes; ///< of the whole fleet, this request included
};

/// All requests of one namespace share a lane: its deletion concerns all that is in it.
user_request make_request(const deed_scene& scene, const nspace& place, std::string_view method, std::string path);
/// With a body, and the content type that its method takes.
user_request with_body(user_request asked, std::string body);

// What `carry_out` hands the kinds of deeds to.

std::optional<user_request> act_on_nspace(const deed_scene& scene);
std::optional<user_request> act_on_consent(const deed_scene& scene);
std::optional<user_request> act_on_slice(const deed_scene& scene);
std::optional<user_request> act_on_hub(const deed_scene& scene);
/// A slice's endpoints only; false where nothing changed.
bool change_endpoints(const deed_scene& scene, slice& object);

} // namespace sliceferry::storm
