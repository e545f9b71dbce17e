"""Rows: what there is, who may ask, and paths that lead nowhere."""

from fidelity.ask import get, patch, post, put, delete
from fidelity.bodies import (ALL_EXPORTS, ALL_SLICES, CRDS, DISCOVERY, FLEET, NAMESPACES, NS, OTHER_NS, exports, nspace,
                             slice_of, slices)

KINDS = ("namespaces", "endpointslices", "serviceexports", "endpointsliceexports", "leases",
         "customresourcedefinitions")


def resources(body):
    """The entries of our kinds in a discovery document; the hash is an implementation's own."""
    found = [item for item in body["resources"] if item["name"].split("/")[0] in KINDS]
    return {"groupVersion": body["groupVersion"], "kind": body["kind"],
            "resources": [{key: value for key, value in item.items() if key != "storageVersionHash"} for item in found]}


def groups(body):
    """Those of our kinds; their order depends on when a server learnt of them."""
    return sorted((group for group in body["groups"] if group["name"] in
                   ("discovery.k8s.io", "networking.fleet.azure.com", "coordination.k8s.io", "apiextensions.k8s.io")),
                  key=lambda group: group["name"])


SETUP = [
    post("namespace a", NAMESPACES, nspace(NS), keep="ns"),
    post("namespace b", NAMESPACES, nspace(OTHER_NS, labels={"team": "x"})),
    post("namespace b again", NAMESPACES, nspace(OTHER_NS)),
    get("read namespace a", f"{NAMESPACES}/{NS}"),
    get("read a namespace that isn't there", f"{NAMESPACES}/fid-none"),
    post("namespace with a bad name", NAMESPACES, nspace("Fid_X")),
    patch("label a namespace", f"{NAMESPACES}/{NS}", {"metadata": {"labels": {"team": "y"}}}),
    patch("wrong uid of a namespace", f"{NAMESPACES}/{NS}", {"metadata": {"uid": "nobody"}}),
]

DISCOVERED = [
    get("readyz", "/readyz"),
    get("livez", "/livez"),
    get("healthz", "/healthz"),
    get("api", "/api", look=lambda body: {key: body[key] for key in ("kind", "versions")}),
    get("apis", "/apis", look=groups),
    get("group of slices", "/apis/discovery.k8s.io"),
    get("group of the fleet", FLEET),
    get("core v1", "/api/v1", look=resources),
    get("discovery v1", DISCOVERY, look=resources),
    get("fleet v1alpha1", f"{FLEET}/v1alpha1", look=resources),
    get("fleet v1beta1", f"{FLEET}/v1beta1", look=resources),
    get("coordination v1", "/apis/coordination.k8s.io/v1", look=resources),
    get("apiextensions v1", "/apis/apiextensions.k8s.io/v1", look=resources),
]

REFUSED = [
    get("no credential", ALL_SLICES, user=None),
    get("unknown token", ALL_SLICES, user="stranger"),
    post("create with an unknown token", slices(), slice_of("x"), user="stranger"),
    get("readyz with an unknown token", "/readyz", user="stranger"),
]

# The program's user has no rights on either server while these are sent.
FORBIDDEN = [
    get("forbidden list", ALL_SLICES, user="sliceferry"),
    get("forbidden list of a custom kind", exports(), user="sliceferry"),
    get("forbidden watch", f"{ALL_EXPORTS}?watch=1", user="sliceferry"),
    get("forbidden read", f"{slices()}/web", user="sliceferry"),
    get("forbidden read of what isn't there", f"{slices()}/none", user="sliceferry"),
    get("forbidden read in no namespace", f"{slices('fid-none')}/none", user="sliceferry"),
    post("forbidden create", slices(), slice_of("x"), user="sliceferry"),
    post("forbidden create of nonsense", slices(), "{", user="sliceferry"),
    patch("forbidden patch", f"{slices()}/web", {}, user="sliceferry"),
    put("forbidden put", f"{slices()}/web", slice_of("web"), user="sliceferry"),
    delete("forbidden delete", f"{exports()}/x", user="sliceferry"),
    delete("forbidden delete of all", exports(), user="sliceferry"),
    get("forbidden read of a namespace", f"{NAMESPACES}/{NS}", user="sliceferry"),
    get("forbidden read of a definition", f"{CRDS}/x", user="sliceferry"),
    patch("forbidden status", f"{exports()}/x/status", {}, user="sliceferry"),
]

NOWHERE = [
    get("unknown path", "/nowhere"),
    get("unknown group", "/apis/nowhere.example.com/v1/things"),
    get("unknown group's document", "/apis/nowhere.example.com"),
    get("unknown version", f"{FLEET}/v9/endpointsliceexports"),
    get("unknown version of a built-in group", "/apis/discovery.k8s.io/v9/endpointslices"),
    get("unknown version's document", f"{FLEET}/v9"),
    get("unknown kind of a built-in group", f"{DISCOVERY}/things"),
    get("unknown kind of the fleet's group", f"{FLEET}/v1alpha1/namespaces/{NS}/things"),
    get("unknown kind of core", f"/api/v1/namespaces/{NS}/things"),
    get("a version that lacks the kind", f"{FLEET}/v1beta1/endpointsliceexports"),
    post("create an unknown kind", f"{FLEET}/v1alpha1/namespaces/{NS}/things", {"kind": "Thing"}),
    get("unknown subresource", f"{slices()}/web/things"),
    get("unknown subresource of a custom kind", f"{exports()}/e1/things"),
    get("slices have no status", f"{slices()}/web/status"),
    get("too deep", f"{slices()}/web/status/more"),
    put("put on a collection", slices(), slice_of("web")),
    patch("patch on a collection", slices(), {}),
    put("put on a collection of a custom kind", exports(), {}),
    post("post on an object", f"{slices()}/web", slice_of("web")),
    post("post on an object of a custom kind", f"{exports()}/e1", {}),
    delete("delete all namespaces", NAMESPACES),
    get("an object without its namespace", f"{ALL_SLICES}/web"),
    get("an object of a custom kind without its namespace", f"{ALL_EXPORTS}/e1"),
    post("create without a namespace", ALL_SLICES, slice_of("x")),
    post("create of a custom kind without a namespace", ALL_EXPORTS, {}),
    delete("delete all without a namespace", ALL_SLICES),
]
