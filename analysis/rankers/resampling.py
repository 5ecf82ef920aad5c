"""Resampling a campaign: by judgments, ranking tasks, segments, documents or judges.

Five outputs ranked together are not ten independent facts. Drawing whole ranking tasks keeps
together what was judged together, for these sentences and judges; drawing rows is what was
published. What holds for others, `analysis.ranking.verdict` tells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy.special import pdtr

from analysis.campaign.counts import PairCounts
from analysis.campaign.judgments import Judgments
from analysis.campaign.ragged import FloatArray, IntArray, Ragged, smallest
from analysis.errors import PodiumError, control
from analysis.kernel import kernel

CELLS_AT_ONCE = 4_000_000
"""Numbers in tables that are held together: those of 50 resamples of 200 systems."""

BLOCK = 256
"""Units that stand side by side: a byte chooses one of them."""

FEW = 4 * BLOCK
"""Units below which they are drawn one by one."""

PART = 64
"""Most rows of one kind whose draws are looked up in a table."""

PARTS_TO_A_KIND = 4
"""How many times as many parts as kinds of rows there are where NumPy draws the kinds faster."""

SHORT = 2.0
"""Standard deviations by which the draws of all kinds aim below the number of rows."""

Draw = Callable[[FloatArray, np.random.Generator], None]
"""Adds one resample to a flat table of wins[K, K] followed by ties[K, K]."""


def n_units(judgments: Judgments, unit: ResamplingUnit) -> int:
    """Return how many units there are to draw from; where none is drawn, tasks count."""
    if unit == "judgment":
        return len(judgments)
    has_rows = np.diff(judgments.task_start) > 1
    if unit == "document" and judgments.task_document is None:
        return 0
    label = unit_of_tasks(judgments, "task" if unit == "none" else unit)[has_rows]
    return int(np.count_nonzero(np.bincount(label)))


def unit_index(judgments: Judgments, unit: ResamplingUnit) -> Ragged:
    """Group a campaign's observations by the unit that a resample draws."""
    label = unit_of_rows(judgments, unit)[judgments.observations.row]
    sizes = np.bincount(label)
    if unit in ("judgment", "task"):  # they stand one after the other
        return Ragged.from_sizes(sizes[sizes > 0], np.arange(len(label), dtype=np.int32))
    number = np.cumsum(sizes > 0) - 1
    order = np.argsort(smallest(number[label]), kind="stable")
    return Ragged.from_sizes(sizes[sizes > 0], order.astype(np.int32))


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
    return _stack(drawer(judgments, unit), n, k, rng)


def stacks_of_counts(
    judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
) -> Iterator[PairCounts]:
    """Yield the same tables, as many together as need little memory."""
    k = judgments.n_systems
    at_once = max(1, CELLS_AT_ONCE // (2 * k * k))
    if unit == "none" or n <= at_once:
        yield resampled_counts(judgments, unit, n, rng)
        return
    draw = drawer(judgments, unit)
    for done in range(0, n, at_once):
        yield _stack(draw, min(at_once, n - done), k, rng)


def _stack(draw: Draw, n: int, n_systems: int, rng: np.random.Generator) -> PairCounts:
    tables = np.zeros((n, 2 * n_systems**2))
    for table in tables:
        draw(table, rng)
    return PairCounts.from_cells(tables, n_systems)


def drawer(judgments: Judgments, unit: ResamplingUnit) -> Draw:
    """Return what draws the table of one resample after the other.

    Few units are drawn one by one. Many are drawn in two steps: how many draws fall into each
    block of units is multinomial, and a random byte chooses the unit of its block. Rows are alike
    where they are in one cell of the table: of these, how often each kind is drawn is.
    """
    by_rows = unit == "judgment" or (
        unit == "task" and bool((np.diff(judgments.task_start) == 2).all())
    )
    if by_rows and not judgments.groups and len(judgments) >= FEW:
        return _rows_drawer(judgments.counts)
    index = unit_index(judgments, unit)
    cells = judgments.observations.cells(judgments.n_systems).astype(np.int32, copy=False)
    cells = cells[index.values]
    if len(index) < FEW:
        return lambda table, rng: add_drawn_units(index.start, cells, table[None], rng)

    def draw(table: FloatArray, rng: np.random.Generator) -> None:
        add_blocks_of_units(index.start, cells, *draw_places(len(index), rng), table)

    return draw


def _rows_drawer(counts: PairCounts) -> Draw:
    """Return what draws how often each kind of rows comes: a multinomial number of n.

    Counts that are Poisson, the mean of each a little below its number of rows, are multinomial
    given their sum; where that is at most n, as nearly always, single rows make up what is
    missing. A kind of many rows counts as several of `PART` rows at most, so that few tables of
    Poisson chances, to 32 bits, serve all.
    """
    sizes = np.concatenate([counts.wins.ravel(), np.tril(counts.ties).ravel()]).astype(np.int64)
    kinds, n = np.flatnonzero(sizes), int(sizes.sum())
    of_kind = sizes[kinds]
    n_parts = -(-of_kind // PART)
    if n_parts.sum() > PARTS_TO_A_KIND * len(kinds):
        chances = of_kind / n

        def draw_kinds(table: FloatArray, rng: np.random.Generator) -> None:
            table[kinds] += rng.multinomial(n, chances)

        return draw_kinds
    rows, parts = np.repeat(kinds, of_kind).astype(np.int32), np.repeat(kinds, n_parts)
    part_sizes = np.full(len(parts), PART, dtype=np.uint8)
    part_sizes[np.cumsum(n_parts) - 1] = of_kind - (n_parts - 1) * PART
    guide, bounds = poisson_tables(1 - SHORT / np.sqrt(n))

    def draw(table: FloatArray, rng: np.random.Generator) -> None:
        missing = -1
        while missing < 0:
            words = random_words(len(parts), rng)
            times, total = draw_poisson(part_sizes, words, guide, bounds)
            missing = int(n - total)
        add_parts(parts, times, rows, missing, table, rng)

    return draw


def random_words(n: int, rng: np.random.Generator) -> npt.NDArray[np.uint32]:
    """Draw ``n`` words of 32 bits, two at a time."""
    pairs = rng.integers(0, 2**64 - 1, size=(n + 1) // 2, dtype=np.uint64, endpoint=True)
    return pairs.view(np.uint32)[:n]


def poisson_tables(rate: float) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint32]]:
    """Return what turns a word of 32 bits into a Poisson number of mean ``rate`` · 0, 1, … `PART`.

    ``bounds[m, v]`` is the greatest word that gives v or less at mean ``rate`` · m;
    ``guide[m, byte]`` the least v of the words that begin with that byte.
    """
    chances = pdtr(np.arange(2 * PART), rate * np.arange(PART + 1)[:, None])
    chances[:, -1] = 1.0
    bounds = np.ceil(chances * 2**32) - 1
    guide = [np.searchsorted(bound, np.arange(256) << 24) for bound in bounds]
    return np.array(guide, dtype=np.uint8), bounds.astype(np.uint32)


def draw_places(n: int, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Draw ``n`` of ``n`` units with replacement, by blocks of `BLOCK`, of which the last is short.

    Returns how many draws fall into each block, and behind each other the places of all draws in
    their blocks.
    """
    n_whole, rest = divmod(n, BLOCK)
    chances = np.full(n_whole + (rest > 0), BLOCK / n)
    chances[n_whole:] = rest / n
    sizes = rng.multinomial(n, chances)
    in_whole = int(sizes[:n_whole].sum())
    words = rng.integers(0, 2**64 - 1, size=in_whole // 8 + 1, dtype=np.uint64, endpoint=True)
    places = words.view(np.uint8)[:in_whole]
    if rest:
        places = np.concatenate([places, rng.integers(rest, size=n - in_whole, dtype=np.uint8)])
    return sizes, places


@kernel
def add_drawn_units(start, cells, tables, rng):  # type: ignore[no-untyped-def]
    """Fill each table with the cells of as many drawn units as there are."""
    n_units = len(start) - 1
    for r in range(len(tables)):
        table = tables[r]
        for _ in range(n_units):
            unit = int(rng.random() * n_units)
            for m in range(start[unit], start[unit + 1]):
                table[cells[m]] += 1.0


@kernel
def draw_poisson(sizes, words, guide, bounds):  # type: ignore[no-untyped-def]
    """Return a Poisson number for each size, by `poisson_tables`, and their sum."""
    times, total = np.empty(len(sizes), dtype=np.uint8), 0
    for p in range(len(sizes)):
        size, word = sizes[p], words[p]
        drawn = int(guide[size, word >> np.uint32(24)])
        while word > bounds[size, drawn]:
            drawn += 1
        times[p] = drawn
        total += drawn
    return times, total


@kernel
def add_parts(parts, times, rows, missing, table, rng):  # type: ignore[no-untyped-def]
    """Add what was drawn of each part, and as many single rows as are missing."""
    for p in range(len(parts)):
        table[parts[p]] += times[p]
    for _ in range(missing):
        table[rows[int(rng.random() * len(rows))]] += 1.0


@kernel
def add_blocks_of_units(start, cells, sizes, places, table):  # type: ignore[no-untyped-def]
    """Add the cells of drawn units as often as they were drawn, block by block."""
    times = np.zeros(BLOCK, dtype=np.int32)
    first = 0
    for block in range(len(sizes)):
        last = first + sizes[block]
        begin = block * BLOCK
        for p in range(first, last):
            times[places[p]] += 1
        for unit in range(begin, min(begin + BLOCK, len(start) - 1)):
            n = times[unit - begin]
            if n:
                times[unit - begin] = 0
                for m in range(start[unit], start[unit + 1]):
                    table[cells[m]] += n
        first = last


ResamplingUnit = Literal["none", "judgment", "task", "segment", "document", "judge"]


@dataclass(frozen=True)
class Unit:
    """A unit in words: its title, what drawing it again means, what holding it out means.

    ``drawn`` is what a resample draws, ``remark`` what an interval's words add to it, ``held_out``
    is empty where nothing can be held out.
    """

    title: str
    help: str
    drawn: str = ""
    remark: str = ""
    held_out: str = ""

    @property
    def interval_words(self) -> str:
        """What each run behind an interval does.

        >>> UNITS["judgment"].interval_words
        'each resample takes single judgments with replacement, as WMT did'
        """
        if not self.drawn:
            return "each run ranks the same judgments and shows only the method's own randomness"
        return f"each resample takes {self.drawn} with replacement{self.remark}"

    @property
    def methods_words(self) -> str:
        """What the runs are, in a paper."""
        if not self.drawn:
            return "which rank the same judgments and show the method's own randomness only"
        return f"in each of which {self.drawn} were resampled with replacement"


UNITS: dict[ResamplingUnit, Unit] = {
    "task": Unit(
        "Ranking tasks",
        "keeps judgments of one screen together",
        "whole ranking tasks",
        held_out="ranking tasks: judgments of one screen are learned or predicted together",
    ),
    "judgment": Unit(
        "Single judgments",
        "as WMT14–16 published; intervals are too narrow, because the pairs of one task are "
        "treated as independent",
        "single judgments",
        remark=", as WMT did",
        held_out="single judgments: pairs of one task are both learned and predicted, which leaks",
    ),
    "segment": Unit(
        "Segments",
        "generalizes to new segments",
        "whole segments",
        held_out="segments: predicts judgments of segments that were not judged in training",
    ),
    "document": Unit(
        "Documents",
        "generalizes to new documents: segments of one document are similar",
        "whole documents",
        held_out="documents: predicts judgments of documents that were not judged in training",
    ),
    "judge": Unit(
        "Judges",
        "generalizes to new judges",
        "whole judges",
        held_out="judges: predicts judgments of judges who were not in training",
    ),
    "none": Unit(
        "Nothing", "shows only the method's own randomness, not the uncertainty of the data"
    ),
}


assert set(UNITS) == set(get_args(ResamplingUnit))


def unit_of_tasks(judgments: Judgments, unit: ResamplingUnit) -> IntArray:
    """Return the unit that each ranking task belongs to; judgments are smaller than tasks."""
    if unit == "segment":
        return judgments.task_segment
    if unit == "document":
        return _document_of_tasks(judgments)
    if unit == "judge":
        return judgments.task_judge
    if unit == "task":
        return np.arange(judgments.n_tasks, dtype=np.int32)
    raise ValueError(f"{unit!r} is not a unit of whole ranking tasks")


def _document_of_tasks(judgments: Judgments) -> IntArray:
    if judgments.task_document is None:
        raise PodiumError(
            "Unit document",
            "the file does not name documents",
            "Choose segment, or make documents of consecutive segments with "
            f"{control('--blocks 20', '“Segments per document” on Data')}.",
        )
    return judgments.task_document


def unit_of_rows(judgments: Judgments, unit: ResamplingUnit) -> IntArray:
    """Return the unit that each row belongs to."""
    if unit == "judgment":
        return np.arange(len(judgments), dtype=np.int32)
    return unit_of_tasks(judgments, unit)[judgments.task]
