"""A watch that runs along with all the requests."""

import json
import threading

from wait import eventually


QUIET_S = 600  # longer than any kind has no events


class Along:
    """Hears of all objects of one kind from the moment of construction on, in a thread of its own."""

    def __init__(self, site, path):
        self.events, self._ended = [], None
        self._connection = site.connect(QUIET_S)
        self._connection.request("GET", path + "?watch=1", headers=site.headers("admin"))
        self._stream = self._connection.getresponse()
        assert self._stream.status == 200, self._stream.read()
        threading.Thread(target=self._read, daemon=True, name=f"along {path}").start()

    def _read(self):
        try:
            for line in self._stream:
                self.events.append(json.loads(line))
        except (OSError, ValueError, AttributeError) as error:  # the last: closed under the reader
            self._ended = repr(error)

    def until(self, name):
        """The events up to the one of the object of this name, which is the last one made."""

        def heard():
            at = [one["object"]["metadata"]["name"] for one in self.events]
            assert name in at, f"{len(at)} events so far; {self._ended or 'the stream goes on'}"
            return self.events[:at.index(name)]

        return eventually(heard, 20, f"event of {name}")
