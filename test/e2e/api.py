"""A small JSON client of one API server, as one actor (one token); each thread keeps a connection of its own."""

import http.client
import json
import ssl
import threading
import time
import urllib.parse

FLEET = "networking.fleet.azure.com"

SLICES = "apis/discovery.k8s.io/v1/{ns}endpointslices"
SERVICE_EXPORTS = f"apis/{FLEET}/v1beta1/{{ns}}serviceexports"
SERVICE_EXPORTS_ALPHA = f"apis/{FLEET}/v1alpha1/{{ns}}serviceexports"
EXPORTS = f"apis/{FLEET}/v1alpha1/{{ns}}endpointsliceexports"
NAMESPACES = "api/v1/namespaces"
CRDS = "apis/apiextensions.k8s.io/v1/customresourcedefinitions"
RBAC = "apis/rbac.authorization.k8s.io/v1/{ns}"

MERGE = "application/merge-patch+json"
IDLE_S = 20  # an idle connection is given up before the server closes it: a POST must not be repeated


class ApiError(Exception):
    """An answer of 400 or above; `code` and the server's own `reason` tell which."""

    def __init__(self, method, path, code, body):
        status = body if isinstance(body, dict) else {}
        self.code, self.reason, self.body = code, status.get("reason", ""), status
        super().__init__(f"{method} {path}: {code} {self.reason}: {status.get('message', body)}")


class Unreachable(Exception):
    """No answer: refused, reset, or cut in the middle."""


class Api:
    """One actor's way to one API server."""

    def __init__(self, port, token, ca, timeout_s=15):
        self.port, self.token, self.timeout_s = port, token, timeout_s
        self._tls = ssl.create_default_context(cafile=str(ca))
        self._local = threading.local()

    def _connect(self, timeout_s=None):
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=timeout_s or self.timeout_s,
                                           context=self._tls)

    def request(self, method, path, body=None, content="application/json"):
        """Sends one request and returns the decoded answer; like every client, tries again when told 429."""
        for left in range(19, -1, -1):
            try:
                return self._once(method, path, body, content)
            except ApiError as error:
                if error.code != 429 or not left:
                    raise
            time.sleep(0.25)
        raise AssertionError("not reached")

    def _once(self, method, path, body, content):
        """One request on this thread's kept connection."""
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}
        payload = None
        if body is not None:
            headers["Content-Type"] = content
            payload = json.dumps(body).encode()
        for fresh in (False, True):  # a kept connection may have been closed meanwhile: once more on a new one
            kept = getattr(self._local, "connection", None)
            if fresh or kept is None or time.monotonic() - self._local.used > IDLE_S:
                kept, fresh = self._connect(), True
            self._local.connection, self._local.used = kept, time.monotonic()
            try:
                kept.request(method, "/" + path, payload, headers)
                answer = kept.getresponse()
                text = answer.read()
            except (OSError, http.client.HTTPException) as error:
                kept.close()
                self._local.connection = None
                if fresh or method == "POST":
                    raise Unreachable(f"{method} {path}: {error!r}") from error
                continue
            return self._decoded(method, path, answer.status, text)
        raise AssertionError("not reached")

    @staticmethod
    def _decoded(method, path, code, text):
        try:
            value = json.loads(text)
        except ValueError:
            value = text.decode(errors="replace")
        if code >= 400:
            raise ApiError(method, path, code, value)
        return value

    @staticmethod
    def path(resource, ns=None, name=None, sub=None):
        path = resource.format(ns=f"namespaces/{ns}/" if ns else "")
        return "/".join(part for part in (path, name, sub) if part)

    def get(self, resource, ns, name):
        return self.request("GET", self.path(resource, ns, name))

    def find(self, resource, ns, name):
        """The object, or None where the server says 404."""
        try:
            return self.get(resource, ns, name)
        except ApiError as error:
            if error.code != 404:
                raise
            return None

    def list(self, resource, ns=None):
        return self.request("GET", self.path(resource, ns))["items"]

    def create(self, resource, ns, body):
        return self.request("POST", self.path(resource, ns), body)

    def put(self, resource, ns, body):
        return self.request("PUT", self.path(resource, ns, body["metadata"]["name"]), body)

    def patch(self, resource, ns, name, body, sub=None):
        return self.request("PATCH", self.path(resource, ns, name, sub), body, MERGE)

    def delete(self, resource, ns, name):
        return self.request("DELETE", self.path(resource, ns, name))

    def delete_all(self, resource, ns):
        return self.request("DELETE", self.path(resource, ns))

    def watch(self, resource, ns=None, resource_version=None, timeout_s=300):
        """Yields (type, object) until the server ends the stream; raises Unreachable when it breaks."""
        query = {"watch": "1", "timeoutSeconds": str(timeout_s)}
        if resource_version:
            query["resourceVersion"] = resource_version
        path = self.path(resource, ns) + "?" + urllib.parse.urlencode(query)
        connection = self._connect(timeout_s + 10)
        try:
            connection.request("GET", "/" + path, headers={"Authorization": f"Bearer {self.token}"})
            answer = connection.getresponse()
            if answer.status != 200:
                raise ApiError("WATCH", path, answer.status, answer.read().decode(errors="replace"))
            for line in answer:
                event = json.loads(line)
                yield event["type"], event["object"]
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise Unreachable(f"WATCH {path}: {error!r}") from error
        finally:
            connection.close()
