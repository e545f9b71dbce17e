#pragma once
#include <string>

namespace sliceferry::k8s::samples {

/// An EndpointSlice as kube-apiserver writes it, with all that we skip.
inline const std::string slice =
  R"({"kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1","metadata":{"name":"web-abc12",)"
  R"("generateName":"web-","namespace":"shop","uid":"u-1","resourceVersion":"41","generation":3,)"
  R"("creationTimestamp":"2026-11-30T10:00:00Z","labels":{"app":"x","kubernetes.io/service-name":"web",)"
  R"("endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io"},)"
  R"("annotations":{"networking.fleet.azure.com/fleet-unique-name":"m1-shop-web-abc12-x",)"
  R"("networking.fleet.azure.com/last-seen-generation":"3",)"
  R"("networking.fleet.azure.com/last-seen-timestamp":"2026-11-30T10:00:01Z","other":"kept \"by\" others"},)"
  R"("ownerReferences":[{"apiVersion":"v1","kind":"Service","name":"web","uid":"s-1","controller":true}],)"
  R"("managedFields":[{"manager":"kcm","operation":"Update","apiVersion":"discovery.k8s.io/v1",)"
  R"("time":"2026-11-30T10:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:endpoints":{},"f:name":{".":[]}}}]},)"
  R"("addressType":"IPv4","endpoints":[)"
  R"({"addresses":["10.0.0.1","10.0.0.9"],"conditions":{"ready":true,"serving":true},"nodeName":"n1",)"
  R"("targetRef":{"kind":"Pod","name":"p","uid":"q"},"zone":"z"},)"
  R"({"addresses":["10.0.0.2"],"conditions":{"ready":false,"serving":true,"terminating":true}},)"
  R"({"addresses":["10.0.0.3"],"conditions":{"ready":null}},)"
  R"({"addresses":["10.0.0.4"],"conditions":{},"hints":{"forZones":[{"name":"a"}]}},)"
  R"({"addresses":["10.0.0.5"]},{"addresses":[]},{"addresses":null,"conditions":null}],)"
  R"("ports":[{"name":"http","protocol":"TCP","port":8080,"appProtocol":"kubernetes.io/h2c"},{"name":"","protocol":"UDP","port":null},{}]})";

inline const std::string consent =
  R"({"apiVersion":"networking.fleet.azure.com/v1beta1","kind":"ServiceExport","metadata":{"name":"web","namespace":"shop",)"
  R"("uid":"e-1","resourceVersion":"50","generation":2,"annotations":{"a":"b"}},"status":{"conditions":[)"
  R"({"type":"Valid","status":"True","observedGeneration":2,"reason":"ServiceIsValid","message":"m","lastTransitionTime":"2026-11-30T10:00:00Z"},)"
  R"({"type":"Conflict","status":"False","reason":"r","message":"","lastTransitionTime":"2026-11-30T10:00:00Z"},)"
  R"({"type":"Other","status":"True"},{"type":"Valid","status":"False"}]}})";

inline const std::string exported =
  R"({"apiVersion":"networking.fleet.azure.com/v1alpha1","kind":"EndpointSliceExport","metadata":{)"
  R"("creationTimestamp":"2026-11-30T10:00:02Z","deletionTimestamp":"2026-11-30T11:00:00Z","deletionGracePeriodSeconds":0,)"
  R"("finalizers":["networking.fleet.azure.com/endpointsliceexport-cleanup"],"generation":1,)"
  R"("managedFields":[{"manager":"sliceferry","operation":"Update","time":"2026-11-30T10:00:02Z","fieldsV1":{"f:spec":{}}},)"
  R"({"manager":"kubectl-edit","operation":"Update","time":"2026-11-30T10:30:00Z","fieldsV1":{"f:spec":{"f:ports":{}}}},)"
  R"({"manager":"hub-net","operation":"Update","time":"2026-11-30T10:30:01Z","fieldsV1":{"f:metadata":{"f:finalizers":{}}}}],)"
  R"("name":"m1-shop-web-abc12-x","namespace":"fleet-member-m1","resourceVersion":"77","uid":"h-1"},)"
  R"("spec":{"addressType":"IPv4","endpointSliceReference":{"apiVersion":"discovery.k8s.io/v1","clusterId":"m1",)"
  R"("exportedSince":"2026-11-30T12:00:01.5+02:00","generation":3,"kind":"EndpointSlice","name":"web-abc12","namespace":"shop",)"
  R"("namespacedName":"shop/web-abc12","resourceVersion":"41","uid":"u-1"},"endpoints":[{"addresses":["10.0.0.1"]},{"addresses":["10.0.0.3"]}],)"
  R"("ownerServiceReference":{"name":"web","namespace":"shop","namespacedName":"shop/web"},"ports":[{"port":80}]}})";

/// A slice of which only what tells it apart matters.
inline std::string small_slice(const std::string& name, const std::string& version, const std::string& more = {}) {
  return R"({"metadata":{"name":")" + name + R"(","namespace":"shop","uid":"uid-of-)" + name +
         R"(","resourceVersion":")" + version + R"("},"addressType":"IPv4","endpoints":null,"ports":null)" + more + "}";
}

inline std::string event(const std::string& type, const std::string& object) {
  return R"({"type":")" + type + R"(","object":)" + object + "}\n";
}

inline std::string bookmark(const std::string& version) {
  return event("BOOKMARK",
               R"({"kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1","metadata":{"resourceVersion":")" +
                 version + R"(","creationTimestamp":null},"endpoints":null})");
}

inline std::string error(int code, const std::string& reason) {
  return event("ERROR", R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"said )" +
                          reason + R"(","reason":")" + reason + R"(","code":)" + std::to_string(code) + "}");
}

/// A list as built-in types come: what it says of itself first. `items` joined by commas.
inline std::string list(const std::string& version, const std::string& items, const std::string& token = {}) {
  return R"({"kind":"EndpointSliceList","apiVersion":"discovery.k8s.io/v1","metadata":{"resourceVersion":")" + version +
         R"(")" + (token.empty() ? "" : R"(,"continue":")" + token + R"(","remainingItemCount":7)") + R"(},"items":[)" +
         items + "]}\n";
}

} // namespace sliceferry::k8s::samples
