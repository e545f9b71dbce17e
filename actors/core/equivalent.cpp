#include "actors/core/equivalent.hpp"

#include "actors/core/fingerprint.hpp"
#include "actors/core/member_identity.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <tuple>

namespace sliceferry::core {
namespace {

// The normal form, read through these: both functions below look at a spec only this way.

std::string_view or_else(std::string_view text, std::string_view instead) {
  return text.empty() ? instead : text;
}

std::span<const port> ports_of(const slice_export_spec& spec) {
  return spec.ports ? std::span<const port>{*spec.ports} : std::span<const port>{};
}

std::string_view name_of(const port& each) {
  return each.name ? std::string_view{*each.name} : std::string_view{};
}

std::string_view protocol_of(const port& each) {
  return each.protocol ? std::string_view{*each.protocol} : std::string_view{"TCP"};
}

/// All texts of a spec outside its lists.
auto texts_of(const slice_export_spec& spec) {
  const auto& from = spec.reference;
  return std::tuple<std::string_view, std::string_view, std::string_view, std::string_view, std::string_view,
                    std::string_view, std::string_view, std::string_view, std::string_view, std::string_view>{
    spec.address_type,
    from.cluster,
    or_else(from.api_version, slice_api_version),
    or_else(from.kind, slice_kind),
    from.slice.nspace,
    from.slice.name,
    from.namespaced_name,
    from.uid,
    spec.owner.service.nspace,
    spec.owner.service.name,
  };
}

bool same_port(const port& left, const port& right) {
  return name_of(left) == name_of(right) && protocol_of(left) == protocol_of(right) && left.number == right.number &&
         left.app_protocol == right.app_protocol;
}

void add(fingerprint& hash, const port& each) {
  hash.add(name_of(each));
  hash.add(protocol_of(each));
  hash.add(each.number ? std::uint64_t{1} << 32 | static_cast<std::uint32_t>(*each.number) : 0U);
  hash.add(std::uint64_t{each.app_protocol.has_value()});
  hash.add(each.app_protocol ? std::string_view{*each.app_protocol} : std::string_view{});
}

} // namespace

bool equivalent(const slice_export_spec& left, const slice_export_spec& right) {
  return texts_of(left) == texts_of(right) && left.owner.namespaced_name == right.owner.namespaced_name &&
         left.reference.generation == right.reference.generation &&
         left.reference.exported_since == right.reference.exported_since &&
         std::ranges::equal(ports_of(left), ports_of(right), same_port) && left.endpoints == right.endpoints;
}

std::uint64_t digest(const slice_export_spec& spec, bool count_resource_version) {
  fingerprint hash;
  std::apply([&](auto... text) { (hash.add(text), ...); }, texts_of(spec));
  hash.add(spec.owner.namespaced_name);
  hash.add(static_cast<std::uint64_t>(spec.reference.generation));
  const auto& since = spec.reference.exported_since;
  hash.add(std::uint64_t{since.has_value()});
  hash.add(since ? static_cast<std::uint64_t>(since->time_since_epoch().count()) : 0U);
  hash.add(ports_of(spec).size());
  for (const auto& each : ports_of(spec))
    add(hash, each);
  hash.add(spec.endpoints.size());
  for (const auto& each : spec.endpoints) {
    hash.add(each.addresses.size());
    for (const auto& address : each.addresses)
      hash.add(address);
  }
  if (count_resource_version)
    hash.add(spec.reference.resource_version);
  return std::max<std::uint64_t>(hash.value(), 1);
}

} // namespace sliceferry::core
