"""Rows: the life of custom resources: schema, pruning, status, generations."""

import itertools

from fidelity.ask import delete, get, patch, post, put
from fidelity.bodies import (HOLD, OTHER_NS, OTHER_UID, condition, consent_of, consents, export_of, exports, lease_of,
                             leases, preconditions, reference, status_of)

E1 = f"{exports()}/e1"
STATUS = f"{consents()}/web/status"
_numbers = itertools.count(1)


def kept_status(body):
    return {key: body.get(key) for key in ("apiVersion", "kind", "status")} | {
        "generation": body["metadata"]["generation"]}


def bad(more_meta=None, **spec):
    """Of a name of its own, so that one that is taken for good spoils nothing."""
    return export_of(f"bad-{next(_numbers)}", more_meta, **spec)


def ref(**changes):
    return bad(endpointSliceReference=reference(**changes))


CREATED = [
    post("create an export", exports(), export_of("e1"), keep="e1"),
    post("create the export again", exports(), export_of("e1")),
    get("read the export", E1),
    get("read an export that isn't there", f"{exports()}/none"),
    post("export in a namespace that isn't there", exports("fid-none"), export_of("e1")),
    post("export in another namespace than its own", exports(), export_of("x", {"namespace": OTHER_NS})),
    post("export without kind", exports(), {**export_of("x"), "kind": ""}),
    post("export without kind and apiVersion", exports(), {"metadata": {"name": "x"}}),
    post("export of another kind", exports(), {**export_of("x"), "kind": "Pod"}),
    post("export of another apiVersion", exports(), {**export_of("x"), "apiVersion": "v1"}),
    post("export of another version", exports(), {**export_of("x"), "apiVersion": "networking.fleet.azure.com/v9"}),
    post("export with a resourceVersion", exports(), export_of("x", {"resourceVersion": "7"})),
    post("export with unknown members", exports(),
         {**export_of("pruned", {"nothing": 1}, nothing={"a": 1},
                      endpoints=[{"addresses": ["10.1.0.1"], "more": 1}]), "nothing": 1}),
    post("export without addressType", exports(), export_of("default", addressType=...)),
    post("export with null ports", exports(), export_of("null-ports", ports=None)),
    post("export with empty ports", exports(), export_of("empty-ports", ports=[])),
    post("export without ports", exports(), export_of("no-ports", ports=...)),
    post("export with a bare port", exports(), export_of("bare-port", ports=[{}])),
    post("export with empty endpoints", exports(), export_of("empty-ends", endpoints=[])),
    post("export with a fractional time", exports(),
         export_of("fraction", endpointSliceReference=reference(exportedSince="2026-01-01T00:00:00.123456Z"))),
    post("export with a finalizer without a domain", exports(), export_of("domainless", {"finalizers": ["hold"]})),
    post("export with a status", exports(), {**export_of("status"), "status": {"a": 1}}),
    post("export with null metadata members", exports(), export_of("nulls", {"annotations": None, "labels": None})),
]

INVALID = [
    post("export with null endpoints", exports(), bad(endpoints=None)),
    post("export without endpoints", exports(), bad(endpoints=...)),
    post("export without spec", exports(), {**bad(), "spec": None}),
    post("export with an empty spec", exports(), {**bad(), "spec": {}}),
    post("export with a text as spec", exports(), {**bad(), "spec": "x"}),
    post("export of IPv6", exports(), bad(addressType="IPv6")),
    post("export with an endpoint without addresses", exports(), bad(endpoints=[{}])),
    post("export with null addresses", exports(), bad(endpoints=[{"addresses": None}])),
    post("export with a number as an address", exports(), bad(endpoints=[{"addresses": [1]}])),
    post("export without a uid", exports(), ref(uid=...)),
    post("export with a text as generation", exports(), ref(generation="3")),
    post("export with a fractional generation", exports(), ref(generation=3.5)),
    post("export with a bad time", exports(), ref(exportedSince="yesterday")),
    post("export with a port beyond 32 bits", exports(), bad(ports=[{"port": 3000000000}])),
    post("export with a text as port", exports(), bad(ports=[{"port": "80"}])),
    post("export with several faults", exports(), bad(addressType="IPv6", endpoints=None)),
    post("export without a name", exports(), export_of("")),
    post("export with a bad name", exports(), export_of("Not_A_Name")),
    post("export with a number as an annotation", exports(), bad({"annotations": {"a": 1}})),
    post("export with a bad label", exports(), bad({"labels": {"a": "not a value!"}})),
    post("export with a bad finalizer", exports(), bad({"finalizers": ["not a name"]})),
    post("export with a broken body", exports(), "{"),
    post("export with no body", exports(), ""),
    post("export with an array as body", exports(), "[]"),
    post("export of an unknown content type", exports(), export_of("x"), content="text/plain"),
]

PATCHED = [
    patch("change an export", E1, {"spec": {"endpoints": [{"addresses": ["10.1.0.2"]}]}}, keep="e2"),
    patch("change nothing of an export", E1, {"spec": {"endpoints": [{"addresses": ["10.1.0.2"]}]}}),
    patch("annotate an export", E1, {"metadata": {"annotations": {"a": "1"}}}),
    patch("label an export", E1, {"metadata": {"labels": {"a": "1"}}}),
    patch("status in a patch of an export", E1, {"status": {"a": 1}}),
    patch("unknown member in a patch of an export", E1, {"spec": {"nothing": 1}}),
    patch("wrong uid of an export", E1, {"metadata": {"uid": OTHER_UID}}),
    patch("stale resourceVersion of an export", E1,
          {"metadata": {"resourceVersion": "@{e1:metadata.resourceVersion}"}}),
    patch("wrong uid and stale resourceVersion of an export", E1,
          {"metadata": {"uid": OTHER_UID, "resourceVersion": "@{e1:metadata.resourceVersion}"}}),
    get("read the export again", E1, keep="e3"),
    patch("right uid and resourceVersion of an export", E1,
          {"metadata": {"uid": "@{e1:metadata.uid}", "resourceVersion": "@{e3:metadata.resourceVersion}"},
           "spec": {"ports": [{"name": "x", "port": 1}], "endpointSliceReference": {"generation": 4}}}),
    patch("ports to null", E1, {"spec": {"ports": None}}),
    patch("no spec any more", E1, {"spec": None}),
    patch("no endpoints any more", E1, {"spec": {"endpoints": None}}),
    patch("invalid patch of an export", E1, {"spec": {"addressType": "IPv6"}}),
    patch("number as an annotation of an export", E1, {"metadata": {"annotations": {"a": 1}}}),
    patch("change the kind of an export", E1, {"kind": "Pod"}),
    patch("rename an export", E1, {"metadata": {"name": "other"}}),
    patch("change the generation of an export", E1, {"metadata": {"generation": 77}}),
    patch("strategic merge patch of an export", E1, {}, content="application/strategic-merge-patch+json"),
    patch("broken patch of an export", E1, "{"),
    patch("array as a patch of an export", E1, "[]"),
    patch("patch an export that isn't there", f"{exports()}/none", {"metadata": {"uid": OTHER_UID}}),
    patch("patch an export in a namespace that isn't there", f"{exports('fid-none')}/e1", {}),
    put("put an export without a resourceVersion", E1, export_of("e1")),
    put("put an export with a stale one", E1, export_of("e1", {"resourceVersion": "@{e1:metadata.resourceVersion}"})),
    get("read the export once more", E1, keep="e4"),
    put("put an export with another uid", E1,
        export_of("e1", {"uid": OTHER_UID, "resourceVersion": "@{e4:metadata.resourceVersion}"})),
    put("put an export", E1, export_of("e1", {"resourceVersion": "@{e4:metadata.resourceVersion}"}), keep="e5"),
    put("put the same export", E1, export_of("e1", {"resourceVersion": "@{e5:metadata.resourceVersion}"})),
    put("put an export that isn't there", f"{exports()}/none", export_of("none")),
    put("put an export that isn't there at a resourceVersion", f"{exports()}/none",
        export_of("none", {"resourceVersion": "1"})),
    put("put an export of another name", E1, export_of("other")),
    put("put an invalid export", E1,
        export_of("e1", {"resourceVersion": "@{e5:metadata.resourceVersion}"}, endpoints=None)),
    patch("status of an export, which has no schema", f"{E1}/status", {"status": {"a": 1}}),
]

JUDGED = [
    post("consent", consents(), consent_of("web"), keep="consent"),
    get("consent in the other version", f"{consents(version='v1alpha1')}/web"),
    patch("judge", STATUS, status_of(condition(), condition("Conflict", "False")), keep="judged"),
    patch("judge the same again", STATUS, status_of(condition(), condition("Conflict", "False"))),
    get("read the verdict", STATUS, look=kept_status),
    get("read the verdict in the other version", f"{consents(version='v1alpha1')}/web", look=kept_status),
    patch("judge by the other version", f"{consents(version='v1alpha1')}/web/status",
          status_of(condition(status="False"))),
    patch("verdict beside the subresource", f"{consents()}/web", {"status": None}),
    patch("metadata by the subresource", STATUS, {"metadata": {"labels": {"a": "b"}}}),
    put("put of a verdict", STATUS, {**consent_of("web"), **status_of(condition(observedGeneration=1))}),
    get("read before the verdict is put", f"{consents()}/web", keep="consent2"),
    put("put of a verdict at a resourceVersion", STATUS,
        {**consent_of("web", resourceVersion="@{consent2:metadata.resourceVersion}"),
         **status_of(condition(observedGeneration=1))}),
    patch("verdict without a reason", STATUS, status_of(condition(reason=...))),
    patch("verdict with an empty reason", STATUS, status_of(condition(reason=""))),
    patch("verdict with a bad reason", STATUS, status_of(condition(reason="not a reason"))),
    patch("verdict of an unknown status", STATUS, status_of(condition(status="Maybe"))),
    patch("verdict of a bad type", STATUS, status_of(condition("not a type"))),
    patch("verdict with a bad time", STATUS, status_of(condition(lastTransitionTime="now"))),
    patch("verdict with a negative generation", STATUS, status_of(condition(observedGeneration=-1))),
    patch("verdict given twice", STATUS, status_of(condition(), condition(status="False"))),
    patch("stale verdict", STATUS, {"metadata": {"resourceVersion": "@{consent:metadata.resourceVersion}"},
                                    **status_of(condition())}),
    patch("verdict on another uid", STATUS, {"metadata": {"uid": OTHER_UID}, **status_of(condition())}),
    patch("verdict on what isn't there", f"{consents()}/none/status", status_of(condition())),
    post("consent with a status", consents(), {**consent_of("born"), **status_of(condition())}),
    post("consent in the other version's words", consents(version="v1alpha1"), consent_of("old", "v1alpha1")),
    post("consent of one version at the other's path", consents(), consent_of("mixed", "v1alpha1")),
    patch("spec that no schema knows", f"{consents()}/web", {"spec": {"a": 1}}),
    delete("take a consent back", f"{consents(version='v1alpha1')}/old"),
]

DELETED = [
    post("export to delete", exports(), export_of("gone"), keep="export"),
    delete("delete an export by another uid", f"{exports()}/gone", preconditions(uid=OTHER_UID)),
    delete("delete an export at another resourceVersion", f"{exports()}/gone", preconditions(version="1")),
    delete("delete an export that isn't there", f"{exports()}/none", preconditions(uid=OTHER_UID)),
    delete("delete an export", f"{exports()}/gone", preconditions(uid="@{export:metadata.uid}")),
    post("export that is held", exports(), export_of("held", {"finalizers": [HOLD]}), keep="held_export"),
    delete("delete a held export", f"{exports()}/held"),
    delete("delete a terminating export", f"{exports()}/held"),
    delete("delete a terminating export by another uid", f"{exports()}/held", preconditions(uid=OTHER_UID)),
    post("create upon a terminating export", exports(), export_of("held")),
    patch("patch a terminating export", f"{exports()}/held", {"spec": {"endpoints": []}}),
    patch("annotate a terminating export", f"{exports()}/held", {"metadata": {"annotations": {"a": "1"}}}),
    patch("finalize an export by its uid", f"{exports()}/held",
          {"metadata": {"uid": "@{held_export:metadata.uid}", "finalizers": []}}),
    get("the export is gone", f"{exports()}/held"),
    delete("delete all exports of another namespace", exports(OTHER_NS)),
]

LEASED = [
    post("lease", leases(), lease_of("l"), keep="lease"),
    put("renew", f"{leases()}/l", lease_of("l", "two", {"resourceVersion": "@{lease:metadata.resourceVersion}"})),
    put("renew a stale one", f"{leases()}/l",
        lease_of("l", "three", {"resourceVersion": "@{lease:metadata.resourceVersion}"})),
    put("renew without a resourceVersion", f"{leases()}/l", lease_of("l", "three")),
    put("put a lease that isn't there", f"{leases()}/m", lease_of("m")),
    put("put a lease that isn't there at a resourceVersion", f"{leases()}/n",
        lease_of("n", "x", {"resourceVersion": "1"})),
    patch("lease of no length", f"{leases()}/l", {"spec": {"leaseDurationSeconds": 0}}),
    get("read a lease", f"{leases()}/l"),
    delete("give up a lease", f"{leases()}/l"),
]

ALL = [*CREATED, *INVALID, *PATCHED, *JUDGED, *DELETED, *LEASED]
