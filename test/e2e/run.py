#!/usr/bin/python3
"""Runs the end-to-end tests: each test's name and seconds, and `N passed, N failed` at the end."""

import argparse
import fnmatch
import pathlib
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import assets  # noqa: E402 (after the path)


class Report(unittest.TestResult):
    """One line per test as it ends; what went wrong right below it."""

    def startTest(self, test):
        super().startTest(test)
        self._began = time.monotonic()
        self._faults = []
        self.passed = getattr(self, "passed", 0)
        print(f"{self.short(test)} ... ", end="", flush=True)

    def stopTest(self, test):
        super().stopTest(test)
        took = time.monotonic() - self._began
        if self._faults:
            print(f"FAILED {took:.1f} s\n" + "\n".join(self._faults), flush=True)
            if hasattr(test, "evidence"):
                print(test.evidence(), flush=True)
        else:
            self.passed += 1
            print(f"ok {took:.1f} s", flush=True)

    def addError(self, test, err):
        super().addError(test, err)
        self._note(test, self.errors[-1][1])

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._note(test, self.failures[-1][1])

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            self._faults.append(f"{subtest}\n{self._exc_info_to_string(err, test)}")

    def _note(self, test, text):
        if getattr(self, "_faults", None) is None or not isinstance(test, unittest.TestCase):
            print(f"{test}\n{text}", flush=True)  # a class or module that couldn't be set up
        else:
            self._faults.append(text)

    @staticmethod
    def short(test):
        return test.id() if isinstance(test, unittest.TestCase) else str(test)


def flat(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from flat(item)
        else:
            yield item


def matches(name, patterns):
    return any(pattern in name or fnmatch.fnmatch(name, pattern) for pattern in patterns)


def chosen(patterns):
    """The tests whose id contains one of the patterns (or matches it as a glob); all without patterns.

    Those whose method is `named_only` take long, and run only where the method itself is named."""
    tests = []
    for test in flat(unittest.defaultTestLoader.discover(str(HERE), "test_*.py", str(HERE))):
        method = test.id().rsplit(".", 1)[-1]
        if getattr(getattr(test, method, None), "named_only", False):
            wanted = matches(method, patterns or ())
        else:
            wanted = not patterns or matches(test.id(), patterns)
        if wanted:
            tests.append(test)
    return tests


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-k", action="append", metavar="PATTERN", help="only tests whose name contains this")
    parser.add_argument("-l", action="store_true", help="list the tests and stop")
    options = parser.parse_args()
    tests = chosen(options.k)
    if options.l:
        print("\n".join(test.id() for test in tests))
        return 0
    try:
        assets.obtain()
    except assets.Missing as missing:
        print(f"e2e skipped: {missing}")
        print(f"0 passed, 0 failed, {len(tests)} skipped")
        return 0
    report = Report()
    report.passed = 0
    began = time.monotonic()
    unittest.TestSuite(tests).run(report)
    failed = report.testsRun - report.passed + sum(not isinstance(test, unittest.TestCase) for test, _ in report.errors)
    print(f"{time.monotonic() - began:.0f} s")
    print(f"{report.passed} passed, {failed} failed", flush=True)
    return 1 if failed or not report.testsRun else 0


if __name__ == "__main__":
    sys.exit(main())
