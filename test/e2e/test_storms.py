"""Scenarios of storms against real API servers: what the simulated ones are believed for, checked where it is true.

The oracle reads the servers' audit logs. A few scenarios run every day; `-k scenario` runs all of them, and
`-k scenario_tampering` one.
"""

import atexit
import json
import re
import subprocess
import unittest

from program import BINARY, STORM
from storm_servers import StormServers

MEMBERS = ("member-1", "member-2")
PORTABLE = ("rolling", "scaling", "node_loss", "recreation", "namespaces", "flapping", "labels", "families",
            "tampering", "imports", "metadata", "restless", "everything", "labels-flapping", "deletes", "kill", "stop",
            "kill-deletes", "restart-in-sync", "tamper", "finalizer", "hub_tampering", "hub-tampering-changes",
            "hub-tampering-kill", "rival", "hub_namespaces")
DAILY = ("rolling", "deletes", "flapping", "kill")
# One etcd, three API servers and the program share the cores of a small machine.
SLICES, RATE = 300, 60
LIMIT_S = 180


class StormTest(unittest.TestCase):
    """One test per portable scenario, each on clusters that hold nothing of the one before."""

    servers = None

    @classmethod
    def setUpClass(cls):
        for program in (STORM, BINARY):
            assert program.exists(), f"{program} is not built: ./dev build"

    @classmethod
    def tearDownClass(cls):
        if cls.servers:
            cls.servers.stop()
            cls.servers = None

    @classmethod
    def started(cls):
        """The servers, which take some seconds and are there for all scenarios."""
        if not cls.servers:
            cls.servers = StormServers(MEMBERS)
            atexit.register(cls.servers.stop)  # whatever interrupts the tests
        return cls.servers

    said = ""

    def evidence(self):
        return f"--- output of storm\n{self.said[-6000:]}"

    def play(self, name):
        servers = self.started()
        if name == "finalizer":
            self.addCleanup(servers.hub_controller().stop)
        file = servers.folder / "report.json"
        command = [STORM, "play", name, "--servers", servers.file, "--program", BINARY, "--seed", "1",
                   "--slices", SLICES, "--rate", RATE, "--report", file]
        child = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, timeout=LIMIT_S, check=False)
        self.said = child.stdout
        self.addCleanup(servers.empty)
        self.assertEqual(child.returncode, 0, "the verdict is not clean")
        report = json.loads(file.read_text())
        self.assertEqual((report["verdict"], report["options"]["servers"]), ("clean", "real"))
        self.assertGreater(report["changes"], SLICES, "the storm changed little")
        self.assertGreater(report["exports"], 0, "nothing was exported")
        print(f"{report['changes']} changes, {report['exports']} exports, "
              f"right after {report['drained_ms'] / 1000:.1f} s ... ", end="")

    def test_all_portable_scenarios_are_known_here(self):
        said = subprocess.run([str(STORM), "list"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(re.findall(r"^\* (\S+)", said.split("scenarios", 1)[1], re.MULTILINE), list(PORTABLE))


def scenario(name):
    def test(self):
        self.play(name)

    test.named_only = name not in DAILY
    return test


for each in PORTABLE:
    setattr(StormTest, f"test_scenario_{each.replace('-', '_')}", scenario(each))
