#include "test/storm/weather/hub_setup.hpp"

#include "test/storm/weather/fleet_names.hpp"

#include <cstdint>

namespace sliceferry::storm {
namespace {

/// The first of them refers to a slice that our member has too, so that only the cluster id and the UID tell them
/// apart.
std::string foreign_export(const std::string& nspace, std::uint32_t number) {
  const std::string home = nspace_name(0);
  const std::string owner = service_name(0);
  const std::string slice = slice_name(0, number);
  return R"({"apiVersion":"networking.fleet.azure.com/v1alpha1","kind":"EndpointSliceExport","metadata":{"name":")" +
         foreign_export_name(number) + R"(","namespace":")" + nspace +
         R"("},"spec":{"addressType":"IPv4","endpoints":[{"addresses":["10.9.8.)" + std::to_string(number + 1) +
         R"("]}],"ports":[{"name":"http","port":80,"protocol":"TCP"}],"endpointSliceReference":{"clusterId":"stranger",)" +
         R"("apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","namespace":")" + home + R"(","name":")" + slice +
         R"(","namespacedName":")" + home + '/' + slice + R"(","resourceVersion":"77","generation":3,)" +
         R"("uid":"5117a9e2-0000-4000-8000-00000000000)" + std::to_string(number % 10) +
         R"(","exportedSince":"2026-01-01T00:00:00Z"},"ownerServiceReference":{"namespace":")" + home +
         R"(","name":")" + owner + R"(","namespacedName":")" + home + '/' + owner + "\"}}}";
}

} // namespace

void set_up_hub(const std::vector<std::string>& members, const std::function<void(user_request)>& sink) {
  for (const auto& each : members) {
    const std::string nspace = "fleet-member-" + each;
    const std::string lane = "hub/" + nspace;
    sink({"hub", lane, "POST", "/api/v1/namespaces", "application/json",
          R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":")" + nspace + "\"}}"});
    for (std::uint32_t i = 0; i < foreign_exports; ++i)
      sink({"hub", lane, "POST",
            "/apis/networking.fleet.azure.com/v1alpha1/namespaces/" + nspace + "/endpointsliceexports",
            "application/json", foreign_export(nspace, i)});
  }
}

} // namespace sliceferry::storm
