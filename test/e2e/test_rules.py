"""The Go controller's own integration tests (I1–I17) and GC tests (G5–G7), weak spots W1–W8 repaired."""

import re
import time

from api import EXPORTS, SLICES
from cluster import PROGRAM
from fixture import FerryTest
from objects import GENERATION, HOLD, NAME, TIMESTAMP, annotations, endpoint, export_body, foreign_of, ours_of
from oracle import seconds
from wait import eventually

FOREIGN = {"example.com/owner": "someone else"}


class NeverExported(FerryTest):
    """Absence is asserted after a marker, and by the audit log (W1)."""

    def test_I1_ipv6_slice(self):
        self.start()
        self.consent()
        self.slice("a", family="IPv6", addresses=("fd00::1",))
        self.assert_untouched("a")

    def test_I2_slice_without_label(self):
        self.start()
        self.consent()
        self.slice("a", service=None)
        self.assert_untouched("a")

    def test_I3_no_service_export(self):
        self.start()
        self.slice("a")
        self.assert_untouched("a")

    def test_I4_service_export_invalid(self):
        self.start()
        self.consent(valid="False", conflict=None)
        self.slice("a")
        self.assert_untouched("a")

    def test_I5_service_export_in_conflict(self):
        self.start()
        self.consent(conflict="True")
        self.slice("a")
        self.assert_untouched("a")

    def test_C16_every_other_verdict(self):
        self.start()
        verdicts = {"none": (None, None), "no-conflict-said": ("True", None), "no-valid-said": (None, "False"),
                    "unknown": ("Unknown", "False"), "conflict-unknown": ("True", "Unknown")}
        for service, (valid, conflict) in verdicts.items():
            self.consent(service, valid, conflict)
            self.slice(f"slice-{service}", service)
        self.marker()
        for service in verdicts:
            with self.subTest(service):
                self.assertEqual(ours_of(self.read(f"slice-{service}")), {})
        self.assertEqual([one for one in self.exports() if "control" not in one["metadata"]["name"]], [])


class Unexported(FerryTest):
    """I6–I10: a slice that carries annotations and has an export, and must have neither.

    Prepared once while the program is down and once while it runs; then it may be done with half of it already."""

    def both_ways(self, service="web"):
        self.leftover("a", service)
        self.start()
        self.check("a")
        self.leftover("b", service)
        self.check("b")

    def leftover(self, name, service):
        """A slice with its export as an earlier run left them, and a foreign annotation (W7)."""
        item = self.slice(name, service, annotations=FOREIGN)
        unique = f"{self.member}-{self.ns}-{name}-abcdefg"
        self.hub_api.create(EXPORTS, self.hub_ns, export_body(unique, self.member, item))
        self.named(name, unique)

    def named(self, name, unique):
        self.annotate(name, {NAME: unique, GENERATION: "1", TIMESTAMP: "2026-01-01T00:00:00Z"})

    def check(self, name):
        item = self.withdrawn(name)  # all three annotations (W6)
        self.assertEqual(foreign_of(item), FOREIGN)
        eventually(lambda: self.export(f"{self.member}-{self.ns}-{name}-abcdefg") is None, what="export gone")

    def test_I6_no_label(self):
        self.both_ways(service=None)

    def test_I7_no_service_export(self):
        self.both_ways()

    def test_I8_service_export_invalid(self):
        self.consent(valid="False")
        self.both_ways()

    def test_I9_service_export_in_conflict(self):
        self.consent(conflict="True")
        self.both_ways()

    def test_I10_slice_deleted_but_held(self):
        self.start()
        self.consent()
        self.slice("a", annotations=FOREIGN, finalizers=[HOLD])
        _, export = self.exported("a")
        self.member_api.delete(SLICES, self.ns, "a")
        self.assertEqual(foreign_of(self.withdrawn("a")), FOREIGN)  # annotations too (W8)
        eventually(lambda: self.export(export["metadata"]["name"]) is None, what="export gone")
        self.change("a", {"metadata": {"finalizers": None}})
        eventually(lambda: self.member_api.find(SLICES, self.ns, "a") is None, what="slice gone")
        self.slice("a")
        self.assertNotEqual(self.exported("a")[1]["metadata"]["name"], export["metadata"]["name"])

    def test_G5_export_whose_slice_does_not_exist(self):
        item = self.slice("a")
        self.member_api.delete(SLICES, self.ns, "a")
        self.hub_api.create(EXPORTS, self.hub_ns, export_body("left", self.member, item))
        self.start()
        eventually(lambda: self.export("left") is None, what="leftover gone")

    def test_G5_appears_while_running(self):
        item = self.slice("a")
        self.member_api.delete(SLICES, self.ns, "a")
        self.start()
        self.hub_api.create(EXPORTS, self.hub_ns, export_body("left", self.member, item))
        eventually(lambda: self.export("left") is None, what="leftover gone")

    def test_G6_export_of_a_slice_without_name(self):
        """Without consent it goes; nothing names it."""
        item = self.slice("a")
        self.hub_api.create(EXPORTS, self.hub_ns, export_body("left", self.member, item))
        self.start()
        eventually(lambda: self.export("left") is None, what="leftover gone")
        self.assertEqual(self.member_audit.writes(PROGRAM), [])

    def test_G7_link_is_by_uid(self):
        """A foreign export under the slice's name stays and isn't ours; the slice takes a new name."""
        item = self.slice("a")
        self.hub_api.create(EXPORTS, self.hub_ns, export_body("theirs", "other-cluster", item))
        eventually(lambda: self.export("theirs")["metadata"].get("finalizers"), what="finalizer")
        before = self.export("theirs")
        self.named("a", "theirs")
        self.consent()
        self.start()
        name = eventually(lambda: self.named_other_than("theirs"), what="new name")
        self.assert_name(name, "a")
        eventually(lambda: self.export(name), what="export")
        self.assertEqual(self.export("theirs"), before)

    def named_other_than(self, name):
        found = self.name_of("a")
        return found if found not in (None, name) else None


class Exported(FerryTest):
    def test_I11_valid_consent(self):
        self.start()
        self.consent()
        began = int(time.time())
        self.slice("a")
        item, export = self.exported("a")
        held = annotations(item)
        self.assert_name(held[NAME], "a")
        self.assertEqual(held[GENERATION], str(item["metadata"]["generation"]))
        self.assertRegex(held[TIMESTAMP], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertGreaterEqual(seconds(held[TIMESTAMP]), began - 1)
        reference = export["spec"]["endpointSliceReference"]
        self.assertEqual((reference["kind"], reference["apiVersion"]), ("EndpointSlice", "discovery.k8s.io/v1"))  # C47, W5
        self.assertTrue(reference["resourceVersion"])

    def test_I12_second_endpoint(self):
        self.start()
        self.consent()
        self.slice("a")
        before, first = self.exported("a")
        self.change("a", {"endpoints": [endpoint("10.1.0.1"), endpoint("10.1.0.2")]})
        eventually(lambda: annotations(self.read("a"))[GENERATION] == "2", what="generation annotated")
        after, export = self.exported("a")
        self.assertGreaterEqual(seconds(annotations(after)[TIMESTAMP]), seconds(annotations(before)[TIMESTAMP]))
        self.assertEqual(export["metadata"]["uid"], first["metadata"]["uid"])
        self.assertEqual(export["spec"]["endpoints"], [{"addresses": ["10.1.0.1"]}, {"addresses": ["10.1.0.2"]}])
        versions = [one["spec"]["endpointSliceReference"]["resourceVersion"] for one in (first, export)]
        self.assertNotEqual(*versions)

    def tampered(self, value):
        """Sets the name annotation on an exported slice; returns the export of before."""
        self.start()
        self.consent()
        self.slice("a")
        item, first = self.exported("a")
        self.annotate("a", {NAME: value})
        eventually(lambda: self.name_of("a") not in (value, first["metadata"]["name"]), what="a new name")
        after, export = self.exported("a")  # the superseded export goes at once: exactly one is left
        self.assert_name(export["metadata"]["name"], "a")
        since = [one["spec"]["endpointSliceReference"]["exportedSince"] for one in (first, export)]
        self.assertEqual(seconds(since[0]), seconds(since[1]))
        self.assertEqual(annotations(item)[TIMESTAMP], annotations(after)[TIMESTAMP])
        eventually(lambda: self.export(first["metadata"]["name"]) is None, what="superseded export gone")

    def test_I13_name_set_to_invalid_text(self):
        self.tampered("x_y")

    def test_I13_name_set_to_nothing(self):
        self.tampered("")

    def test_I14_name_set_to_a_foreign_one(self):
        item = self.slice("foreign-one", service=None)
        self.hub_api.create(EXPORTS, self.hub_ns, export_body("theirs", "other-cluster", item, uid="1"))
        eventually(lambda: self.export("theirs")["metadata"].get("finalizers"), what="finalizer")
        before = self.export("theirs")
        self.tampered("theirs")
        self.assertEqual(self.export("theirs"), before)  # to the byte (W3)

    def test_I15_consent_given_to_two_slices(self):
        self.start()
        self.consent(valid=None, conflict=None)
        for name in ("a", "b"):
            self.slice(name)
        self.marker()
        self.assertEqual([ours_of(self.read(name)) for name in ("a", "b")], [{}, {}])
        self.consent()
        names = {self.exported(name)[1]["metadata"]["name"] for name in ("a", "b")}
        self.assertEqual(len(names), 2)

    def withdraw(self, valid, conflict):
        self.start()
        self.consent()
        self.slice("a", annotations=FOREIGN)
        self.exported("a")
        self.consent(valid=valid, conflict=conflict)
        self.assertEqual(foreign_of(self.withdrawn("a")), FOREIGN)

    def test_I16_consent_becomes_invalid(self):
        self.withdraw("False", "False")

    def test_I17_consent_in_conflict(self):
        self.withdraw("True", "True")

    def test_C43_C44_content(self):
        """Ready or unsaid endpoints only, in order; ports as they are; nothing else leaves the member."""
        self.start()
        self.consent()
        endpoints = [dict(endpoint("10.1.0.9"), nodeName="n1", zone="z", hostname="h"), endpoint("10.1.0.8", ready=False),
                     endpoint("10.1.0.7", ready=None)]
        ports = [{"name": "a", "port": 1, "protocol": "UDP"}, {"name": "b", "port": 2, "appProtocol": "h2c"}]
        rows = {"several": {"endpoints": endpoints, "ports": ports}, "none-ready": {"endpoints": endpoints[1:2]},
                "empty": {"endpoints": [], "ports": []}, "bare-port": {"ports": [{"port": 80}]},
                "thousand": {"endpoints": [endpoint(f"10.2.{n // 250}.{n % 250}") for n in range(1000)]}}
        for name, more in rows.items():
            self.slice(name, **more)
        for name in rows:
            with self.subTest(name):
                self.exported(name)
        wanted = [{"addresses": ["10.1.0.9"]}, {"addresses": ["10.1.0.7"]}]
        self.assertEqual(self.exported("several")[1]["spec"]["endpoints"], wanted)

    def test_A13_name_is_a_fallback_of_letters(self):
        """C33: a piece cut right after a dot would end in it, so the whole name is letters."""
        self.start()
        self.consent()
        name = "a" * 80 + ".b"
        self.slice(name)
        self.assertTrue(re.fullmatch("[a-z]{25}", self.exported(name)[1]["metadata"]["name"]))
