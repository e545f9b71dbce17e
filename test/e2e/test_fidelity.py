"""The simulated API server answers as the real one does: the same requests to both, answers and events compared."""

import atexit
import concurrent.futures
import json
import pathlib
import shutil
import tempfile
import unittest

import assets
import manifests
from fidelity import basics, exports, extras, lists, places, slices
from fidelity.ask import Befall
from fidelity.bodies import ALL_CONSENTS, ALL_EXPORTS, ALL_LEASES, ALL_SLICES, FLEET, NAMESPACES
from fidelity.excuses import EXCUSES
from fidelity.likeness import Likeness, differences
from fidelity.site import RealSite, SimulatedSite
from program import STORM

BEFORE = basics.SETUP  # what watches along may or may not see as new
ROWS = [*basics.DISCOVERED, *basics.REFUSED, *slices.ALL, *exports.ALL, *basics.NOWHERE, *lists.ALL, *places.ALL]
FORBIDDEN = basics.FORBIDDEN
LAST = places.LAST
AFTERWARDS = [*lists.FORGOTTEN, *extras.ALL]

ALONG = {"namespaces": NAMESPACES, "slices": ALL_SLICES, "exports": ALL_EXPORTS, "consents": ALL_CONSENTS,
         "consents by the other version": f"{FLEET}/v1alpha1/serviceexports", "leases": ALL_LEASES}


def is_ours(event):
    """Whether the event is of an object of the table: the real server has some of its own."""
    meta = event["object"]["metadata"]
    return meta.get("namespace", meta["name"]).startswith("fid-")


class Story:
    """All that one server answered and told."""

    def __init__(self, site):
        along = {kind: site.along(path) for kind, path in ALONG.items()}
        self.answers = {}
        self._tell(site, [*BEFORE, *ROWS])
        site.forbid()
        self._tell(site, FORBIDDEN)
        self._tell(site, LAST)
        self.events = {kind: [event for event in one.until("fid-last") if is_ours(event)]
                       for kind, one in along.items()}
        self._tell(site, AFTERWARDS)

    def _tell(self, site, rows):
        self.answers.update(site.answers(rows))

    def comparable(self):
        """{what: comparable form} of answers, then of events."""
        like = Likeness()
        looks = {row.note: row.look for row in all_rows()}
        out = {note: like.of_answer(answer, looks[note]) for note, answer in self.answers.items()}
        out.update({f"events of {kind}": like.of_events(events) for kind, events in self.events.items()})
        return out


def all_rows():
    return [row for rows in (BEFORE, ROWS, FORBIDDEN, LAST, AFTERWARDS) for row in rows if not isinstance(row, Befall)]


class FidelityTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        assert STORM.exists(), f"{STORM} is not built: ./dev build"
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="sliceferry-fidelity-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        real, simulated = (cls.site(kind, *arguments) for kind, *arguments in
                           ((RealSite, assets.obtain()), (SimulatedSite, STORM)))
        for name in (manifests.SERVICE_EXPORT, manifests.SLICE_EXPORT):
            manifests.install_crd(real.api(), manifests.crd(name))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            cls.real, cls.simulated = (story.comparable() for story in pool.map(Story, (real, simulated)))

    @classmethod
    def site(cls, kind, *arguments):
        folder = cls.folder / kind.__name__
        folder.mkdir()
        made = kind(*arguments, folder)
        cls.addClassCleanup(made.stop)
        atexit.register(made.stop)  # whatever interrupts the tests
        return made

    def test_notes_are_unique(self):
        notes = [row.note for row in all_rows()]
        self.assertEqual(len(notes), len(set(notes)), [note for note in notes if notes.count(note) > 1])

    def test_answers_and_events_are_those_of_a_real_server(self):
        faults, excused = [f"{what}: no answer: {answer}" for what, answer in self.real.items()
                           if isinstance(answer, dict) and not answer["status"]], set()
        for what, real in self.real.items():
            for path, left, right in differences(real, self.simulated[what]):
                excuse = next((one for one in EXCUSES if one.covers(what, path)), None)
                if excuse:
                    excused.add((what, excuse))
                else:
                    faults.append(f"{what}: {path}\n    real:      {shown(left)}\n    simulated: {shown(right)}")
        events = sum(len(self.real[f"events of {kind}"]) for kind in ALONG)
        print(f"{len(all_rows())} requests and {events} events compared, {len({what for what, _ in excused})} differ "
              "for a listed reason ... ", end="")
        stale = [f"excuse that is not needed: {what}: {one.why}" for one in EXCUSES for what in one.rows
                 if (what, one) not in excused]
        self.assertFalse(faults or stale, f"{len(faults)} differences, {len(stale)} stale excuses\n"
                         + "\n".join([*faults, *stale]))


def shown(value):
    return json.dumps(value)[:400]
