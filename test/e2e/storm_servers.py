"""A hub and members for a storm: real API servers whose audit logs tell the oracle what happened."""

import json
import pathlib
import shutil
import tempfile

import manifests
from api import EXPORTS, FLEET, NAMESPACES, SERVICE_EXPORTS, SLICES
from assets import obtain
from cluster import ADMIN, PROGRAM, STUB, Cluster, Etcd, token_of
from fleet import suppress_missing
from manifests import ensure_namespace, grant_hub, grant_member, install_crd
from pki import Pki
from stub import Stub
from wait import eventually

# The oracle needs each write with what was answered; the stage asks for namespaces named storm-marker-*, by which it
# knows that it has read the logs up to now; and each request of the program counts against its limits.
POLICY = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "omitStages": ["RequestReceived", "ResponseStarted"],
    "omitManagedFields": True,
    "rules": [
        {"level": "RequestResponse", "verbs": ["create", "update", "patch", "delete", "deletecollection"],
         "resources": [{"group": "discovery.k8s.io", "resources": ["endpointslices"]}, {"group": FLEET}]},
        {"level": "Metadata", "users": [ADMIN], "verbs": ["get"],
         "resources": [{"group": "", "resources": ["namespaces"]}]},
        {"level": "Metadata", "users": [PROGRAM]},
        {"level": "None"},
    ],
}


class StormServers:
    """`file`: what `storm play --servers` reads. The storm's users are one with all rights; the program has its own."""

    def __init__(self, members):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sliceferry-storms-"))
        self.file = self.folder / "servers.json"
        self._members, self._etcd, self._clusters = members, None, {}
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def _start(self):
        programs = obtain()
        pki = Pki(self.folder / "pki", client=PROGRAM)
        self._etcd = Etcd(programs, self.folder)
        for name in ("hub", *self._members):
            self._clusters[name] = Cluster(name, programs, self._etcd, pki, self.folder, policy=POLICY)
        for cluster in self._clusters.values():
            cluster.start()
        for cluster in self._clusters.values():
            cluster.wait_ready()
        install_crd(self._hub, manifests.crd(manifests.SLICE_EXPORT))
        for name in self._members:
            api = self._clusters[name].api()
            grant_member(api)
            install_crd(api, manifests.crd(manifests.SERVICE_EXPORT))
            ensure_namespace(self._hub, f"fleet-member-{name}")
            grant_hub(self._hub, f"fleet-member-{name}")
        self.file.write_text(json.dumps({"program_user": PROGRAM, "servers": {
            name: {"url": cluster.url, "ca_file": str(pki.ca), "program_token": token_of(PROGRAM),
                   "user_token": token_of(ADMIN), "audit_log": str(cluster.audit_log)}
            for name, cluster in self._clusters.items()}}))

    @property
    def _hub(self):
        return self._clusters["hub"].api()

    def hub_controller(self):
        """One that holds exports by its finalizer, until stopped."""
        return Stub(self._clusters["hub"].api(STUB))

    def empty(self):
        """Takes everything away that a storm left, so that the next one finds new clusters."""
        for name, cluster in self._clusters.items():
            for resource in (EXPORTS,) if name == "hub" else (SLICES, SERVICE_EXPORTS):
                eventually(lambda api=cluster.api(), what=resource: self._emptied(api, what), 60, f"{name} empty")
            self._finalize(cluster.api())  # the last: nothing can be written in a namespace that is gone

    @staticmethod
    def _finalize(api):
        """Ends the namespaces that are terminating; nobody else does."""
        for item in api.list(NAMESPACES):
            if item["metadata"].get("deletionTimestamp"):
                body = {"metadata": {"name": item["metadata"]["name"]}, "spec": {"finalizers": []}}
                api.request("PUT", api.path(NAMESPACES, None, body["metadata"]["name"], "finalize"), body)

    @staticmethod
    def _emptied(api, resource):
        left = [item["metadata"] for item in api.list(resource) if item["metadata"]["namespace"] != "default"]
        for ns in {meta["namespace"] for meta in left}:
            api.delete_all(resource, ns)
        for meta in left:
            if meta.get("finalizers"):
                with suppress_missing():
                    api.patch(resource, meta["namespace"], meta["name"], {"metadata": {"finalizers": None}})
        return not left

    def stop(self):
        for cluster in self._clusters.values():
            cluster.stop()
        if self._etcd:
            self._etcd.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
