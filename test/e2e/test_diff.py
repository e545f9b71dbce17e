"""`sliceferry diff` against real API servers: what it names, what it doesn't, that it writes nothing, and how it ends."""

import json
import os
import subprocess
import threading

from api import EXPORTS, SERVICE_EXPORTS, SLICES
from cluster import PROGRAM
from fixture import FerryTest
from objects import NAME, OURS, endpoint, export_body, verdict
from program import BINARY, kubeconfig
from wait import eventually, paced


class Diff(FerryTest):
    """A slice `a` of a granted Service was exported; then the program was stopped, and somebody did something."""

    def setUp(self):
        super().setUp()
        self.program = self.start()
        self.consent()
        self.slice("a")
        self.item, self.exported_a = self.exported("a")
        self.unique_name = self.exported_a["metadata"]["name"]
        self.program.stop()

    def diff(self, *words):
        """(exit code, standard output, standard error); whatever it says, it wrote nothing."""
        audits = self.member_audit, self.hub_audit
        for audit in audits:
            audit.mark()
        end = subprocess.run([BINARY, "diff", "--config", self.program.config, *words], cwd=self.program.folder,
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, env=dict(os.environ))
        for audit in audits if not self.program.alive() else ():
            self.assertEqual([one for one in audit.entries(PROGRAM) if one.verb not in ("get", "list")], [])
        return end.returncode, end.stdout, end.stderr

    def differences(self, key="differences"):
        code, out, _ = self.diff("-o", "json")
        told = json.loads(out)
        self.assertEqual((code, told["in_sync"]), (0, True) if not told["differences"] else (1, False))
        self.assertEqual(told["member"], self.member)
        return told[key]

    def kinds(self):
        return [one["kind"] for one in self.differences()]

    def edit_export(self, spec):
        self.hub_api.patch(EXPORTS, self.hub_ns, self.unique_name, {"spec": spec})

    def test_in_sync(self):
        code, out, errors = self.diff()
        self.assertEqual((code, errors), (0, ""))
        self.assertIn(f"in sync: member {self.member}", out)
        self.assertEqual(self.differences(), [])

    def test_content(self):
        self.edit_export({"endpoints": [endpoint("6.6.6.6", ready=None)]})
        (told,) = self.differences()
        self.assertEqual((told["kind"], told["namespace"], told["name"], told["export"], told["uid"]),
                         ("content", self.ns, "a", self.unique_name, self.item["metadata"]["uid"]))
        self.assertEqual(told["fields"], [{"field": "endpoints", "is": "[6.6.6.6]", "should_be": "[10.1.0.1]"}])
        code, out, _ = self.diff()
        self.assertEqual(code, 1)
        self.assertIn(f"  {self.ns}/a  {self.unique_name}  endpoints is [6.6.6.6], should be [10.1.0.1]\n", out)
        self.assertTrue(out.endswith(f"1 difference in 1 slice of member {self.member}\n"), out)

    def test_missing(self):
        self.slice("b")
        self.hub_api.delete(EXPORTS, self.hub_ns, self.unique_name)
        eventually(lambda: self.export(self.unique_name) is None, what="export gone")
        self.assertEqual([(one["kind"], one["name"]) for one in self.differences()],
                         [("missing", "a"), ("missing", "b")])

    def test_unwanted(self):
        self.member_api.patch(SERVICE_EXPORTS, self.ns, "web", verdict("False", "False"), "status")
        unwanted, uncleared = self.differences()
        self.assertEqual((unwanted["kind"], unwanted["export"]), ("unwanted", self.unique_name))
        self.assertIn(f"ServiceExport {self.ns}/web is not valid", unwanted["why"])
        self.assertEqual(uncleared["kind"], "uncleared")
        self.assertEqual({one["field"] for one in uncleared["fields"]}, set(OURS))

    def test_leftover(self):
        self.member_api.delete(SLICES, self.ns, "a")
        (told,) = self.differences()
        self.assertEqual((told["kind"], told["name"], told["export"]), ("leftover", "a", self.unique_name))

    def test_duplicate(self):
        self.hub_api.create(EXPORTS, self.hub_ns, export_body("second", self.member, self.item))
        (told,) = self.differences()
        self.assertEqual((told["kind"], told["export"]), ("duplicate", "second"))

    def test_annotations(self):
        self.annotate("a", {NAME: None})
        (told,) = self.differences()
        self.assertEqual(told["kind"], "annotations")
        self.assertEqual(told["fields"], [{"field": NAME, "is": "absent", "should_be": self.unique_name}])

    def test_name_taken(self):
        foreign = export_body("theirs", "another-cluster", self.item)
        self.hub_api.create(EXPORTS, self.hub_ns, foreign)
        self.assertEqual(self.kinds(), [], "a foreign export is no difference")
        self.annotate("a", {NAME: "theirs"})
        (told,) = self.differences()
        self.assertEqual((told["kind"], told["export"]), ("name-taken", "theirs"))

    def test_other_peoples_metadata_is_harmless(self):
        self.annotate("a", {"example.com/note": "hello"})
        self.assertEqual(self.kinds(), [])
        self.assertEqual([one["kind"] for one in self.differences("harmless")], ["older-version"])

    def test_its_answer_is_what_the_program_then_does(self):
        self.slice("b")
        self.annotate("a", {NAME: "x_y"})
        self.assertEqual(sorted(self.kinds()), ["annotations", "missing"])
        self.program.start().wait_ready()
        self.exported("a")
        self.exported("b")
        self.assertEqual(self.diff()[0], 0, "beside a running program, too")

    def test_a_busy_agent_makes_no_differences(self):
        self.program.start().wait_ready()
        done = threading.Event()

        def scale():
            for number in paced(100_000, 0.01):
                if done.is_set():
                    return
                self.change("a", {"endpoints": [endpoint(f"10.1.1.{number % 200 + 1}")]})

        busy = threading.Thread(target=scale)
        busy.start()
        try:
            self.assertEqual([self.diff()[0] for _ in range(5)], [0] * 5)
        finally:
            done.set()
            busy.join()

    def test_exit_codes(self):
        code, _, errors = self.diff("--member", "nobody")
        self.assertEqual(code, 2)
        self.assertIn("nobody", errors)
        self.assertEqual(self.diff("--no-such-flag")[0], 2)
        self.assertEqual(self.diff("--member", self.member)[0], 0)


class DiffWithoutRights(FerryTest):
    forbidden_expected = True

    def test_what_cannot_be_listed_is_no_empty_list(self):
        program = self.start()
        self.consent()
        self.slice("a")
        self.exported("a")
        program.stop()
        for what, settings in (("unauthorized", {"member_kubeconfig": kubeconfig(self.fleet.member, token="wrong")}),
                               ("forbidden", {"member": {"namespace": "not-ours"}})):
            with self.subTest(what):
                blind = self.configured(**settings)
                end = subprocess.run([BINARY, "diff", "--config", blind.config, "-o", "json"], capture_output=True,
                                     text=True, timeout=60, stdin=subprocess.DEVNULL, cwd=blind.folder)
                self.assertEqual(end.returncode, 1)
                told = json.loads(end.stdout)
                self.assertNotIn("differences", told)
                self.assertTrue(told["failures"])
                self.assertIn(f"member {self.member} can't be read: GET https://", end.stderr)
