"""Which ranking tasks compare anything, and a number that equal tasks share.

Each pass over all entries is written twice: in NumPy, for files of usual size, and as a compiled
loop for large ones, where the columns between NumPy's steps cost more than the work itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.campaign import UNRANKED, IntArray, Ragged
from analysis.campaign.copies import scramble
from analysis.kernel import kernel

Mask = npt.NDArray[np.bool_]
Hashes = npt.NDArray[np.uint64]

FEW = 100_000
"""Entries up to which plain NumPy does: it needs no compiled code in a fresh installation."""

_SEED = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Usable:
    """Of each task: whether anything is ranked, whether it names one system only, or one twice."""

    is_ranked: Mask
    is_alone: Mask
    holds_one_twice: Mask

    @classmethod
    def of(cls, start: IntArray, output: IntArray, rank: IntArray, made_by: Ragged) -> Usable:
        """Look at tasks that show ``output`` with ``rank``; ``made_by`` has each one's systems."""
        n = len(start) - 1
        found = cls(*(np.zeros(n, dtype=bool) for _ in range(3)))
        n_systems = int(made_by.values.max(initial=-1)) + 1
        if len(output) <= FEW:
            _look_readable(found, start, output, rank, made_by, n_systems)
            return found
        met = np.full(n_systems, -1, dtype=np.int64)
        begins, systems = made_by.start.astype(np.int64), made_by.values.astype(np.int64)
        for tasks, shown in Ragged(start, output).stretches():
            met[:] = -1
            ranks = rank[start[tasks.start] : start[tasks.stop]]
            _look(
                shown.start.astype(np.int64), shown.values.astype(np.int64),
                ranks.astype(np.int64), begins, systems, met,
                found.is_ranked[tasks], found.is_alone[tasks], found.holds_one_twice[tasks],
            )  # fmt: skip
        return found


def _look_readable(
    found: Usable,
    start: IntArray,
    output: IntArray,
    rank: IntArray,
    made_by: Ragged,
    n_systems: int,
) -> None:
    tasks = Ragged(start, rank)
    found.is_ranked[:] = np.bincount(
        tasks.owners[rank != UNRANKED], minlength=len(found.is_ranked)
    ).astype(bool)
    systems, _ = Ragged(start, output).join(made_by)
    found.is_alone[:] = systems.sizes < 2
    key = systems.owners.astype(np.int64) * max(n_systems, 1) + systems.values
    key.sort()
    found.holds_one_twice[key[1:][key[1:] == key[:-1]] // max(n_systems, 1)] = True


@kernel
def _look(start, output, rank, made_start, made_by, met, is_ranked, is_alone, twice):  # type: ignore[no-untyped-def]
    for task in range(len(start) - 1):
        n = 0
        for entry in range(start[task], start[task + 1]):
            if rank[entry] != UNRANKED:
                is_ranked[task] = True
            for place in range(made_start[output[entry]], made_start[output[entry] + 1]):
                system = made_by[place]
                if met[system] == task:
                    twice[task] = True
                met[system] = task
                n += 1
        is_alone[task] = n < 2


def hashes_of_tasks(
    columns: Sequence[IntArray], start: IntArray, output: IntArray, rank: IntArray
) -> Hashes:
    """Return a number for each task: of its columns, and what it shows with which ranks."""
    found = np.empty(len(start) - 1, dtype=np.uint64)
    for tasks, shown in Ragged(start, output).stretches():
        ranks = rank[start[tasks.start] : start[tasks.stop]]
        own = [column[tasks] for column in columns]
        if len(output) <= FEW:
            found[tasks] = _hash_readable(own, shown, ranks)
        else:
            _hash(
                np.stack(own).astype(np.int64), shown.start.astype(np.int64),
                shown.values.astype(np.int64), ranks.astype(np.int64), found[tasks],
            )  # fmt: skip
    return found


def _hash_readable(columns: Sequence[IntArray], shown: Ragged, ranks: IntArray) -> Hashes:
    entry = scramble([shown.values, ranks, shown.places])
    total = np.zeros(len(shown), dtype=np.uint64)
    np.add.at(total, shown.owners, entry)
    return scramble([*columns, shown.sizes, total])


@kernel
def _mix(h, value):  # type: ignore[no-untyped-def]
    """Take one more number into a hash, as `scramble` does."""
    h ^= np.uint64(value)
    h ^= h >> np.uint64(30)
    h *= np.uint64(0xBF58476D1CE4E5B9)
    h ^= h >> np.uint64(27)
    h *= np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(31))


@kernel
def _hash(columns, start, output, rank, found):  # type: ignore[no-untyped-def]
    for task in range(len(start) - 1):
        total = np.uint64(0)
        for entry in range(start[task], start[task + 1]):
            h = _mix(_mix(_SEED, output[entry]), rank[entry])
            total += _mix(h, entry - start[task])
        h = _SEED
        for column in range(len(columns)):
            h = _mix(h, columns[column, task])
        found[task] = _mix(_mix(h, start[task + 1] - start[task]), total)


def any_twice(values: npt.NDArray[np.integer]) -> bool:
    """Return whether a number stands twice.

    Each number takes the place of its last bits. Only those that find another one there are sorted.
    """
    rows = np.arange(len(values), dtype=np.int32)
    n_places = 1 << (4 * len(values)).bit_length()
    place = (values.astype(np.uint64, copy=False) & np.uint64(n_places - 1)).astype(np.int64)
    last = np.empty(n_places, dtype=np.int32)
    last[place] = rows
    there = last[place]
    early = np.flatnonzero(there != rows)
    if (values[early] == values[there[early]]).any():
        return True
    ordered = np.sort(values[early])
    return bool((ordered[1:] == ordered[:-1]).any())
