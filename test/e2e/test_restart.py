"""Stops, starts and what changed meanwhile."""

import threading
import time

from api import EXPORTS, SERVICE_EXPORTS, SLICES
from cluster import PROGRAM
from fixture import FerryTest
from objects import NAME, TIMESTAMP, annotations, endpoint
from wait import eventually, paced


class Restart(FerryTest):
    def setUp(self):
        super().setUp()
        self.program = self.start()
        self.consent()

    def test_C75_in_sync_writes_nothing(self):
        names = [f"s{number}" for number in range(50)]
        for name in names:
            self.slice(name)
        self.in_sync()
        for stop in (self.program.stop, self.program.kill):
            stop()
            self.member_audit.mark(), self.hub_audit.mark()
            self.program.start().wait_ready()
            self.marker()  # all that was there before has been looked at
            for audit in (self.member_audit, self.hub_audit):
                strays = [one for one in audit.writes(PROGRAM) if "control-" not in one.name]
                self.assertEqual(strays, [])

    def test_sigterm_ends_within_ten_seconds_with_0(self):
        for number in range(100):
            self.slice(f"s{number}")  # writes are in flight when the signal comes
        code, took = self.program.stop()
        self.assertEqual(code, 0)
        print(f"[stopped in {took:.2f} s] ", end="")
        self.program.start().wait_ready()
        self.in_sync()

    def test_sigterm_while_the_start_is_under_way(self):
        self.program.stop()
        self.program.start()
        eventually(lambda: self.program.ask("/livez")[0] == 200, what="alive")
        self.assertEqual(self.program.stop()[0], 0)

    def test_deleted_while_down(self):
        self.slice("a")
        _, export = self.exported("a")
        self.program.kill()
        self.member_api.delete(SLICES, self.ns, "a")
        self.program.start()
        eventually(lambda: self.export(export["metadata"]["name"]) is None, 5, "leftover gone")

    def test_recreated_while_down(self):
        self.slice("a")
        _, export = self.exported("a")
        self.program.kill()
        self.member_api.delete(SLICES, self.ns, "a")
        self.slice("a", addresses=("10.9.9.9",))
        self.program.start()
        self.exported("a", 5)
        eventually(lambda: self.export(export["metadata"]["name"]) is None, 5, "old export gone")

    def test_all_kinds_of_change_while_down(self):
        names = ("changed", "unlabelled", "deleted", "kept", "renamed", "wiped")
        for name in names:
            self.slice(name)
        self.consent("lost")
        self.slice("consent-lost", "lost")
        for name in (*names, "consent-lost"):
            self.exported(name)
        kept = self.read("kept")
        self.program.kill()
        self.change("changed", {"endpoints": [endpoint("10.5.5.5")]})
        self.change("unlabelled", {"metadata": {"labels": {"kubernetes.io/service-name": None}}})
        self.member_api.delete(SLICES, self.ns, "deleted")
        self.annotate("renamed", {NAME: "x_y"})
        self.change("wiped", {"metadata": {"annotations": None}})
        self.member_api.delete(SERVICE_EXPORTS, self.ns, "lost")
        self.slice("new")
        self.program.start()
        self.in_sync(5)
        self.assertEqual(self.read("kept"), kept)

    def test_restart_keeps_exported_since(self):
        self.slice("a")
        before, first = self.exported("a")
        self.program.kill()
        time.sleep(1.1)  # another second by the wall clock, which is the point
        self.program.start().wait_ready()
        self.marker()
        after, export = self.exported("a")
        self.assertEqual(annotations(after)[TIMESTAMP], annotations(before)[TIMESTAMP])
        self.assertEqual(export["metadata"]["resourceVersion"], self.settled(first)["metadata"]["resourceVersion"])

    def settled(self, export):
        return self.export(export["metadata"]["name"])

    def churn(self, stopping):
        """Creates, changes and deletes until told to stop."""
        for number in paced(100_000, 0.01):
            if stopping.is_set():
                return
            name = f"s{number % 60}"
            found = self.writer.find(SLICES, self.ns, name)
            if found is None:
                body = {"metadata": {"name": name, "labels": {"kubernetes.io/service-name": "web"}},
                        "addressType": "IPv4", "endpoints": [endpoint("10.0.0.1")]}
                self.writer.create(SLICES, self.ns, body)
            elif number % 7 == 0:
                self.writer.delete(SLICES, self.ns, name)
            else:
                body = {"endpoints": [endpoint(f"10.0.{number // 250 % 250}.{number % 250}")]}
                self.writer.patch(SLICES, self.ns, name, body)

    def test_killed_five_times_during_churn(self):
        stopping = threading.Event()
        thread = threading.Thread(target=self.churn, args=(stopping,))
        thread.start()
        try:
            for _ in range(5):
                time.sleep(1.5)  # of churn
                self.program.kill()
                self.program.start().wait_ready()
        finally:
            stopping.set()
            thread.join()
        self.in_sync()
        self.marker()
        self.in_sync(1)
        self.assertTrue(self.hub_api.list(EXPORTS, self.hub_ns))
