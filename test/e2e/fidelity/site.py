"""An API server that is asked: the real one and the simulated one, with the same face."""

import concurrent.futures
import contextlib
import dataclasses
import http.client
import json
import ssl
import urllib.request

from api import EXPORTS
from cluster import Cluster, Etcd, Process, token_of
from fidelity.along import Along
from fidelity.ask import Befall, filled, payload
from fleet import served
from pki import Pki
from wait import TooLate, eventually

TIMEOUT_S = 30
UNTIL_S = 15


@dataclasses.dataclass
class Answer:
    """`body`: the decoded JSON, else the text; of a watch, the list of its events."""

    status: int
    content: str
    retry_after: str
    body: object


def decoded(data):
    try:
        return json.loads(data)
    except ValueError:
        return data.decode(errors="replace")


class Site:
    """Sends rows one after another, but those that may be asked aside at once; keeps what rows refer to."""

    def __init__(self, connect, token):
        self._connect, self._token = connect, token
        self.kept = {}

    def headers(self, user):
        return {"Authorization": f"Bearer {self._token(user)}"} if user else {}

    def connect(self, timeout_s=TIMEOUT_S):
        return self._connect(timeout_s)

    def along(self, path):
        return Along(self, path)

    def answers(self, rows):
        """{note: Answer} of all rows that are requests."""
        out, waiting = {}, []
        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            for row in rows:
                if getattr(row, "aside", False):
                    waiting.append((row, pool.submit(self.ask, row)))
                    continue
                self._collect(waiting, out)
                if isinstance(row, Befall):
                    getattr(self, row.what)()
                else:
                    out[row.note] = self._asked(row)
            self._collect(waiting, out)
        return out

    def _collect(self, waiting, out):
        for row, future in waiting:
            out[row.note] = future.result()
        waiting.clear()

    def _asked(self, row):
        """The first answer that is as the row wants it; else the last one, for the comparison to show."""
        if row.until is None:
            return self.ask(row)
        last = None

        def right():
            nonlocal last
            last = self.ask(row)
            return row.until(last.status, last.body)

        with contextlib.suppress(TooLate):
            eventually(right, UNTIL_S, row.note, pause_s=0.05)
        return last

    def ask(self, row):
        try:
            path, body = filled(row.path, self.kept), payload(row, self.kept)
        except KeyError as missing:
            return Answer(0, "", "", f"not asked, for want of {missing} in an earlier answer")
        connection = self.connect()
        headers = {"Accept": "application/json", **self.headers(row.user)}
        if body is not None and row.content:
            headers["Content-Type"] = row.content
        try:
            connection.request(row.method, path, body, headers)
            got = connection.getresponse()
            data = got.read()
        except (OSError, http.client.HTTPException) as error:
            return Answer(0, "", "", f"no answer: {error!r}")
        finally:
            connection.close()
        is_stream = row.watch and got.status == 200
        answer = Answer(got.status, got.headers.get_content_type(), got.headers.get("Retry-After"),
                        [json.loads(line) for line in data.splitlines()] if is_stream else decoded(data))
        if row.keep and answer.status < 300:
            self.kept[row.keep] = answer.body
        return answer


class RealSite(Site):
    """A kube-apiserver upon an etcd of its own."""

    def __init__(self, programs, folder):
        self._folder = folder
        pki = Pki(folder / "pki", client="nobody")
        self._etcd = Etcd(programs, folder)
        self._cluster = Cluster("registry", programs, self._etcd, pki, folder, flags=["--anonymous-auth=false"])
        tls = ssl.create_default_context(cafile=str(pki.ca))
        super().__init__(lambda timeout_s: http.client.HTTPSConnection("127.0.0.1", self._cluster.port,
                                                                       timeout=timeout_s, context=tls), token_of)
        try:
            self._cluster.start()
            self._cluster.wait_ready()
        except BaseException:
            self.stop()
            raise

    def api(self):
        return self._cluster.api()

    def _etcd_call(self, path, body):
        request = urllib.request.Request(f"{self._etcd.url}/v3/kv/{path}", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=5) as answer:
            return json.load(answer)

    def forbid(self):
        """Nobody has granted the program's user anything."""

    def forget(self):
        """Etcd forgets old revisions, and a new API server has never seen their events."""
        now = self._etcd_call("range", {"key": "AA==", "limit": 1})["header"]["revision"]
        self._etcd_call("compaction", {"revision": now, "physical": True})
        self._cluster.stop()
        self._cluster.start()
        self._cluster.wait_ready()
        eventually(lambda: served(self.api(), EXPORTS), 30, "exports served again")

    def stop(self):
        self._cluster.stop()
        self._etcd.stop()


class SimulatedSite(Site):
    """A `storm serve` with one member; that one is asked."""

    def __init__(self, program, folder):
        ready = folder / "servers.json"
        self._process = Process([program, "serve", "--member", "member-1", "--ready-file", ready,
                                 "--history", folder / "history.log", "--no-hub-controller"], folder / "storm.log")

        def listening():
            assert self._process.alive(), f"storm serve ended: {self._process.log.read_text()[-2000:]}"
            return ready.exists()

        eventually(listening, 20, "storm serve listens")
        said = json.loads(ready.read_text())
        self._control, host = said["control"], said["clusters"]["member-1"].split("//")[1]
        super().__init__(lambda timeout_s: http.client.HTTPConnection(host, timeout=timeout_s),
                         lambda user: f"{user}-token")

    def _act(self, action):
        request = urllib.request.Request(f"{self._control}/clusters/member-1/{action}", b"", method="POST")
        urllib.request.urlopen(request, timeout=5).close()

    def forbid(self):
        self._act("forbid?user=sliceferry")

    def forget(self):
        self._act("compact")

    def stop(self):
        self._process.end()
