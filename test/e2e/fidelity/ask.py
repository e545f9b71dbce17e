"""One request of the table: what is sent, and how its answer is looked at."""

import dataclasses
import json
import re
from typing import Any, Callable, Optional

JSON = "application/json"
MERGE = "application/merge-patch+json"

# `@{web:metadata.uid}`: from the answer that was kept as `web`; `@{web:metadata.resourceVersion+1000000}` adds to it.
_PLACEHOLDER = re.compile(r"@\{(\w+):([\w.]+)(?:\+(\d+))?\}")


@dataclasses.dataclass(frozen=True)
class Ask:
    """`note` names the row and must be unique. The body is a value, sent as JSON, or a text, sent as it is."""

    note: str
    method: str
    path: str
    body: Any = None
    content: Optional[str] = JSON
    user: Optional[str] = "admin"  # None: without a credential; "stranger": an unknown one
    keep: Optional[str] = None  # the answer's name for later placeholders
    until: Optional[Callable[[int, Any], bool]] = None  # asked again until (status, body) is so
    look: Optional[Callable[[Any], Any]] = None  # the part of the body that is compared
    watch: bool = False  # the answer is read to its end, as a stream of events
    aside: bool = False  # at the same time as its neighbours that are so; each watch is


@dataclasses.dataclass(frozen=True)
class Befall:
    """Something done to the server, not asked of it; a method of the site."""

    note: str
    what: str


def get(note, path, **more):
    return Ask(note, "GET", path, **more)


def watch(note, path, **more):
    """Ends by itself after a second."""
    joint = "&" if "?" in path else "?"
    limit = "" if "timeoutSeconds" in path else "&timeoutSeconds=1"
    return Ask(note, "GET", f"{path}{joint}watch=1{limit}", watch=True, aside=True, **more)


def post(note, path, body, **more):
    return Ask(note, "POST", path, body, **more)


def put(note, path, body, **more):
    return Ask(note, "PUT", path, body, **more)


def patch(note, path, body, **more):
    return Ask(note, "PATCH", path, body, **{"content": MERGE, **more})


def delete(note, path, body=None, **more):
    return Ask(note, "DELETE", path, body, **more)


def filled(text, kept):
    """The text with its placeholders replaced by what the kept answers hold."""

    def value(match):
        name, path, more = match.groups()
        found = kept[name]
        for key in path.split("."):
            found = found[key]
        return str(int(found) + int(more)) if more else str(found)

    return _PLACEHOLDER.sub(value, text)


def payload(ask, kept):
    """The bytes of the body, or None."""
    if ask.body is None:
        return None
    text = ask.body if isinstance(ask.body, str) else json.dumps(ask.body)
    return filled(text, kept).encode()
