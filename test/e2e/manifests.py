"""config/manifests as a user would apply them: the CRDs, and the rights bound to the program's user."""

import copy
import pathlib

import yaml

from api import CRDS, FLEET, NAMESPACES, RBAC, ApiError
from cluster import PROGRAM
from wait import eventually

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "config/manifests"
SERVICE_EXPORT, SLICE_EXPORT = f"serviceexports.{FLEET}", f"endpointsliceexports.{FLEET}"


def documents(*names):
    """All YAML documents of the named manifests, or of the whole folder."""
    for path in sorted(FOLDER.rglob("*.yaml")):
        if not names or path.name in names:
            yield from (document for document in yaml.safe_load_all(path.read_text()) if document)


def crd(name):
    found = [item for item in documents()
             if item["kind"] == "CustomResourceDefinition" and item["metadata"]["name"] == name]
    assert len(found) == 1, f"{FOLDER} holds {len(found)} CRDs named {name}"
    return found[0]


def only_version(definition, version):
    """The same CRD as a server would have it that knows no other version."""
    definition = copy.deepcopy(definition)
    kept = [item for item in definition["spec"]["versions"] if item["name"] == version]
    if not kept:
        kept = [dict(definition["spec"]["versions"][0], name=version)]
    kept[0].update(served=True, storage=True)
    definition["spec"]["versions"] = kept
    return definition


def install_crd(api, definition):
    """Creates the CRD and waits until the server serves it."""
    api.create(CRDS, None, definition)
    version = definition["spec"]["versions"][0]["name"]
    plural = definition["spec"]["names"]["plural"]

    def served():
        try:
            api.request("GET", f"apis/{definition['spec']['group']}/{version}/{plural}?limit=1")
            return True
        except ApiError as error:
            assert error.code in (404, 503), str(error)
            return False

    eventually(served, 20, f"{plural} served")


def _ensure(api, resource, ns, body):
    try:
        api.create(resource, ns, body)
    except ApiError as error:
        if error.reason != "AlreadyExists":
            raise


def ensure_namespace(api, name):
    _ensure(api, NAMESPACES, None, {"metadata": {"name": name}})


def _bind(api, kind, name, ns):
    """Lets the program's user have the role `name` of this kind, in `ns` or in the whole cluster."""
    binding = "ClusterRoleBinding" if ns is None else "RoleBinding"
    _ensure(api, RBAC + binding.lower() + "s", ns, {
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": binding, "metadata": {"name": name},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": name},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": PROGRAM}]})


def grant_member(api):
    """Exactly the roles of member-rbac.yaml."""
    for role in documents("member-rbac.yaml"):
        if role["kind"] not in ("Role", "ClusterRole"):
            continue
        ns = role["metadata"].get("namespace") if role["kind"] == "Role" else None
        if ns:
            ensure_namespace(api, ns)
        _ensure(api, RBAC + role["kind"].lower() + "s", ns, role)
        _bind(api, role["kind"], role["metadata"]["name"], ns)


def grant_hub(api, ns):
    """Exactly the rules of hub-rbac.yaml, in the namespace of one member."""
    for role in documents("hub-rbac.yaml"):
        if role["kind"] in ("Role", "ClusterRole"):
            body = {"apiVersion": role["apiVersion"], "kind": "Role", "rules": role["rules"],
                    "metadata": {"name": role["metadata"]["name"]}}
            _ensure(api, RBAC + "roles", ns, body)
            _bind(api, "Role", role["metadata"]["name"], ns)


def grant_hub_everywhere(api):
    """The same rules in the whole hub, as for a process that serves many members; returns what takes them back."""
    rules = [rule for role in documents("hub-rbac.yaml") if role["kind"] in ("Role", "ClusterRole")
             for rule in role["rules"]]
    name = "sliceferry-everywhere"
    _ensure(api, RBAC + "clusterroles", None, {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
                                               "metadata": {"name": name}, "rules": rules})
    _bind(api, "ClusterRole", name, None)
    return lambda: api.delete(RBAC + "clusterrolebindings", None, name)
