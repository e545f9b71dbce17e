#include "messages/slice_export.hpp"

#include "messages/rfc3339.hpp"

namespace sliceferry {
namespace {

/// The key, and the stored text behind it where someone made the two differ.
std::string text_of(const object_key& key, const std::string& namespaced_name) {
  const std::string text = to_string(key);
  return text == namespaced_name ? text : text + " (stored as \"" + namespaced_name + "\")";
}

} // namespace

std::string to_string(const slice_export_spec& spec) {
  const slice_reference& from = spec.reference;
  std::string out = spec.address_type + " of " + from.cluster + ' ' + text_of(from.slice, from.namespaced_name);
  out += " uid=" + from.uid + " rv=" + from.resource_version + " generation=" + std::to_string(from.generation);
  out += " since=" + (from.exported_since ? format_rfc3339(*from.exported_since) : "-");
  if (!from.kind.empty() || !from.api_version.empty())
    out += " kind=" + from.api_version + '/' + from.kind;
  out += " service=" + text_of(spec.owner.service, spec.owner.namespaced_name);
  return out + " endpoints=" + to_string(spec.endpoints) + " ports=" + to_string(spec.ports);
}

std::string to_string(const slice_export& exported) {
  std::string out = to_string(exported.key) + " uid=" + exported.uid + " rv=" + exported.resource_version;
  out += " created=" + format_rfc3339(exported.created);
  if (exported.terminating)
    out += " terminating";
  if (!exported.last_manager.empty())
    out += " by=" + exported.last_manager;
  return out + " {" + to_string(exported.spec) + '}';
}

} // namespace sliceferry
