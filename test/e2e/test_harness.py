"""The harness proves itself, without the program: servers, rights, audit, stub, oracle."""

from api import EXPORTS, SERVICE_EXPORTS, SLICES, ApiError
from audit import Audit
from cluster import ADMIN, PROGRAM, STUB
from fixture import FerryTest
from objects import GENERATION, HUB_FINALIZER, NAME, TIMESTAMP, export_body
from wait import TooLate, eventually, paced
import oracle


class Harness(FerryTest):
    def test_stub_adds_and_removes_its_finalizer(self):
        item = self.slice("a")
        self.hub_api.create(EXPORTS, self.hub_ns, export_body("one", self.member, item))
        eventually(lambda: self.export("one")["metadata"].get("finalizers") == [HUB_FINALIZER], what="finalizer")
        self.hub_api.delete(EXPORTS, self.hub_ns, "one")
        eventually(lambda: self.export("one") is None, what="export gone")
        self.assertEqual(len(self.hub_audit.entries(STUB, "patch", name="one")), 2)

    def test_audit_tells_user_verb_body_and_answer(self):
        self.slice("a")
        with self.assertRaises(ApiError):
            self.fleet.member.api(PROGRAM).create(SLICES, self.ns, {"metadata": {"name": "b"}})
        made = self.member_audit.entries(ADMIN, "create", resource="endpointslices", ns=self.ns)
        self.assertEqual([(one.name, one.code) for one in made], [("a", 201)])
        self.assertEqual(made[0].body["addressType"], "IPv4")
        refused = self.member_audit.entries(PROGRAM, "create", ns=self.ns)
        self.assertEqual([one.code for one in refused], [403])
        self.member_audit = Audit(self.fleet.member)  # that 403 was wanted

    def test_rights_of_the_program_are_those_of_the_manifests(self):
        member, hub = self.fleet.member.api(PROGRAM), self.fleet.hub.api(PROGRAM)
        self.slice("a")
        self.assertEqual(len(member.list(SLICES)), 1 + len(self.member_api.list(SLICES, "default")))
        member.list(SERVICE_EXPORTS)
        hub.list(EXPORTS, self.hub_ns)
        for refused in (lambda: hub.list(EXPORTS), lambda: member.delete(SLICES, self.ns, "a")):
            with self.assertRaises(ApiError) as caught:
                refused()
            self.assertEqual(caught.exception.code, 403)
        self.member_audit.mark(), self.hub_audit.mark()

    def test_oracle_sees_each_kind_of_fault(self):
        self.consent()
        item = self.slice("a")
        self.assertIn("lacks annotations", self.faults()[0])
        self.annotate("a", {NAME: "one", GENERATION: "1", TIMESTAMP: "2026-01-01T00:00:00Z"})
        self.assertIn("absent on the hub", self.faults()[0])
        self.hub_api.create(EXPORTS, self.hub_ns, export_body("one", self.member, item))
        self.assertEqual(self.faults(), [])
        self.hub_api.create(EXPORTS, self.hub_ns, export_body("two", self.member, item))
        self.assertEqual(self.faults(), ["left over on the hub: two"])
        self.consent(valid="False")
        self.assertEqual(len(self.faults()), 3)

    def faults(self):
        return oracle.differences(self.member_api.list(SLICES, self.ns), self.member_api.list(SERVICE_EXPORTS, self.ns),
                                  self.exports(), self.member)

    def test_waiting_ends(self):
        with self.assertRaises(TooLate):
            eventually(lambda: False, 0.05)
        self.assertEqual(list(paced(3, 0.001)), [0, 1, 2])
