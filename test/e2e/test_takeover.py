"""What others made or do: exports of a former name and of the Go agent, leftovers, a rival, endpoints on their way out."""

import threading
import time

from api import EXPORTS, MERGE, SLICES
from cluster import ADMIN, PROGRAM
from fixture import FerryTest
from objects import GENERATION, HUB_FINALIZER, NAME, TIMESTAMP, endpoint, export_body
from program import Program
from wait import eventually, paced


class FormerNames(FerryTest):
    def setUp(self):
        super().setUp()
        self.old, self.old_ns = f"{self.member}-old", f"fleet-member-{self.member}-old"
        self.places.add(self.old_ns)
        self.fleet.add_hub_namespace(self.old_ns)
        self.addCleanup(lambda: self.fleet.empty(self.ns, self.old_ns))

    def old_exports(self):
        return self.hub_api.list(EXPORTS, self.old_ns)

    def test_exports_of_the_old_name_follow_the_new_ones(self):
        names = [f"s{number}" for number in range(20)]
        before = Program(self.fleet, self.fleet.folder / self.old, self.old)
        self.programs.append(before)
        before.start().wait_ready()
        self.consent()
        for name in names:
            self.slice(name)
        eventually(lambda: len(self.old_exports()) == len(names), what="exported under the old name")
        before.stop()
        self.member_api.delete(SLICES, self.ns, names.pop())  # nobody would ever miss its export
        source = self.read(names[0])
        self.hub_api.create(EXPORTS, self.old_ns, export_body("theirs", "other-cluster", source, uid="1"))

        def finalized():
            held = {one["metadata"]["name"]: one for one in self.old_exports()}
            return all(one["metadata"].get("finalizers") for one in held.values()) and held

        old = eventually(finalized, what="finalizers")
        foreign = old.pop("theirs")
        self.hub_audit.mark()
        self.start(member={"former_names": [{"name": self.old}]})
        eventually(lambda: self.old_exports() == [foreign], what="only the foreign export left")
        created = {one.body["spec"]["endpointSliceReference"]["name"]: one.ended
                   for one in self.hub_audit.writes(PROGRAM, verb="create", ns=self.hub_ns) if one.code == 201}
        deleted = {one.name: one.began for one in self.hub_audit.writes(PROGRAM, verb="delete", ns=self.old_ns)}
        self.assertEqual(set(deleted), set(old))
        for name, export in old.items():
            of = export["spec"]["endpointSliceReference"]["name"]
            if of in names:
                self.assertLess(created[of], deleted[name], f"{of} was on the hub under no name")
        for name in names:
            self.exported(name)
        self.marker()
        self.assertEqual(self.old_exports(), [foreign])


class FormerNamespace(FerryTest):
    """It isn't there, and its role with it, so the list of its exports is forbidden."""

    forbidden_expected = True

    def test_is_noted_until_it_can_be_listed(self):
        old = f"{self.member}-old"
        old_ns = f"fleet-member-{old}"
        program = self.start(member={"former_names": [{"name": old}]})

        def note():
            code, text = program.ask("/readyz")
            self.assertEqual(code, 200, "it is in service all the same")
            return "".join(line for line in text.splitlines() if line.startswith("[!]") and old_ns in line)

        self.assertRegex(eventually(note, what="a note"), "(?i)forbidden|403")
        self.addCleanup(lambda: self.fleet.empty(self.ns, old_ns))
        self.fleet.add_hub_namespace(old_ns)
        eventually(lambda: not note(), 30, "no note any more")


class GoAgent(FerryTest):
    """Objects as the Go agent writes them are right as they are: not one write."""

    def test_its_exports_are_taken_over(self):
        self.consent()
        moments = {"offset": ("2026-01-01T02:00:00+02:00", "2026-01-01T00:00:00Z"),
                   "fraction": ("2026-01-01T00:00:00.987654321Z", "2026-01-01T00:00:00.123456Z"),
                   "both": ("2025-12-31T19:00:00.5-05:00", "2026-01-01T05:30:00.999+05:30")}
        held = {}
        for suffix, (name, (noted, since)) in zip(("x7k2p", "a00b1", "zz9q4"), moments.items()):
            unique_name = f"{self.member}-{self.ns}-{name}-{suffix}"
            item = self.slice(name, annotations={NAME: unique_name, GENERATION: "1", TIMESTAMP: noted})
            body = export_body(unique_name, self.member, item, since)
            body["spec"]["endpointSliceReference"].update(apiVersion="", kind="")
            self.hub_api.create(EXPORTS, self.hub_ns, body)
            held[name] = unique_name
        eventually(lambda: all(one["metadata"].get("finalizers") == [HUB_FINALIZER] for one in self.exports()),
                   what="finalizers")
        before = self.exports(), [self.read(name) for name in held]
        self.start()
        self.marker()
        for audit in (self.member_audit, self.hub_audit):
            self.assertEqual([one for one in audit.writes(PROGRAM) if "control-" not in one.name], [])
        exports = [one for one in self.exports() if "control-" not in one["metadata"]["name"]]
        self.assertEqual((exports, [self.read(name) for name in held]), before)

        with self.subTest("and are ours from then on"):
            for name, unique_name in held.items():
                self.change(name, {"endpoints": [endpoint("10.7.7.7")]})
                eventually(lambda: self.export(unique_name)["spec"]["endpoints"] == [{"addresses": ["10.7.7.7"]}],
                           what="the change under the old name")
                self.exported(name)


class Options(FerryTest):
    def addresses(self, unique_name):
        return [one["addresses"] for one in self.export(unique_name)["spec"].get("endpoints") or []]

    def test_serving_fallback(self):
        self.consent()
        program = self.start()
        leaving = {"ready": False, "serving": True, "terminating": True}
        gone = {"ready": False, "serving": False, "terminating": True}
        dying = [{"addresses": [f"10.8.0.{number}"], "conditions": how}
                 for number, how in enumerate((leaving, gone, leaving))]
        self.slice("dying", endpoints=dying)
        self.slice("mixed", endpoints=[*dying, endpoint("10.8.0.9")])
        dying, mixed = (self.exported(name)[1]["metadata"]["name"] for name in ("dying", "mixed"))
        self.assertEqual(self.addresses(dying), [])
        program.stop()
        self.start(serving_fallback=True)
        eventually(lambda: self.addresses(dying) == [["10.8.0.0"], ["10.8.0.2"]], what="those that serve")
        self.marker()
        self.assertEqual(self.addresses(mixed), [["10.8.0.9"]], "one is ready, so the others aren't needed")
        self.change("dying", {"endpoints": [endpoint("10.8.1.1")]})
        eventually(lambda: self.addresses(dying) == [["10.8.1.1"]], what="ready ones alone")

    def test_orphan_grace(self):
        grace_s = 4
        self.consent()
        source = self.slice("a")
        orphan = f"{self.member}-{self.ns}-gone-abcde"
        body = export_body(orphan, self.member, source, uid="00000000-0000-0000-0000-000000000000")
        body["spec"]["endpointSliceReference"].update(name="gone", namespacedName=f"{self.ns}/gone")
        self.hub_api.create(EXPORTS, self.hub_ns, body)
        began = time.time()
        self.start(orphan_grace_seconds=grace_s)
        self.marker()
        if time.time() - began < grace_s:  # else this machine is too slow to tell
            self.assertEqual(self.hub_audit.writes(PROGRAM, name=orphan), [])
        eventually(lambda: self.export(orphan) is None, grace_s + 10, "the orphan gone")
        deletes = self.hub_audit.writes(PROGRAM, name=orphan)
        self.assertEqual([one.verb for one in deletes], ["delete"])
        self.assertGreaterEqual(deletes[0].began - began, grace_s)
        self.exported("a")


class Rival(FerryTest):
    """Somebody else writes our exports again and again."""

    CONTESTED, WAR_S, GAP_S = 8, 8, 0.25

    def meddle(self, names):
        for turn in paced(int(self.WAR_S / self.GAP_S), self.GAP_S):
            for name in names:
                path = f"{self.hub_api.path(EXPORTS, self.hub_ns, name)}?fieldManager=rival-agent"
                theirs = {"spec": {"endpoints": [{"addresses": [f"10.99.0.{turn}"]}]}}
                self.hub_api.request("PATCH", path, theirs, MERGE)

    def test_a_rival_is_named_yielded_to_and_outlasted(self):
        program = self.start()
        self.consent()
        for number in range(self.CONTESTED):
            self.slice(f"s{number}")
        self.in_sync()
        contested = [one["metadata"]["name"] for one in self.exports()]
        self.hub_audit.mark()
        war = threading.Thread(target=self.meddle, args=(contested,))
        war.start()
        try:
            eventually(lambda: "rival-agent" in program.ask("/readyz")[1], self.WAR_S, "the rival named")
            self.assertEqual(program.ask("/readyz")[0], 503)
            self.marker()  # whatever isn't contested goes on
        finally:
            war.join()
        for name in contested:
            ours = len(self.hub_audit.entries(PROGRAM, "patch", name=name))
            theirs = [one for one in self.hub_audit.entries(ADMIN, "patch", name=name) if "rival-agent" in one.uri]
            self.assertGreater(ours, 0)
            self.assertLess(ours, len(theirs) / 2, f"of {name}")
        self.in_sync(40)
        self.assertEqual(program.metrics()[f'sliceferry_exports_contested{{member="{self.member}"}}'], 1)
