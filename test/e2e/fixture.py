"""What each test gets: namespaces and a member name of its own on the shared fleet, and words to speak of them."""

import itertools
import re
import unittest

import fleet as fleets
import oracle
from api import EXPORTS, SERVICE_EXPORTS, SLICES, ApiError
from audit import Audit
from cluster import PROGRAM, WRITER
from objects import NAME, OURS, annotations, ours_of, service_export_body, slice_body, verdict
from program import Program
from wait import eventually

_numbers = itertools.count(1)


class FerryTest(unittest.TestCase):
    """`ns`: this test's namespace on the member; `member`: its cluster id; `hub_ns`: where its exports must appear."""

    forbidden_expected = False  # a test that takes rights away says so

    def make_fleet(self):
        return fleets.shared()

    def setUp(self):
        number = next(_numbers)
        self.ns, self.member, self.hub_ns = f"ns{number}", f"m{number}", f"fleet-member-m{number}"
        self.fleet = self.make_fleet()
        self.places = {self.ns, self.hub_ns}  # where the program may write
        self.programs, self._controls = [], itertools.count()
        self.member_api, self.hub_api = self.fleet.member.api(), self.fleet.hub.api()
        self.writer = self.fleet.member.api(WRITER)
        self.fleet.add_member_namespace(self.ns)
        self.prepare_hub()
        self.member_audit, self.hub_audit = Audit(self.fleet.member), Audit(self.fleet.hub)
        self.addCleanup(lambda: self.fleet.empty(self.ns, self.hub_ns))
        self.addCleanup(lambda: [program.kill() for program in self.programs])

    def prepare_hub(self):
        self.fleet.add_hub_namespace(self.hub_ns)

    def tearDown(self):
        """The rights of the manifests were enough, and no write went anywhere but to this test's objects."""
        for audit in (self.member_audit, self.hub_audit):
            entries = audit.entries(PROGRAM)
            strays = [one for one in entries if one.verb in ("create", "update", "patch", "delete")
                      and one.ns not in self.places]
            self.assertEqual(strays, [], "writes to objects that aren't this test's")
            if not self.forbidden_expected:
                self.assertEqual([one for one in entries if one.code == 403], [], "a right was lacking")

    def evidence(self):
        """What a failure shows besides itself."""
        return "\n".join(f"--- stderr of the program ({program.log})\n{program.tail()}" for program in self.programs)

    # The program.

    def configured(self, **settings):
        """A program that isn't started yet."""
        folder = self.fleet.folder / f"{self.member}-{len(self.programs)}"
        program = Program(self.fleet, folder, self.member, **settings)
        self.programs.append(program)
        return program

    def start(self, **settings):
        return self.configured(**settings).start().wait_ready()

    # The member.

    def consent(self, service="web", valid="True", conflict="False", **metadata):
        """Creates the ServiceExport or changes the verdict on it."""
        if self.member_api.find(SERVICE_EXPORTS, self.ns, service) is None:
            self.member_api.create(SERVICE_EXPORTS, self.ns, service_export_body(service, **metadata))
        if valid is not None or conflict is not None:
            self.member_api.patch(SERVICE_EXPORTS, self.ns, service, verdict(valid, conflict), "status")

    def slice(self, name, service="web", addresses=("10.1.0.1",), **more):
        return self.member_api.create(SLICES, self.ns, slice_body(name, service, addresses, **more))

    def change(self, name, body):
        return self.member_api.patch(SLICES, self.ns, name, body)

    def annotate(self, name, values):
        return self.change(name, {"metadata": {"annotations": values}})

    def read(self, name):
        return self.member_api.get(SLICES, self.ns, name)

    def name_of(self, name):
        """The unique name that the slice carries now, or None."""
        return annotations(self.read(name)).get(NAME)

    # The hub.

    def exports(self):
        return self.hub_api.list(EXPORTS, self.hub_ns)

    def export(self, unique_name):
        return self.hub_api.find(EXPORTS, self.hub_ns, unique_name)

    def exports_of(self, uid):
        return [one for one in self.exports() if one["spec"]["endpointSliceReference"]["uid"] == uid]

    # Expectations.

    def exported(self, name, within_s=10):
        """Waits until the slice has all annotations and exactly the right, single export; returns (slice, export)."""

        def right():
            item, exports = self.read(name), self.exports()
            fault = oracle.slice_fault(item, {one["metadata"]["name"]: one for one in exports}, self.member)
            assert fault is None, fault
            uid = item["metadata"]["uid"]
            own = [one for one in exports if one["spec"]["endpointSliceReference"]["uid"] == uid]
            assert len(own) == 1, f"{len(own)} exports of {name}: {[one['metadata']['name'] for one in own]}"
            return item, own[0]

        return eventually(right, within_s, f"{name} exported")

    def withdrawn(self, name, within_s=10):
        """Waits until the slice has none of our annotations and no export; returns the slice."""

        def right():
            item = self.read(name)
            assert not ours_of(item), f"still annotated: {ours_of(item)}"
            own = self.exports_of(item["metadata"]["uid"])
            assert not own, f"still on the hub: {[one['metadata']['name'] for one in own]}"
            return item

        return eventually(right, within_s, f"{name} withdrawn")

    def in_sync(self, within_s=20):
        """Waits until the hub holds exactly what it must, by the oracle."""

        def right():
            faults = oracle.differences(self.member_api.list(SLICES, self.ns),
                                        self.member_api.list(SERVICE_EXPORTS, self.ns), self.exports(), self.member)
            assert not faults, f"{len(faults)} faults, first: {faults[:3]}"
            return True

        eventually(right, within_s, "clusters in sync", pause_s=0.1)

    def marker(self):
        """Everything written before this call has been seen by the program: a control slice made after it is exported.

        So absence can be asserted without waiting a while and hoping (W1)."""
        name = f"control-{next(self._controls)}"
        self.consent(name)
        self.slice(name, name)
        self.exported(name)

    def assert_untouched(self, name):
        """After a marker: never annotated, never exported; by the audit log, not by a look at the end."""
        self.marker()
        self.assertEqual(ours_of(self.read(name)), {})
        self.assertEqual(self.member_audit.writes(PROGRAM, name=name), [])
        created = [one.body["spec"]["endpointSliceReference"]["name"] for one in self.hub_audit.writes(PROGRAM)
                   if one.verb == "create"]
        self.assertNotIn(name, created)

    def assert_name(self, unique_name, name):
        """The Go format's prefix, and a suffix of its own (W2)."""
        pattern = f"{re.escape(self.member)}-{self.ns}-{re.escape(name)}-[a-z0-9]{{7}}"
        self.assertRegex(unique_name or "", f"^{pattern}$")

    def only_conflicts(self, call):
        """Runs a write of another writer; True when it was refused with 409."""
        try:
            call()
            return False
        except ApiError as error:
            self.assertEqual(error.code, 409)
            return True


def none_of_ours():
    """A patch that takes all our annotations away, as kube does when it recycles a slice."""
    return {key: None for key in OURS}
