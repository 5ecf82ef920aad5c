"""The pairwise judgments derived from ranking tasks, after a user's choices."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.campaign.counts import FACTS_AT_ONCE, LOSS, TIE, WIN, Observations, PairCounts
from analysis.campaign.ragged import IntArray, Ragged, make_read_only, smallest
from analysis.campaign.scores import Scores, far_off
from analysis.campaign.selection import (
    Mask,
    Selection,
    block_of_segments,
    both_bad_mask,
    is_reference,
)
from analysis.campaign.tasks import UNNAMED_JUDGE, RankingTasks
from analysis.names import short_names
from analysis.provenance import Provenance

Incomplete = Literal["drop-task", "drop-pair"]


@dataclass(frozen=True, eq=False)
class Judgments:
    """Pairwise judgments of one language pair, one row for every two outputs ranked together.

    Kept are the entries: task ``t`` is the campaign's task ``tasks[t]``, and what counts of it are
    ``task_start[t]:task_start[t+1]`` of ``entry_output`` and ``entry_rank``, in displayed order.
    Codes below ``n_systems`` are systems; codes from there on are outputs that several systems
    made alike (only in the collapsed view), whose members ``groups`` holds. The rows (``left``,
    ``right``, ``outcome``: `WIN`, `TIE`, `LOSS` of the left one, and ``task``) follow from these,
    and are worked out when they are first asked for.

    Where judges gave scores, ``entry_score`` is the row of the campaign's scores of each entry; it
    is -1 where an entry of a task that a tie margin split stands a second time.
    """

    campaign: RankingTasks
    pair: str
    selection: Selection
    systems: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]
    tasks: IntArray
    task_start: IntArray
    entry_output: IntArray
    entry_rank: IntArray
    incomplete_tasks: int = 0
    left_out: tuple[str, ...] = ()
    entry_score: IntArray | None = None

    def __post_init__(self) -> None:
        make_read_only(vars(self).values())

    def __len__(self) -> int:
        return self._n_rows

    @cached_property
    def _n_rows(self) -> int:
        return int(self.task_rows.sum())

    @cached_property
    def task_rows(self) -> IntArray:
        """How many rows each task has."""
        sizes = np.diff(self.task_start)
        return np.asarray(sizes * (sizes - 1) // 2)

    @property
    def fingerprint(self) -> str:
        return self.campaign.fingerprint

    @property
    def judges(self) -> tuple[str, ...]:
        return self.campaign.judges

    @property
    def segments(self) -> tuple[str, ...]:
        return self.campaign.segments

    def __repr__(self) -> str:
        return f"Judgments of {self.pair}: {self.n_systems} systems, {len(self)} pairwise judgments"

    @property
    def n_systems(self) -> int:
        return len(self.systems)

    @property
    def n_tasks(self) -> int:
        return len(self.tasks)

    @property
    def n_ties(self) -> int:
        return int(np.count_nonzero(self.outcome == TIE))

    @property
    def tie_share(self) -> float:
        """The share of ties; NaN without judgments."""
        return self.n_ties / len(self) if len(self) else math.nan

    @property
    def both_bad(self) -> Mask:
        """Which tasks are votes that both outputs are bad; none if no file says so."""
        found = both_bad_mask(self.campaign)
        return np.zeros(self.n_tasks, dtype=bool) if found is None else found[self.tasks]

    @cached_property
    def n_judges(self) -> int | None:
        """How many judges gave these judgments; None where the file names none."""
        who = np.unique(self.task_judge)
        return None if [self.judges[k] for k in who] == [UNNAMED_JUDGE] else len(who)

    @cached_property
    def short_names(self) -> dict[str, str]:
        """What the systems are called where people read."""
        return short_names(self.systems)

    @cached_property
    def task_segment(self) -> IntArray:
        return self.campaign.task_segment[self.tasks]

    @cached_property
    def task_document(self) -> IntArray | None:
        """The document of each task: as the file names it, or a block of consecutive segments.

        None where segments count for themselves, or all are of one document.
        """
        size = self.selection.blocks
        named = None if size else self.campaign.task_document
        if size not in (0, 1):
            found = block_of_segments(self.campaign.segments, size)[self.task_segment]
        elif named is None:
            return None
        else:
            found = named[self.tasks]
        return found if len(found) and found.min() < found.max() else None

    @property
    def source_unit(self) -> Literal["segment", "document"]:
        """What the source texts are a sample of: documents where they are known, else segments."""
        return "segment" if self.task_document is None else "document"

    @property
    def task_source(self) -> IntArray:
        """The document of each task where documents are known, else its segment."""
        return self.task_segment if self.task_document is None else self.task_document

    @cached_property
    def task_judge(self) -> IntArray:
        return self.campaign.task_judge[self.tasks]

    @cached_property
    def task_seconds(self) -> npt.NDArray[np.float32] | None:
        seconds = self.campaign.task_seconds
        return None if seconds is None else seconds[self.tasks]

    @cached_property
    def are_votes(self) -> bool:
        """Whether every ranking is of two outputs, so that each is one row."""
        n_shown = len(self.entry_output)
        return n_shown == 2 * self.n_tasks and bool((np.diff(self.task_start) == 2).all())

    @property
    def left(self) -> IntArray:
        """The output shown first, of every row."""
        return self._rows[0]

    @property
    def right(self) -> IntArray:
        """The output shown later, of every row."""
        return self._rows[1]

    @property
    def outcome(self) -> npt.NDArray[np.int8]:
        """What the left output did, of every row: `WIN`, `TIE` or `LOSS`."""
        return self._rows[2]

    @property
    def task(self) -> IntArray:
        """The ranking task of every row."""
        return self._rows[3]

    @cached_property
    def _rows(self) -> tuple[IntArray, IntArray, npt.NDArray[np.int8], IntArray]:
        """Lay out the pairs (first, second) of every task's entries in displayed order."""
        codes = smallest(self.entry_output)
        if self.are_votes:
            return _rows_of_votes(codes, self.entry_rank)
        entries, n = Ragged(self.task_start, codes), len(self)
        left, right = np.empty(n, codes.dtype), np.empty(n, codes.dtype)
        outcome, task = np.empty(n, np.int8), np.empty(n, np.int32)
        # Positions take four times as much as rows: a long ranking has thousands of pairs.
        at_once = 2 * FACTS_AT_ONCE // max(int(entries.sizes.max(initial=0)), 1)
        end = 0
        for tasks, own in entries.stretches(at_once):
            first, second = own.pairs()
            some = slice(end, end := end + len(first))
            ranks = self.entry_rank[self.task_start[tasks.start] : self.task_start[tasks.stop]]
            rank, other = ranks[first], ranks[second]
            left[some], right[some] = own.values[first], own.values[second]
            outcome[some] = (other > rank).view(np.int8) - (other < rank).view(np.int8)
            task[some] = own.owners[first] + tasks.start
        rows = left, right, outcome, task
        make_read_only(rows)
        return rows

    @property
    def provenance(self) -> Provenance:
        """Which judgments these are: the selection, the language pair and the campaign."""
        return Provenance(selection=self.selection.signature, pair=self.pair, data=self.fingerprint)

    @property
    def references_left_out(self) -> tuple[str, ...]:
        """The systems that are left out for their names, not by the user's choice."""
        chosen = self.selection.exclude_systems
        return tuple(name for name in self.left_out if name not in chosen and is_reference(name))

    @property
    def all_systems(self) -> tuple[str, ...]:
        """The pair's systems whether they count or not; human references are none."""
        names = (*self.systems, *self.left_out)
        return tuple(sorted(name for name in names if not is_reference(name)))

    @property
    def color_places(self) -> Mapping[str, int]:
        """The places of the pair's systems among the colors, the same in all language pairs."""
        places = dict(zip(self.campaign.pairs, self.campaign.color_places, strict=True))[self.pair]
        return {name: places[name] for name in self.all_systems if name in places}

    def output_name(self, code: int) -> str:
        """Return the name of an output: its system, or its systems joined by ``+``."""
        if code < self.n_systems:
            return self.systems[code]
        return "+".join(self.systems[s] for s in self.groups[code - self.n_systems])

    @cached_property
    def observations(self) -> Observations:
        """The rows as facts about two systems each; in the expanded view they are the rows.

        Where two systems made one output and it beat a third system's, both beat that system.
        """
        if not self.groups:
            rows = self.task if self.are_votes else np.arange(len(self), dtype=np.int32)
            return Observations(self.left, self.right, self.outcome, rows)
        made_by = Ragged.from_lists([*((s,) for s in range(self.n_systems)), *self.groups])
        by_left, row = Ragged.from_sizes(np.ones(len(self)), self.left).join(made_by)
        by_right, of_left = Ragged.from_sizes(np.ones(len(row)), self.right[row]).join(made_by)
        row = row[of_left]
        return Observations(by_left.values[of_left], by_right.values, self.outcome[row], row)

    @cached_property
    def scores(self) -> Scores | None:
        """The scores that count, None where judges ranked; ``system`` is coded as here.

        Rows of equal ``screen`` are of one task; all other codes are the campaign's.
        """
        if self.campaign.scores is None or self.entry_score is None:
            return None
        counted = np.flatnonzero(self.entry_score >= 0)
        task = np.repeat(np.arange(self.n_tasks), np.diff(self.task_start))[counted]
        found = self.campaign.scores.take(self.entry_score[counted])
        screen = self.tasks[task] if self.selection.tie_margin else task
        document = found.document
        if self.selection.blocks or document is None:
            document = None if self.task_document is None else self.task_document[task]
        return dataclasses.replace(
            found, system=self.entry_output[counted], screen=screen, document=document
        )

    @cached_property
    def far_off(self) -> Mask:
        """Which scores that count are far from all others of their language pair."""
        if self.campaign.scores is None or self.entry_score is None:
            return np.zeros(0, dtype=bool)
        return far_off(self.campaign.scores)[self.entry_score[self.entry_score >= 0]]

    @cached_property
    def counts(self) -> PairCounts:
        """The K×K tables of wins and ties."""
        return PairCounts.of(self.observations, self.n_systems)

    def take_tasks(self, tasks: IntArray) -> Judgments:
        """Return the judgments of some tasks, in the order given; a task may come twice."""
        wanted = np.asarray(tasks, dtype=np.int64)
        taken = Ragged.from_start(self.task_start).take(wanted)
        return dataclasses.replace(
            self,
            tasks=self.tasks[wanted],
            task_start=taken.start,
            entry_output=self.entry_output[taken.values],
            entry_rank=self.entry_rank[taken.values],
            entry_score=None if self.entry_score is None else self.entry_score[taken.values],
        )

    def take_rows(self, rows: IntArray) -> Judgments:
        """Return some rows, each as a task of its own where its task is no longer whole."""
        wanted = np.asarray(rows, dtype=np.int64)
        outcome = self.outcome[wanted]
        ranks = np.stack([1 + (outcome == LOSS), 1 + (outcome == WIN)], axis=1).ravel()
        first, second = Ragged.from_start(self.task_start).pairs()
        entries = np.stack([first[wanted], second[wanted]], axis=1).ravel()
        return dataclasses.replace(
            self,
            tasks=self.tasks[self.task[wanted]],
            task_start=np.arange(len(wanted) + 1, dtype=np.int64) * 2,
            entry_output=np.stack([self.left[wanted], self.right[wanted]], axis=1).ravel(),
            entry_rank=ranks.astype(np.int8),
            entry_score=None if self.entry_score is None else self.entry_score[entries],
        )


def _rows_of_votes(
    output: IntArray, rank: IntArray
) -> tuple[IntArray, IntArray, npt.NDArray[np.int8], IntArray]:
    """Lay out tasks of two outputs each, whose rows are their entries side by side."""
    left, right = output[0::2].copy(), output[1::2].copy()
    outcome = (rank[1::2] > rank[0::2]).view(np.int8) - (rank[1::2] < rank[0::2]).view(np.int8)
    rows = left, right, outcome, np.arange(len(left), dtype=np.int32)
    make_read_only(rows)
    return rows
