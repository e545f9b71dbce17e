"""One etcd and the API servers upon it, each with its own prefix, port, tokens and audit log."""

import pathlib
import signal
import socket
import subprocess
import time
import urllib.request

import yaml

from api import Api, ApiError, Unreachable
from wait import eventually

# One user per actor, so that an audit log tells who wrote what. `sliceferry` has what the manifests grant.
PROGRAM, STUB, WRITER, ADMIN = "sliceferry", "hub-controller", "other-writer", "admin"
MASTERS = "system:masters"
GROUPS = {PROGRAM: "", STUB: MASTERS, WRITER: MASTERS, ADMIN: MASTERS}

AUDIT_POLICY = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "omitStages": ["RequestReceived"],
    "rules": [
        {"level": "Request", "verbs": ["create", "update", "patch", "delete", "deletecollection"],
         "resources": [{"group": "discovery.k8s.io", "resources": ["endpointslices"]},
                       {"group": "networking.fleet.azure.com"}]},
        {"level": "Metadata", "users": [PROGRAM]},
        {"level": "None"},
    ],
}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def token_of(user):
    return f"token-of-{user}"


class Process:
    """A child with its output in a file; ends with us."""

    def __init__(self, command, log):
        self.log = pathlib.Path(log)
        with open(self.log, "ab") as out:
            self._child = subprocess.Popen([str(part) for part in command], stdout=out, stderr=subprocess.STDOUT,
                                           stdin=subprocess.DEVNULL)

    def alive(self):
        return self._child.poll() is None

    def end(self, how=signal.SIGKILL):
        if self.alive():
            self._child.send_signal(how)
        self._child.wait()


class Etcd:
    """Keeps nothing beyond the test run, hence no fsync."""

    def __init__(self, programs, folder):
        client, peer = (f"http://127.0.0.1:{free_port()}" for _ in range(2))
        self.url, self.folder = client, pathlib.Path(folder)
        self._process = Process(
            [programs / "etcd", "--data-dir", self.folder / "etcd", "--listen-client-urls", client,
             "--advertise-client-urls", client, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
             "--initial-cluster", f"default={peer}", "--unsafe-no-fsync", "--log-level", "error"],
            self.folder / "etcd.log")
        eventually(self._healthy, 30, "etcd healthy")

    def _healthy(self):
        assert self._process.alive(), f"etcd ended: {self._process.log.read_text()[-2000:]}"
        try:
            with urllib.request.urlopen(self.url + "/health", timeout=2) as answer:
                return b"true" in answer.read()
        except OSError:
            return False

    def stop(self):
        self._process.end()


class Cluster:
    """One API server. `stop()` is a SIGKILL; `start()` again brings the same data back on the same port."""

    def __init__(self, name, programs, etcd, pki, folder, policy=None, flags=()):
        self.name, self.pki, self.folder = name, pki, pathlib.Path(folder) / name
        self.port = free_port()
        self.folder.mkdir(parents=True)
        self.audit_log = self.folder / "audit.log"
        self._command = [
            programs / "kube-apiserver", "--etcd-servers", etcd.url, "--etcd-prefix", f"/{name}",
            "--secure-port", self.port, "--bind-address", "127.0.0.1", "--tls-cert-file", pki.cert,
            "--tls-private-key-file", pki.key, "--client-ca-file", pki.ca,
            "--token-auth-file", self.folder / "tokens.csv", "--authorization-mode", "RBAC",
            "--service-account-key-file", pki.service_account_key,
            "--service-account-signing-key-file", pki.service_account_key,
            "--service-account-issuer", "https://localhost", "--service-cluster-ip-range", "10.0.0.0/16",
            "--disable-admission-plugins", "ServiceAccount", "--cert-dir", self.folder,
            "--audit-policy-file", self.folder / "policy.yaml", "--audit-log-path", self.audit_log,
            "--audit-log-maxsize", "100000", *flags]
        lines = [f'{token_of(user)},{user},{user},"{group}"\n' for user, group in GROUPS.items()]
        (self.folder / "tokens.csv").write_text("".join(lines))
        (self.folder / "policy.yaml").write_text(yaml.safe_dump(policy or AUDIT_POLICY))
        self._process, self._clients = None, {}

    @property
    def url(self):
        return f"https://127.0.0.1:{self.port}"

    def api(self, user=ADMIN):
        """The one client of this user, whose connections are kept."""
        if user not in self._clients:
            self._clients[user] = Api(self.port, token_of(user), self.pki.ca)
        return self._clients[user]

    def start(self):
        self._process = Process(self._command, self.folder / "apiserver.log")

    def wait_ready(self):
        began = time.monotonic()
        probe = self.api()

        def ready():
            assert self._process.alive(), f"{self.name} ended: {self._process.log.read_text()[-3000:]}"
            try:
                return probe.request("GET", "readyz") == "ok"
            except (ApiError, Unreachable):
                return False

        eventually(ready, 60, f"API server {self.name} ready", pause_s=0.1)
        return time.monotonic() - began

    def stop(self):
        if self._process:
            self._process.end()
            self._process = None
