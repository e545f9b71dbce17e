#pragma once
#include "actors/wall_clock.hpp"
#include "k8s/resource.hpp"
#include "test/bench/settled_fleet.hpp"
#include "test/storm/server/serve.hpp"

#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sliceferry::bench {

/// Simulated API servers of a hub and one member whose slices, of the shape that `settled_fleet` gives them, were all
/// there before the servers were asked anything.
class full_servers {
public:
  explicit full_servers(std::size_t slices) : slices_(slices) {}

  std::string member() const { return fleet_.who()->cluster; }
  std::string hub_nspace() const { return fleet_.who()->hub_nspace; }

  /// Serves until SIGTERM or the end of the process that started this one. Returns the exit code.
  int serve(const std::string& ready_file) const {
    storm::serve_options how;
    how.members = {member()};
    how.ready_file = ready_file;
    how.history = "/dev/null";
    how.history_events = 500'000; // real servers keep those of minutes, and a first export makes thousands a second
    how.clock = now;
    how.furnish = [this](const std::string& name, storm::cluster& fresh) {
      if (name == "hub")
        create(fresh, "/api/v1/namespaces", nspace_object(hub_nspace()));
      else
        furnish_member(fresh);
    };
    return storm::serve(how);
  }

private:
  static storm::instant now() { return std::chrono::duration_cast<storm::instant>(wall_clock().time_since_epoch()); }

  static void send(storm::cluster& to, storm::api_request asked) {
    asked.user = "storm";
    if (const auto answer = to.handle(asked, now()); answer.status >= 300)
      throw std::runtime_error{"the simulated server answered " + std::to_string(answer.status) + ": " + *answer.body};
  }

  static void create(storm::cluster& to, const std::string& collection, const std::string& object) {
    send(to, {"POST", collection, "application/json", object, {}});
  }

  void furnish_member(storm::cluster& fresh) const {
    std::set<std::string> nspaces;
    for (std::size_t i = 0; i < slices_; ++i) {
      const auto slice = fleet_.slice(i, false);
      const object_key service{slice.key.nspace, *slice.service};
      if (nspaces.insert(service.nspace).second)
        create(fresh, "/api/v1/namespaces", nspace_object(service.nspace));
      create(fresh, k8s::collection_path(k8s::service_exports, service.nspace), consent_object(service));
      send(fresh, {"PATCH",
                   k8s::object_path(k8s::service_exports, service) + "/status",
                   "application/merge-patch+json",
                   granted,
                   {}});
      create(fresh, k8s::collection_path(k8s::endpoint_slices, service.nspace), slice_object(slice));
    }
  }

  static std::string nspace_object(const std::string& name) {
    return R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":")" + name + "\"}}";
  }

  static std::string consent_object(const object_key& key) {
    return R"({"apiVersion":"networking.fleet.azure.com/v1beta1","kind":"ServiceExport","metadata":{"name":")" +
           key.name + R"(","namespace":")" + key.nspace + "\"}}";
  }

  static constexpr std::string_view granted =
    R"({"status":{"conditions":[{"type":"Valid","status":"True","reason":"ServiceIsValid","message":)"
    R"("exported service is valid","observedGeneration":1,"lastTransitionTime":"2026-01-01T00:00:00Z"},)"
    R"({"type":"Conflict","status":"False","reason":"NoConflictFound","message":"exported without conflict",)"
    R"("observedGeneration":1,"lastTransitionTime":"2026-01-01T00:00:00Z"}]}})";

  /// As the EndpointSlice controller of Kubernetes writes them.
  static std::string slice_object(const endpoint_slice& from) {
    std::string out = R"({"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{"name":")";
    out += from.key.name + R"(","namespace":")" + from.key.nspace + R"(","labels":{"kubernetes.io/service-name":")" +
           *from.service + R"(","endpointslice.kubernetes.io/managed-by":")" + from.managed_by +
           R"("},"annotations":{"endpoints.kubernetes.io/last-change-trigger-time":"2026-01-01T00:00:00Z"}},)"
           R"("addressType":"IPv4","endpoints":[)";
    for (const auto& each : from.ready) {
      if (out.back() == '}')
        out += ',';
      out += R"({"addresses":[")" + each.addresses.front() +
             R"("],"conditions":{"ready":true,"serving":true,"terminating":false},"nodeName":"node-7","targetRef":)"
             R"({"kind":"Pod","name":")" +
             *from.service + R"(-7d9f8b6c5-x2x7k","namespace":")" + from.key.nspace + R"(","uid":")" + from.uid +
             R"("},"zone":"zone-a"})";
    }
    const auto& port = from.ports->front();
    out += R"(],"ports":[{"name":")" + *port.name + R"(","port":)" + std::to_string(*port.number) +
           R"(,"protocol":"TCP"}]})";
    return out;
  }

  settled_fleet fleet_;
  std::size_t slices_;
};

} // namespace sliceferry::bench
