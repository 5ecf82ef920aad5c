"""Drawing a campaign again: by rows, ranking tasks, segments or judges.

Five outputs ranked together are not ten independent facts. Drawing whole ranking tasks keeps
together what was judged together, for these sentences and judges; drawing rows is what was
published. What holds for others, `analysis.ranking.apart` tells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numba
import numpy as np
import scipy.sparse

from analysis.campaign import (
    FloatArray,
    IntArray,
    Judgments,
    PairCounts,
    Ragged,
    ResamplingUnit,
    unit_of_rows,
    unit_of_tasks,
)

CELLS_AT_ONCE = 4_000_000
"""Numbers in tables that are held together: those of 50 resamples of 200 systems."""


def n_units(judgments: Judgments, unit: ResamplingUnit) -> int:
    """Return how many units there are to draw from; where none is drawn, tasks count."""
    if unit == "rows":
        return len(judgments)
    has_rows = np.diff(judgments.task_start) > 1
    label = unit_of_tasks(judgments, "task" if unit == "none" else unit)[has_rows]
    return int(np.count_nonzero(np.bincount(label)))


def unit_index(judgments: Judgments, unit: ResamplingUnit) -> Ragged:
    """Group a campaign's observations by the unit that a resample draws."""
    label = unit_of_rows(judgments, unit)[judgments.observations.row]
    grouped = Ragged.by_label(label)
    return Ragged(grouped.start, grouped.values.astype(np.int32))


def draw_observations(index: Ragged, rng: np.random.Generator) -> IntArray:
    """Draw as many units as there are, with replacement; return their observations as drawn."""
    return index.take(rng.integers(len(index), size=len(index))).values


def resampled_counts(
    judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
) -> PairCounts:
    """Return the win and tie tables of ``n`` resamples, stacked."""
    k = judgments.n_systems
    if unit == "none":
        counts = judgments.counts
        return PairCounts(
            np.broadcast_to(counts.wins, (n, k, k)), np.broadcast_to(counts.ties, (n, k, k))
        )
    return PairCounts.from_cells(_tables_of(judgments, unit)(n, rng), k)


def stacks_of_counts(
    judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
) -> Iterator[PairCounts]:
    """Yield the same tables, as many together as need little memory."""
    k = judgments.n_systems
    at_once = max(1, CELLS_AT_ONCE // (2 * k * k))
    if unit == "none" or n <= at_once:
        yield resampled_counts(judgments, unit, n, rng)
        return
    tables = _tables_of(judgments, unit)
    for done in range(0, n, at_once):
        yield PairCounts.from_cells(tables(min(at_once, n - done), rng), k)


def _tables_of(
    judgments: Judgments, unit: ResamplingUnit
) -> Callable[[int, np.random.Generator], FloatArray]:
    """Return what draws flat tables of any number of resamples."""
    k = judgments.n_systems
    if unit == "rows":
        return _rows_of(judgments)
    index = unit_index(judgments, unit)
    cells = judgments.observations.cells(k).astype(np.int32)[index.values]

    def draw(n: int, rng: np.random.Generator) -> FloatArray:
        tables = np.zeros((n, 2 * k * k), dtype=np.float64)
        add_drawn_units(index.start, cells, tables, rng)
        return tables

    return draw


def _rows_of(judgments: Judgments) -> Callable[[int, np.random.Generator], FloatArray]:
    """Draw rows with replacement: rows of one kind are alike, so their numbers are multinomial."""
    k = judgments.n_systems
    codes = k + len(judgments.groups)
    kind = (judgments.left.astype(np.int64) * codes + judgments.right) * 3 + judgments.outcome + 1
    first, of_row, sizes = _kinds(kind, 3 * codes * codes)
    observations = judgments.observations
    is_first = np.zeros(len(kind), dtype=bool)
    is_first[first] = True
    chosen = is_first[observations.row]
    spread = scipy.sparse.csr_array(
        (
            np.ones(int(chosen.sum())),
            (of_row[observations.row[chosen]], observations.cells(k)[chosen]),
        ),
        shape=(len(sizes), 2 * k * k),
    )

    def draw(n: int, rng: np.random.Generator) -> FloatArray:
        draws = rng.multinomial(len(kind), sizes / len(kind), size=n)
        return np.asarray(draws @ spread, dtype=np.float64)

    return draw


def _kinds(kind: IntArray, n: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return the first row of each kind in use, every row's kind among those, and their sizes.

    Kinds are below ``n``. Where there are fewer than rows they are counted, not sorted.
    """
    if n > len(kind):
        return np.unique(kind, return_index=True, return_inverse=True, return_counts=True)[1:]
    sizes = np.bincount(kind, minlength=n)
    used = np.flatnonzero(sizes)
    first, place = np.empty((2, n), dtype=np.int64)
    first[kind[::-1]] = np.arange(len(kind))[::-1]  # what is written last stays: the first row
    place[used] = np.arange(len(used))
    return first[used], place[kind], sizes[used]


@numba.njit(cache=True, nogil=True)
def add_drawn_units(start, cells, tables, rng):  # type: ignore[no-untyped-def]
    """Fill each table with the cells of as many drawn units as there are."""
    n_units = len(start) - 1
    for r in range(len(tables)):
        table = tables[r]
        for _ in range(n_units):
            unit = int(rng.random() * n_units)
            for m in range(start[unit], start[unit + 1]):
                table[cells[m]] += 1.0
