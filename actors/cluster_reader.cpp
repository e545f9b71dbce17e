#include "actors/cluster_reader.hpp"

#include "k8s/collection_list.hpp"

#include <algorithm>
#include <list>
#include <utility>

namespace sliceferry {

namespace {

using unreadable = core::member_lists::unreadable;

k8s::list_options options_for(const server_settings& limits, std::vector<k8s::resource> served_as,
                              std::string nspace = {}) {
  k8s::list_options out;
  out.served_as = std::move(served_as);
  out.nspace = std::move(nspace);
  const double pause = std::clamp(1000 / limits.qps, 0.0, 10'000.0);
  out.pause = std::chrono::milliseconds{static_cast<std::int64_t>(pause)};
  return out;
}

/// Takes what a reader read, if it could.
template <class T>
void take(k8s::list_reader<T>& from, unreadable::kind what, cluster_reading& into,
          void (*keep)(core::member_lists&, k8s::collection_list<T>&&)) {
  auto got = from.wait();
  if (!got) {
    into.failures.push_back(got.error().text);
    return;
  }
  for (auto& each : got->unreadable)
    into.lists.broken.push_back({what, std::move(each.key), std::move(each.text)});
  keep(into.lists, std::move(*got));
}

} // namespace

core::member_identity identity_of(const settings& chosen, const member_settings& member) {
  core::member_identity out;
  out.cluster = member.name;
  out.hub_nspace = member.hub_nspace;
  out.imports_nspace = chosen.imports_nspace;
  out.refresh_resource_version_always = chosen.refresh_resource_version_always;
  out.serving_fallback = chosen.serving_fallback;
  out.orphan_grace = chosen.orphan_grace;
  return out;
}

cluster_reader::cluster_reader(k8s::io_loop& loop, const settings& chosen, const server_access& access,
                               const member_settings& member)
  : loop_(loop), chosen_(chosen), member_(member), hub_(loop, access.hub), own_(loop, access.members.at(member.name)) {}

cluster_reading cluster_reader::read() {
  const auto exports_of = [&](const std::string& nspace) {
    return options_for(chosen_.hub, {k8s::slice_exports}, nspace);
  };
  k8s::list_reader<slice_export> exports{loop_, hub_, exports_of(member_.hub_nspace)};
  k8s::list_reader<endpoint_slice> slices{loop_, own_, options_for(member_.server, {k8s::endpoint_slices})};
  k8s::list_reader<service_export> consents{
    loop_, own_, options_for(member_.server, {k8s::service_exports, k8s::service_exports_alpha})};
  std::list<k8s::list_reader<slice_export>> former;
  for (const auto& each : member_.former_names)
    former.emplace_back(loop_, hub_, exports_of(each.hub_nspace));

  cluster_reading out;
  take<endpoint_slice>(slices, unreadable::kind::slice, out, [](auto& lists, auto&& got) {
    lists.slices = std::move(got.items);
    lists.slices_version = got.resource_version;
  });
  take<service_export>(consents, unreadable::kind::consent, out, [](auto& lists, auto&& got) {
    lists.consents = std::move(got.items);
    lists.consents_version = got.resource_version;
  });
  take<slice_export>(exports, unreadable::kind::exported, out, [](auto& lists, auto&& got) {
    lists.exports = std::move(got.items);
    lists.exports_version = got.resource_version;
  });
  auto reader = former.begin();
  for (const auto& each : member_.former_names) {
    auto got = (reader++)->wait();
    if (got)
      out.lists.former.push_back({each.name, std::move(got->items)});
    else
      out.lacks.push_back("former name " + each.name + ": " + got.error().text);
  }
  return out;
}

} // namespace sliceferry
