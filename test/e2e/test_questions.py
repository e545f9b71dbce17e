"""`sliceferry explain` and `GET /explain/…` against real API servers: from the running program, and without one."""

import json
import os
import subprocess
import urllib.error
import urllib.request

from api import EXPORTS, SERVICE_EXPORTS, SLICES
from cluster import PROGRAM
from fixture import FerryTest
from objects import export_body
from program import BINARY
from wait import eventually


class Explain(FerryTest):
    """Slices of a granted Service and of one that isn't, and the program that mirrors them."""

    def setUp(self):
        super().setUp()
        self.program = self.start()
        self.consent()
        self.slice("a")
        self.item, self.exported_a = self.exported("a")
        self.unique_name = self.exported_a["metadata"]["name"]

    def ask(self, name, *words):
        """(exit code, standard output, standard error) of the command."""
        end = subprocess.run([BINARY, "explain", f"{self.ns}/{name}", "--config", self.program.config, *words],
                             cwd=self.program.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             timeout=60, env=dict(os.environ))
        return end.returncode, end.stdout, end.stderr

    def found(self, name, *words):
        """The one explanation that the command gives as JSON."""
        code, out, errors = self.ask(name, "-o", "json", *words)
        self.assertEqual(code, 0, errors)
        (told,) = json.loads(out)["found"]
        self.assertEqual((told["namespace"], told["name"], told["member"]), (self.ns, name, self.member))
        return told

    def page(self, path):
        """(status, content type, body) of the running program's page."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.program.port}{path}", timeout=10) as answer:
                return answer.status, answer.headers["Content-Type"], answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers["Content-Type"], error.read().decode()

    def stop(self):
        self.program.stop()
        for audit in (self.member_audit, self.hub_audit):
            audit.mark()

    def assert_only_read(self):
        for audit in (self.member_audit, self.hub_audit):
            self.assertEqual([one for one in audit.entries(PROGRAM) if one.verb not in ("get", "list")], [])

    def verdicts(self, told):
        return {one["rule"]: one["verdict"] for one in told["rules"]}

    def assert_exported(self, told, alone=False):
        """`alone`: the clusters answered, so what only a running program knows must be unknown."""
        self.assertEqual((told["status"], told["export_name"]), ("exported", self.unique_name))
        self.assertEqual(told["uid"], self.item["metadata"]["uid"])
        (export,) = told["exports"]
        self.assertEqual((export["name"], export["uid"], export["owner"], export["equivalent"]),
                         (self.unique_name, self.exported_a["metadata"]["uid"], "this_slice", True))
        reference = self.exported_a["spec"]["endpointSliceReference"]
        self.assertEqual(told["exported_since"], reference["exportedSince"])
        self.assertEqual(told.get("owed"), "unknown" if alone else None)
        verdicts = self.verdicts(told)
        self.assertEqual(verdicts.pop("guard_leave"), "not_reached")
        unknown = {rule for rule, verdict in verdicts.items() if verdict != "passes"}
        self.assertEqual(unknown, {"member_stays", "inputs_synced"} if alone else set())

    def test_exported_by_the_running_program(self):
        for audit in (self.member_audit, self.hub_audit):
            audit.mark()

        def asleep():
            told = self.found("a")
            assert not told["awake"], "its exporter hasn't retired yet"
            return told

        told = eventually(asleep, what="settled")
        self.assert_exported(told)
        self.assertEqual((told["work"], told["undone"]), ([], 0))
        code, out, errors = self.ask("a")
        self.assertEqual((code, errors), (0, ""))
        self.assertTrue(out.startswith(f"{self.ns}/a: exported as {self.unique_name}\n"), out)
        self.assert_only_read()

    def test_exported_by_the_clusters_alone(self):
        self.stop()
        self.assert_exported(self.found("a"), alone=True)
        code, out, errors = self.ask("a")
        self.assertEqual(code, 0)
        self.assertTrue(out.startswith(f"{self.ns}/a: exported as {self.unique_name}\n"), out)
        self.assertNotIn("Writes", out)
        self.assertIn("no sliceferry answers", errors)
        self.assertEqual(len(errors.splitlines()), 1)
        self.assert_only_read()

    def test_reasons_are_the_same_with_and_without_a_program(self):
        self.slice("six", family="IPv6", addresses=("fd00::1",))
        self.slice("other", service="not-exported")
        self.slice("unlabelled", service=None)
        reasons = {"six": ("not_exported", "address_type"), "other": ("not_exported", "consent"),
                   "unlabelled": ("not_exported", "service_label")}
        self.slice("marker")
        self.exported("marker")

        def check():
            for name, reason in reasons.items():
                told = self.found(name)
                self.assertEqual((told["status"], told["decided_by"]), reason)
                self.assertEqual(self.verdicts(told)[reason[1]], "fails")
                self.assertEqual(told["exports"], [])

        check()
        self.stop()
        check()
        self.assert_only_read()

    def test_withdrawal_that_is_owed(self):
        """What a program would do is told without one: the consent went while none ran."""
        self.stop()
        self.member_api.delete(SERVICE_EXPORTS, self.ns, "web")
        eventually(lambda: self.member_api.find(SERVICE_EXPORTS, self.ns, "web") is None, what="ServiceExport gone")
        told = self.found("a")
        self.assertEqual((told["status"], told["decided_by"], told["proof"], told["owed"]),
                         ("withdrawing", "consent", "gone", "withdraw"))

    def test_leftover_without_a_slice(self):
        self.stop()
        source = {**self.item, "metadata": {**self.item["metadata"], "name": "gone", "uid": "u-gone"}}
        self.hub_api.create(EXPORTS, self.hub_ns, export_body("left", self.member, source))
        told = self.found("gone")
        self.assertEqual((told["status"], told["decided_by"], told["proof"]), ("withdrawing", "slice_there", "leftover"))
        self.assertEqual([one["name"] for one in told["exports"]], ["left"])

    def test_unknown(self):
        code, out, errors = self.ask("b")
        self.assertEqual((code, out), (1, ""))
        self.assertIn(f"{self.ns}/b", errors)
        self.assertIn(f"member {self.member}: no such slice among", errors)
        code, out, _ = self.ask("b", "-o", "json")
        self.assertEqual((code, json.loads(out)["answered_by"]), (1, "the running program"))
        self.stop()
        code, out, _ = self.ask("b", "-o", "json")
        self.assertEqual((code, json.loads(out)["answered_by"]), (1, "the clusters alone"))
        code, out, errors = self.ask("b")
        self.assertEqual((code, out), (1, ""))
        self.assertIn("it holds no such slice", errors)

    def test_pages(self):
        status, kind, body = self.page(f"/explain/{self.ns}/a?output=json&member={self.member}")
        self.assertEqual((status, kind), (200, "application/json"))
        self.assertEqual(json.loads(body)["found"][0]["export_name"], self.unique_name)
        status, kind, body = self.page(f"/explain/{self.ns}/a")
        self.assertEqual((status, kind), (200, "text/plain; charset=utf-8"))
        self.assertTrue(body.startswith(f"{self.ns}/a: exported as {self.unique_name}\n"), body)
        self.assertEqual(self.page(f"/explain/{self.ns}/b")[0], 404)
        self.assertEqual(self.page(f"/explain/{self.ns}/a?member=nobody")[0], 400)
        self.assertEqual(self.page(f"/explain/{self.ns}/a?member=nobody&output=json")[1], "application/json")
        self.assertEqual(self.page("/explain")[0], 400)
        self.assertEqual(self.page("/explain/a")[0], 400)
        self.assertEqual(self.page("/explain/%zz/a")[0], 400)

    def test_errors(self):
        for stop in (lambda: None, self.stop):
            stop()
            code, _, errors = self.ask("a", "--member", "nobody")
            self.assertEqual(code, 2)
            self.assertIn(f"there is no member nobody; there is {self.member}", errors)
        end = subprocess.run([BINARY, "explain", "a"], capture_output=True, text=True, timeout=60)
        self.assertEqual(end.returncode, 2)
        self.member_api.delete(SLICES, self.ns, "a")
