"""The program under test as a process: settings, start, readiness, figures, and its end."""

import os
import pathlib
import re
import signal
import subprocess
import time
import urllib.error
import urllib.request

import yaml

from cluster import PROGRAM, free_port, token_of
from wait import eventually

REPO = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("SLICEFERRY_PROGRAM") or REPO / "build/release/sliceferry")
STORM = pathlib.Path(os.environ.get("SLICEFERRY_STORM") or BINARY.parent / "storm")
READY_S = 10


def kubeconfig(cluster, token=None, **server):
    """A kubeconfig of the program's user; `server` overrides fields of the cluster entry."""
    entry = {"server": cluster.url, "certificate-authority": str(cluster.pki.ca), **server}
    return {
        "apiVersion": "v1", "kind": "Config", "current-context": "main",
        "clusters": [{"name": "c", "cluster": entry}],
        "users": [{"name": "u", "user": {"token": token or token_of(PROGRAM)}}],
        "contexts": [{"name": "main", "context": {"cluster": "c", "user": "u"}}]}


class Program:
    """One deployment: the same settings and port through all its restarts."""

    def __init__(self, fleet, folder, member, /, **settings):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.log = self.folder / "stderr.log"
        self.config = self.folder / "config.yaml"
        self.data_dir = self.folder / "data"
        for name, cluster in (("member", fleet.member), ("hub", fleet.hub)):
            text = yaml.safe_dump(settings.pop(f"{name}_kubeconfig", None) or kubeconfig(cluster))
            (self.folder / f"{name}.kubeconfig").write_text(text)
        self.write_config({
            "members": [{"name": member, "kubeconfig": str(self.folder / "member.kubeconfig"),
                         **settings.pop("member", {})}],
            "hub": {"kubeconfig": str(self.folder / "hub.kubeconfig"), **settings.pop("hub", {})},
            "listen": f"127.0.0.1:{self.port}", "log": {"format": "json", "level": "info"},
            "data_dir": str(self.data_dir), **settings})
        self.arguments, self.environment = ["--config", str(self.config)], {}
        self._child = None

    def write_config(self, settings):
        self.config.write_text(yaml.safe_dump(settings, sort_keys=False))

    def start(self):
        assert BINARY.exists(), f"{BINARY} is not built: ./dev build"
        with open(self.log, "ab") as log:
            self._child = subprocess.Popen([BINARY, "run", *self.arguments], stdin=subprocess.DEVNULL, stdout=log,
                                           stderr=log, cwd=self.folder, env={**os.environ, **self.environment})
        return self

    def say(self, *words, within_s=30):
        """Runs another command of the program with the same settings; the completed process."""
        return subprocess.run([BINARY, *words, *self.arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              cwd=self.folder, env={**os.environ, **self.environment}, timeout=within_s)

    def ask(self, path):
        """(code, text) of the admin server; code 0 while it doesn't answer."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def wait_ready(self, within_s=READY_S):
        def ready():
            assert self.alive(), f"ended with exit code {self._child.returncode}: {self.tail()}"
            code, text = self.ask("/readyz")
            assert code == 200, f"readyz {code}: {text}"
            return True

        eventually(ready, within_s, "program ready", pause_s=0.01)
        return self

    def alive(self):
        return self._child is not None and self._child.poll() is None

    def kill(self):
        """SIGKILL: no chance to say good-bye."""
        if self.alive():
            self._child.kill()
            self._child.wait()

    def stop(self, within_s=10):
        """SIGTERM; returns (exit code, seconds that it took)."""
        began = time.monotonic()
        self._child.send_signal(signal.SIGTERM)
        code = self._child.wait(timeout=within_s)
        return code, time.monotonic() - began

    def metrics(self):
        """{name with labels: value}."""
        code, text = self.ask("/metrics")
        assert code == 200, f"/metrics answered {code}"
        lines = (line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#"))
        return {name: float(value) for name, value in lines}

    def metric_sum(self, pattern):
        """The sum of all series whose name with labels matches."""
        return sum(value for name, value in self.metrics().items() if re.search(pattern, name))

    def cpu_s(self):
        """CPU seconds used so far by all threads: the scheduler's nanoseconds, since the ticks of `stat` are 10 ms."""
        tasks = pathlib.Path(f"/proc/{self._child.pid}/task").glob("*/schedstat")
        exact = sum(int(task.read_text().split()[0]) for task in tasks) / 1e9
        fields = pathlib.Path(f"/proc/{self._child.pid}/stat").read_text().rsplit(")", 1)[1].split()
        ticks = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return exact or ticks

    def tail(self, characters=3000):
        return self.log.read_text(errors="replace")[-characters:] if self.log.exists() else ""
