#pragma once
#include "test/storm/oracle/toy_world.hpp"

namespace sliceferry::storm {

using toy_object = boost::json::object;

inline toy_world::place slice_place(const std::string& name, const std::string& cluster = "m1") {
  return {cluster, "endpointslices", "shop", name};
}
inline toy_world::place consent_place(const std::string& service, const std::string& cluster = "m1") {
  return {cluster, "serviceexports", "shop", service};
}
inline toy_world::place export_place(const std::string& name, const std::string& member = "m1") {
  return {"hub", "endpointsliceexports", "fleet-member-" + member, name};
}

inline toy_object& metadata_of(toy_object& any) {
  return any["metadata"].get_object();
}

/// The slice's annotations; made where there are none.
inline toy_object& annotations_of(toy_object& any) {
  auto& found = metadata_of(any)["annotations"];
  return found.is_object() ? found.get_object() : found.emplace_object();
}

inline std::string text_of(toy_object& any, const std::string& key) {
  const auto* found = any.if_contains(key);
  return found && found->is_string() ? std::string{found->get_string()} : std::string{};
}

/// Two endpoints that are ready, one that isn't, and a port.
inline toy_object make_toy_slice(const std::string& service) {
  return boost::json::parse(R"({"metadata":{"labels":{"kubernetes.io/service-name":")" + service + R"("}},
    "addressType":"IPv4","ports":[{"name":"http","port":80,"protocol":"TCP"}],
    "endpoints":[{"addresses":["10.0.0.1"],"conditions":{"ready":true},"nodeName":"n1"},
                 {"addresses":["10.0.0.2"]},{"addresses":["10.0.0.3"],"conditions":{"ready":false}}]})")
    .get_object();
}

inline toy_object make_toy_consent(const std::string& valid = "True", const std::string& conflict = "False") {
  return boost::json::parse(R"({"status":{"conditions":[{"type":"Valid","status":")" + valid +
                            R"("},{"type":"Conflict","status":")" + conflict + R"("}]}})")
    .get_object();
}

inline void set_consent(toy_world& world, const std::string& service, bool granted) {
  const auto where = consent_place(service);
  if (!world.find(where))
    return world.create("fleet", where, make_toy_consent(granted ? "True" : "False"));
  world.change("fleet", where,
               [&](toy_object& any) { any["status"] = make_toy_consent(granted ? "True" : "False")["status"]; });
}

/// What the spec of a slice's export must be, worked out from the JSON once more.
inline toy_object make_toy_spec(toy_object slice, const std::string& cluster = "m1") {
  auto& about = metadata_of(slice);
  const auto nspace = text_of(about, "namespace");
  const auto name = text_of(about, "name");
  const auto service = text_of(about["labels"].get_object(), "kubernetes.io/service-name");
  boost::json::array endpoints;
  for (auto& each : slice["endpoints"].get_array()) {
    auto& endpoint = each.get_object();
    const auto* conditions = endpoint.if_contains("conditions");
    const auto* ready = conditions ? conditions->get_object().if_contains("ready") : nullptr;
    if ((!ready || ready->get_bool()) && !endpoint["addresses"].get_array().empty())
      endpoints.push_back(toy_object{{"addresses", endpoint["addresses"]}});
  }
  toy_object reference{{"clusterId", cluster},
                       {"apiVersion", "discovery.k8s.io/v1"},
                       {"kind", "EndpointSlice"},
                       {"namespace", nspace},
                       {"name", name},
                       {"namespacedName", nspace + '/' + name},
                       {"uid", about["uid"]},
                       {"resourceVersion", about["resourceVersion"]},
                       {"generation", about["generation"]},
                       {"exportedSince", annotations_of(slice)[toy_timestamp]}};
  toy_object owner{{"namespace", nspace}, {"name", service}, {"namespacedName", nspace + '/' + service}};
  toy_object spec{{"addressType", "IPv4"},
                  {"endpoints", std::move(endpoints)},
                  {"endpointSliceReference", std::move(reference)},
                  {"ownerServiceReference", std::move(owner)}};
  if (const auto* ports = slice.if_contains("ports"); ports && !ports->is_null())
    spec["ports"] = *ports;
  return spec;
}

inline const std::string program = "sliceferry";

// What the program does, one request each.

inline void annotate(toy_world& world, const std::string& slice, const std::string& name,
                     const std::string& timestamp = "2027-01-15T07:59:00Z") {
  world.change(program, slice_place(slice), [&](toy_object& any) {
    annotations_of(any)[toy_name] = name;
    annotations_of(any)[toy_generation] = std::to_string(metadata_of(any)["generation"].get_int64());
    annotations_of(any)[toy_timestamp] = timestamp;
  });
}

inline void clear(toy_world& world, const std::string& slice) {
  world.change(program, slice_place(slice), [&](toy_object& any) {
    for (const auto& key : {toy_name, toy_generation, toy_timestamp})
      annotations_of(any).erase(key);
  });
}

inline void create_export(toy_world& world, const std::string& slice, const std::string& name) {
  world.create(program, export_place(name), toy_object{{"spec", make_toy_spec(*world.find(slice_place(slice)))}});
}

inline void patch_export(toy_world& world, const std::string& slice, const std::string& name) {
  const auto spec = make_toy_spec(*world.find(slice_place(slice)));
  world.change(program, export_place(name), [&](toy_object& any) { any["spec"] = spec; });
}

/// A consented slice `a` of service `web`, exported as `n1` and at rest since `ago`.
inline void export_one(toy_world& world, std::chrono::milliseconds ago = std::chrono::seconds{10}) {
  set_consent(world, "web", true);
  world.create("kube", slice_place("a"), make_toy_slice("web"));
  annotate(world, "a", "n1");
  create_export(world, "a", "n1");
  world.pass(ago);
}

/// Some endpoint becomes another: the generation grows.
inline void move_endpoint(toy_world& world, const std::string& slice, const std::string& address) {
  world.change("kube", slice_place(slice), [&](toy_object& any) {
    any["endpoints"].get_array().at(0).get_object()["addresses"] = boost::json::array{address};
  });
}

} // namespace sliceferry::storm
