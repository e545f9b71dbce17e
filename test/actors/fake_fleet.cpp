#include "test/actors/fake_fleet.hpp"

#include "k8s/decode.hpp"
#include "k8s/resource.hpp"
#include "messages/rfc3339.hpp"

#include <utility>

namespace sliceferry {

namespace {

template <class T>
std::vector<T> all_of(const fake_cluster& cluster, const std::string& under) {
  std::vector<T> out;
  for (const auto& [path, object] : cluster.objects())
    if (path.starts_with(under))
      out.push_back(k8s::decode_object<T>(object).value());
  return out;
}

std::string quoted(const std::string& text) {
  return '"' + text + '"';
}

std::string consent_path(const std::string& service) {
  return k8s::object_path(k8s::service_exports, {"shop", service});
}

/// What an export must hold, but for what the slice's own annotations say.
slice_export_spec wanted(const std::string& member, const endpoint_slice& slice) {
  slice_export_spec out;
  out.endpoints = slice.ready;
  out.ports = slice.ports;
  out.reference = {member,    "discovery.k8s.io/v1", "EndpointSlice",
                   slice.key, to_string(slice.key),  slice.uid,
                   {},        slice.generation,      {}};
  out.reference.exported_since = parse_rfc3339(slice.ours.timestamp.value_or(""));
  out.owner = {{slice.key.nspace, *slice.service}, slice.key.nspace + '/' + *slice.service};
  return out;
}

} // namespace

std::string hub_nspace_of(const std::string& member) {
  return "fleet-" + member;
}

std::string slice_path(const std::string& name) {
  return k8s::object_path(k8s::endpoint_slices, {"shop", name});
}

std::string export_path(const std::string& member, const std::string& name) {
  return k8s::object_path(k8s::slice_exports, {hub_nspace_of(member), name});
}

fake_fleet::fake_fleet(const std::vector<std::string>& names) {
  for (const auto& name : names) {
    members.emplace(name, "member").first->second.add_nspace("shop"); // all give out the same UIDs, as clones do
    hub.add_nspace(hub_nspace_of(name));
  }
}

void fake_fleet::put_slice(const std::string& member, const std::string& name, const std::string& address,
                           const std::string& service) {
  members.at(member).write(
    slice_path(name), R"({"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{"labels":)"
                      R"({"kubernetes.io/service-name":)" +
                        quoted(service) + R"(}},"addressType":"IPv4","endpoints":[{"addresses":[)" + quoted(address) +
                        R"(],"conditions":{"ready":true}}],"ports":[{"name":"http","protocol":"TCP","port":80}]})");
}

void fake_fleet::delete_slice(const std::string& member, const std::string& name) {
  members.at(member).remove(slice_path(name));
}

void fake_fleet::grant(const std::string& member, const std::string& service) {
  members.at(member).write(
    consent_path(service),
    R"({"apiVersion":"networking.fleet.azure.com/v1beta1","kind":"ServiceExport","status":)"
    R"({"conditions":[{"type":"Valid","status":"True"},{"type":"Conflict","status":"False"}]}})");
}

void fake_fleet::revoke(const std::string& member, const std::string& service) {
  members.at(member).remove(consent_path(service));
}

void fake_fleet::put_export(const std::string& member, const std::string& export_name, const std::string& slice_name,
                            const std::string& slice_uid) {
  hub.write(export_path(member, export_name),
            R"({"apiVersion":"networking.fleet.azure.com/v1alpha1","kind":"EndpointSliceExport","spec":)"
            R"({"addressType":"IPv4","endpoints":[],"endpointSliceReference":{"apiVersion":"discovery.k8s.io/v1",)"
            R"("kind":"EndpointSlice","namespace":"shop","generation":1,"resourceVersion":"1","clusterId":)" +
              quoted(member) + R"(,"name":)" + quoted(slice_name) + R"(,"namespacedName":)" +
              quoted("shop/" + slice_name) + R"(,"uid":)" + quoted(slice_uid) +
              R"(},"ownerServiceReference":{"namespace":"shop","name":"web","namespacedName":"shop/web"}}})");
}

endpoint_slice fake_fleet::slice(const std::string& member, const std::string& name) const {
  return k8s::decode_object<endpoint_slice>(members.at(member).find(slice_path(name)).value()).value();
}

std::vector<endpoint_slice> fake_fleet::slices(const std::string& member) const {
  return all_of<endpoint_slice>(members.at(member), k8s::collection_path(k8s::endpoint_slices, "shop"));
}

std::vector<slice_export> fake_fleet::exports(const std::string& member) const {
  return all_of<slice_export>(hub, k8s::collection_path(k8s::slice_exports, hub_nspace_of(member)));
}

std::string fake_fleet::difference() const {
  std::string out;
  for (const auto& [member, cluster] : members)
    out += difference(member);
  return out;
}

bool fake_fleet::granted(const std::string& member, const endpoint_slice& slice) const {
  return slice.service && members.at(member).find(consent_path(*slice.service)).has_value();
}

std::string fake_fleet::difference(const std::string& member) const {
  std::map<std::string, slice_export_spec> expected;
  std::string out;
  for (const auto& slice : slices(member)) {
    if (!granted(member, slice)) {
      // Without the name it doesn't count as exported before, and nobody reads the rest.
      out += slice.ours.name ? "still annotated: " + to_string(slice) + '\n' : "";
      continue;
    }
    if (!slice.ours.name || slice.ours.generation != std::to_string(slice.generation))
      out += "wrongly annotated: " + to_string(slice) + '\n';
    expected[slice.ours.name.value_or("")] = wanted(member, slice);
  }
  for (const auto& seen : exports(member)) {
    auto spec = seen.spec;
    spec.reference.resource_version.clear(); // refreshed with the next real change only (D12)
    const auto found = expected.find(seen.key.name);
    if (found == expected.end())
      out += "too much: " + to_string(seen) + '\n';
    else if (spec != found->second)
      out += "wrong: " + to_string(seen) + "\n  not " + to_string(found->second) + '\n';
    if (found != expected.end())
      expected.erase(found);
  }
  for (const auto& [name, spec] : expected)
    out += "missing: " + name + '\n';
  return out;
}

} // namespace sliceferry
