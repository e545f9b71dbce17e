"""Rows: the life of EndpointSlices, a built-in kind."""

import itertools

from fidelity.ask import delete, get, patch, post, put
from fidelity.bodies import HOLD, NS, OTHER_NS, OTHER_UID, preconditions, slice_of, slices

WEB = f"{slices()}/web"
_numbers = itertools.count(1)


def labels(**values):
    return {"metadata": {"labels": values}}


def annotated(**values):
    return {"metadata": {"annotations": values}}


def port(**members):
    return bad(ports=[members])


def bad(more_meta=None, **members):
    """Of a name of its own, so that one that is taken for good spoils nothing."""
    return slice_of(f"bad-{next(_numbers)}", more_meta, **members)


def ends(*addresses, **more):
    return bad(endpoints=[{"addresses": list(addresses)}], **more)


CREATED = [
    post("create a slice", slices(), slice_of("web", {"labels": {"kubernetes.io/service-name": "web"}}), keep="web"),
    post("create it again", slices(), slice_of("web")),
    get("read it", WEB),
    get("read what isn't there", f"{slices()}/none"),
    get("read in a namespace that isn't there", f"{slices('fid-none')}/none"),
    post("create in a namespace that isn't there", slices("fid-none"), slice_of("web")),
    post("create in another namespace than its own", slices(), slice_of("x", {"namespace": OTHER_NS})),
    post("create with the namespace named", slices(), slice_of("named", {"namespace": NS})),
    post("create without kind", slices(), slice_of("kindless", kind=..., apiVersion=...)),
    post("create with another kind", slices(), slice_of("x", kind="Pod")),
    post("create with another apiVersion", slices(), slice_of("x", apiVersion="discovery.k8s.io/v9")),
    post("create with another group", slices(), slice_of("x", apiVersion="example.com/v1")),
    post("create with a resourceVersion", slices(), slice_of("x", {"resourceVersion": "7"})),
    post("create with a uid", slices(), slice_of("own-uid", {"uid": OTHER_UID}), keep="own"),
    post("create with a generation and times", slices(),
         slice_of("stamped", {"generation": 9, "creationTimestamp": "2001-01-01T00:00:00Z",
                              "deletionTimestamp": "2001-01-01T00:00:00Z"})),
    post("create a bare one", slices(), slice_of("bare", endpoints=..., ports=...)),
    post("create with empty lists", slices(), slice_of("empty", endpoints=[], ports=[])),
    post("create with null lists", slices(), slice_of("nulls", endpoints=None, ports=None)),
    post("create with a bare port", slices(), slice_of("port", ports=[{}])),
    post("create with all that an endpoint has", slices(), slice_of("full", endpoints=[
        {"addresses": ["10.1.0.1"], "conditions": {"ready": False, "serving": True, "terminating": None},
         "hostname": "h", "nodeName": "n", "zone": "z", "targetRef": {"kind": "Pod", "name": "p", "uid": "u"},
         "hints": {"forZones": [{"name": "z"}]}}])),
    post("create an IPv6 one", slices(), slice_of("six", addressType="IPv6",
                                                  endpoints=[{"addresses": ["fd00::1"]}])),
    post("create an FQDN one", slices(), slice_of("fqdn", addressType="FQDN",
                                                  endpoints=[{"addresses": ["a.example.com"]}])),
    post("create with unknown members", slices(),
         slice_of("unknown", {"nothing": 1}, nothing={"a": 1}, endpoints=[{"addresses": ["10.1.0.1"], "more": 1}])),
    post("create with a generated name", slices(),
         slice_of("", {"generateName": "gen-"}), keep="gen",
         look=lambda body: [body["metadata"]["generateName"], len(body["metadata"]["name"])]),
    delete("delete the generated", f"{slices()}/@{{gen:metadata.name}}", look=lambda body: body["status"]),
]

INVALID = [
    post("slice without a name", slices(), slice_of("")),
    post("slice with a bad name", slices(), slice_of("Not_A_Name")),
    post("slice with a long name", slices(), slice_of("n" * 254)),
    post("slice of addressType IP", slices(), bad(addressType="IP")),
    post("slice without addressType", slices(), bad(addressType=...)),
    post("slice without anything", slices(), {"metadata": {}}),
    post("endpoint without addresses", slices(), bad(endpoints=[{}])),
    post("endpoint with empty addresses", slices(), ends()),
    post("no address at all", slices(), ends("here")),
    post("IPv6 address in IPv4", slices(), ends("fd00::1")),
    post("IPv4 address in IPv6", slices(), ends("10.1.0.1", addressType="IPv6")),
    post("loopback address", slices(), ends("127.0.0.1")),
    post("unspecified address", slices(), ends("0.0.0.0")),
    post("address with leading zeros", slices(), ends("010.001.000.001")),
    post("link-local address", slices(), ends("169.254.1.1")),
    post("multicast address", slices(), ends("224.0.0.1")),
    post("host without dots", slices(), ends("host", addressType="FQDN")),
    post("101 addresses", slices(), ends(*[f"10.2.{i}.1" for i in range(101)])),
    post("1001 endpoints", slices(), bad(endpoints=[{"addresses": ["10.1.0.1"]}] * 1001)),
    post("bad port name", slices(), port(name="Not A Name", port=1)),
    post("port named twice", slices(), bad(ports=[{"name": "a", "port": 1}, {"name": "a", "port": 2}])),
    post("unknown protocol", slices(), port(name="a", port=1, protocol="XX")),
    post("bad appProtocol", slices(), port(name="a", port=1, appProtocol="a b")),
    post("port as a text", slices(), port(name="a", port="80")),
    post("fractional port", slices(), port(name="a", port=80.5)),
    post("port beyond 32 bits", slices(), port(name="a", port=3000000000)),
    post("endpoints as an object", slices(), bad(endpoints={})),
    post("ready as a text", slices(), bad(endpoints=[{"addresses": ["10.1.0.1"],
                                                                 "conditions": {"ready": "yes"}}])),
    post("number as a label", slices(), bad({"labels": {"a": 1}})),
    post("bad label value", slices(), bad({"labels": {"a": "not a value!"}})),
    post("bad label key", slices(), bad({"labels": {"not a key": "a"}})),
    post("bad annotation key", slices(), bad({"annotations": {"not a key": "a"}})),
    post("annotations beyond 256 KiB", slices(), bad({"annotations": {"a": "x" * 262144}})),
    post("bad finalizer", slices(), bad({"finalizers": ["not a name"]})),
    post("finalizer without a domain", slices(), bad({"finalizers": ["hold"]})),
    post("slice beyond etcd's limit", slices(), bad(endpoints=[
        {"addresses": [f"10.{100 + i % 150}.{100 + j}.111" for j in range(100)]} for i in range(1000)])),
]

UNREADABLE = [
    post("no body", slices(), ""),
    post("broken JSON", slices(), '{"kind":"EndpointSlice",'),
    post("no JSON", slices(), "kind EndpointSlice"),
    post("array as a body", slices(), "[]"),
    post("text as a body", slices(), '"slice"'),
    post("null as a body", slices(), "null"),
    post("unknown content type", slices(), slice_of("x"), content="text/plain"),
    post("no content type", slices(), slice_of("untyped"), content=None),
    post("content type with a character set", slices(), slice_of("charset"), content="application/json; charset=utf-8"),
    post("merge patch as a creation", slices(), slice_of("x"), content="application/merge-patch+json"),
    post("metadata as a text", slices(), {"metadata": "x"}),
    post("name as a number", slices(), {"metadata": {"name": 5}}),
    patch("broken patch", WEB, '{"metadata":'),
    patch("array as a patch", WEB, "[]"),
    patch("empty patch body", WEB, ""),
    patch("patch of an unknown type", WEB, {}, content="application/json"),
    patch("patch without a type", WEB, {}, content=None),
    put("broken put", WEB, "{"),
    put("put of an unknown type", WEB, slice_of("web"), content="text/plain"),
    delete("delete with broken options", WEB, "{"),
]

PATCHED = [
    patch("annotate", WEB, annotated(a="1", b="2"), keep="annotated"),
    patch("annotate the same again", WEB, annotated(a="1")),
    patch("take an annotation away", WEB, annotated(a=None)),
    patch("take away what isn't there", WEB, annotated(nothing=None)),
    patch("empty patch", WEB, {}),
    patch("label", WEB, labels(x="1")),
    patch("label the same again", WEB, labels(x="1")),
    patch("take a label away", WEB, labels(x=None)),
    patch("change endpoints", WEB, {"endpoints": [{"addresses": ["10.1.0.2"]}]}),
    patch("change endpoints and annotation", WEB, {**annotated(c="3"), "endpoints": []}),
    patch("number as an annotation", WEB, annotated(a=1)),
    patch("annotations as a text", WEB, {"metadata": {"annotations": "x"}}),
    patch("bad annotation key in a patch", WEB, annotated(**{"not a key": "x"})),
    patch("unknown member in a patch", WEB, {"nothing": 1}),
    patch("change addressType", WEB, {"addressType": "IPv6"}),
    patch("invalid endpoints in a patch", WEB, {"endpoints": [{"addresses": ["x"]}]}),
    patch("rename", WEB, {"metadata": {"name": "other"}}),
    patch("move", WEB, {"metadata": {"namespace": OTHER_NS}}),
    patch("change the kind", WEB, {"kind": "Pod"}),
    patch("change the apiVersion", WEB, {"apiVersion": "v1"}),
    patch("change the generation", WEB, {"metadata": {"generation": 77}}),
    patch("change the creation", WEB, {"metadata": {"creationTimestamp": "2001-01-01T00:00:00Z"}}),
    patch("ask for a deletion by patch", WEB, {"metadata": {"deletionTimestamp": "2001-01-01T00:00:00Z"}}),
    patch("wrong uid", WEB, {"metadata": {"uid": OTHER_UID}}),
    patch("right uid", WEB, {"metadata": {"uid": "@{web:metadata.uid}", "annotations": {"d": "4"}}}, keep="web2"),
    patch("stale resourceVersion", WEB, {"metadata": {"resourceVersion": "@{web:metadata.resourceVersion}"}}),
    patch("wrong uid and stale resourceVersion", WEB,
          {"metadata": {"uid": OTHER_UID, "resourceVersion": "@{web:metadata.resourceVersion}"}}),
    patch("right uid and resourceVersion", WEB,
          {"metadata": {"uid": "@{web:metadata.uid}", "resourceVersion": "@{web2:metadata.resourceVersion}",
                        "annotations": {"e": "5"}}}, keep="web3"),
    patch("right resourceVersion, nothing to change", WEB,
          {"metadata": {"resourceVersion": "@{web3:metadata.resourceVersion}"}}),
    patch("resourceVersion that is none", WEB, {"metadata": {"resourceVersion": "abc"}}),
    patch("empty resourceVersion", WEB, {"metadata": {"resourceVersion": ""}}),
    patch("patch what isn't there", f"{slices()}/none", annotated(a="1")),
    patch("patch with a uid what isn't there", f"{slices()}/none", {"metadata": {"uid": OTHER_UID}}),
    patch("patch in a namespace that isn't there", f"{slices('fid-none')}/web", annotated(a="1")),
]

REPLACED = [
    get("read before it is replaced", WEB, keep="now"),
    put("put without a resourceVersion", WEB, slice_of("web", {"labels": {"kubernetes.io/service-name": "web"}}),
        keep="put"),
    put("put with a stale resourceVersion", WEB,
        slice_of("web", {"resourceVersion": "@{web:metadata.resourceVersion}"})),
    put("put with the resourceVersion", WEB, slice_of("web", {"resourceVersion": "@{put:metadata.resourceVersion}"})),
    put("put that changes nothing", WEB, slice_of("web")),
    put("put with another uid", WEB, slice_of("web", {"uid": OTHER_UID})),
    put("put of another name", WEB, slice_of("other")),
    put("put without a name", WEB, slice_of("", {})),
    put("put of another namespace", WEB, slice_of("web", {"namespace": OTHER_NS})),
    put("put what isn't there", f"{slices()}/none", slice_of("none")),
    put("put in a namespace that isn't there", f"{slices('fid-none')}/web", slice_of("web")),
    put("put of an invalid slice", WEB, slice_of("web", ports=[{"protocol": "XX"}])),
    put("put of another addressType", WEB, slice_of("web", addressType="IPv6", endpoints=[])),
    put("put of another kind", WEB, slice_of("web", kind="Pod")),
]

DELETED = [
    post("create one to delete", slices(), slice_of("gone"), keep="gone"),
    delete("delete with another uid", f"{slices()}/gone", preconditions(uid=OTHER_UID)),
    delete("delete with another resourceVersion", f"{slices()}/gone", preconditions(version="1")),
    delete("delete with both wrong", f"{slices()}/gone", preconditions(OTHER_UID, "1")),
    delete("delete what isn't there", f"{slices()}/none"),
    delete("delete what isn't there by uid", f"{slices()}/none", preconditions(uid=OTHER_UID)),
    delete("delete in a namespace that isn't there", f"{slices('fid-none')}/gone"),
    delete("delete with an unknown propagation", f"{slices()}/gone", {"kind": "DeleteOptions", "apiVersion": "v1",
                                                                      "propagationPolicy": "Sideways"}),
    delete("delete with both right", f"{slices()}/gone",
           preconditions("@{gone:metadata.uid}", "@{gone:metadata.resourceVersion}")),
    get("it is gone", f"{slices()}/gone"),
    delete("delete again", f"{slices()}/gone"),
    post("create it anew", slices(), slice_of("gone")),
    delete("delete in the background", f"{slices()}/gone?propagationPolicy=Background"),
    post("create one that is held", slices(), slice_of("held", {"finalizers": [HOLD]}), keep="held"),
    delete("delete what is held, by another uid", f"{slices()}/held", preconditions(uid=OTHER_UID)),
    delete("delete what is held", f"{slices()}/held", keep="terminating"),
    get("it terminates", f"{slices()}/held"),
    delete("delete what terminates", f"{slices()}/held"),
    delete("delete what terminates, by another uid", f"{slices()}/held", preconditions(uid=OTHER_UID)),
    post("create upon what terminates", slices(), slice_of("held")),
    patch("patch what terminates", f"{slices()}/held", annotated(a="1")),
    put("put what terminates", f"{slices()}/held", slice_of("held", {"finalizers": [HOLD]})),
    patch("another finalizer on what terminates", f"{slices()}/held",
          {"metadata": {"finalizers": [HOLD, "fidelity.example.com/late"]}}),
    patch("change endpoints of what terminates", f"{slices()}/held", {"endpoints": []}),
    patch("let it go", f"{slices()}/held", {"metadata": {"finalizers": None}}),
    get("it is gone after its finalizer", f"{slices()}/held"),
    post("create one with a finalizer", slices(), slice_of("freed", {"finalizers": [HOLD]})),
    patch("take a finalizer away while it lives", f"{slices()}/freed", {"metadata": {"finalizers": []}}),
    delete("delete all of a label", f"{slices()}?labelSelector=kubernetes.io/service-name%3Dnone"),
    delete("delete some by name", f"{slices()}?fieldSelector=metadata.name%3Dfreed"),
]

ALL = [*CREATED, *INVALID, *UNREADABLE, *PATCHED, *REPLACED, *DELETED]
