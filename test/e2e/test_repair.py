"""The hub is an input too: what others do to our exports there is put right; what isn't ours stays as it is."""

from api import EXPORTS
from cluster import PROGRAM
from fixture import FerryTest
from objects import HOLD, HUB_FINALIZER, NAME, annotations, endpoint, export_body
from wait import eventually


class Repair(FerryTest):
    def setUp(self):
        super().setUp()
        self.program = self.start()
        self.consent()
        self.slice("a")
        self.item, first = self.exported("a")
        self.unique_name = first["metadata"]["name"]
        eventually(lambda: self.export(self.unique_name)["metadata"].get("finalizers"), what="finalizer")
        self.first = self.export(self.unique_name)

    def edit(self, spec):
        self.hub_api.patch(EXPORTS, self.hub_ns, self.unique_name, {"spec": spec})

    def test_edited(self):
        reference = self.first["spec"]["endpointSliceReference"]
        rows = {
            "endpoints": {"endpoints": [{"addresses": ["6.6.6.6"]}]},
            "ports": {"ports": None},
            "owner": {"ownerServiceReference": {"name": "x", "namespacedName": "x/x"}},
            "generation": {"endpointSliceReference": dict(reference, generation=99)},
            "since": {"endpointSliceReference": dict(reference, exportedSince="2020-01-01T00:00:00Z")},
        }
        for what, spec in rows.items():
            with self.subTest(what):
                self.edit(spec)
                _, export = self.exported("a")
                self.assertEqual(export["metadata"]["uid"], self.first["metadata"]["uid"])
                self.assertEqual(export["metadata"]["finalizers"], [HUB_FINALIZER])
        self.assertEqual(annotations(self.read("a")), annotations(self.item))

    def test_edited_uid_is_still_ours_by_memory(self):
        self.edit({"endpointSliceReference": dict(self.first["spec"]["endpointSliceReference"], uid="someone")})
        _, export = self.exported("a")
        self.assertEqual(export["metadata"]["name"], self.unique_name)

    def test_refreshed_reference_version_is_no_drift(self):
        """D12: reference.resourceVersion alone is nothing to repair."""
        reference = dict(self.first["spec"]["endpointSliceReference"], resourceVersion="1")
        self.hub_audit.mark()
        self.edit({"endpointSliceReference": reference})
        self.marker()
        self.assertEqual(self.hub_audit.writes(PROGRAM, name=self.unique_name), [])

    def test_deleted(self):
        self.hub_api.delete(EXPORTS, self.hub_ns, self.unique_name)
        eventually(lambda: self.new_export(), what="created again")
        item, export = self.exported("a")
        self.assertEqual(export["metadata"]["name"], self.unique_name)
        self.assertEqual(annotations(item), annotations(self.item))

    def new_export(self):
        found = self.export(self.unique_name)
        return found and found["metadata"]["uid"] != self.first["metadata"]["uid"]

    def test_D9_held_terminating_then_gone(self):
        """Somebody else's delete, held by somebody's finalizer: waited for, then created under the same name."""
        held = {"metadata": {"finalizers": [HUB_FINALIZER, HOLD]}}
        self.hub_api.patch(EXPORTS, self.hub_ns, self.unique_name, held)
        self.hub_audit.mark()
        self.hub_api.delete(EXPORTS, self.hub_ns, self.unique_name)
        eventually(lambda: self.export(self.unique_name)["metadata"]["finalizers"] == [HOLD], what="held by one")
        self.change("a", {"endpoints": [endpoint("10.8.8.8")]})
        self.marker()
        strays = [one for one in self.hub_audit.writes(PROGRAM) if "control-" not in one.name]
        self.assertEqual(strays, [], "nothing can be done while it is held")
        self.hub_api.patch(EXPORTS, self.hub_ns, self.unique_name, {"metadata": {"finalizers": None}})
        eventually(lambda: self.new_export(), what="created again")
        _, export = self.exported("a")
        self.assertEqual(export["metadata"]["name"], self.unique_name)

    def test_replaced_by_a_foreign_one(self):
        """Left as it is to the byte; the slice gets a new name."""
        theirs = export_body(self.unique_name, "other-cluster", self.item, uid="1")
        self.program.kill()
        self.hub_api.delete(EXPORTS, self.hub_ns, self.unique_name)
        eventually(lambda: self.export(self.unique_name) is None, what="ours gone")
        self.hub_api.create(EXPORTS, self.hub_ns, theirs)
        eventually(lambda: self.export(self.unique_name)["metadata"].get("finalizers"), what="finalizer")
        before = self.export(self.unique_name)
        self.program.start().wait_ready()
        eventually(lambda: annotations(self.read("a")).get(NAME) != self.unique_name, what="a new name")
        item, export = self.exported("a")
        self.assert_name(export["metadata"]["name"], "a")
        self.assertEqual(self.export(self.unique_name), before)
        self.assertEqual(export["spec"]["endpointSliceReference"]["exportedSince"],
                         self.first["spec"]["endpointSliceReference"]["exportedSince"])
        self.marker()
        self.assertEqual(self.export(self.unique_name), before)

    def test_replaced_by_a_foreign_one_while_running(self):
        """Who is faster takes the name; either way the foreign object stays and the slice ends with one right export."""
        self.hub_api.delete(EXPORTS, self.hub_ns, self.unique_name)
        theirs = export_body(self.unique_name, "other-cluster", self.item, uid="1")

        def take():
            found = self.export(self.unique_name)
            if found is None:
                return self.hub_api.create(EXPORTS, self.hub_ns, theirs)
            reference = found["spec"]["endpointSliceReference"]
            return found if reference["clusterId"] == "other-cluster" or self.new_export() else None

        try:
            eventually(take, what="the name taken by someone", pause_s=0)
        except Exception as error:  # the program was faster
            self.assertIn("AlreadyExists", str(error))
        self.exported("a")

    def test_duplicate_made_by_another_agent(self):
        """A second export of the same slice isn't named by it: it goes, the named one stays."""
        name = f"{self.member}-{self.ns}-a-zzzzzzz"
        self.hub_api.create(EXPORTS, self.hub_ns, export_body(name, self.member, self.item))
        eventually(lambda: self.export(name) is None, what="duplicate gone")
        self.assertEqual(self.exported("a")[1]["metadata"]["uid"], self.first["metadata"]["uid"])

    def test_export_of_another_cluster_in_our_namespace(self):
        theirs = export_body("theirs", "other-cluster", self.item, uid="1")
        self.hub_api.create(EXPORTS, self.hub_ns, theirs)
        eventually(lambda: self.export("theirs")["metadata"].get("finalizers"), what="finalizer")
        before = self.export("theirs")
        self.marker()
        self.assertEqual(self.export("theirs"), before)
        self.assertEqual(self.hub_audit.writes(PROGRAM, name="theirs"), [])
