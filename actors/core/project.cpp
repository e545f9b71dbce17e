#include "actors/core/project.hpp"

namespace sliceferry::core {

slice_export_spec project(const member_identity& identity, const endpoint_slice& slice, seconds_utc since) {
  slice_export_spec out;
  out.address_type = exported_address_type;
  out.endpoints = identity.serving_fallback && slice.ready.empty() ? slice.fallback : slice.ready;
  out.ports = slice.ports;
  out.reference.cluster = identity.cluster;
  out.reference.api_version = slice_api_version;
  out.reference.kind = slice_kind;
  out.reference.slice = slice.key;
  out.reference.namespaced_name = to_string(slice.key);
  out.reference.uid = slice.uid;
  out.reference.resource_version = slice.resource_version;
  out.reference.generation = slice.generation;
  out.reference.exported_since = since;
  out.owner.service = {slice.key.nspace, slice.service.value_or("")};
  out.owner.namespaced_name = to_string(out.owner.service);
  return out;
}

} // namespace sliceferry::core
