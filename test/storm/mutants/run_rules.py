#!/usr/bin/python3
"""Puts what the Go agent did wrong back into the rules, one after the other, and lets tests of test/core catch it:
`N caught, M escaped`.

Each bug goes into a copy of the tree, where the tests are built with it. A test that is to fail must pass before.
"""

import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent

sys.path.insert(0, str(HERE))

from rules import ALL  # noqa: E402 (after the path)
from run import Broken, Tally, copy_tree, end_of, expect_plantable, main, planted_in  # noqa: E402

PATIENCE_S = 120  # for one test


class Bench:
    """A copy of the tracked files in which the rules and their tests are built, and run."""

    def __init__(self, folder, children):
        self.tree = folder / "tree"
        self._folder = folder
        self._children = children
        self._runs = 0

    def furnish(self):
        copy_tree(self.tree)
        # A bug may leave a parameter unused.
        self._call(["cmake", "--preset", "dev", "-DSLICEFERRY_WERROR=OFF"])
        self.build()

    def build(self):
        self._call(["cmake", "--build", "--preset", "dev", "--target", "core_test"])

    def outcome(self, test):
        """passed, failed (or died of it), or missing."""
        self._runs += 1
        log = self._folder / f"test-{self._runs}.log"
        code = self._children.run(["timeout", str(PATIENCE_S), self.tree / "build/dev/core_test",
                                   f"--gtest_filter={test}"], log)
        text = log.read_text(errors="replace")
        if f"[ RUN      ] {test}\n" not in text:
            return "missing"
        return "passed" if code == 0 else "failed"

    def _call(self, command):
        log = self._folder / "build.log"
        if self._children.run(command, log, cwd=self.tree) != 0:
            raise Broken(f"{' '.join(command)} failed:\n{end_of(log)}")


def try_one(mutant, bench, tally):
    began = time.monotonic()
    tests = " ".join(mutant.tests)
    try:
        with planted_in(bench.tree, mutant):
            bench.build()
        spared = [test for test in mutant.tests if bench.outcome(test) != "failed"]
    except Broken as why:
        tally.broken += 1
        tally.say("BROKEN", mutant.name, mutant.label, began, [str(why)])
        return
    if spared:
        tally.escaped += 1
        tally.say("ESCAPED", mutant.name, mutant.label, began, [mutant.sentence, f"passed by {' '.join(spared)}"])
    else:
        tally.caught += 1
        tally.say("caught", mutant.name, mutant.label, began, [f"by {tests}"])


def run(mutants, folder, children, _):
    tally = Tally()
    expect_plantable(mutants)
    bench = Bench(folder, children)
    print("building the tests as they are", flush=True)
    bench.furnish()
    for test in dict.fromkeys(test for mutant in mutants for test in mutant.tests):
        if (outcome := bench.outcome(test)) != "passed":
            raise Broken(f"{test} {outcome} without any bug: failing with one proves nothing")
    for mutant in mutants:
        try_one(mutant, bench, tally)
    print(tally.summary(), flush=True)
    return 0 if tally.escaped == tally.broken == 0 else 1


def list_of(mutants):
    return "\n".join(f"{each.name:<22} {each.label:<10} {each.sentence}" for each in mutants)


if __name__ == "__main__":
    sys.exit(main(__doc__, ALL, list_of, run))
