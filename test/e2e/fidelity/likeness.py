"""What of an answer is compared: everything but what each server chooses by itself."""

import re

_TIME = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
_TIMES = ("creationTimestamp", "deletionTimestamp")
_UID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_ABSENT = object()

# Of these answers the program passes the message on to people, and looks in it for the phrases alone (k8s/status.cpp).
_FOR_PEOPLE = (400, 405, 415, 422)
_PHRASES = ("denied the request", "denied request", "request is too large", "could not find the requested resource")


class Likeness:
    """One server's answers with symbols for what it chose: `uid 2 of fid-a/web` is the second uid under that name,
    `version 3` the third resourceVersion seen of an object.

    So two servers show the same for the same relations: what is equal, what changed, what is newer. Answers must be
    shown in the order in which they came, events after all of them.
    """

    def __init__(self):
        self._uids, self._of_name, self._versions, self._newest = {}, {}, {}, 0

    def of_answer(self, answer, look=None):
        """The comparable form of an answer; `look` picks the part of the body that counts."""
        self._newest, body = 0, answer.body
        if look and answer.status < 400:
            body = look(body)
        if isinstance(body, list) and body and isinstance(body[0], dict) and "type" in body[0]:
            body = self.of_events(body)
        return {"status": answer.status, "content": answer.content, "retry_after": answer.retry_after,
                "body": self._value(body)}

    def of_events(self, events):
        """Bookmarks tell progress only, so how many of a kind come is not compared."""
        out = []
        for event in events:
            made = {"type": event["type"], "object": self._value(event["object"])}
            if made["type"] != "BOOKMARK" or made not in out:
                out.append(made)
        return out

    def _value(self, value):
        if isinstance(value, dict):
            return self._status(value) if value.get("kind") == "Status" else self._object(value)
        if isinstance(value, list):
            return [self._value(item) for item in value]
        return self._text(value) if isinstance(value, str) else value

    def _object(self, value):
        out = {key: self._value(item) for key, item in value.items() if key != "metadata"}
        if "metadata" in value:
            out["metadata"] = self._metadata(value["metadata"]) if isinstance(value["metadata"], dict) else "none"
        return out

    def _status(self, value):
        """Causes are a set: the real server finds some faults twice."""
        out = dict(value)
        code = value.get("code", 200)
        if "message" in value:
            out["message"] = ([phrase for phrase in _PHRASES if phrase in value["message"]] if code in _FOR_PEOPLE
                              else re.sub(r"\b\d{2,}\b", "N", self._text(value["message"])))
        details = dict(value.get("details") or {})
        if "uid" in details:
            details["uid"] = self._text(details["uid"])
        if "causes" in details:
            details["causes"] = sorted({f"{one.get('reason')} {one.get('field')}" for one in details["causes"]})
        return {**out, "details": details} if "details" in value else out

    def _metadata(self, meta):
        out = {}
        if "uid" in meta:
            self._learn(meta)
        for key, item in meta.items():
            if key == "resourceVersion":
                out[key] = self._version(meta.get("uid"), item)
            elif key == "continue":
                out[key] = "more" if item else ""
            elif key in _TIMES and isinstance(item, str) and _TIME.match(item):
                out[key] = "a time"
            elif key == "name" and meta.get("generateName"):
                out[key] = "a name"
            elif key != "managedFields":
                out[key] = self._value(item)
        return out

    def _learn(self, meta):
        if meta["uid"] not in self._uids:
            name = f"{meta.get('namespace', '')}/{meta.get('generateName') or meta.get('name')}"
            self._of_name[name] = self._of_name.get(name, 0) + 1
            self._uids[meta["uid"]] = f"uid {self._of_name[name]} of {name}"

    def _version(self, uid, version):
        """An object's by its order among those of the object; a list's or bookmark's by whether it is behind."""
        if not isinstance(version, str) or not version.isdigit():
            return version
        number = int(version)
        if uid is None:
            return "behind" if number < self._newest else "a version"
        self._newest = max(self._newest, number)
        known = self._versions.setdefault(uid, {})
        if number not in known:
            older = known and number < max(known)
            known[number] = f"version {len(known) + 1}" + (", older than another before" if older else "")
        return known[number]

    def _text(self, text):
        return _UID.sub(lambda match: self._uids.get(match[0], match[0]), text)


def differences(real, simulated, path=""):
    """[(path, real, simulated)] of two comparable forms; of two answers of different status that alone."""
    if not path and isinstance(real, dict) and real.get("status") != simulated.get("status"):
        return [("status", {**real, "body": brief(real["body"])}, {**simulated, "body": brief(simulated["body"])})]
    if isinstance(real, dict) and isinstance(simulated, dict):
        both = ((f"{path}.{key}".lstrip("."), real.get(key, _ABSENT), simulated.get(key, _ABSENT))
                for key in {**real, **simulated})
        return [one for where, left, right in both for one in differences(left, right, where)]
    if isinstance(real, list) and isinstance(simulated, list) and len(real) == len(simulated):
        return [one for at, (left, right) in enumerate(zip(real, simulated))
                for one in differences(left, right, f"{path}[{at}]")]
    if real is _ABSENT or simulated is _ABSENT:
        return [(path, "absent" if real is _ABSENT else real, "absent" if simulated is _ABSENT else simulated)]
    return [] if real == simulated and type(real) is type(simulated) else [(path, real, simulated)]


def brief(body):
    """What a body is about."""
    keys = ("kind", "reason", "message", "details")
    return {key: body[key] for key in keys if key in body} if isinstance(body, dict) else body
