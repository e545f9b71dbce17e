#include "actors/core/spec_fields.hpp"

#include "actors/core/equivalent.hpp"
#include "messages/rfc3339.hpp"

#include <string_view>

namespace sliceferry::core {

namespace {

using spec = slice_export_spec;

struct spec_field {
  std::string_view path;
  std::string (*text)(const spec& of);
  void (*copy)(spec& to, const spec& from);
};

constexpr spec_field fields[] = {
  {"addressType", [](const spec& of) { return of.address_type; },
   [](spec& to, const spec& from) { to.address_type = from.address_type; }},
  {"endpoints", [](const spec& of) { return to_string(of.endpoints); },
   [](spec& to, const spec& from) { to.endpoints = from.endpoints; }},
  {"ports", [](const spec& of) { return to_string(of.ports); },
   [](spec& to, const spec& from) { to.ports = from.ports; }},
  {"endpointSliceReference.clusterId", [](const spec& of) { return of.reference.cluster; },
   [](spec& to, const spec& from) { to.reference.cluster = from.reference.cluster; }},
  {"endpointSliceReference.apiVersion", [](const spec& of) { return of.reference.api_version; },
   [](spec& to, const spec& from) { to.reference.api_version = from.reference.api_version; }},
  {"endpointSliceReference.kind", [](const spec& of) { return of.reference.kind; },
   [](spec& to, const spec& from) { to.reference.kind = from.reference.kind; }},
  {"endpointSliceReference.namespace", [](const spec& of) { return of.reference.slice.nspace; },
   [](spec& to, const spec& from) { to.reference.slice.nspace = from.reference.slice.nspace; }},
  {"endpointSliceReference.name", [](const spec& of) { return of.reference.slice.name; },
   [](spec& to, const spec& from) { to.reference.slice.name = from.reference.slice.name; }},
  {"endpointSliceReference.namespacedName", [](const spec& of) { return of.reference.namespaced_name; },
   [](spec& to, const spec& from) { to.reference.namespaced_name = from.reference.namespaced_name; }},
  {"endpointSliceReference.uid", [](const spec& of) { return of.reference.uid; },
   [](spec& to, const spec& from) { to.reference.uid = from.reference.uid; }},
  {"endpointSliceReference.generation", [](const spec& of) { return std::to_string(of.reference.generation); },
   [](spec& to, const spec& from) { to.reference.generation = from.reference.generation; }},
  {"endpointSliceReference.exportedSince",
   [](const spec& of) {
     return of.reference.exported_since ? format_rfc3339(*of.reference.exported_since) : std::string{};
   },
   [](spec& to, const spec& from) { to.reference.exported_since = from.reference.exported_since; }},
  {"ownerServiceReference.namespace", [](const spec& of) { return of.owner.service.nspace; },
   [](spec& to, const spec& from) { to.owner.service.nspace = from.owner.service.nspace; }},
  {"ownerServiceReference.name", [](const spec& of) { return of.owner.service.name; },
   [](spec& to, const spec& from) { to.owner.service.name = from.owner.service.name; }},
  {"ownerServiceReference.namespacedName", [](const spec& of) { return of.owner.namespaced_name; },
   [](spec& to, const spec& from) { to.owner.namespaced_name = from.owner.namespaced_name; }},
};

std::string or_absent(std::string text) {
  return text.empty() ? "absent" : text;
}

} // namespace

std::vector<field_difference> differing_fields(const spec& is, const spec& should_be, bool count_resource_version) {
  std::vector<field_difference> out;
  for (const auto& [path, text, copy] : fields) {
    spec with_one = should_be; // so that it is `equivalent` that judges each field
    copy(with_one, is);
    if (!equivalent(with_one, should_be))
      out.push_back({std::string{path}, or_absent(text(is)), or_absent(text(should_be))});
  }
  if (count_resource_version && is.reference.resource_version != should_be.reference.resource_version)
    out.push_back({"endpointSliceReference.resourceVersion", or_absent(is.reference.resource_version),
                   or_absent(should_be.reference.resource_version)});
  return out;
}

} // namespace sliceferry::core
