"""Rows: what API servers can do and nobody in the fleet asks for; sent last, so that what differs spoils nothing."""

from fidelity.ask import delete, get, patch, post, put, watch
from fidelity.bodies import (ALL_SLICES, NAMESPACES, NS, export_of, exports, lease_of, leases, nspace, reference,
                             slice_of, slices)

ANNOTATED = {"metadata": {"annotations": {"a": "1"}}}
JSON_PATCH = [{"op": "add", "path": "/metadata/labels", "value": {"json": "patch"}}]

ALL = [
    post("slice to do other things with", slices(), slice_of("extra")),
    post("export to do other things with", exports(), export_of("extra")),
    post("dry run of a creation", f"{slices()}?dryRun=All", slice_of("dry")),
    get("a dry run leaves nothing", f"{slices()}/dry"),
    post("dry run of an export", f"{exports()}?dryRun=All", export_of("dry")),
    patch("dry run of a patch", f"{slices()}/extra?dryRun=All", ANNOTATED),
    get("a dry run changes nothing", f"{slices()}/extra"),
    delete("dry run of a deletion", f"{slices()}/extra?dryRun=All"),
    get("a dry run deletes nothing", f"{slices()}/extra"),
    post("slice to patch in other ways", slices(), slice_of("patched")),
    patch("JSON patch", f"{slices()}/patched", JSON_PATCH, content="application/json-patch+json"),
    patch("JSON patch of an export", f"{exports()}/extra", JSON_PATCH, content="application/json-patch+json"),
    post("slice to merge strategically", slices(), slice_of("merged")),
    patch("strategic merge patch", f"{slices()}/merged", ANNOTATED, content="application/strategic-merge-patch+json"),
    patch("apply", f"{slices()}/applied?fieldManager=me", slice_of("applied"), content="application/apply-patch+yaml"),
    post("strict creation with unknown members", f"{slices()}?fieldValidation=Strict", slice_of("strict", nothing=1)),
    post("YAML", slices(), "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: yaml}, "
         "addressType: IPv4}", content="application/yaml"),
    post("topology of old times", slices(), slice_of("old-topology", endpoints=[
        {"addresses": ["10.1.0.1"], "deprecatedTopology": {"a": "b"}}])),
    watch("watch by a path of old times", f"/apis/discovery.k8s.io/v1/watch/namespaces/{NS}/endpointslices"),
    post("lease with a strategy", leases(), {**lease_of("strategy"), "spec": {"strategy": "OldestEmulationVersion"}}),
    post("namespace with a finalizer", NAMESPACES, nspace("fid-more", finalizers=["example.com/hold"])),
    get("version", "/version", look=lambda body: {"major", "minor", "gitVersion"} <= set(body)),
    post("slice without lists", slices(), slice_of("listless", endpoints=..., ports=...)),
    patch("null endpoints to empty", f"{slices()}/listless", {"endpoints": []}),
    patch("empty endpoints to null", f"{slices()}/listless", {"endpoints": None}),
    patch("null ports to empty", f"{slices()}/listless", {"ports": []}),
    put("empty endpoints by put", f"{slices()}/listless", slice_of("listless", endpoints=[], ports=...)),
    put("null endpoints by put", f"{slices()}/listless", slice_of("listless", endpoints=None, ports=...)),
    post("export with a whole number in floating point", exports(),
         export_of("whole", endpointSliceReference=reference(generation=3.0))),
    get("unknown query", f"{ALL_SLICES}?nothing=1&limit=1", look=lambda body: body["kind"]),
]
