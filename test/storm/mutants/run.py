#!/usr/bin/python3
"""Plants known bugs into the program, one after the other, and lets storms catch them: `N caught, M escaped`.

Each bug goes into a copy of the tree and is built there; then its scenarios are played. Before that each scenario must
find nothing wrong with the program as it is.
"""

import argparse
import concurrent.futures
import contextlib
import difflib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
REPO = HERE.parents[2]
STORM = REPO / "build/release/storm"
CLEAN, FAULTY = 0, 1  # exit codes of `storm play`
PATIENCE_S = 20  # for a child that was asked to end

sys.path.insert(0, str(HERE))

from mutants import ALL  # noqa: E402 (after the path)


class Broken(Exception):
    """Nothing was proven: no build, no verdict, or a bug that can't be planted any more."""


class Children:
    """Processes in sessions of their own, so that a Ctrl-C reaches this program alone, which then ends them."""

    def __init__(self):
        self._lock = threading.Lock()
        self._running = set()
        self._ending = False

    def run(self, command, log, **how):
        """The exit code; what the child says goes to `log`."""
        with open(log, "wb") as out:
            with self._lock:
                if self._ending:
                    raise Broken("interrupted")
                child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                         start_new_session=True, **how)
                self._running.add(child)
            code = child.wait()  # who is interrupted here leaves the child to `end_all`
            with self._lock:
                self._running.discard(child)
            return code

    def end_all(self):
        with self._lock:
            self._ending = True
            running = list(self._running)
        for child in running:
            child.send_signal(signal.SIGINT)  # a play stops its servers and removes its files
        for child in running:
            try:
                child.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()


class Workshop:
    """A copy of the tracked files in which programs are built."""

    def __init__(self, folder, children):
        self.folder = folder
        self.tree = folder / "tree"
        self._children = children

    def furnish(self):
        """The copy, and the program as it is."""
        copy_tree(self.tree)
        # A bug may leave a parameter unused.
        self._call(["cmake", "--preset", "release", "-DSLICEFERRY_WERROR=OFF"])
        return self.build("as-it-is")

    def build(self, name, *before):
        self._call([*before, "cmake", "--build", "--preset", "release", "--target", "sliceferry"])
        program = self.folder / name / "sliceferry"
        program.parent.mkdir()
        shutil.copy2(self.tree / "build/release/sliceferry", program)
        return program

    def build_mutant(self, mutant):
        with planted_in(self.tree, mutant):
            return self.build(mutant.name, "nice")  # something is being played meanwhile

    def _call(self, command):
        log = self.folder / "build.log"
        if self._children.run(command, log, cwd=self.tree) != 0:
            raise Broken(f"{' '.join(command)} failed:\n{end_of(log)}")


def copy_tree(to):
    """The tracked files, as they are now."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=REPO, check=True, capture_output=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (REPO / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPO / name, to / name)


@contextlib.contextmanager
def planted_in(tree, mutant):
    """The tree with the bug in it, for as long as this lasts."""
    kept = {}
    try:
        for edit in mutant.edits:
            path = tree / edit.file
            text = path.read_text()
            kept.setdefault(path, text)
            path.write_text(planted(edit, text))
        yield
    finally:
        for path, text in kept.items():
            path.write_text(text)


def planted(edit, text):
    count = text.count(edit.old)
    if count != 1:
        raise Broken(f"{edit.file} holds this {count} times instead of once:\n{edit.old}")
    return text.replace(edit.old, edit.new)


def end_of(log, lines=30):
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])


class Verdict:
    """What a play found."""

    def __init__(self, code, report):
        self.is_clean = code == CLEAN
        self.reasons = report["reasons"]
        self.by_rule = dict(report["violations_by_rule"])
        for reason in self.reasons:
            found = re.match(r"by the (?:history|lists), (\w+): ", reason)
            if found:
                self.by_rule[found[1]] = self.by_rule.get(found[1], 0) + 1

    def rules(self):
        return ", ".join(f"{rule} ×{count}" for rule, count in sorted(self.by_rule.items())) or "no rule"

    def story(self, rules=()):
        """The first reason that one of the rules gave, in one line."""
        for reason in self.reasons:
            if not rules or re.match(rf"[^,]*, (?:{'|'.join(rules)}): ", reason):
                return " - ".join(reason.splitlines()[:2])
        return ""


class Stage:
    def __init__(self, folder, children):
        self._folder = folder
        self._children = children
        self._plays = 0

    def play(self, program, scenario, seed):
        self._plays += 1
        log, report = (self._folder / f"play-{self._plays}.{kind}" for kind in ("log", "json"))
        what = ["kills", "--moments", "20"] if scenario == "kills" else ["play", scenario]
        code = self._children.run([STORM, *what, "--seed", str(seed), "--program", program, "--report", report], log)
        if code not in (CLEAN, FAULTY):
            raise Broken(f"storm {' '.join(what)} ended with {code}:\n{end_of(log)}")
        return Verdict(code, json.loads(report.read_text()))


class Tally:
    """Counts and says how each mutant fared."""

    def __init__(self):
        self.caught = self.escaped = self.broken = 0

    def say(self, what, name, scenario, began, lines):
        print(f"{what:<8} {name:<26} {scenario:<16} {time.monotonic() - began:4.0f} s", flush=True)
        for line in filter(None, lines):
            print("         " + line.replace("\n", "\n         "), flush=True)

    def judge(self, mutant, scenario, verdict, began):
        """Whether the scenario caught the mutant, and by a rule that was meant to."""
        if verdict.is_clean:
            self.say("ESCAPED", mutant.name, scenario, began, [mutant.sentence])
        elif not set(mutant.rules) & set(verdict.by_rule):
            self.say("ESCAPED", mutant.name, scenario, began,
                     [f"caught, but not by {' or '.join(mutant.rules)}: {verdict.rules()}", verdict.story()])
        else:
            self.say("caught", mutant.name, scenario, began, [verdict.rules(), verdict.story(mutant.rules)])
            return True
        return False

    def summary(self):
        out = f"{self.caught} caught, {self.escaped} escaped"
        return out + (f", {self.broken} broken" if self.broken else "")


def play_unmutated(mutants, stage, program, tally):
    """Whether the program as it is passes all that the mutants are to fail in."""
    is_clean = True
    for scenario, seed in dict.fromkeys((scenario, mutant.seed) for mutant in mutants for scenario in mutant.scenarios):
        began = time.monotonic()
        verdict = stage.play(program, scenario, seed)
        is_clean = is_clean and verdict.is_clean
        tally.say("clean" if verdict.is_clean else "FAULTY", "(as it is)", scenario, began,
                  [] if verdict.is_clean else [verdict.rules(), *verdict.reasons[:1]])
    return is_clean


def try_one(mutant, building, stage, tally):
    began = time.monotonic()
    try:
        program = building.result()
        # No short cut: each scenario is to tell.
        results = [(scenario, stage.play(program, scenario, mutant.seed), began) for scenario in mutant.scenarios]
        if all([tally.judge(mutant, *result) for result in results]):
            tally.caught += 1
        else:
            tally.escaped += 1
        program.unlink()
    except Broken as why:
        tally.broken += 1
        tally.say("BROKEN", mutant.name, " ".join(mutant.scenarios), began, [str(why)])


def expect_plantable(mutants):
    """What can't be planted is known before anything is built."""
    for mutant in mutants:
        texts = {}
        for edit in mutant.edits:
            texts[edit.file] = planted(edit, texts.get(edit.file) or (REPO / edit.file).read_text())


def run(mutants, folder, children, builder):
    if not STORM.exists():
        raise Broken(f"{STORM} is not built: ./dev mutants builds it")
    tally = Tally()
    workshop = Workshop(folder, children)
    stage = Stage(folder, children)
    expect_plantable(mutants)
    print("building the program as it is", flush=True)
    program = workshop.furnish()
    # The next one is built while the last one is played.
    buildings = [(mutant, builder.submit(workshop.build_mutant, mutant)) for mutant in mutants]
    is_clean = play_unmutated(mutants, stage, program, tally)
    for mutant, building in buildings:
        try_one(mutant, building, stage, tally)
    if not is_clean:
        print("the program as it is was found faulty: being caught proves nothing")
    print(tally.summary(), flush=True)
    return 0 if is_clean and tally.escaped == tally.broken == 0 else 1


def list_of(mutants):
    return "\n".join(f"{each.name:<26} {' '.join(each.scenarios):<16} {each.sentence}" for each in mutants)


def choose(names, known, list_known):
    """The mutants of these names, all without names; None and a complaint where one is unknown."""
    by_name = {each.name: each for each in known}
    for name in names:
        if name not in by_name:
            nearest = difflib.get_close_matches(name, by_name, 1, 0)
            return None, f"{name}: no such mutant; did you mean {nearest[0]}? Known are:\n{list_known(known)}"
    return [by_name[name] for name in dict.fromkeys(names)] or known, ""


def interrupt(number, _):
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def main(purpose, known, list_known, work):
    """Chooses from the known mutants and has `work` try them; the exit code."""
    parser = argparse.ArgumentParser(description=purpose)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these mutants")
    parser.add_argument("-l", action="store_true", help="list the mutants and stop")
    parser.add_argument("--plantable", action="store_true", help="see whether each can still be planted, and stop")
    options = parser.parse_args()
    mutants, complaint = choose(options.names, known, list_known)
    if complaint:
        print(complaint, file=sys.stderr)
        return 2
    if options.l:
        print(list_known(mutants))
        return 0
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    began = time.monotonic()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sliceferry-mutants-"))
    children = Children()
    builder = concurrent.futures.ThreadPoolExecutor(1)
    try:
        if options.plantable:
            expect_plantable(mutants)
            return 0
        return work(mutants, folder, children, builder)
    except Broken as why:
        print(why, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    finally:
        children.end_all()
        builder.shutdown(cancel_futures=True)
        shutil.rmtree(folder, ignore_errors=True)
        print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(__doc__, ALL, list_of, run))
