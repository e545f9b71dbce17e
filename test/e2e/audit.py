"""The API servers' audit logs: who asked for what, with which body, and what the answer was."""

import collections
import datetime
import json

WRITES = ("create", "update", "patch", "delete", "deletecollection")


class Entry:
    """One request, as its server logged it when it had answered."""

    def __init__(self, raw):
        reference = raw.get("objectRef", {})
        self.user, self.verb = raw["user"]["username"], raw["verb"]
        self.resource, self.sub = reference.get("resource", ""), reference.get("subresource", "")
        self.ns, self.name = reference.get("namespace", ""), reference.get("name", "")
        self.code = raw.get("responseStatus", {}).get("code", 0)
        self.body = raw.get("requestObject") or {}
        self.uri, self.annotations = raw["requestURI"], raw.get("annotations", {})
        self.began = datetime.datetime.fromisoformat(raw["requestReceivedTimestamp"]).timestamp()
        self.ended = datetime.datetime.fromisoformat(raw["stageTimestamp"]).timestamp()
        if self.verb == "create" and not self.name:
            self.name = self.body.get("metadata", {}).get("name", "")

    def __repr__(self):
        return f"{self.user} {self.verb} {self.resource} {self.ns}/{self.name} {self.code} {json.dumps(self.body)}"


class Audit:
    """One server's log from the moment of construction on."""

    def __init__(self, cluster):
        self._path = cluster.audit_log
        self._from = self._size()

    def _size(self):
        return self._path.stat().st_size if self._path.exists() else 0

    def mark(self):
        """Forgets everything up to now."""
        self._from = self._size()

    def entries(self, user=None, verbs=None, **wanted):
        """Entries by user, verb (one or several) and any other field of Entry, in the order of the log."""
        verbs = (verbs,) if isinstance(verbs, str) else verbs
        found = []
        for raw in self._raw():
            entry = Entry(raw)
            if user and entry.user != user or verbs and entry.verb not in verbs:
                continue
            if all(getattr(entry, field) == value for field, value in wanted.items()):
                found.append(entry)
        return found

    def _raw(self):
        if not self._path.exists():
            return
        with open(self._path, "rb") as log:
            log.seek(self._from)
            for line in log:
                try:
                    raw = json.loads(line)
                except ValueError:
                    continue  # being written, or torn by a SIGKILL of the server
                if raw.get("stage") == "ResponseComplete":
                    yield raw

    def writes(self, user, **wanted):
        return self.entries(user, WRITES, **wanted)

    def count(self, user, **wanted):
        """{(verb, resource): requests} of one user's writes."""
        return dict(collections.Counter((entry.verb, entry.resource) for entry in self.writes(user, **wanted)))
