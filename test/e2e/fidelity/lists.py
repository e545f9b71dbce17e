"""Rows: lists and watches, with their resourceVersions."""

from fidelity.ask import Befall, delete, get, patch, post, watch
from fidelity.bodies import (ALL_CONSENTS, ALL_EXPORTS, ALL_SLICES, NAMESPACES, OTHER_NS, consents, export_of, exports,
                             leases, slice_of, slices)

HERE = slices(OTHER_NS)
EXPORTS = exports(OTHER_NS)
FUTURE = "@{many:metadata.resourceVersion+100000000}"

FILLED = [
    *(post(f"slice {name} to list", HERE, slice_of(name, {"labels": {"app": app, "tier": "a"}}))
      for name, app in (("s1", "x"), ("s2", "x"), ("s3", "y"), ("s4", "y"))),
    post("slice s5 to list", HERE, slice_of("s5"), keep="many"),
    *(post(f"export {name} to list", EXPORTS, export_of(name, {"labels": {"app": app}}))
      for name, app in (("x1", "x"), ("x2", "y"), ("x3", "y"))),
]


def paged(kind, path):
    """The pages of one collection, with a change between them."""
    return [
        get(f"first page of {kind}", f"{path}?limit=2", keep=f"{kind}1"),
        patch(f"change behind the page of {kind}", f"{path}/{'s4' if kind == 'slices' else 'x3'}",
              {"metadata": {"annotations": {"page": "1"}}}),
        post(f"creation behind the page of {kind}", path,
             slice_of("s9") if kind == "slices" else export_of("x9")),
        get(f"second page of {kind}", f"{path}?limit=2&continue=@{{{kind}1:metadata.continue}}", keep=f"{kind}2"),
        get(f"page of {kind} at a resourceVersion too",
            f"{path}?limit=2&continue=@{{{kind}1:metadata.continue}}&resourceVersion=1"),
        get(f"page of {kind} without a limit", f"{path}?continue=@{{{kind}1:metadata.continue}}"),
        get(f"page of {kind} by a broken token", f"{path}?limit=2&continue=abc"),
        get(f"limit with resourceVersion 0 of {kind}", f"{path}?limit=2&resourceVersion=0"),
        get(f"limit beyond {kind}", f"{path}?limit=500"),
        get(f"limit with a selector of {kind}", f"{path}?limit=1&labelSelector=app%3Dy"),
    ]


def listed(kind, path):
    return [
        get(f"list of {kind}", path, keep=f"all_{kind}"),
        get(f"list of {kind} from the cache", f"{path}?resourceVersion=0"),
        get(f"list of {kind} not older", f"{path}?resourceVersion=@{{many:metadata.resourceVersion}}"),
        get(f"list of {kind} exactly then",
            f"{path}?resourceVersion=@{{many:metadata.resourceVersion}}&resourceVersionMatch=Exact"),
        get(f"list of {kind} not older by name",
            f"{path}?resourceVersion=@{{many:metadata.resourceVersion}}&resourceVersionMatch=NotOlderThan"),
        get(f"list of {kind} by an unknown match",
            f"{path}?resourceVersion=@{{many:metadata.resourceVersion}}&resourceVersionMatch=Sometimes"),
        get(f"list of {kind} by a match alone", f"{path}?resourceVersionMatch=Exact"),
        get(f"list of {kind} exactly at 0", f"{path}?resourceVersion=0&resourceVersionMatch=Exact"),
        get(f"list of {kind} at no resourceVersion", f"{path}?resourceVersion=abc"),
    ]


SELECTED = [
    get("label is", f"{HERE}?labelSelector=app%3Dx"),
    get("label is, by two signs", f"{HERE}?labelSelector=app%3D%3Dx"),
    get("label isn't", f"{HERE}?labelSelector=app!%3Dx"),
    get("label in", f"{HERE}?labelSelector=app+in+(x,y)"),
    get("label not in", f"{HERE}?labelSelector=app+notin+(x)"),
    get("label exists", f"{HERE}?labelSelector=app"),
    get("label doesn't exist", f"{HERE}?labelSelector=!app"),
    get("two labels", f"{HERE}?labelSelector=app%3Dx,tier%3Da"),
    get("broken label selector", f"{HERE}?labelSelector=app+is+x"),
    get("label selector of a bad value", f"{HERE}?labelSelector=app%3Dnot%2F%2Fgood"),
    get("name is", f"{HERE}?fieldSelector=metadata.name%3Ds1"),
    get("name isn't", f"{HERE}?fieldSelector=metadata.name!%3Ds1"),
    get("name and namespace", f"{ALL_SLICES}?fieldSelector=metadata.name%3Ds1,metadata.namespace%3D{OTHER_NS}"),
    get("unknown field", f"{HERE}?fieldSelector=addressType%3DIPv4"),
    get("unknown field of exports", f"{EXPORTS}?fieldSelector=spec.addressType%3DIPv4"),
    get("name of an export", f"{EXPORTS}?fieldSelector=metadata.name%3Dx1"),
    get("broken field selector", f"{HERE}?fieldSelector=metadata.name"),
    get("list in a namespace that isn't there", slices("fid-none")),
    get("exports in a namespace that isn't there", exports("fid-none")),
    get("all slices", ALL_SLICES, look=lambda body: sorted(
        item["metadata"]["name"] for item in body["items"] if item["metadata"]["namespace"].startswith("fid"))),
    get("all exports", ALL_EXPORTS),
    get("all consents", ALL_CONSENTS),
    get("consents by the other version", consents(version="v1alpha1")),
    get("our namespaces", f"{NAMESPACES}?labelSelector=team"),
    get("negative limit", f"{HERE}?limit=-1"),
    get("limit that is no number", f"{HERE}?limit=x"),
    get("read at resourceVersion 0", f"{HERE}/s1?resourceVersion=0"),
    get("read not older", f"{HERE}/s1?resourceVersion=@{{many:metadata.resourceVersion}}"),
    get("read at no resourceVersion", f"{HERE}/s1?resourceVersion=abc"),
]


# The real server waits for the future, for three seconds.
SLOW = [
    get("read from the future", f"{HERE}/s1?resourceVersion={FUTURE}", aside=True),
    *(row for kind, path in (("slices", HERE), ("exports", EXPORTS)) for row in (
        get(f"list of {kind} from the future", f"{path}?resourceVersion={FUTURE}", aside=True),
        get(f"list of {kind} exactly in the future", f"{path}?resourceVersion={FUTURE}&resourceVersionMatch=Exact",
            aside=True))),
]


def watched(kind, path):
    since = f"resourceVersion=@{{many:metadata.resourceVersion}}"
    initial = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
    return [
        watch(f"watch {kind} from anywhere", path),
        watch(f"watch {kind} from 0", f"{path}?resourceVersion=0"),
        watch(f"watch {kind} since then", f"{path}?{since}"),
        watch(f"watch {kind} since they were listed",
              f"{path}?resourceVersion=@{{all_{kind}:metadata.resourceVersion}}"),
        watch(f"watch {kind} from the future", f"{path}?resourceVersion={FUTURE}"),
        watch(f"watch {kind} from long ago", f"{path}?resourceVersion=1"),
        watch(f"watch {kind} from no resourceVersion", f"{path}?resourceVersion=abc"),
        watch(f"watch {kind} with initial events", f"{path}?{initial}&allowWatchBookmarks=true"),
        watch(f"watch {kind} with initial events from 0",
              f"{path}?{initial}&allowWatchBookmarks=true&resourceVersion=0"),
        watch(f"watch {kind} with initial events since then", f"{path}?{initial}&allowWatchBookmarks=true&{since}"),
        watch(f"watch {kind} with initial events without bookmarks", f"{path}?{initial}"),
        watch(f"watch {kind} with initial events without a match", f"{path}?sendInitialEvents=true"),
        watch(f"watch {kind} without initial events",
              f"{path}?sendInitialEvents=false&resourceVersionMatch=NotOlderThan"),
        watch(f"watch {kind} by a match alone", f"{path}?resourceVersionMatch=NotOlderThan&{since}"),
        watch(f"watch {kind} of a label", f"{path}?labelSelector=app%3Dx&{since}"),
        watch(f"watch {kind} of a name", f"{path}?fieldSelector=metadata.name%3D{'s1' if kind == 'slices' else 'x1'}"),
        watch(f"watch {kind} of a broken selector", f"{path}?labelSelector=app+is+x"),
        watch(f"watch one of {kind}", f"{path}/{'s1' if kind == 'slices' else 'x1'}"),
        watch(f"watch {kind} with bookmarks", f"{path}?{since}&allowWatchBookmarks=true&timeoutSeconds=4"),
    ]


CHANGED_LABELS = [
    patch("a label that leaves the selector", f"{HERE}/s1", {"metadata": {"labels": {"app": "z"}}}),
    patch("a label that enters the selector", f"{HERE}/s3", {"metadata": {"labels": {"app": "x"}}}),
    patch("a change within the selector", f"{HERE}/s2", {"endpoints": []}),
    delete("a deletion within the selector", f"{HERE}/s2"),
    delete("a deletion beside the selector", f"{HERE}/s5"),
    patch("an export's label that leaves the selector", f"{EXPORTS}/x1", {"metadata": {"labels": {"app": "z"}}}),
    patch("an export's label that enters the selector", f"{EXPORTS}/x2", {"metadata": {"labels": {"app": "x"}}}),
]

# Asked after the servers forgot all events and old revisions.
FORGOTTEN = [
    get("page of slices before it", f"{HERE}?limit=1", keep="old_slices"),
    get("page of exports before it", f"{EXPORTS}?limit=1", keep="old_exports"),
    patch("a change before it", f"{HERE}/s4", {"metadata": {"annotations": {"before": "1"}}}),
    patch("an export's change before it", f"{EXPORTS}/x2", {"metadata": {"annotations": {"before": "1"}}}),
    Befall("forget", "forget"),
    *(row for kind, path in (("slices", HERE), ("exports", EXPORTS)) for row in (
        get(f"list of {kind} afterwards", path, keep=f"now_{kind}"),
        get(f"page of {kind} that is forgotten", f"{path}?limit=1&continue=@{{old_{kind}:metadata.continue}}"),
        get(f"list of {kind} exactly at what is forgotten",
            f"{path}?resourceVersion=@{{old_{kind}:metadata.resourceVersion}}&resourceVersionMatch=Exact"),
        get(f"list of {kind} not older than what is forgotten",
            f"{path}?resourceVersion=@{{old_{kind}:metadata.resourceVersion}}"))),
    *(row for kind, path in (("slices", HERE), ("exports", EXPORTS)) for row in (
        watch(f"watch {kind} from what is forgotten", f"{path}?resourceVersion=@{{many:metadata.resourceVersion}}"),
        watch(f"watch {kind} from what is forgotten, with bookmarks",
              f"{path}?resourceVersion=@{{many:metadata.resourceVersion}}&allowWatchBookmarks=true"),
        watch(f"watch {kind} from 1", f"{path}?resourceVersion=1"),
        watch(f"watch {kind} from then on", f"{path}?resourceVersion=@{{now_{kind}:metadata.resourceVersion}}"),
        watch(f"watch {kind} from anywhere afterwards", path))),
]

WATCHED = [
    *watched("slices", HERE), *watched("exports", EXPORTS),
    watch("watch consents by the other version", consents(version="v1alpha1")),
    watch("watch in a namespace that isn't there", slices("fid-none")),
    watch("watch an unknown kind", "/apis/networking.fleet.azure.com/v1alpha1/things"),
    watch("watch namespaces", f"{NAMESPACES}?labelSelector=team"),
    watch("watch slices from anywhere with bookmarks", f"{HERE}?allowWatchBookmarks=true"),
    watch("watch exports from anywhere with bookmarks", f"{EXPORTS}?allowWatchBookmarks=true"),
    watch("watch leases from anywhere with bookmarks", f"{leases()}?allowWatchBookmarks=true"),
    watch("watch consents from anywhere with bookmarks", f"{consents()}?allowWatchBookmarks=true"),
    watch("watch namespaces from anywhere with bookmarks",
          f"{NAMESPACES}?labelSelector=team&allowWatchBookmarks=true"),
]

ALL = [*FILLED, *listed("slices", HERE), *listed("exports", EXPORTS), *paged("slices", HERE),
       *paged("exports", EXPORTS), *CHANGED_LABELS, *SELECTED, *SLOW, *WATCHED]
