"""Given, when, then: C57–C73 as amended, A1–A4 and A22."""

import time

from api import EXPORTS, SERVICE_EXPORTS, SLICES
from cluster import PROGRAM
from fixture import FerryTest, none_of_ours
from objects import (GENERATION, HOLD, MANAGED_BY, NAME, SERVICE_LABEL, TIMESTAMP, annotations, endpoint, export_body,
                     foreign_of, slice_body)
from oracle import IMPORTER, IMPORTS_NS, seconds
from wait import eventually


class Transition(FerryTest):
    """Each test starts from one exported slice `a` of the Service web."""

    def setUp(self):
        super().setUp()
        self.program = self.start()
        self.consent()
        self.slice("a", annotations={"example.com/owner": "someone else"})
        self.before, self.first = self.exported("a")
        self.unique_name = self.first["metadata"]["name"]
        self.member_audit.mark(), self.hub_audit.mark()

    def relabel(self, service):
        self.change("a", {"metadata": {"labels": {SERVICE_LABEL: service}}})

    def assert_same_export(self, export):
        self.assertEqual(export["metadata"]["uid"], self.first["metadata"]["uid"])

    def assert_withdrawn(self):
        item = self.withdrawn("a")
        self.assertEqual(foreign_of(item), {"example.com/owner": "someone else"})
        eventually(lambda: self.export(self.unique_name) is None, what="export gone")

    def later(self):
        """Lets the clock reach another whole second than that of the first export."""
        first = seconds(annotations(self.before)[TIMESTAMP])
        eventually(lambda: int(time.time()) > first, 3, "the next second")

    def changed(self, generation):
        eventually(lambda: annotations(self.read("a")).get(GENERATION) == str(generation), what="generation annotated")
        return self.exported("a")

    def test_C57_endpoints_change(self):
        self.later()
        self.change("a", {"endpoints": [endpoint("10.1.0.5")]})
        item, export = self.changed(2)
        self.assert_same_export(export)
        self.assertGreater(seconds(annotations(item)[TIMESTAMP]), seconds(annotations(self.before)[TIMESTAMP]))

    def test_C58_D12_annotations_change_writes_nothing(self):
        self.annotate("a", {"example.com/trigger-time": "now"})
        self.marker()
        self.assertEqual(self.member_audit.writes(PROGRAM, name="a"), [])
        self.assertEqual(self.hub_audit.writes(PROGRAM, name=self.unique_name), [])

    def test_C59_A1_label_changes_to_another_consented_service(self):
        self.consent("other")
        self.later()
        self.relabel("other")
        item, export = self.changed(2)
        self.assert_same_export(export)
        self.assertEqual(export["spec"]["ownerServiceReference"]["name"], "other")
        self.assertGreater(seconds(annotations(item)[TIMESTAMP]), seconds(annotations(self.before)[TIMESTAMP]))

    def test_C60_A1_label_changes_to_a_service_without_consent(self):
        self.relabel("unknown")
        self.assert_withdrawn()

    def test_C61_A1_label_removed(self):
        self.relabel(None)
        self.assert_withdrawn()

    def test_C18_label_emptied(self):
        self.relabel("")
        self.assert_withdrawn()

    def test_C62_A2_service_export_deleted(self):
        self.member_api.delete(SERVICE_EXPORTS, self.ns, "web")
        self.assert_withdrawn()

    def test_C62_A2_service_export_deleting(self):
        self.member_api.patch(SERVICE_EXPORTS, self.ns, "web", {"metadata": {"finalizers": [HOLD]}})
        self.member_api.delete(SERVICE_EXPORTS, self.ns, "web")
        self.assert_withdrawn()

    def test_C63_C27_consent_returns(self):
        self.consent(valid="False")
        self.assert_withdrawn()
        self.consent()
        _, export = self.exported("a")
        self.assertNotEqual(export["metadata"]["name"], self.unique_name)

    def test_C64_invalid_name_keeps_since(self):
        self.annotate("a", {NAME: "x_y"})
        eventually(lambda: self.name_of("a") not in ("x_y", None), what="a new name")
        item, export = self.exported("a")
        self.assertNotEqual(export["metadata"]["name"], self.unique_name)
        self.assertEqual(annotations(item)[TIMESTAMP], annotations(self.before)[TIMESTAMP])

    def test_C65_name_of_another_slice(self):
        self.slice("b")
        _, other = self.exported("b")
        eventually(lambda: self.export(other["metadata"]["name"])["metadata"].get("finalizers"), what="finalizer")
        other = self.export(other["metadata"]["name"])
        self.annotate("a", {NAME: other["metadata"]["name"]})
        eventually(lambda: self.name_of("a") != other["metadata"]["name"], what="a new name")
        _, export = self.exported("a")
        self.assertNotIn(export["metadata"]["name"], (self.unique_name, other["metadata"]["name"]))
        self.assertEqual(self.export(other["metadata"]["name"]), other)
        self.exported("b")

    def test_C66_C30_valid_unused_name_is_taken(self):
        self.annotate("a", {NAME: "my-own-name"})
        eventually(lambda: self.export("my-own-name"), what="export under the name")
        item, export = self.exported("a")
        self.assertEqual(export["metadata"]["name"], "my-own-name")
        self.assertEqual(annotations(item)[TIMESTAMP], annotations(self.before)[TIMESTAMP])

    def test_C67_name_removed_adopts(self):
        self.annotate("a", {NAME: None})
        self.adopted()

    def test_C72_all_annotations_wiped_adopts(self):
        self.annotate("a", none_of_ours())
        self.adopted()

    def adopted(self):
        eventually(lambda: self.name_of("a") == self.unique_name, what="the old name again")
        _, export = self.exported("a")
        self.assert_same_export(export)
        self.assertEqual(self.hub_audit.count(PROGRAM).get(("create", "endpointsliceexports")), None)

    def test_C67_wiped_and_consent_gone(self):
        self.consent(valid="False")
        self.annotate("a", none_of_ours())
        self.assert_withdrawn()

    def test_C68_last_seen_lost(self):
        self.later()
        for values in ({GENERATION: None}, {TIMESTAMP: None}, {GENERATION: "x", TIMESTAMP: "y"}):
            with self.subTest(values):
                self.annotate("a", values)
                eventually(lambda: annotations(self.read("a")).get(GENERATION) == "1", what="generation")
                item, export = self.exported("a")
                self.assert_same_export(export)
                self.assertGreater(seconds(annotations(item)[TIMESTAMP]), seconds(annotations(self.before)[TIMESTAMP]))

    def test_C69_D5_slice_deleted(self):
        self.member_api.delete(SLICES, self.ns, "a")
        began = time.monotonic()
        self.gone_for_good(1)
        print(f"[gone after {(time.monotonic() - began) * 1000:.0f} ms] ", end="")

    def gone_for_good(self, within_s=5):
        """Withdrawn as the importers see it: deleted, or terminating until the hub controller lets go."""

        def gone():
            found = self.export(self.unique_name)
            return found is None or found["metadata"].get("deletionTimestamp")

        eventually(gone, within_s, "export deleted")

    def test_C70_recreated_under_the_same_name(self):
        self.member_api.delete(SLICES, self.ns, "a")
        self.slice("a")
        _, export = self.exported("a")
        self.assertNotEqual(export["metadata"]["name"], self.unique_name)
        eventually(lambda: self.export(self.unique_name) is None, what="old export gone")

    def test_C71_recreated_from_a_saved_manifest(self):
        """The copy carries the name of the old one's export."""
        self.member_api.delete(SLICES, self.ns, "a")
        self.member_api.create(SLICES, self.ns, slice_body("a", annotations=annotations(self.before)))
        item, export = self.exported("a")
        self.assertNotEqual(export["spec"]["endpointSliceReference"]["uid"], self.before["metadata"]["uid"])
        eventually(lambda: all(one["spec"]["endpointSliceReference"]["uid"] == item["metadata"]["uid"]
                               for one in self.exports()), what="only the new slice's export left")

    def test_A3_D22_withdrawal_with_a_spoilt_name(self):
        for number, value in enumerate(("x_y", "")):
            with self.subTest(value):
                name = f"spoilt-{number}"
                self.consent(name)
                self.slice(name, name)
                _, export = self.exported(name)
                # Both changes at once, as seen by the program: consent first would withdraw before the name is spoilt.
                self.programs[-1].kill()
                self.annotate(name, {NAME: value})
                self.consent(name, valid="False")
                self.program.start().wait_ready()
                self.withdrawn(name)
                eventually(lambda: self.export(export["metadata"]["name"]) is None, what="real export gone")

    def test_A4_D21_C73_ineligible_slice_loses_a_leftover(self):
        """A slice's family can't be changed in place, so the export is one that another program left."""
        for family, address in (("IPv6", "fd00::1"), ("FQDN", "example.com")):
            with self.subTest(family):
                name = family.lower()
                item = self.slice(name, family=family, addresses=(address,))
                left = f"{self.member}-{self.ns}-{name}-abcdefg"
                self.hub_api.create(EXPORTS, self.hub_ns, export_body(left, self.member, item))
                self.annotate(name, {NAME: left, GENERATION: "1", TIMESTAMP: "2026-01-01T00:00:00Z"})
                self.withdrawn(name)
                eventually(lambda: self.export(left) is None, what="leftover gone")


class Imported(FerryTest):
    """A22: what was imported from the hub never goes back to it (D32)."""

    def test_A22_slice_managed_by_the_importer(self):
        self.start()
        self.consent()
        self.slice("a", labels={MANAGED_BY: IMPORTER})
        self.assert_untouched("a")

    def test_A22_slice_in_the_namespace_of_imports(self):
        self.fleet.add_member_namespace(IMPORTS_NS)
        own, self.ns = self.ns, IMPORTS_NS
        self.consent()
        self.slice("a")
        self.ns = own
        self.addCleanup(lambda: self.fleet.empty(IMPORTS_NS, self.hub_ns))
        self.start()
        self.marker()
        self.assertEqual(self.member_audit.writes(PROGRAM, ns=IMPORTS_NS), [])
        names = [one["spec"]["endpointSliceReference"]["namespace"] for one in self.exports()]
        self.assertEqual(set(names), {self.ns})
