"""Time and memory of work, its own and a peer's by turns, and how time grows with the work."""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

Action = Callable[[], object]


@dataclass(frozen=True)
class Row:
    """A line of the table: a workload with its time and what it stands against.

    Times are seconds. ``peer_seconds`` is that of a peer for the same work, nan without one;
    ``ratio`` how many times as long as ours. ``goal`` is what was aimed at, ``reached`` whether it
    was. ``megabytes`` is the peak of what Python and NumPy took, ``exponent`` that of n in the
    time.
    """

    workload: str
    seconds: float
    peer: str = ""
    peer_seconds: float = float("nan")
    ratio: float = float("nan")
    goal: str = ""
    reached: bool | None = None
    megabytes: float = float("nan")
    exponent: float = float("nan")
    note: str = ""


def seconds(action: Action, repeats: int = 3) -> float:
    """Return the best of some timings, after one run that compiles and warms."""
    action()
    return min(once(action) for _ in range(repeats))


def once(action: Action) -> float:
    """Return the seconds of one run."""
    gc.collect()
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def peak_megabytes(action: Action) -> float:
    """Return how much memory a run takes beyond what there was; the first run warms up, too."""
    gc.collect()
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def by_turns(ours: Action, theirs: Action, rounds: int = 3) -> tuple[float, float]:
    """Return the median seconds of two actions that take turns, so that both see the same load."""
    theirs()
    pairs = [(once(ours), once(theirs)) for _ in range(rounds)]
    mine, peers = np.median(np.array(pairs), axis=0)
    return float(mine), float(peers)


def exponent(sizes: Sequence[int], times: Sequence[float]) -> float:
    """Return how steeply the logarithm of time rises with that of size."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def against(
    workload: str,
    ours: Action,
    peer: str,
    theirs: Action,
    *,
    share: float = 1.0,
    at_least: float,
    rounds: int = 3,
    note: str = "",
) -> Row:
    """Time our work beside a peer's, which does ``share`` of it; the goal is a ratio."""
    memory = peak_megabytes(ours)
    mine, their = by_turns(ours, theirs, rounds)
    ratio = their / share / mine
    goal = f"≥ {at_least:g} times"
    return Row(
        workload, mine, peer, their / share, ratio, goal, ratio >= at_least, memory, note=note
    )


def alone(
    workload: str,
    ours: Action,
    *,
    share: float = 1.0,
    at_most: float,
    rounds: int = 1,
    note: str = "",
) -> Row:
    """Time work that has no peer, of which ``ours`` does a share; the goal is in seconds."""
    memory = peak_megabytes(ours)
    mine = min(once(ours) for _ in range(rounds)) / share
    goal = f"≤ {at_most:g} s"
    return Row(workload, mine, goal=goal, reached=mine <= at_most, megabytes=memory, note=note)
