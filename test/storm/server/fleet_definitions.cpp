#include "test/storm/server/kind_table.hpp"

namespace sliceferry::storm {

namespace {

// Line breaks stand between members only, so that JSON reads them as white space.

constexpr std::string_view service_exports =
  R"crd({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition"
,"metadata":{"name":"serviceexports.networking.fleet.azure.com"},"spec":{"group":"networking.fleet.azure.com"
,"scope":"Namespaced","names":{"kind":"ServiceExport","listKind":"ServiceExportList","plural":"serviceexports"
,"singular":"serviceexport","shortNames":["svcexport"],"categories":["fleet-networking"]}
,"versions":[{"name":"v1beta1","served":true,"storage":true,"subresources":{"status":{}}
,"additionalPrinterColumns":[{"name":"Is-Valid","type":"string"
,"jsonPath":".status.conditions[?(@.type=='Valid')].status"},{"name":"Is-Conflicted","type":"string"
,"jsonPath":".status.conditions[?(@.type=='Conflict')].status"},{"name":"Age","type":"date"
,"jsonPath":".metadata.creationTimestamp"}],"schema":{"openAPIV3Schema":{"type":"object"
,"description":"The owner's wish to export the Service of the same name, and the fleet's verdict on it."
,"properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"type":"object"}
,"status":{"type":"object","properties":{"conditions":{"type":"array","x-kubernetes-list-type":"map"
,"x-kubernetes-list-map-keys":["type"],"items":{"type":"object","required":["type","status"
,"lastTransitionTime","reason","message"],"properties":{"type":{"type":"string","maxLength":316
,"pattern":"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"}
,"status":{"type":"string","enum":["True","False","Unknown"]},"observedGeneration":{"type":"integer"
,"format":"int64","minimum":0},"lastTransitionTime":{"type":"string","format":"date-time"}
,"reason":{"type":"string","minLength":1,"maxLength":1024
,"pattern":"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"},"message":{"type":"string"
,"maxLength":32768}}}}}}}}}},{"name":"v1alpha1","served":true,"storage":false,"subresources":{"status":{}}
,"additionalPrinterColumns":[{"name":"Is-Valid","type":"string"
,"jsonPath":".status.conditions[?(@.type=='Valid')].status"},{"name":"Is-Conflicted","type":"string"
,"jsonPath":".status.conditions[?(@.type=='Conflict')].status"},{"name":"Age","type":"date"
,"jsonPath":".metadata.creationTimestamp"}],"schema":{"openAPIV3Schema":{"type":"object"
,"description":"The owner's wish to export the Service of the same name, and the fleet's verdict on it."
,"properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"type":"object"}
,"status":{"type":"object","properties":{"conditions":{"type":"array","x-kubernetes-list-type":"map"
,"x-kubernetes-list-map-keys":["type"],"items":{"type":"object","required":["type","status"
,"lastTransitionTime","reason","message"],"properties":{"type":{"type":"string","maxLength":316
,"pattern":"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"}
,"status":{"type":"string","enum":["True","False","Unknown"]},"observedGeneration":{"type":"integer"
,"format":"int64","minimum":0},"lastTransitionTime":{"type":"string","format":"date-time"}
,"reason":{"type":"string","minLength":1,"maxLength":1024
,"pattern":"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"},"message":{"type":"string"
,"maxLength":32768}}}}}}}}}}]}})crd";

constexpr std::string_view slice_exports =
  R"crd({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition"
,"metadata":{"name":"endpointsliceexports.networking.fleet.azure.com"}
,"spec":{"group":"networking.fleet.azure.com","scope":"Namespaced","names":{"kind":"EndpointSliceExport"
,"listKind":"EndpointSliceExportList","plural":"endpointsliceexports","singular":"endpointsliceexport"
,"categories":["fleet-networking"]},"versions":[{"name":"v1alpha1","served":true,"storage":true
,"subresources":{"status":{}},"additionalPrinterColumns":[{"name":"Cluster","type":"string"
,"jsonPath":".spec.endpointSliceReference.clusterId"},{"name":"Slice","type":"string"
,"jsonPath":".spec.endpointSliceReference.namespacedName"},{"name":"Age","type":"date"
,"jsonPath":".metadata.creationTimestamp"}],"schema":{"openAPIV3Schema":{"type":"object"
,"description":"The ready endpoints of one EndpointSlice of a member cluster.","required":["spec"]
,"properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"type":"object"}
,"spec":{"type":"object","required":["addressType","endpoints","endpointSliceReference"
,"ownerServiceReference"],"properties":{"addressType":{"type":"string","enum":["IPv4"],"default":"IPv4"}
,"endpoints":{"type":"array","x-kubernetes-list-type":"atomic","items":{"type":"object"
,"required":["addresses"],"properties":{"addresses":{"type":"array","items":{"type":"string"}}}}}
,"ports":{"description":"Absent or empty, there are no defined ports. A port without a number stands for all ports."
,"type":"array","x-kubernetes-list-type":"atomic","items":{"type":"object","x-kubernetes-map-type":"atomic"
,"properties":{"name":{"type":"string"},"protocol":{"type":"string"},"port":{"type":"integer"
,"format":"int32"},"appProtocol":{"type":"string"}}}}
,"endpointSliceReference":{"description":"Which slice of which cluster this object mirrors.","type":"object"
,"x-kubernetes-map-type":"atomic","required":["clusterId","generation","kind","name","namespace"
,"namespacedName","resourceVersion","uid"],"properties":{"clusterId":{"type":"string"}
,"apiVersion":{"type":"string"},"kind":{"type":"string"},"namespace":{"type":"string"}
,"name":{"type":"string"},"namespacedName":{"type":"string"},"resourceVersion":{"type":"string"}
,"generation":{"type":"integer","format":"int64"},"uid":{"type":"string"}
,"exportedSince":{"description":"When the exporter first saw this generation of the slice.","type":"string"
,"format":"date-time"}}},"ownerServiceReference":{"description":"The Service that the slice belongs to."
,"type":"object","required":["namespace","name","namespacedName"],"properties":{"namespace":{"type":"string"}
,"name":{"type":"string"},"namespacedName":{"type":"string"}}}}}}}}}]}})crd";

} // namespace

const std::vector<std::string_view>& fleet_definitions() {
  static const std::vector<std::string_view> all{service_exports, slice_exports};
  return all;
}

} // namespace sliceferry::storm
