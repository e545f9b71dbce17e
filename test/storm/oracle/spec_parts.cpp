#include "test/storm/oracle/spec_parts.hpp"

#include "test/storm/oracle/digest.hpp"
#include "test/storm/oracle/json_fields.hpp"

#include <boost/json.hpp>

namespace sliceferry::storm {
namespace {

namespace json = boost::json;

constexpr std::uint64_t null_list = 17; ///< `endpoints: null`, which an export must never hold

void add_addresses(digest& sum, const json::array& addresses) {
  sum.add(addresses.size());
  for (const auto& each : addresses)
    sum.add(each.is_string() ? std::string_view{each.get_string()} : std::string_view{});
}

bool is_ready(const json::object& endpoint) {
  const auto* conditions = object_at(endpoint, "conditions");
  const auto* ready = conditions ? field_of(*conditions, "ready") : nullptr;
  return !ready || (ready->is_bool() && ready->get_bool());
}

std::uint64_t wanted_endpoints(const json::object& slice) {
  digest sum;
  if (const auto* all = array_at(slice, "endpoints"))
    for (const auto& each : *all) {
      const auto* endpoint = each.if_object();
      const auto* addresses = endpoint && is_ready(*endpoint) ? array_at(*endpoint, "addresses") : nullptr;
      if (addresses && !addresses->empty())
        add_addresses(sum, *addresses);
    }
  return sum.value();
}

std::uint64_t found_endpoints(const json::object& spec) {
  const auto* all = array_at(spec, "endpoints");
  if (!all)
    return null_list;
  digest sum;
  for (const auto& each : *all) {
    const auto* endpoint = each.if_object();
    const auto* addresses = endpoint ? array_at(*endpoint, "addresses") : nullptr;
    if (addresses)
      add_addresses(sum, *addresses);
    if (!addresses || endpoint->size() != 1) // something else of the endpoint left the member
      sum.add(null_list).add(digest_of(each));
  }
  return sum.value();
}

std::uint64_t ports_of(const json::object& any) {
  digest sum;
  const auto* all = array_at(any, "ports");
  if (!all)
    return sum.value();
  for (const auto& each : *all) {
    const auto* port = each.if_object();
    if (!port)
      continue;
    sum.add(text_or_empty(*port, "name")).add(text_at(*port, "protocol").value_or("TCP"));
    const auto number = number_at(*port, "port");
    const auto app = text_at(*port, "appProtocol");
    sum.add(number ? static_cast<std::uint64_t>(*number) : ~std::uint64_t{0});
    sum.add(std::uint64_t{app.has_value()}).add(app.value_or(""));
  }
  return sum.value();
}

std::uint64_t namespaced(digest sum, std::string_view nspace, std::string_view name) {
  return sum.add(nspace).add(name).add(std::string{nspace} + '/' + std::string{name}).value();
}

/// The same three fields as an export holds them.
std::uint64_t namespaced(digest sum, const json::object& reference) {
  return sum.add(text_or_empty(reference, "namespace"))
    .add(text_or_empty(reference, "name"))
    .add(text_or_empty(reference, "namespacedName"))
    .value();
}

} // namespace

spec_parts wanted_parts(const json::object& slice, std::string_view cluster) {
  static const json::object none;
  const auto* metadata = object_at(slice, "metadata");
  const auto& about = metadata ? *metadata : none;
  const auto* labels = object_at(about, "labels");
  const auto nspace = text_or_empty(about, "namespace");
  digest identity;
  identity.add(cluster).add("discovery.k8s.io/v1").add("EndpointSlice").add(text_or_empty(about, "uid"));
  spec_parts out;
  out.address_type = digest{}.add("IPv4").value();
  out.endpoints = wanted_endpoints(slice);
  out.ports = ports_of(slice);
  out.reference = namespaced(identity, nspace, text_or_empty(about, "name"));
  out.owner = namespaced({}, nspace, labels ? text_or_empty(*labels, "kubernetes.io/service-name") : "");
  return out;
}

spec_parts found_parts(const json::object& spec) {
  static const json::object none;
  const auto* reference = object_at(spec, "endpointSliceReference");
  const auto* owner = object_at(spec, "ownerServiceReference");
  const auto& from = reference ? *reference : none;
  digest identity;
  identity.add(text_or_empty(from, "clusterId"))
    .add(text_or_empty(from, "apiVersion"))
    .add(text_or_empty(from, "kind"))
    .add(text_or_empty(from, "uid"));
  spec_parts out;
  out.address_type = digest{}.add(text_or_empty(spec, "addressType")).value();
  out.endpoints = found_endpoints(spec);
  out.ports = ports_of(spec);
  out.reference = namespaced(identity, from);
  out.owner = namespaced({}, owner ? *owner : none);
  return out;
}

} // namespace sliceferry::storm
