"""Rows: namespaces that come to their end, and kinds that come and go."""

from fidelity.ask import delete, get, patch, post, put, watch
from fidelity.bodies import (CRDS, HOLD, NAMESPACES, consent_of, consents, export_of, exports, lease_of, leases, meta,
                             nspace, slice_of, slices)

END = "fid-end"
WIDGETS = "/apis/fidelity.example.com/v1/namespaces/fid-a/widgets"
WIDGETS_CRD = f"{CRDS}/widgets.fidelity.example.com"


def definition(name="widgets.fidelity.example.com", **spec):
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {
        "size": {"type": "integer"}, "color": {"type": "string", "enum": ["red", "blue"]}}}}}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", **meta(name), "spec": {
        "group": "fidelity.example.com", "scope": "Namespaced",
        "names": {"kind": "Widget", "listKind": "WidgetList", "plural": "widgets", "singular": "widget"},
        "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}], **spec}}


def widget(name, more_meta=None, **spec):
    return {"apiVersion": "fidelity.example.com/v1", "kind": "Widget", **meta(name, **(more_meta or {})), "spec": spec}


def states(body):
    """{type: status} of a CRD's conditions; empty for what is none."""
    return {one["type"]: one["status"] for one in body["status"].get("conditions", [])} if "spec" in body else {}


def conditions(body):
    """Of a CRD: what matters of it; times and texts are the server's own."""
    found = states(body)
    return {"established": found.get("Established"), "accepted": found.get("NamesAccepted"),
            "terminating": found.get("Terminating"), "terminates": "deletionTimestamp" in body["metadata"],
            "finalizers": body["metadata"].get("finalizers"), "stored": body["status"].get("storedVersions"),
            "versions": [one["name"] for one in body["spec"]["versions"]]}


NSPACES = [
    post("namespace to end", NAMESPACES, nspace(END)),
    post("slice in it", slices(END), slice_of("in")),
    post("export in it", exports(END), export_of("in")),
    post("slice in it that is held", slices(END), slice_of("held", {"finalizers": [HOLD]})),
    put("finalize while it lives", f"{NAMESPACES}/{END}/finalize",
        {**nspace(END), "spec": {"finalizers": ["kubernetes"]}}),
    delete("end it", f"{NAMESPACES}/{END}"),
    get("it is terminating", f"{NAMESPACES}/{END}"),
    delete("end it again", f"{NAMESPACES}/{END}"),
    post("create it while it ends", NAMESPACES, nspace(END)),
    post("slice in what ends", slices(END), slice_of("late")),
    post("slice in what ends that is there already", slices(END), slice_of("in")),
    post("invalid slice in what ends", slices(END), slice_of("late", addressType="IP")),
    post("export in what ends", exports(END), export_of("late")),
    post("consent in what ends", consents(END), consent_of("late")),
    patch("patch in what ends", f"{slices(END)}/in", {"metadata": {"annotations": {"a": "1"}}}),
    put("put in what ends", f"{slices(END)}/in", slice_of("in", endpoints=[])),
    patch("label what ends", f"{NAMESPACES}/{END}", {"metadata": {"labels": {"team": "z"}}}),
    get("list in what ends", slices(END)),
    delete("delete in what ends", f"{slices(END)}/in"),
    delete("delete the held one in what ends", f"{slices(END)}/held"),
    patch("let the held one go", f"{slices(END)}/held", {"metadata": {"finalizers": None}}),
    delete("delete all exports in what ends", exports(END)),
    put("finalize", f"{NAMESPACES}/{END}/finalize", {**nspace(END), "spec": {"finalizers": []}}),
    get("it has ended", f"{NAMESPACES}/{END}"),
    post("slice after the end", slices(END), slice_of("late")),
    get("list after the end", slices(END)),
    delete("end what isn't there", f"{NAMESPACES}/{END}"),
    put("finalize what isn't there", f"{NAMESPACES}/{END}/finalize", {**nspace(END), "spec": {"finalizers": []}}),
    post("namespace anew", NAMESPACES, nspace(END)),
    get("nothing is in it", slices(END)),
]

KINDS = [
    post("definition of a wrong name", CRDS, definition("things.fidelity.example.com")),
    get("definition of the exports", f"{CRDS}/endpointsliceexports.networking.fleet.azure.com", look=conditions),
    get("definition that isn't there", WIDGETS_CRD),
    get("kind that isn't there", WIDGETS),
    post("define", CRDS, definition(), look=lambda body: [body["kind"], body["metadata"]["name"],
                                                          body["metadata"]["generation"]]),
    post("define again", CRDS, definition()),
    get("defined", WIDGETS_CRD, look=conditions,
        until=lambda status, body: states(body).get("Established") == "True"),
    get("served", WIDGETS, until=lambda status, body: status == 200),
    get("served group", "/apis/fidelity.example.com", until=lambda status, body: status == 200),
    post("object of it", WIDGETS, widget("w", color="red", weight=3)),
    post("invalid object of it", WIDGETS, widget("bad", color="green")),
    post("held object of it", WIDGETS, widget("held", {"finalizers": [HOLD]}, size=1)),
    patch("its status, which it lacks", f"{WIDGETS}/w/status", {"status": {}}),
    watch("watch it", WIDGETS),
    delete("undefine", WIDGETS_CRD, look=lambda body: body["kind"]),
    get("definition terminates", WIDGETS_CRD, look=conditions,
        until=lambda status, body: states(body).get("Terminating") == "True"),
    get("only the held one is left", WIDGETS, until=lambda status, body: status == 200 and len(body["items"]) == 1),
    get("read of a terminating kind", f"{WIDGETS}/held"),
    post("create of a terminating kind", WIDGETS, widget("late")),
    post("define while it terminates", CRDS, definition()),
    patch("let the last one go", f"{WIDGETS}/held", {"metadata": {"finalizers": None}}),
    get("definition is gone", WIDGETS_CRD, until=lambda status, body: status == 404),
    get("kind is gone", WIDGETS, until=lambda status, body: status == 404),
    post("create of a kind that is gone", WIDGETS, widget("late")),
    patch("patch of a kind that is gone", f"{WIDGETS}/held", {}),
    get("group is gone", "/apis/fidelity.example.com", until=lambda status, body: status == 404),
    delete("undefine what isn't there", WIDGETS_CRD),
]

ALL = [*NSPACES, *KINDS]

# The last of each kind: who watches along has heard of all else when it hears of these.
LAST = [
    post("last namespace", NAMESPACES, nspace("fid-last")),
    post("last slice", slices("fid-last"), slice_of("fid-last")),
    post("last export", exports("fid-last"), export_of("fid-last")),
    post("last consent", consents("fid-last"), consent_of("fid-last")),
    post("last lease", leases("fid-last"), lease_of("fid-last")),
]
