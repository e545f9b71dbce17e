"""Two minutes of everything at once on simulated servers: the short form of `./dev soak`; and twenty kills of `./dev kills`.

`-k two_hundred` and `-k five_minutes` are the long forms, for the night.
"""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

from program import BINARY
from wait import eventually

STORM = BINARY.parent / "storm"


class Soak(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="sliceferry-soak-")
        self.addCleanup(self.folder.cleanup)
        self.assertTrue(STORM.exists(), f"{STORM} is not built: ./dev e2e builds it")

    def soak(self, *options):
        return [STORM, "soak", "--program", BINARY, *options]

    def test_everything_at_once_with_basic_faults_for_two_minutes(self):
        report = pathlib.Path(self.folder.name) / "report.json"
        ran = subprocess.run(
            self.soak("--minutes", "2", "--members", "3", "--slices", "30000", "--rate", "2000", "--qps", "5000", "--seed",
                      "11", "--faults", "basic", "--storm", "everything", "--report", report),
            capture_output=True, text=True)
        said = f"{ran.stdout[-6000:]}\n{ran.stderr[-2000:]}"
        self.assertEqual(ran.returncode, 0, said)
        found = json.loads(report.read_text())
        self.assertEqual(found["verdict"], "clean", said)
        self.assertGreater(found["changes"], 150_000, said)  # 66,703 of the first fleet, and most of 240,000
        self.assertGreater(found["program_starts"], 1, said)  # it was killed at least once
        self.assertGreater(found["journal"]["writes"], 150_000, said)
        # A machine's disk may stall by itself for a while; most of the time the journal must be there.
        self.assertLess(found["journal"]["excused"], found["journal"]["writes"] / 2, said)
        print(ran.stdout.splitlines()[-1], end=" ", flush=True)

    def killed(self, moments, seed):
        report = pathlib.Path(self.folder.name) / "report.json"
        ran = subprocess.run([STORM, "kills", "--program", BINARY, "--moments", str(moments), "--seed", str(seed),
                              "--report", report], capture_output=True, text=True)
        said = f"{ran.stdout[-6000:]}\n{ran.stderr[-2000:]}"
        self.assertEqual(ran.returncode, 0, said)
        found = json.loads(report.read_text())
        self.assertEqual(sum(found["kills"].values()), moments, said)
        self.assertGreater(len(found["kills"]), 1, said)  # from without, and in a commit
        self.assertGreater(found["journal"]["writes"], 300, said)
        self.assertLess(found["journal"]["excused"], 100, said)  # no fault of the disk, but the machine may stall
        print(ran.stdout.splitlines()[-1], end=" ", flush=True)

    def test_killed_at_twenty_moments(self):
        self.killed(20, 7)

    def test_killed_at_two_hundred_moments(self):
        self.killed(200, 11)

    test_killed_at_two_hundred_moments.named_only = True

    def test_five_minutes_on_a_disk_with_every_fault(self):
        for seed in ("1", "2", "3"):
            with self.subTest(seed=seed):
                ran = subprocess.run(
                    self.soak("--minutes", "5", "--slices", "3000", "--rate", "200", "--faults", "disk", "--seed", seed),
                    capture_output=True, text=True)
                self.assertEqual(ran.returncode, 0, f"{ran.stdout[-6000:]}\n{ran.stderr[-2000:]}")

    test_five_minutes_on_a_disk_with_every_fault.named_only = True

    def test_an_interrupted_run_leaves_neither_processes_nor_files(self):
        place = pathlib.Path(self.folder.name) / "tmp"
        place.mkdir()
        run = subprocess.Popen(self.soak("--minutes", "10", "--slices", "300", "--rate", "50"), stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, env={**os.environ, "TMPDIR": str(place)})
        started = eventually(lambda: self.children(run.pid, 2), 30, "servers and program run")
        run.send_signal(signal.SIGINT)
        said = run.communicate(timeout=30)[0]
        self.assertEqual(run.returncode, 130, said)
        self.assertEqual([pid for pid in started if pathlib.Path(f"/proc/{pid}").exists()], [])
        self.assertEqual(list(place.iterdir()), [])

    @staticmethod
    def children(parent, count):
        found = []
        for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                pid, rest = status.read_text().split(" ", 1)
            except OSError:
                continue
            if int(rest.rsplit(")", 1)[1].split()[1]) == parent:
                found.append(int(pid))
        assert len(found) >= count, found
        return found
