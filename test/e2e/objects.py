"""Bodies of the objects that tests create, and what they say about themselves."""

from api import FLEET

NAME, GENERATION, TIMESTAMP = (f"{FLEET}/{key}" for key in
                               ("fleet-unique-name", "last-seen-generation", "last-seen-timestamp"))
OURS = (NAME, GENERATION, TIMESTAMP)
SERVICE_LABEL = "kubernetes.io/service-name"
MANAGED_BY = "endpointslice.kubernetes.io/managed-by"
HUB_FINALIZER = f"{FLEET}/endpointsliceexport-cleanup"
HOLD = "e2e.example.com/hold"  # a finalizer of someone else, to keep an object terminating


def endpoint(*addresses, ready=True):
    """`ready=None` leaves the condition out."""
    body = {"addresses": list(addresses)}
    if ready is not None:
        body["conditions"] = {"ready": ready}
    return body


def slice_body(name, service="web", addresses=("10.1.0.1",), family="IPv4", **more):
    """An EndpointSlice; `service=None` leaves the label out. `more`: labels, annotations, finalizers, endpoints, ports."""
    metadata = {"name": name, "labels": dict(more.get("labels", {}))}
    if service is not None:
        metadata["labels"][SERVICE_LABEL] = service
    for key in ("annotations", "finalizers"):
        if key in more:
            metadata[key] = more[key]
    return {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "metadata": metadata, "addressType": family,
            "endpoints": more.get("endpoints", [endpoint(address) for address in addresses]),
            "ports": more.get("ports", [{"name": "http", "port": 8080, "protocol": "TCP"}])}


def service_export_body(name, version="v1beta1", **metadata):
    return {"apiVersion": f"{FLEET}/{version}", "kind": "ServiceExport", "metadata": {"name": name, **metadata}}


def verdict(valid, conflict, generation=None):
    """The status of a ServiceExport: "True", "False" or "Unknown" each; None leaves a condition out."""
    conditions = []
    for kind, status in (("Valid", valid), ("Conflict", conflict)):
        if status is not None:
            condition = {"type": kind, "status": status, "reason": "Test", "message": "by the test",
                         "lastTransitionTime": "2026-01-01T00:00:00Z"}
            if generation is not None:
                condition["observedGeneration"] = generation
            conditions.append(condition)
    return {"status": {"conditions": conditions}}


def annotations(item):
    return item["metadata"].get("annotations") or {}


def ours_of(item):
    """Our annotations as found on a slice."""
    return {key: value for key, value in annotations(item).items() if key in OURS}


def foreign_of(item):
    return {key: value for key, value in annotations(item).items() if key not in OURS}


def export_body(name, cluster, source, since="2026-01-01T00:00:00Z", uid=None):
    """An EndpointSliceExport as an earlier run (or somebody else) would have made it for the slice `source`."""
    metadata = source["metadata"]
    ns, service = metadata["namespace"], metadata.get("labels", {}).get(SERVICE_LABEL, "web")
    return {
        "apiVersion": f"{FLEET}/v1alpha1", "kind": "EndpointSliceExport", "metadata": {"name": name},
        "spec": {
            "addressType": "IPv4",
            "endpoints": [{"addresses": item["addresses"]} for item in source.get("endpoints") or []],
            "ports": source.get("ports") or [],
            "endpointSliceReference": {
                "clusterId": cluster, "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "namespace": ns,
                "name": metadata["name"], "namespacedName": f"{ns}/{metadata['name']}",
                "uid": uid or metadata["uid"], "resourceVersion": metadata["resourceVersion"],
                "generation": metadata["generation"], "exportedSince": since},
            "ownerServiceReference": {"namespace": ns, "name": service, "namespacedName": f"{ns}/{service}"}}}
