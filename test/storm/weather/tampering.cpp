#include "test/storm/weather/tampering.hpp"

#include "test/storm/weather/fleet_names.hpp"

#include <iterator>
#include <string_view>

namespace sliceferry::storm {
namespace {

enum class source {
  text,     ///< as it stands
  nothing,  ///< removes the annotation
  unused,   ///< a valid name that nobody has
  anothers, ///< the valid name that a user gave to another slice of this member
  foreign,  ///< the name of another cluster's export on the hub
};

struct edit {
  std::string_view key;
  source from = source::text;
  std::string_view text = {};
};

constexpr edit edits[]{
  {name_key, source::text, "Not A Name!"},
  {name_key, source::text, ""},
  {name_key, source::text, "-starts-badly"},
  {name_key, source::text, "two..dots"},
  {name_key, source::nothing},
  {name_key, source::unused},
  {name_key, source::unused},
  {name_key, source::anothers},
  {name_key, source::foreign},
  {generation_key, source::text, "seven"},
  {generation_key, source::text, ""},
  {generation_key, source::text, "-1"},
  {generation_key, source::text, "99999999999999999999"},
  {generation_key, source::text, "999999"},
  {generation_key, source::nothing},
  {timestamp_key, source::text, "yesterday"},
  {timestamp_key, source::text, ""},
  {timestamp_key, source::text, "2026-13-45T99:99:99Z"},
  {timestamp_key, source::text, "2199-01-01T00:00:00Z"},
  {timestamp_key, source::text, "1970-01-01T00:00:00+14:00"},
  {timestamp_key, source::nothing},
};

std::uint32_t name_of_another(const deed_scene& scene) {
  for (int i = 0; i < 20; ++i) {
    const slice& other = scene.member.slices[scene.chance.below(scene.member.slices.size())];
    if (other.present && other.taken_name != 0)
      return other.taken_name;
  }
  return scene.changes;
}

std::string value_of(const edit& made, const deed_scene& scene, slice& object) {
  if (made.key == name_key)
    object.taken_name = 0;
  switch (made.from) {
    case source::text:
      return '"' + std::string{made.text} + '"';
    case source::nothing:
      return "null";
    case source::unused:
      object.taken_name = scene.changes;
      return '"' + taken_name(object.taken_name) + '"';
    case source::anothers:
      object.taken_name = name_of_another(scene);
      return '"' + taken_name(object.taken_name) + '"';
    case source::foreign:
      return '"' + foreign_export_name(scene.chance.below(foreign_exports)) + '"';
  }
  return "null";
}

} // namespace

std::string tampered_patch(const deed_scene& scene, slice& object) {
  std::string out = R"({"metadata":{"annotations":{)";
  std::string_view last;
  for (const auto& each : {edits[scene.chance.below(std::size(edits))], edits[scene.chance.below(std::size(edits))]}) {
    if (!last.empty() && (each.key <= last || scene.chance.chance(50)))
      break;
    if (!last.empty())
      out += ',';
    last = each.key;
    out += '"';
    out += each.key;
    out += "\":";
    out += value_of(each, scene, object);
  }
  return out + "}}}";
}

std::string saved_annotations(const slice& object) {
  if (object.taken_name == 0)
    return {};
  std::string out;
  const auto add = [&](std::string_view key, std::string_view value) {
    out += ",\"";
    out += key;
    out += "\":\"";
    out += value;
    out += '"';
  };
  add(name_key, taken_name(object.taken_name));
  add(generation_key, "1");
  add(timestamp_key, "2026-01-01T00:00:00Z");
  return out;
}

} // namespace sliceferry::storm
