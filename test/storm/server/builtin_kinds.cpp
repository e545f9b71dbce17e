#include "test/storm/server/json_text.hpp"
#include "test/storm/server/kind_table.hpp"

namespace sliceferry::storm {

namespace {

// How Go's structures decode and write the members beside metadata, in OpenAPI's words.

constexpr std::string_view slice_members = R"({"properties":{
  "addressType":{"type":"string","default":""},
  "endpoints":{"type":"array","x-null":true,"items":{"type":"object","properties":{
    "addresses":{"type":"array","x-null":true,"items":{"type":"string"}},
    "conditions":{"type":"object","default":{},"properties":{
      "ready":{"type":"boolean"},"serving":{"type":"boolean"},"terminating":{"type":"boolean"}}},
    "hostname":{"type":"string"},
    "targetRef":{"type":"object","properties":{
      "kind":{"type":"string","x-omit-empty":true},"namespace":{"type":"string","x-omit-empty":true},
      "name":{"type":"string","x-omit-empty":true},"uid":{"type":"string","x-omit-empty":true},
      "apiVersion":{"type":"string","x-omit-empty":true},"resourceVersion":{"type":"string","x-omit-empty":true},
      "fieldPath":{"type":"string","x-omit-empty":true}}},
    "nodeName":{"type":"string"},
    "zone":{"type":"string"},
    "hints":{"type":"object","properties":{
      "forZones":{"type":"array","x-omit-empty":true,"items":{"type":"object","properties":{
        "name":{"type":"string","default":""}}}},
      "forNodes":{"type":"array","x-omit-empty":true,"items":{"type":"object","properties":{
        "name":{"type":"string","default":""}}}}}}}}},
  "ports":{"type":"array","x-null":true,"items":{"type":"object","properties":{
    "name":{"type":"string","default":""},
    "protocol":{"type":"string","default":"TCP"},
    "port":{"type":"integer","format":"int32"},
    "appProtocol":{"type":"string"}}}}}})";

constexpr std::string_view lease_members = R"({"properties":{
  "spec":{"type":"object","default":{},"properties":{
    "holderIdentity":{"type":"string"},
    "leaseDurationSeconds":{"type":"integer","format":"int32"},
    "acquireTime":{"type":"string","format":"date-time"},
    "renewTime":{"type":"string","format":"date-time"},
    "leaseTransitions":{"type":"integer","format":"int32"}}}}})";

constexpr std::string_view namespace_members = R"({"properties":{
  "spec":{"type":"object","default":{},"properties":{
    "finalizers":{"type":"array","x-omit-empty":true,"items":{"type":"string"}}}},
  "status":{"type":"object","default":{},"properties":{
    "phase":{"type":"string","x-omit-empty":true},
    "conditions":{"type":"array","x-omit-empty":true}}}}})";

constexpr std::string_view definition_members = R"({"properties":{"spec":{},"status":{"default":{}}}})";

std::shared_ptr<resource_kind> made(resource_kind kind, std::string version, std::string_view members) {
  auto out = std::make_shared<resource_kind>(std::move(kind));
  out->add_version(std::move(version));
  const auto read = read_json(members);
  out->members = read_schema(*read.value, member_order::as_listed)->properties;
  return out;
}

resource_kind named(std::string group, std::string plural, std::string singular, std::string kind) {
  resource_kind out;
  out.group = std::move(group);
  out.plural = std::move(plural);
  out.singular = std::move(singular);
  out.kind = std::move(kind);
  return out;
}

} // namespace

std::vector<std::shared_ptr<resource_kind>> builtin_kinds() {
  resource_kind nspace = named("", "namespaces", "namespace", "Namespace");
  nspace.how = resource_kind::rules::nspace;
  nspace.short_names = {"ns"};
  nspace.namespaced = false;
  nspace.status_subresource = true;

  resource_kind slice = named("discovery.k8s.io", "endpointslices", "endpointslice", "EndpointSlice");
  slice.how = resource_kind::rules::slice;
  slice.has_generation = true;

  resource_kind lease = named("coordination.k8s.io", "leases", "lease", "Lease");
  lease.how = resource_kind::rules::lease;
  lease.needs_version = true;
  lease.creates_on_put = true;

  resource_kind definition =
    named("apiextensions.k8s.io", "customresourcedefinitions", "customresourcedefinition", "CustomResourceDefinition");
  definition.how = resource_kind::rules::definition;
  definition.short_names = {"crd", "crds"};
  definition.categories = {"api-extensions"};
  definition.namespaced = false;
  definition.has_generation = true;
  definition.status_subresource = true;
  definition.needs_version = true;

  return {made(std::move(nspace), "v1", namespace_members), made(std::move(slice), "v1", slice_members),
          made(std::move(lease), "v1", lease_members), made(std::move(definition), "v1", definition_members)};
}

} // namespace sliceferry::storm
