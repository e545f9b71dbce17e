"""Bodies and paths of the table."""

NS, OTHER_NS = "fid-a", "fid-b"
NAMESPACES = "/api/v1/namespaces"
DISCOVERY = "/apis/discovery.k8s.io/v1"
FLEET = "/apis/networking.fleet.azure.com"
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
ALL_SLICES = f"{DISCOVERY}/endpointslices"
ALL_EXPORTS = f"{FLEET}/v1alpha1/endpointsliceexports"
ALL_CONSENTS = f"{FLEET}/v1beta1/serviceexports"
ALL_LEASES = "/apis/coordination.k8s.io/v1/leases"


def slices(ns=NS):
    return f"{DISCOVERY}/namespaces/{ns}/endpointslices"


def exports(ns=NS):
    return f"{FLEET}/v1alpha1/namespaces/{ns}/endpointsliceexports"


def consents(ns=NS, version="v1beta1"):
    return f"{FLEET}/{version}/namespaces/{ns}/serviceexports"


def leases(ns=NS):
    return f"/apis/coordination.k8s.io/v1/namespaces/{ns}/leases"


def meta(name, **more):
    return {"metadata": {"name": name, **more}}


def nspace(name, **more):
    return {"apiVersion": "v1", "kind": "Namespace", **meta(name, **more)}


def slice_of(name, more_meta=None, **members):
    """A slice of one endpoint and one port; members given as `...` are left out."""
    body = {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", **meta(name, **(more_meta or {})),
            "addressType": "IPv4", "endpoints": [{"addresses": ["10.1.0.1"], "conditions": {"ready": True}}],
            "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}], **members}
    return {key: value for key, value in body.items() if value is not ...}


def reference(**changes):
    made = {"clusterId": "m", "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "namespace": "shop",
            "name": "web-x", "namespacedName": "shop/web-x", "uid": "6f1f1a1e-0000-4000-8000-000000000001",
            "resourceVersion": "7", "generation": 3, "exportedSince": "2026-01-01T00:00:00Z", **changes}
    return {key: value for key, value in made.items() if value is not ...}


def export_of(name, more_meta=None, **spec):
    """An export of one endpoint and one port; members of the spec given as `...` are left out."""
    made = {"addressType": "IPv4", "endpoints": [{"addresses": ["10.1.0.1"]}],
            "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}], "endpointSliceReference": reference(),
            "ownerServiceReference": {"namespace": "shop", "name": "web", "namespacedName": "shop/web"}, **spec}
    return {"apiVersion": "networking.fleet.azure.com/v1alpha1", "kind": "EndpointSliceExport",
            **meta(name, **(more_meta or {})), "spec": {key: value for key, value in made.items() if value is not ...}}


def consent_of(name, version="v1beta1", **more_meta):
    return {"apiVersion": f"networking.fleet.azure.com/{version}", "kind": "ServiceExport", **meta(name, **more_meta)}


def condition(kind="Valid", status="True", **changes):
    made = {"type": kind, "status": status, "reason": "Judged", "message": "by the fleet",
            "lastTransitionTime": "2026-01-01T00:00:00Z", **changes}
    return {key: value for key, value in made.items() if value is not ...}


def status_of(*conditions):
    return {"status": {"conditions": list(conditions)}}


def lease_of(name, holder="one", more_meta=None):
    return {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", **meta(name, **(more_meta or {})),
            "spec": {"holderIdentity": holder, "leaseDurationSeconds": 15,
                     "renewTime": "2026-01-01T00:00:00.000000Z"}}


def preconditions(uid=None, version=None):
    made = {"uid": uid, "resourceVersion": version}
    return {"apiVersion": "v1", "kind": "DeleteOptions",
            "preconditions": {key: value for key, value in made.items() if value}}


OTHER_UID = "00000000-0000-4000-8000-00000000dead"
HOLD = "fidelity.example.com/hold"
