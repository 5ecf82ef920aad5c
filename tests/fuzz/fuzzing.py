"""Read damaged files, and look at what a page would: no error but our own may come out."""

from __future__ import annotations

import resource
import signal
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from analysis.campaign import segment_numbers
from analysis.errors import PodiumError
from analysis.formats import read_many
from analysis.rankers import RANKERS
from tests.fuzz.mutators import damage

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
SECONDS, MEGABYTES = 20, 1000
"""What one file may take: processor time, and growth of the process."""


class _TimeoutError(BaseException):
    """No reader may take this for a fault of the file."""


@cache
def sources() -> tuple[bytes, ...]:
    """The example files, the broken ones too."""
    paths = sorted(p for p in EXAMPLES.rglob("*.*") if p.suffix != ".md")
    return tuple(path.read_bytes() for path in paths)


def make(seed: int) -> list[tuple[str, bytes]]:
    """Return the files of a seed: one damaged file, now and then a whole one beside it."""
    rng = np.random.default_rng(seed)
    files = [("damaged", damage(sources()[int(rng.integers(len(sources())))], rng))]
    if rng.integers(20) == 0:
        files.append(("whole", sources()[int(rng.integers(len(sources())))]))
    return files


def check(files: list[tuple[str, bytes]]) -> str:
    """Return ``ok`` or ``refused``; raise what must not happen.

    An error of a library that the readers' last guard caught counts as one that came out: each
    has a place where it is to be told in better words.
    """
    refusal = None
    try:
        campaign, report = read_many(files)
    except PodiumError as error:
        refusal = error
    if refusal is not None:
        if refusal.__cause__ is not None:
            raise refusal.__cause__
        assert refusal.got
        assert refusal.remedy
        assert "\n" not in str(refusal)
        return "refused"
    assert report.sentences()
    assert report.n_tasks == campaign.n_tasks > 0
    assert len(campaign.fingerprint) == 12
    segment_numbers(campaign.segments)
    for pair in campaign.pairs[:3]:
        # A method may say in words that these judgments are not enough for it.
        with suppress(PodiumError):
            judgments = campaign.judgments(pair)
            assert len(judgments.counts.wins) == judgments.n_systems
            RANKERS["expected-wins"]().fit(judgments)
    return "ok"


@dataclass
class Tally:
    """How many files ended how, and the seeds of those that should not have."""

    ends: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[int, str]] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.ends += other.ends
        self.failures += other.failures


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


def run(first: int, last: int, until: float = float("inf")) -> Tally:
    """Check the files of the seeds ``first`` to ``last`` - 1, or until a time is over."""
    tally = Tally()
    for seed in range(first, last):
        if time.monotonic() > until:
            break
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            with _at_most(SECONDS):
                end = check(make(seed))
        except _TimeoutError:
            end = "over time"
            tally.failures.append((seed, end))
        except Exception as error:
            end = "crash"
            at = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(at.filename).name}:{at.lineno}"
            tally.failures.append((seed, f"{type(error).__name__} at {where}: {str(error)[:100]}"))
        if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak > MEGABYTES * 1000:
            end = "over memory"
            tally.failures.append((seed, end))
        tally.ends[end] += 1
    return tally
