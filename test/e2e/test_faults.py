"""Servers that die, and what isn't there yet at the start."""

import re
import threading
import time

import fleet as fleets
import manifests
from api import SERVICE_EXPORTS, SERVICE_EXPORTS_ALPHA, SLICES, Unreachable
from fixture import FerryTest
from objects import endpoint, service_export_body, verdict
from wait import eventually, paced


class Killed(FerryTest):
    """An API server is killed and started again in the middle of 200 changes."""

    forbidden_expected = True  # a server that has just started answers 403 until it has read its roles

    def make_fleet(self):
        return fleets.battered()

    def churn(self):
        """200 changes over 200 slices, of which every fourth is a deletion; each retried until the server took it."""
        for number in paced(200, 0.02):
            name = f"s{number}"

            def change(name=name, number=number):
                try:
                    if number % 4 == 0:
                        if self.writer.find(SLICES, self.ns, name):
                            self.writer.delete(SLICES, self.ns, name)
                    else:
                        self.writer.patch(SLICES, self.ns, name, {"endpoints": [endpoint(f"10.6.0.{number}")]})
                    return True
                except Unreachable:
                    return False

            eventually(change, 60, "change accepted")

    def survive(self, cluster):
        program = self.start()
        self.consent()
        for number in range(200):
            self.slice(f"s{number}")
        self.in_sync()
        thread = threading.Thread(target=self.churn)
        thread.start()
        try:
            time.sleep(2)  # half of the changes
            cluster.stop()
            time.sleep(1)  # of outage
            self.fleet.revive(cluster)
        finally:
            thread.join()
        began = time.monotonic()
        self.in_sync(60)
        print(f"[right {time.monotonic() - began:.1f} s after the last change] ", end="")
        self.assertEqual(len(self.exports()), 150)
        eventually(lambda: program.ask("/readyz")[0] == 200, 30, "ready again")
        self.assertTrue(program.alive())

    def test_hub_killed_amid_200_changes(self):
        self.survive(self.fleet.hub)

    def test_member_killed_amid_200_changes(self):
        self.survive(self.fleet.member)

    def test_both_killed_amid_first_exports(self):
        """Both go at once, with exports still to be made."""
        self.start()
        self.consent()
        for number in range(50):
            self.slice(f"s{number}")
        for cluster in (self.fleet.hub, self.fleet.member):
            cluster.stop()
        for cluster in (self.fleet.hub, self.fleet.member):
            self.fleet.revive(cluster)
        self.in_sync(60)
        self.assertEqual(len(self.exports()), 50)

    def test_hub_down_at_start(self):
        self.consent()
        self.slice("a")
        self.fleet.hub.stop()
        try:
            program = self.configured().start()
            eventually(lambda: program.ask("/livez")[0] == 200, what="alive")
            eventually(lambda: re.search("refused|unreachable|unavailable|connect", unready(program, "hub") or ""),
                       what="not ready because of the hub, and why")
        finally:
            self.fleet.revive(self.fleet.hub)
        self.exported("a", 30)
        eventually(lambda: program.ask("/readyz")[0] == 200, what="ready")


def unready(program, *words):
    """The text of /readyz when it is a 503 that holds all words, else None."""
    code, text = program.ask("/readyz")
    return text if code == 503 and all(word in text for word in words) else None


class HubNamespace(FerryTest):
    """The namespace of the member on the hub is the fleet's to create."""

    forbidden_expected = True

    def prepare_hub(self):
        pass

    def appear(self):
        self.fleet.add_hub_namespace(self.hub_ns)
        self.exported("a", 30)
        self.slice("b")
        self.exported("b")

    def test_missing_at_start(self):
        """Its role is missing with it, so the list of exports is forbidden."""
        self.consent()
        self.slice("a")
        program = self.configured().start()
        text = eventually(lambda: unready(program, self.hub_ns), what="not ready, naming the namespace")
        self.assertRegex(text, "(?i)forbidden|403")
        self.appear()
        eventually(lambda: program.ask("/readyz")[0] == 200, what="ready")

    def test_missing_at_start_with_rights_everywhere(self):
        """Its list is empty then, and only the answer to the first write tells."""
        self.addCleanup(manifests.grant_hub_everywhere(self.fleet.hub.api()))
        self.consent()
        self.slice("a")
        program = self.configured().start()
        eventually(lambda: program.ask("/livez")[0] == 200, what="alive")
        eventually(lambda: [one for one in self.hub_audit.entries("sliceferry", "create") if one.code == 404],
                   what="a write answered 404")
        self.appear()


class ServiceExportKind(FerryTest):
    """A member of its own, without the kind ServiceExport."""

    forbidden_expected = True

    def make_fleet(self):
        fleet = fleets.Fleet(service_exports=False)
        self.addCleanup(fleet.stop)
        return fleet

    def test_missing_at_start_then_installed(self):
        self.slice("a")
        program = self.configured().start()
        eventually(lambda: unready(program, "serviceexports"), what="not ready because of the kind")
        manifests.install_crd(self.member_api, manifests.crd(manifests.SERVICE_EXPORT))
        self.consent()
        self.exported("a", 30)
        eventually(lambda: program.ask("/readyz")[0] == 200, what="ready")

    def test_only_v1alpha1_served(self):
        definition = manifests.only_version(manifests.crd(manifests.SERVICE_EXPORT), "v1alpha1")
        manifests.install_crd(self.member_api, definition)
        self.start()
        self.slice("a")
        self.member_api.create(SERVICE_EXPORTS_ALPHA, self.ns, service_export_body("web", "v1alpha1"))
        path = (SERVICE_EXPORTS_ALPHA, self.ns, "web")
        self.member_api.patch(*path, verdict("True", "False"), "status")
        self.exported("a")
        self.member_api.patch(*path, verdict("False", "False"), "status")
        self.withdrawn("a")

    def test_malformed_objects_on_list_and_watch(self):
        """A CRD without a schema lets anything through."""
        definition = manifests.crd(manifests.SERVICE_EXPORT)
        for version in definition["spec"]["versions"]:
            version["schema"] = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
            version.pop("additionalPrinterColumns", None)
        manifests.install_crd(self.member_api, definition)
        self.malformed("listed")
        self.consent()
        self.slice("a")
        program = self.start()
        self.exported("a")
        self.malformed("watched")
        self.marker()
        self.consent(valid="False")
        self.withdrawn("a")
        eventually(lambda: program.metric_sum("decode_errors|malformed") >= 2, what="counted")
        log = program.log.read_text()
        for name in ("listed", "watched"):
            lines = [line for line in log.splitlines() if name in line]
            self.assertEqual(len(lines), 1, f"one line about {name}: {lines}")

    def malformed(self, name):
        self.member_api.create(SERVICE_EXPORTS, self.ns, service_export_body(name))
        self.member_api.patch(SERVICE_EXPORTS, self.ns, name, {"status": {"conditions": "not a list"}}, "status")
