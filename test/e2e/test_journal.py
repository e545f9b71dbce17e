"""What the program remembers through its ends, and how it stands a journal that can't be used."""

import json
import os
import unittest

from api import SLICES
from cluster import PROGRAM
from fixture import FerryTest
from objects import NAME, annotations, endpoint
from program import Program
from wait import eventually


class Journal(FerryTest):
    def setUp(self):
        super().setUp()
        self.program = self.start()
        self.consent()

    def history(self, *words):
        done = self.program.say("history", *words, "-o", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def events(self, name):
        return [one["event"] for one in self.history(f"{self.ns}/{name}")]

    def adopted(self):
        return self.program.metric_sum(r'^sliceferry_events_total{event="adopted"}')

    def degraded(self):
        return self.program.metrics()["sliceferry_journal_degraded"]

    def replays(self):
        done = self.program.say("replay")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def own_writes(self):
        return [one for audit in (self.member_audit, self.hub_audit) for one in audit.writes(PROGRAM)
                if "control-" not in one.name]

    def restart(self, stop):
        stop()
        self.member_audit.mark(), self.hub_audit.mark()
        self.program.start().wait_ready()
        self.marker()  # all that was there before has been looked at

    def test_a_restart_is_warm_and_writes_nothing(self):
        for number in range(50):
            self.slice(f"s{number}")
        self.in_sync()
        for stop in (self.program.stop, self.program.kill):
            self.restart(stop)
            self.assertEqual(self.adopted(), 0, "the journal told it all")
            self.assertEqual(self.own_writes(), [])
            self.replays()

    def test_without_its_journal_it_adopts_what_the_clusters_show(self):
        for number in range(20):
            self.slice(f"s{number}")
        self.in_sync()
        self.program.stop()
        (self.program.data_dir / "journal.mdb").unlink()
        self.restart(lambda: None)
        self.assertEqual(self.adopted(), 20)
        self.assertEqual(self.own_writes(), [])
        self.replays()

    def test_history_tells_a_life_and_the_next_one_under_the_name(self):
        self.slice("a")
        first, export = self.exported("a")
        self.change("a", {"endpoints": [endpoint("10.5.5.5")]})
        self.exported("a")
        self.member_api.delete(SLICES, self.ns, "a")
        eventually(lambda: self.export(export["metadata"]["name"]) is None, 5, "withdrawn")
        self.slice("a")
        second, _ = self.exported("a")
        eventually(lambda: "export applied" in self.events("a")[-3:], 5, "journaled")
        told = self.history(f"{self.ns}/a")
        lives = {uid: [one["event"] for one in told if one["uid"] == uid] for uid in dict.fromkeys(one["uid"] for one in told)}
        self.assertEqual(list(lives), [first["metadata"]["uid"], second["metadata"]["uid"]])
        wanted = ["name chosen", "annotated", "export applied", "generation seen", "annotated", "export applied",
                  "withdrawal begun", "export withdrawn", "slice gone"]
        left = iter(lives[first["metadata"]["uid"]])
        self.assertTrue(all(one in left for one in wanted), lives)
        chosen = [one["export"] for one in told if one["event"] == "name chosen"]
        self.assertEqual(chosen, [annotations(first)[NAME], annotations(second)[NAME]])
        self.assertEqual([one["position"] for one in told], sorted(one["position"] for one in told))

    def test_history_of_a_time_and_of_nothing(self):
        self.slice("a")
        self.exported("a")
        eventually(lambda: "export applied" in self.events("a"), 5, "journaled")
        recent = self.history("--since", "10m", "--member", self.member)
        self.assertLessEqual({"name chosen", "export applied"}, {one["event"] for one in recent})
        last = recent[-1]["position"]
        self.assertEqual(self.history("--after", str(last)), [])
        for words, code, why in ((("--since", "10m", "--member", "another"), 2, f"knows {self.member}"),
                                 (("nowhere/nothing",), 1, "Nothing is recorded of nowhere/nothing"),
                                 (("--after", str(last + 10 ** 6)), 1, "the last position is ")):
            done = self.program.say("history", *words, "-o", "json")
            self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
            self.assertIn(why, done.stderr)
        text = self.program.say("history", f"{self.ns}/a")
        self.assertEqual(text.returncode, 0, text.stderr)
        self.assertIn("export applied", text.stdout)

    def test_a_directory_has_one_writer(self):
        second = Program(self.fleet, self.program.folder / "second", self.member,
                         data_dir=str(self.program.data_dir))
        self.programs.append(second)
        done = second.say("run")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(str(self.program.data_dir), done.stderr)
        self.slice("a")
        self.exported("a")  # the first one goes on

    def test_what_is_no_journal_is_set_aside(self):
        self.slice("a")
        self.exported("a")
        file = self.program.data_dir / "journal.mdb"
        for damage in (b"not a journal", file.read_bytes()[:6000]):
            self.program.kill()
            before = set(self.program.data_dir.glob("journal.mdb.set-aside*"))
            file.write_bytes(damage)
            self.restart(lambda: None)
            aside = set(self.program.data_dir.glob("journal.mdb.set-aside*")) - before
            self.assertEqual([one.read_bytes() for one in aside], [damage], "renamed, and whole")
            self.assertEqual(self.own_writes(), [])
            self.replays()

    @unittest.skipUnless(os.geteuid() == 0, "only root has the right to write there, so that it is the disk that fails")
    def test_without_a_place_to_write_exports_go_on(self):
        self.program.stop()
        blocked = self.configured(data_dir="/proc/no-such-place")
        self.program = blocked.start().wait_ready()
        self.slice("a")
        self.exported("a")
        eventually(lambda: self.degraded() == 1, 5, "degraded")
        eventually(lambda: "journal" in self.program.ask("/readyz?verbose")[1], 5, "noted on the board")
        self.assertEqual(self.program.ask("/readyz")[0], 200)

    def test_a_directory_that_cannot_work_is_an_error_of_the_settings(self):
        self.program.stop()
        place = self.program.folder / "a-file"
        place.write_text("")
        blocked = self.configured(data_dir=str(place))
        for command in ("check", "run"):
            done = blocked.say(command)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(f"error: data directory {place}: {place} is a file, where a directory is needed", done.stderr)

    def test_commands_without_a_journal_say_so(self):
        for command in ("history", "replay"):
            words = [command, "a/b"] if command == "history" else [command]
            nowhere = Program(self.fleet, self.program.folder / f"{command}-nowhere", self.member,
                              data_dir=str(self.program.folder / "no-such"))
            done = nowhere.say(*words)
            self.assertEqual(done.returncode, 2)
            self.assertIn("no-such", done.stderr)
