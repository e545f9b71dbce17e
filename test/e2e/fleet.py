"""A member and a hub with the CRDs, the program's rights and a hub controller: what most tests run against."""

import atexit
import contextlib
import functools
import pathlib
import shutil
import tempfile

import manifests
from api import EXPORTS, SERVICE_EXPORTS, SLICES, ApiError, Unreachable
from assets import obtain
from cluster import ADMIN, PROGRAM, STUB, Cluster, Etcd
from manifests import ensure_namespace, grant_hub, grant_member, install_crd
from pki import Pki
from stub import Stub
from wait import eventually


class Fleet:
    """`member`, `hub`: clusters; `stub`: the hub controller. Without `service_exports` the member lacks that kind."""

    def __init__(self, service_exports=True):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sliceferry-e2e-"))
        self.stub = self.etcd = None
        self._clusters = []
        try:
            self._start(service_exports)
        except BaseException:
            self.stop()
            raise

    def _start(self, service_exports):
        programs = obtain()
        self.pki = Pki(self.folder / "pki", client=PROGRAM)
        self.etcd = Etcd(programs, self.folder)
        self.member, self.hub = (Cluster(name, programs, self.etcd, self.pki, self.folder)
                                 for name in ("member", "hub"))
        self._clusters = [self.member, self.hub]
        for cluster in self._clusters:
            cluster.start()
        for cluster in self._clusters:
            cluster.wait_ready()
        member, hub = self.member.api(ADMIN), self.hub.api(ADMIN)
        grant_member(member)
        if service_exports:
            install_crd(member, manifests.crd(manifests.SERVICE_EXPORT))
        install_crd(hub, manifests.crd(manifests.SLICE_EXPORT))
        self.stub = Stub(self.hub.api(STUB))

    def add_member_namespace(self, ns):
        ensure_namespace(self.member.api(), ns)

    def add_hub_namespace(self, ns):
        ensure_namespace(self.hub.api(), ns)
        grant_hub(self.hub.api(), ns)

    def revive(self, cluster):
        """Starts a stopped API server and waits until it serves our kinds too, which is later than its readiness."""
        cluster.start()
        cluster.wait_ready()
        api, resource = cluster.api(), EXPORTS if cluster is self.hub else SERVICE_EXPORTS
        eventually(lambda: served(api, resource), 30, f"{cluster.name} serves {resource}")

    def empty(self, ns, hub_ns):
        """Removes all slices, consents and exports of a test, whatever finalizers hold them."""
        member, hub = self.member.api(), self.hub.api()
        for api, resource, where in ((member, SLICES, ns), (member, SERVICE_EXPORTS, ns), (hub, EXPORTS, hub_ns)):
            with suppress_missing():
                api.delete_all(resource, where)
                for item in api.list(resource, where):
                    if item["metadata"].get("finalizers"):
                        with suppress_missing():
                            api.patch(resource, where, item["metadata"]["name"], {"metadata": {"finalizers": None}})

    def stop(self):
        if self.stub:
            self.stub.stop()
        for cluster in self._clusters:
            cluster.stop()
        if self.etcd:
            self.etcd.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def served(api, resource):
    try:
        api.list(resource)
        return True
    except (ApiError, Unreachable):
        return False


@contextlib.contextmanager
def suppress_missing():
    """The hub controller may have been faster, or the kind isn't installed."""
    try:
        yield
    except ApiError as error:
        if error.code != 404:
            raise


@functools.cache
def _kept(_name):
    fleet = Fleet()
    atexit.register(fleet.stop)
    return fleet


def shared():
    """The fleet of most tests, started when first asked for and stopped at exit."""
    return _kept("shared")


def battered():
    """A second one, for tests that kill its API servers."""
    return _kept("battered")
