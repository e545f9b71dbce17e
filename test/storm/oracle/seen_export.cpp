#include "test/storm/oracle/seen_export.hpp"

#include "test/storm/oracle/digest.hpp"
#include "test/storm/oracle/json_fields.hpp"
#include "test/storm/oracle/syntax.hpp"

#include <boost/json.hpp>

namespace sliceferry::storm {
namespace {

namespace json = boost::json;

std::uint64_t content_at(const json::object& any, std::string_view key) {
  const auto* found = field_of(any, key);
  if (!found || (found->is_object() && found->get_object().empty()) ||
      (found->is_array() && found->get_array().empty()))
    return 0;
  return digest_of(*found);
}

} // namespace

std::optional<seen_export> read_export(const json::value& object) {
  static const json::object none;
  const auto* all = object.if_object();
  const auto* metadata = all ? object_at(*all, "metadata") : nullptr;
  if (!metadata || text_or_empty(*metadata, "uid").empty())
    return {};
  const auto* spec = object_at(*all, "spec");
  const auto* reference = spec ? object_at(*spec, "endpointSliceReference") : nullptr;
  const auto& from = reference ? *reference : none;
  seen_export out;
  out.nspace = text_or_empty(*metadata, "namespace");
  out.name = text_or_empty(*metadata, "name");
  out.uid = text_or_empty(*metadata, "uid");
  out.resource_version = text_or_empty(*metadata, "resourceVersion");
  out.terminating = field_of(*metadata, "deletionTimestamp") != nullptr;
  out.cluster = text_or_empty(from, "clusterId");
  out.slice_uid = text_or_empty(from, "uid");
  out.generation = number_at(from, "generation").value_or(0);
  if (const auto since = read_time(text_or_empty(from, "exportedSince")))
    out.since = std::chrono::floor<std::chrono::seconds>(*since).count();
  out.reference_version = text_or_empty(from, "resourceVersion");
  out.found = found_parts(spec ? *spec : none);
  out.around = {content_at(*metadata, "labels"), content_at(*metadata, "annotations"),
                content_at(*metadata, "finalizers"), content_at(*metadata, "ownerReferences"),
                content_at(*all, "status")};
  return out;
}

std::string first_difference(const surroundings& before, const surroundings& after) {
  if (before.labels != after.labels)
    return "labels";
  if (before.annotations != after.annotations)
    return "annotations";
  if (before.finalizers != after.finalizers)
    return "finalizers";
  if (before.owners != after.owners)
    return "ownerReferences";
  return before.status == after.status ? "" : "status";
}

} // namespace sliceferry::storm
