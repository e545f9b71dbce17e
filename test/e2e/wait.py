"""Waiting with a deadline: the only way in which these tests let time pass."""

import time

DEADLINE_S = 15
PAUSE_S = 0.02


class TooLate(AssertionError):
    """What was waited for did not happen in time; carries the last reason why."""


def eventually(check, within_s=DEADLINE_S, what=None, pause_s=PAUSE_S):
    """Calls `check` until it returns something true without an AssertionError; returns that."""
    began = time.monotonic()
    reason = "never true"
    while True:
        try:
            value = check()
            if value:
                return value
        except AssertionError as error:
            reason = str(error)
        if time.monotonic() - began > within_s:
            raise TooLate(f"{what or 'condition'}: not within {within_s} s; {reason}")
        time.sleep(pause_s)


def steadily(check, for_s, what=None, pause_s=PAUSE_S):
    """Fails as soon as `check` is false within the period. For what no marker can prove."""
    end = time.monotonic() + for_s
    while time.monotonic() < end:
        if not check():
            raise AssertionError(f"{what or 'condition'}: did not last {for_s} s")
        time.sleep(pause_s)


def paced(count, gap_s):
    """Yields 0 … count-1, one every `gap_s` by the clock: late rounds are caught up, not skipped."""
    began = time.monotonic()
    for index in range(count):
        ahead = began + index * gap_s - time.monotonic()
        if ahead > 0:
            time.sleep(ahead)
        yield index
