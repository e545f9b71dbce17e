#include "test/storm/oracle/seen_slice.hpp"

#include "test/storm/oracle/digest.hpp"
#include "test/storm/oracle/json_fields.hpp"

#include <boost/json.hpp>

namespace sliceferry::storm {
namespace {

namespace json = boost::json;

constexpr std::string_view name_key = "networking.fleet.azure.com/fleet-unique-name";
constexpr std::string_view generation_key = "networking.fleet.azure.com/last-seen-generation";
constexpr std::string_view timestamp_key = "networking.fleet.azure.com/last-seen-timestamp";
constexpr std::string_view importer = "endpointsliceimport-controller.networking.fleet.azure.com";

std::optional<std::string> copy_of(const json::object& annotations, std::string_view key) {
  const auto found = text_at(annotations, key);
  return found ? std::optional<std::string>{*found} : std::nullopt;
}

std::uint64_t others(const json::object& annotations) {
  std::uint64_t sum = 0;
  for (const auto& [key, value] : annotations)
    if (key != name_key && key != generation_key && key != timestamp_key)
      sum += digest{}.add(std::string_view{key}).add(digest_of(value)).value();
  return sum;
}

std::uint64_t rest_of(const json::object& slice, const json::object& metadata) {
  std::uint64_t sum = 0;
  for (const auto& [key, value] : slice)
    if (key != "metadata")
      sum += digest{}.add(std::string_view{key}).add(digest_of(value)).value();
  for (const auto& [key, value] : metadata)
    if (key == "annotations" && value.is_object())
      sum += others(value.get_object());
    else if (key != "resourceVersion" && key != "managedFields")
      sum += digest{}.add(std::string_view{"metadata"}).add(std::string_view{key}).add(digest_of(value)).value();
  return sum;
}

} // namespace

std::optional<seen_slice> read_slice(const json::value& object, std::string_view cluster) {
  const auto* slice = object.if_object();
  const auto* metadata = slice ? object_at(*slice, "metadata") : nullptr;
  if (!metadata || text_or_empty(*metadata, "uid").empty())
    return {};
  seen_slice out;
  out.key = {std::string{text_or_empty(*metadata, "namespace")}, std::string{text_or_empty(*metadata, "name")}};
  out.uid = text_or_empty(*metadata, "uid");
  out.resource_version = text_or_empty(*metadata, "resourceVersion");
  out.generation = number_at(*metadata, "generation").value_or(0);
  out.deleting = field_of(*metadata, "deletionTimestamp") != nullptr;
  out.ipv4 = text_or_empty(*slice, "addressType") == "IPv4";
  if (const auto* labels = object_at(*metadata, "labels")) {
    out.service = copy_of(*labels, "kubernetes.io/service-name");
    out.imported = text_or_empty(*labels, "endpointslice.kubernetes.io/managed-by") == importer;
  }
  if (const auto* annotations = object_at(*metadata, "annotations"))
    out.ours = {copy_of(*annotations, name_key), copy_of(*annotations, generation_key),
                copy_of(*annotations, timestamp_key)};
  out.wanted = wanted_parts(*slice, cluster);
  out.rest = rest_of(*slice, *metadata);
  return out;
}

} // namespace sliceferry::storm
