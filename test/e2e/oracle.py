"""What the hub must hold, worked out from the member's objects alone (shares no code with the program)."""

import datetime

from objects import GENERATION, MANAGED_BY, NAME, SERVICE_LABEL, TIMESTAMP, annotations

IMPORTER = "endpointsliceimport-controller.networking.fleet.azure.com"
IMPORTS_NS = "fleet-system"


def seconds(text):
    """A timestamp in whole seconds; exports and annotations carry no more."""
    return int(datetime.datetime.fromisoformat(text).timestamp())


def consents(service_export):
    """C16: Valid is True and Conflict is False, and it isn't going away."""
    if service_export is None or service_export["metadata"].get("deletionTimestamp"):
        return False
    found = {item["type"]: item["status"] for item in service_export.get("status", {}).get("conditions", [])}
    return found.get("Valid") == "True" and found.get("Conflict") == "False"


def eligible(item, service_export):
    """Whether this slice is to be exported, given the ServiceExport of its Service (or None)."""
    metadata = item["metadata"]
    labels = metadata.get("labels") or {}
    if metadata["namespace"] == IMPORTS_NS or labels.get(MANAGED_BY) == IMPORTER:
        return False
    if item["addressType"] != "IPv4" or not labels.get(SERVICE_LABEL) or metadata.get("deletionTimestamp"):
        return False
    return consents(service_export)


def desired_spec(item, cluster):
    """The spec of the slice's export, without reference.resourceVersion; exportedSince in seconds."""
    metadata = item["metadata"]
    ns, name, service = metadata["namespace"], metadata["name"], metadata["labels"][SERVICE_LABEL]
    ready = [one for one in item.get("endpoints") or [] if (one.get("conditions") or {}).get("ready") is not False]
    return {
        "addressType": "IPv4",
        "endpoints": [{"addresses": one["addresses"]} for one in ready],
        "ports": item.get("ports") or [],
        "endpointSliceReference": {
            "clusterId": cluster, "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "namespace": ns,
            "name": name, "namespacedName": f"{ns}/{name}", "uid": metadata["uid"],
            "generation": metadata["generation"], "exportedSince": seconds(annotations(item)[TIMESTAMP])},
        "ownerServiceReference": {"namespace": ns, "name": service, "namespacedName": f"{ns}/{service}"}}


def actual_spec(export):
    """The spec on the hub in the same form as `desired_spec`."""
    spec = export["spec"]
    reference = {key: value for key, value in spec["endpointSliceReference"].items() if key != "resourceVersion"}
    if reference.get("exportedSince"):
        reference["exportedSince"] = seconds(reference["exportedSince"])
    return dict(spec, endpointSliceReference=reference, ports=spec.get("ports") or [])


def slice_fault(item, exports, cluster):
    """Why an eligible slice isn't exactly exported, or None. `exports`: those on the hub by name."""
    metadata, held = item["metadata"], annotations(item)
    label = f"{metadata['namespace']}/{metadata['name']}"
    if not all(key in held for key in (NAME, GENERATION, TIMESTAMP)):
        return f"{label} lacks annotations: {held}"
    if held[GENERATION] != str(metadata["generation"]):
        return f"{label} is at generation {metadata['generation']}, annotated {held[GENERATION]}"
    export = exports.get(held[NAME])
    if export is None or export["metadata"].get("deletionTimestamp"):
        return f"{label} names {held[NAME]}, which is {'terminating' if export else 'absent'} on the hub"
    wanted, found = desired_spec(item, cluster), actual_spec(export)
    return None if wanted == found else f"{label} differs:\n  wanted {wanted}\n  found  {found}"


def differences(slices, service_exports, exports, cluster):
    """Every way in which the hub's exports (of this cluster's namespace) are not exactly right; empty when they are."""
    consent = {(one["metadata"]["namespace"], one["metadata"]["name"]): one for one in service_exports}
    by_name = {one["metadata"]["name"]: one for one in exports}
    faults, expected = [], set()
    for item in slices:
        metadata = item["metadata"]
        service = (metadata.get("labels") or {}).get(SERVICE_LABEL)
        if eligible(item, consent.get((metadata["namespace"], service))):
            fault = slice_fault(item, by_name, cluster)
            faults += [fault] if fault else []
            expected.add(annotations(item).get(NAME))
        elif NAME in annotations(item):
            faults.append(f"{metadata['namespace']}/{metadata['name']} isn't to be exported, yet is named")
    faults += [f"left over on the hub: {name}" for name in sorted(by_name) if name not in expected]
    return faults
