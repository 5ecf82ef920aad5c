"""Count how damaged files end: no error but our own may come out, in bounded time and memory."""

from __future__ import annotations

import faulthandler
import resource
import signal
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tests.tools.fuzz import command_lines, doors

SECONDS, MEGABYTES = 20, 1000
"""What one file may take: processor time, and growth of the process."""

PROJECT = Path(__file__).parents[3]

ENDS = ("ok", "refused", "exception", "over time", "over memory")


WALL_SECONDS = 300
"""What an attempt may take on a busy machine before its process ends with the place it hangs."""


class Attempt(Protocol):
    """Something made from a seed that goes in somewhere and comes out."""

    @property
    def door(self) -> str: ...

    @property
    def kind(self) -> str: ...

    def enter(self) -> str:
        """Go in; return ``ok`` or ``refused``."""


MAKERS: dict[str, Callable[[int], Attempt]] = {
    "files": doors.make,
    "commands": command_lines.make,
}
"""What can be tried: files at every way in, and whole commands."""


class _TimeoutError(BaseException):
    """No reader may take this for a fault of the file."""


@dataclass
class Tally:
    """How many files ended how, by door and kind, and the seeds of those that should not have."""

    ends: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    failures: list[tuple[int, str]] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Take in what another part of the seeds came to."""
        self.ends += other.ends
        self.failures += other.failures

    def total(self, end: str) -> int:
        """Return how many files ended so."""
        return sum(n for (_, _, how), n in self.ends.items() if how == end)

    def table(self) -> str:
        """Return one line per kind of file and one column per end, in Markdown."""
        kinds = sorted({key[:2] for key in self.ends})
        head = ["door", "file", "files", *ENDS]
        rows = [
            [door, kind, *_counts([self.ends[door, kind, end] for end in ENDS])]
            for door, kind in kinds
        ]
        rows.append(["all", "", *_counts([self.total(end) for end in ENDS])])
        lines = [head, ["---"] * 2 + ["--:"] * (len(head) - 2), *rows]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _counts(numbers: list[int]) -> list[str]:
    return [str(n) for n in (sum(numbers), *numbers)]


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Stop after so much processor time of this process (main thread, POSIX)."""

    def stop(*_: object) -> None:
        raise _TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def run(first: int, last: int, until: float = float("inf"), *, what: str = "files") -> Tally:
    """Try what the seeds ``first`` to ``last`` - 1 make, or until a time is over."""
    tally = Tally()
    for seed in range(first, last):
        if time.monotonic() > until:
            break
        attempt = MAKERS[what](seed)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            with _at_most(SECONDS), warnings.catch_warnings():
                # Arithmetic that says it went wrong shows a reader nan.
                warnings.simplefilter("error", RuntimeWarning)
                faulthandler.dump_traceback_later(WALL_SECONDS, exit=True)
                end = attempt.enter()
        except _TimeoutError:
            end = "over time"
            tally.failures.append((seed, end))
        except Exception as error:
            end = "exception"
            frames = traceback.extract_tb(error.__traceback__)
            ours = [at for at in frames if PROJECT in Path(at.filename).parents]
            at = [one for one in ours if "tests" not in one.filename][-1:] or frames[-1:]
            where = f"{Path(at[0].filename).name}:{at[0].lineno}"
            tally.failures.append((seed, f"{type(error).__name__} at {where}: {str(error)[:300]}"))
        finally:
            faulthandler.cancel_dump_traceback_later()
        if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak > MEGABYTES * 1000:
            end = "over memory"
            tally.failures.append((seed, end))
        tally.ends[attempt.door, attempt.kind, end] += 1
    return tally
