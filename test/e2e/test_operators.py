"""What operators order, and what the guard keeps from happening without them: two members in one process."""

import json
import re
import subprocess
import urllib.error
import urllib.request

import fleet as fleets
import manifests
from api import CRDS, EXPORTS, SERVICE_EXPORTS, SLICES
from cluster import PROGRAM, free_port
from fixture import FerryTest
from objects import export_body, ours_of, service_export_body, slice_body, verdict
from program import BINARY, kubeconfig
from wait import eventually

MANY, FEW = 60, 40  # slices: more, and less, than the guard lets go unasked


class TwoMembers(FerryTest):
    """The first is this test's on the battered fleet; the second lives on the shared fleet's member, beside it."""

    def make_fleet(self):
        return fleets.battered()

    def setUp(self):
        super().setUp()
        self.second, self.second_ns = f"{self.member}b", f"fleet-member-{self.member}b"
        self.places.add(self.second_ns)
        self.second_fleet = fleets.shared()
        self.second_api = self.second_fleet.member.api()
        self.fleet.add_hub_namespace(self.second_ns)
        self.second_fleet.add_member_namespace(self.ns)
        self.addCleanup(lambda: self.second_fleet.empty(self.ns, self.second_ns))
        self.addCleanup(lambda: self.fleet.empty(self.ns, self.second_ns))
        self.program = self.configured()
        self.settle_for()
        self.program.start().wait_ready()

    def settle_for(self, **of_first):
        """Writes the settings for both members; `of_first`: more of the first one's."""
        folder = self.program.folder
        (folder / "second.kubeconfig").write_text(json.dumps(kubeconfig(self.second_fleet.member)))
        self.program.write_config({
            "members": [{"name": self.member, "kubeconfig": str(folder / "member.kubeconfig"), **of_first},
                        {"name": self.second, "kubeconfig": str(folder / "second.kubeconfig")}],
            "hub": {"kubeconfig": str(folder / "hub.kubeconfig")}, "listen": f"127.0.0.1:{self.program.port}",
            "log": {"format": "json"}})

    def second_marker(self):
        """The program has seen what was written to the hub before, and works on: the second member exports a new slice."""
        name = f"control-{next(self._controls)}"
        self.second_api.create(SERVICE_EXPORTS, self.ns, service_export_body(name))
        self.second_api.patch(SERVICE_EXPORTS, self.ns, name, verdict("True", "False"), "status")
        self.second_api.create(SLICES, self.ns, slice_body(name, name))

        def there():
            held = self.hub_api.list(EXPORTS, self.second_ns)
            return name in [one["spec"]["endpointSliceReference"]["name"] for one in held]

        eventually(there, what="the second member's control slice exported")

    def order(self, *words):
        """Runs `sliceferry WORDS` as an operator does, to its end; returns (exit code, stdout, stderr)."""
        ended = subprocess.run([BINARY, *words, "--listen", f"127.0.0.1:{self.program.port}"], capture_output=True,
                               text=True, timeout=60)
        return ended.returncode, ended.stdout, ended.stderr

    def send(self, method, path):
        """The status that a request gets which isn't the program's own."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.program.port}{path}", method=method)
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def export_all(self, **slices_of):
        """So many slices of each service; the last thing before what is to be seen in the audit logs."""
        for service, count in slices_of.items():
            self.consent(service)
            for number in range(count):
                self.slice(f"{service}-{number}", service, addresses=(f"10.6.0.{number}",))
        self.in_sync()
        self.hub_audit.mark(), self.member_audit.mark()

    def foreign_export(self, name, ns=None):
        """An export of another cluster, as it is once the hub controller has seen it."""
        source = {"metadata": {"namespace": self.ns, "name": "x", "uid": "1", "resourceVersion": "1", "generation": 1}}
        where = ns or self.hub_ns
        self.hub_api.create(EXPORTS, where, export_body(name, "other-cluster", source))
        eventually(lambda: self.hub_api.get(EXPORTS, where, name)["metadata"].get("finalizers"), what="finalizer")
        return self.hub_api.get(EXPORTS, where, name)

    def unannotated(self):
        eventually(lambda: not any(ours_of(one) for one in self.member_api.list(SLICES, self.ns)), what="annotations cleared")

    def deletes(self):
        return self.hub_audit.writes(PROGRAM, verb="delete", ns=self.hub_ns)


class Leave(TwoMembers):
    def has_left(self, foreign):
        self.assertEqual(self.exports(), [foreign])
        self.unannotated()

    def test_a_member_leaves_by_order_and_by_settings(self):
        self.consent()
        for number in range(20):
            self.slice(f"s{number}")
        self.in_sync()
        foreign = self.foreign_export("theirs")
        code, said, errors = self.order("leave", self.member)
        self.assertEqual((code, errors), (0, ""), said)
        lines = said.splitlines()
        self.assertGreaterEqual(len(lines), 2, "no progress was told")
        self.assertTrue(all(line.startswith(f"{self.member}: ") for line in lines), said)
        self.has_left(foreign)
        self.assertIn(f"[!]member {self.member}: has left", self.program.ask("/readyz")[1])
        self.slice("late")
        self.second_marker()
        self.has_left(foreign)
        self.assertEqual(self.member_audit.writes(PROGRAM, name="late"), [])

        with self.subTest("the order ends with the process"):
            self.program.stop()
            self.program.start().wait_ready()
            for number in range(20):
                self.exported(f"s{number}")

        with self.subTest("the setting lasts"):
            self.program.stop()
            self.settle_for(leave=True)
            self.program.start().wait_ready()
            eventually(lambda: self.order("leave", self.member)[0] == 0, what="left")
            self.slice("later")
            self.second_marker()
            self.has_left(foreign)
            self.assertEqual(self.member_audit.writes(PROGRAM, name="later"), [])

    def test_a_member_leaves_that_cannot_be_reached(self):
        self.consent()
        self.slice("a")
        self.exported("a")
        foreign = self.foreign_export("theirs")
        self.program.stop()
        nobody = kubeconfig(self.fleet.member, server=f"https://127.0.0.1:{free_port()}")
        (self.program.folder / "member.kubeconfig").write_text(json.dumps(nobody))
        self.program.start()
        eventually(lambda: self.program.ask("/livez")[0] == 200, what="alive")
        self.assertEqual(self.order("leave", self.member)[0], 0)
        self.assertEqual(self.exports(), [foreign])

    def test_orders_for_nobody(self):
        for words in (("leave", "nobody"), ("guard", "allow", "nobody")):
            code, _, errors = self.order(*words)
            self.assertEqual(code, 1)
            self.assertIn("nobody", errors)
        code, _, errors = self.order("guard", "allow", self.member)
        self.assertEqual(code, 1, "nothing is held back")
        self.assertIn(self.member, errors)
        self.program.stop()
        code, _, errors = self.order("guard", "status")
        self.assertEqual(code, 1)
        self.assertIn(str(self.program.port), errors)


class Guard(TwoMembers):
    def setUp(self):
        super().setUp()
        self.addCleanup(self.restore_kind)

    def remove_kind(self):
        """As `kubectl delete crd` does: all ServiceExports go, then the kind."""
        self.member_api.delete(CRDS, None, manifests.SERVICE_EXPORT)
        eventually(lambda: self.member_api.find(CRDS, None, manifests.SERVICE_EXPORT) is None, what="CRD gone")

    def restore_kind(self):
        if self.member_api.find(CRDS, None, manifests.SERVICE_EXPORT) is None:
            manifests.install_crd(self.member_api, manifests.crd(manifests.SERVICE_EXPORT))

    def held(self):
        return self.program.metrics().get(f'sliceferry_guard_held{{member="{self.member}"}}')

    def tripped(self):
        """Waits until the guard holds; then readiness, the command and the figures say so."""
        eventually(lambda: re.search("CRD of ServiceExports is (missing|being deleted)", self.order("guard", "status")[1]),
                   what="the reason said")
        self.assertEqual(self.program.metrics()[f'sliceferry_guard_tripped{{member="{self.member}"}}'], 1)
        code, text = self.program.ask("/readyz")
        self.assertEqual(code, 200, "the other member is served all the same")
        why = re.findall(rf"^\[.\]guard of {self.member}: .*held back.*$", text, re.M)
        self.assertEqual(len(why), 1, text)
        code, said, _ = self.order("guard", "status")
        self.assertEqual(code, 0)
        told = {line.split(": ", 1)[0]: line.split(": ", 1)[1] for line in said.splitlines()}
        self.assertEqual(set(told), {self.member, self.second})
        self.assertIn(f"{self.held():.0f} withdrawals are held back", told[self.member])
        self.assertIn("nothing is held back", told[self.second])

    def test_kind_removed_and_back(self):
        """As a backup is restored: ServiceExports come one by one, and are judged later."""
        self.export_all(a=MANY, b=FEW)  # ServiceExports go in the order of their names
        self.remove_kind()
        self.tripped()
        self.second_marker()
        self.assertEqual(self.deletes(), [])
        self.restore_kind()
        self.consent("a", None, None)
        eventually(lambda: self.held() == FEW, 40, "that ServiceExport seen, though nobody has judged it yet")
        self.marker()
        self.second_marker()
        self.assertEqual(self.deletes(), [])
        self.consent("a"), self.consent("b")
        self.program.wait_ready()
        self.in_sync()
        self.marker()
        self.assertEqual(self.deletes(), [])

    def test_kind_removed_and_meant(self):
        self.export_all(a=MANY)
        self.remove_kind()
        self.tripped()
        for method, path, expected in (("POST", f"/guard/allow/{self.member}", 403), ("POST", f"/leave/{self.member}", 403),
                                       ("GET", f"/guard/allow/{self.member}", 405)):
            with self.subTest(f"{method} {path}"):
                self.assertEqual(self.send(method, path), expected)
        self.second_marker()
        self.assertEqual(self.deletes(), [])
        self.assertEqual(len(self.exports()), MANY)
        code, said, errors = self.order("guard", "allow", self.member)
        self.assertEqual((code, errors), (0, ""))
        self.assertIn(str(MANY), said)
        eventually(lambda: not self.exports(), what="all withdrawn")
        self.unannotated()
        self.assertEqual(len(self.deletes()), MANY)
        self.assertEqual(self.program.metrics()[f'sliceferry_guard_tripped{{member="{self.member}"}}'], 0)

    def test_slices_really_deleted_need_no_operator(self):
        self.export_all(a=MANY)
        self.member_api.delete_all(SLICES, self.ns)
        eventually(lambda: not self.exports(), 15, "all withdrawn")
        looked = self.member_audit.entries(PROGRAM, "get", resource="customresourcedefinitions")
        self.assertGreaterEqual(len(looked), 1, "the guard had nothing to ask about")
        self.program.wait_ready()
        self.marker()


del TwoMembers  # it has no tests of its own
