"""Plays the hub controller: puts its finalizer on each export, and takes it off once the export is deleted."""

import threading
import time

from api import EXPORTS, ApiError, Unreachable
from objects import HUB_FINALIZER


class Stub:
    """Works on every namespace of the hub until stopped; survives restarts of its API server."""

    def __init__(self, api):
        self._api, self._stopping = api, threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="hub controller")
        self._thread.start()

    def stop(self):
        self._stopping.set()

    def _run(self):
        while not self._stopping.is_set():
            try:
                listed = self._api.request("GET", self._api.path(EXPORTS))
                for item in listed["items"]:
                    self._settle(item)
                for kind, item in self._api.watch(EXPORTS, None, listed["metadata"]["resourceVersion"], 60):
                    if self._stopping.is_set():
                        return
                    if kind == "ERROR":
                        break  # expired: list again
                    if kind in ("ADDED", "MODIFIED"):
                        self._settle(item)
            except (ApiError, Unreachable):
                time.sleep(0.1)

    def _settle(self, item):
        metadata = item["metadata"]
        held = metadata.get("finalizers") or []
        going = bool(metadata.get("deletionTimestamp"))
        if going == (HUB_FINALIZER in held):
            wanted = [one for one in held if one != HUB_FINALIZER] if going else held + [HUB_FINALIZER]
            self._write(metadata, wanted)

    def _write(self, metadata, finalizers):
        body = {"metadata": {"uid": metadata["uid"], "resourceVersion": metadata["resourceVersion"],
                             "finalizers": finalizers}}
        try:
            self._api.patch(EXPORTS, metadata["namespace"], metadata["name"], body)
        except ApiError as error:
            if error.code not in (404, 409, 422):  # changed or gone meanwhile: the next event tells
                raise
