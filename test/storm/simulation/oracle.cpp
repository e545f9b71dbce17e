#include "test/storm/simulation/oracle.hpp"

#include "messages/rfc3339.hpp"

#include <map>
#include <optional>
#include <vector>

namespace sliceferry::storm {
namespace {

calling by_consent(const service_export* consent) {
  if (consent == nullptr || consent->deleting || consent->valid.has_value() != consent->conflict.has_value())
    return calling::no;
  if (!consent->valid)
    return calling::unsure; // nobody has judged it yet: what is exported may stay
  const auto stale = [&](const condition& one) {
    return one.observed_generation && *one.observed_generation < consent->generation;
  };
  const bool valid = consent->valid->is == condition::status::yes;
  const bool free = consent->conflict->is == condition::status::no;
  if ((!stale(*consent->valid) && !valid) || (!stale(*consent->conflict) && !free))
    return calling::no;
  return stale(*consent->valid) || stale(*consent->conflict) ? calling::unsure : calling::yes;
}

slice_export_spec expected(const endpoint_slice& slice) {
  slice_export_spec out;
  out.address_type = "IPv4";
  out.endpoints = slice.ready;
  out.ports = slice.ports;
  out.reference.cluster = our_cluster;
  out.reference.api_version = "discovery.k8s.io/v1";
  out.reference.kind = "EndpointSlice";
  out.reference.slice = slice.key;
  out.reference.namespaced_name = slice.key.nspace + "/" + slice.key.name;
  out.reference.uid = slice.uid;
  out.reference.generation = slice.generation;
  out.reference.exported_since = parse_rfc3339(slice.ours.timestamp.value_or(""));
  out.owner.service = {slice.key.nspace, slice.service.value_or("")};
  out.owner.namespaced_name = slice.key.nspace + "/" + slice.service.value_or("");
  return out;
}

using exports_of_slice = std::vector<const slice_export*>;

std::string difference_of(const clusters& truth, const endpoint_slice& slice, const exports_of_slice& found) {
  const std::string who = "slice " + to_string(slice.key) + " (" + slice.uid + "): ";
  if (calls_for_export(truth, slice) != calling::yes) {
    if (!found.empty())
      return who + "not to be exported, but on the hub as " + found.front()->key.name;
    return slice.ours.name ? who + "not to be exported, but it carries the name " + *slice.ours.name : "";
  }
  if (found.size() != 1)
    return who + "to be exported, but the hub holds " + std::to_string(found.size()) + " exports of it";
  const auto& only = *found.front();
  if (slice.ours.name != only.key.name)
    return who + "exported as " + only.key.name + ", but it carries the name " + slice.ours.name.value_or("(none)");
  if (slice.ours.generation != std::to_string(slice.generation))
    return who + "last-seen generation is " + slice.ours.generation.value_or("(none)");
  if (!parse_rfc3339(slice.ours.timestamp.value_or("")))
    return who + "last-seen timestamp is " + slice.ours.timestamp.value_or("(none)");
  if (only.terminating)
    return who + "its export is terminating";
  if (const auto right = expected(slice); !same_content(only.spec, right))
    return who + "the export holds " + to_string(only.spec) + " instead of " + to_string(right);
  return "";
}

} // namespace

calling calls_for_export(const endpoint_slice& slice, const service_export* consent) {
  const bool imported = slice.key.nspace == imports_nspace ||
                        slice.managed_by == "endpointsliceimport-controller.networking.fleet.azure.com";
  if (imported || slice.address_type != "IPv4" || !slice.service || slice.deleting)
    return calling::no;
  return by_consent(consent);
}

calling calls_for_export(const clusters& truth, const endpoint_slice& slice) {
  return calls_for_export(slice, truth.consents().find({slice.key.nspace, slice.service.value_or("")}));
}

bool same_content(const slice_export_spec& left, const slice_export_spec& right) {
  auto one = left;
  auto other = right;
  for (auto* each : {&one, &other}) {
    each->reference.resource_version.clear();
    if (each->reference.api_version.empty())
      each->reference.api_version = "discovery.k8s.io/v1";
    if (each->reference.kind.empty())
      each->reference.kind = "EndpointSlice";
    if (each->ports && each->ports->empty())
      each->ports.reset();
  }
  return one == other;
}

std::string difference(const clusters& truth) {
  std::map<std::string, exports_of_slice> ours;
  for (const auto& [key, exported] : truth.exports().all())
    if (exported->spec.reference.cluster == our_cluster)
      ours[exported->spec.reference.uid].push_back(exported.get());
  for (const auto& [key, slice] : truth.slices().all()) {
    if (auto wrong = difference_of(truth, *slice, ours[slice->uid]); !wrong.empty())
      return wrong;
    ours.erase(slice->uid);
  }
  for (const auto& [uid, left] : ours)
    if (!left.empty())
      return "a leftover of slice " + uid + ": " + left.front()->key.name;
  return "";
}

} // namespace sliceferry::storm
