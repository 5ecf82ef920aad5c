"""What people judged: ranking tasks in columns, and the pairwise judgments derived from them.

The atom is the *ranking task*: one judge, one segment, some outputs, each with a rank. An
*output* is a translation that one system made, or several systems made alike. Everything here is
immutable; nothing downstream changes what it was given.
"""

from __future__ import annotations

import fnmatch
import hashlib
import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.errors import PodiumError
from analysis.languages import pair_key
from analysis.provenance import Provenance

IntArray = npt.NDArray[np.integer]
FloatArray = npt.NDArray[np.float64]

WIN, TIE, LOSS = 1, 0, -1
"""Outcomes of a judgment, from the left output's side."""

UNRANKED = 0
"""Rank of an output that the judge was shown and left without one (-1 in the files)."""

UNNAMED_JUDGE = "unknown"
"""Stands for all judges of a file that names none."""

Identical = Literal["expanded", "collapsed"]
Incomplete = Literal["drop-task", "drop-pair"]

_REFERENCE = re.compile(r"(ref|REF|Ref)(erence|ERENCE)?(?![a-z])")


def is_reference(system: str) -> bool:
    """Return whether a name is that of a human reference: ``ref``, ``reference-A``, ``refB``.

    >>> [is_reference(name) for name in ("ref", "Reference-A", "refB", "reformer")]
    [True, True, True, False]
    """
    return _REFERENCE.match(system) is not None


@dataclass(frozen=True)
class Selection:
    """A user's choices of what counts: which systems, judges and segments, and how.

    ``judges`` and ``exclude_judges`` are names or patterns (``researcher_*``); ``segments`` is the
    first and last segment, by number where segments are numbers, else by position in the file.
    """

    identical: Identical = "expanded"
    exclude_systems: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    exclude_judges: tuple[str, ...] = ()
    references: bool = False
    segments: tuple[int, int] | None = None

    @property
    def signature(self) -> str:
        """What counts, in the words of the command line's flags; nothing stands for defaults."""
        parts = [f"identical:{self.identical}"]
        for flag, names in (
            ("exclude-system", self.exclude_systems),
            ("judges", self.judges),
            ("exclude-judges", self.exclude_judges),
        ):
            if names:
                parts.append(f"{flag}:{','.join(names)}")
        if self.segments is not None:
            parts.append(f"segments:{self.segments[0]}-{self.segments[1]}")
        if self.references:
            parts.append("references:yes")
        return "|".join(parts)


DEFAULT_SELECTION = Selection()


@dataclass(frozen=True, eq=False)
class Campaign:
    """All ranking tasks of a campaign, in columns, for any number of language pairs.

    Task ``t`` was done by ``task_judge[t]`` on ``task_segment[t]`` of ``task_pair[t]``. Its
    entries are ``task_start[t]:task_start[t+1]`` of ``entry_output`` and ``entry_rank``, in
    displayed order. Output ``o`` was made by the systems
    ``output_system[output_start[o]:output_start[o+1]]``.
    """

    pairs: tuple[str, ...]
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    segments: tuple[str, ...]
    task_pair: IntArray
    task_segment: IntArray
    task_judge: IntArray
    task_start: IntArray
    entry_output: IntArray
    entry_rank: IntArray
    output_start: IntArray
    output_system: IntArray
    task_seconds: npt.NDArray[np.float32] | None = None
    title: str = ""
    simulated_from: str = ""

    def __post_init__(self) -> None:
        for column in vars(self).values():
            if isinstance(column, np.ndarray):
                column.setflags(write=False)

    @property
    def n_tasks(self) -> int:
        return len(self.task_pair)

    @cached_property
    def fingerprint(self) -> str:
        """Twelve hex digits that two campaigns share when their judgments are the same.

        Names count, codes do not: the order in which a file lists its vocabulary is no content.
        """
        digest = hashlib.sha256()
        outputs = np.array(
            ["+".join(self.systems[s] for s in group) for group in self.output_groups()] or [""],
            dtype=object,
        )
        for names, codes in (
            (np.array([pair_key(pair) for pair in self.pairs], dtype=object), self.task_pair),
            (np.array(self.segments, dtype=object), self.task_segment),
            (np.array(self.judges, dtype=object), self.task_judge),
            (outputs, self.entry_output),
        ):
            _update_with_names(digest, names, codes)
        digest.update(np.diff(self.task_start).astype("<i4").tobytes())
        digest.update(self.entry_rank.astype("<i1").tobytes())
        return digest.hexdigest()[:12]

    def output_groups(self) -> list[tuple[int, ...]]:
        """Return, for every output, the systems that made it."""
        bounds = self.output_start.tolist()
        members = self.output_system.tolist()
        return [tuple(members[a:b]) for a, b in itertools.pairwise(bounds)]

    def task_outputs(self, task: int) -> list[tuple[str, ...]]:
        """Return, for every output that a task showed, the names of the systems that made it."""
        shown = self.entry_output[self.task_start[task] : self.task_start[task + 1]].tolist()
        bounds = self.output_start
        return [
            tuple(self.systems[s] for s in self.output_system[bounds[o] : bounds[o + 1]])
            for o in shown
        ]

    def find_pair(self, wanted: str | None) -> str:
        """Return the campaign's own spelling of a language pair; None where there is only one."""
        if wanted is None:
            if len(self.pairs) == 1:
                return self.pairs[0]
            raise PodiumError(
                "Language pair",
                f"none given, and this campaign has {len(self.pairs)}: {', '.join(self.pairs)}",
                f"Name one, for example --pair {self.pairs[0]}.",
            )
        for pair in self.pairs:
            if pair_key(pair) == pair_key(wanted):
                return pair
        raise PodiumError(
            "Language pair",
            f"{wanted!r} is not in this campaign, which has {', '.join(self.pairs)}",
            f"Name one of these, for example --pair {self.pairs[0]}.",
        )

    def judgments(
        self,
        pair: str | None = None,
        selection: Selection = DEFAULT_SELECTION,
        incomplete: Incomplete = "drop-task",
    ) -> Judgments:
        """Return one language pair's judgments after a user's choices, as pairs.

        ``incomplete`` says what an output without a rank costs: the whole task (as the published
        ranking code does) or only the pairs it is in (as the published agreement code does).
        """
        return _derive_judgments(self, self.find_pair(pair), selection, incomplete)


@dataclass(frozen=True, eq=False)
class Judgments:
    """Pairwise judgments of one language pair, one row for every two outputs ranked together.

    ``left``, ``right`` and ``outcome`` (`WIN`, `TIE`, `LOSS` of the left one) are rows in displayed
    order. Codes below ``n_systems`` are systems; codes from there on are outputs that several
    systems made alike (only in the collapsed view), whose members ``groups`` holds. ``task`` is the
    row's ranking task; ``task_segment`` and ``task_judge`` belong to tasks. ``campaign`` is what
    they were taken from, whole.
    """

    campaign: Campaign
    pair: str
    selection: Selection
    fingerprint: str
    systems: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]
    judges: tuple[str, ...]
    segments: tuple[str, ...]
    left: IntArray
    right: IntArray
    outcome: npt.NDArray[np.int8]
    task: IntArray
    task_segment: IntArray
    task_judge: IntArray
    task_seconds: npt.NDArray[np.float32] | None
    task_start: IntArray
    entry_output: IntArray
    entry_rank: IntArray
    incomplete_tasks: int = 0
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for column in vars(self).values():
            if isinstance(column, np.ndarray):
                column.setflags(write=False)

    def __len__(self) -> int:
        return len(self.left)

    @property
    def n_systems(self) -> int:
        return len(self.systems)

    @property
    def n_tasks(self) -> int:
        return len(self.task_segment)

    @property
    def n_ties(self) -> int:
        return int(np.count_nonzero(self.outcome == TIE))

    @property
    def provenance(self) -> Provenance:
        """Which judgments these are: the selection, the language pair and the campaign."""
        return Provenance(selection=self.selection.signature, pair=self.pair, data=self.fingerprint)

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
            rows = np.arange(len(self), dtype=np.int32)
            return Observations(self.left, self.right, self.outcome, rows)
        return _spread_over_members(self)

    @cached_property
    def counts(self) -> PairCounts:
        """The K×K tables of wins and ties."""
        n = self.n_systems
        cells = np.bincount(self.observations.cells(n), minlength=2 * n * n)
        return PairCounts.from_cells(cells[None].astype(np.float64), n)[0]

    def take_tasks(self, tasks: IntArray) -> Judgments:
        """Return the judgments of some tasks, in the order given; a task may come twice."""
        return _take_tasks(self, np.asarray(tasks))

    def take_rows(self, rows: IntArray) -> Judgments:
        """Return some rows, each as a task of its own where its task is no longer whole."""
        return _take_rows(self, np.asarray(rows))


@dataclass(frozen=True)
class Observations:
    """Facts about two systems: left, right, outcome, and the row that each comes from."""

    left: IntArray
    right: IntArray
    outcome: npt.NDArray[np.int8]
    row: IntArray

    def __len__(self) -> int:
        return len(self.left)

    def cells(self, n_systems: int) -> IntArray:
        """Return the index of each fact in a flat table of wins[K, K] followed by ties[K, K]."""
        left, right = self.left.astype(np.int32), self.right.astype(np.int32)
        winner = np.where(self.outcome == LOSS, right, left)
        loser = np.where(self.outcome == LOSS, left, right)
        return winner * n_systems + loser + (self.outcome == TIE) * n_systems**2


@dataclass(frozen=True)
class PairCounts:
    """How often each system beat (``wins[..., i, j]``: i over j) and tied each other.

    ``ties`` is symmetric. Any leading axes are replicates.
    """

    wins: FloatArray
    ties: FloatArray

    @classmethod
    def from_cells(cls, cells: FloatArray, n_systems: int) -> PairCounts:
        """Make the tables from flat ones as `Observations.cells` indexes them."""
        tables = cells.reshape(*cells.shape[:-1], 2, n_systems, n_systems)
        wins, ties = tables[..., 0, :, :], tables[..., 1, :, :]
        return cls(np.ascontiguousarray(wins), ties + ties.swapaxes(-1, -2))

    def __getitem__(self, replicate: int) -> PairCounts:
        return PairCounts(self.wins[replicate], self.ties[replicate])

    @property
    def n_systems(self) -> int:
        return self.wins.shape[-1]

    @property
    def losses(self) -> FloatArray:
        return self.wins.swapaxes(-1, -2)

    @property
    def compared(self) -> FloatArray:
        """How often two systems met, ties included."""
        return self.wins + self.losses + self.ties


@dataclass
class CampaignBuilder:
    """Collects ranking tasks and makes a `Campaign` of them; what readers and simulators use.

    >>> builder = CampaignBuilder()
    >>> builder.add_task("fr-en", "7", "ann", outputs=[("a",), ("b", "c")], ranks=[1, 2])
    >>> builder.build().systems
    ('a', 'b', 'c')
    """

    _pairs: dict[str, int] = field(default_factory=dict)
    _pair_names: list[str] = field(default_factory=list)
    _systems: dict[str, int] = field(default_factory=dict)
    _judges: dict[str, int] = field(default_factory=dict)
    _segments: dict[str, int] = field(default_factory=dict)
    _outputs: dict[tuple[str, ...], int] = field(default_factory=dict)
    _tasks: list[tuple[int, int, int, float]] = field(default_factory=list)
    _starts: list[int] = field(default_factory=lambda: [0])
    _entry_output: list[int] = field(default_factory=list)
    _entry_rank: list[int] = field(default_factory=list)

    def add_task(
        self,
        pair: str,
        segment: str,
        judge: str,
        outputs: Sequence[tuple[str, ...]],
        ranks: Iterable[int],
        seconds: float = float("nan"),
    ) -> None:
        """Add one ranking task: outputs in displayed order, each the systems that made it."""
        self._tasks.append(
            (
                self._pair_code(pair),
                self._segments.setdefault(segment, len(self._segments)),
                self._judges.setdefault(judge, len(self._judges)),
                seconds,
            )
        )
        for output in outputs:
            code = self._outputs.get(output)
            if code is None:
                code = self._outputs[output] = len(self._outputs)
                for system in output:
                    self._systems.setdefault(system, len(self._systems))
            self._entry_output.append(code)
        self._entry_rank.extend(ranks)
        self._starts.append(len(self._entry_output))

    def _pair_code(self, pair: str) -> int:
        code = self._pairs.get(pair)
        if code is None:
            for known, name in enumerate(self._pair_names):
                if pair_key(name) == pair_key(pair):
                    code = known
                    break
            else:
                code = len(self._pair_names)
                self._pair_names.append(pair)
            self._pairs[pair] = code
        return code

    def build(self, title: str = "", simulated_from: str = "") -> Campaign:
        """Return the campaign of all tasks added so far."""
        tasks = np.array(self._tasks, dtype=np.float64).reshape(-1, 4)
        seconds = tasks[:, 3].astype(np.float32)
        members = [self._systems[s] for output in self._outputs for s in output]
        sizes = [len(output) for output in self._outputs]
        return Campaign(
            pairs=tuple(self._pair_names),
            systems=tuple(self._systems),
            judges=tuple(self._judges),
            segments=tuple(self._segments),
            task_pair=tasks[:, 0].astype(np.int16),
            task_segment=tasks[:, 1].astype(np.int32),
            task_judge=tasks[:, 2].astype(np.int32),
            task_start=np.array(self._starts, dtype=np.int64),
            entry_output=np.array(self._entry_output, dtype=np.int32),
            entry_rank=np.array(self._entry_rank, dtype=np.int8),
            output_start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            output_system=np.array(members, dtype=np.int32),
            task_seconds=None if np.isnan(seconds).all() else seconds,
            title=title,
            simulated_from=simulated_from,
        )


def _update_with_names(
    digest: hashlib._Hash, names: npt.NDArray[np.object_], codes: IntArray
) -> None:
    """Feed a column to a digest by its names, whatever their codes."""
    used, inverse = np.unique(codes, return_inverse=True)
    order = sorted(range(len(used)), key=lambda k: names[used[k]])
    place = np.empty(len(used), dtype="<i4")
    place[order] = np.arange(len(used))
    digest.update("\0".join(names[used[k]] for k in order).encode())
    digest.update(place[inverse].tobytes())


def _derive_judgments(
    campaign: Campaign, pair: str, selection: Selection, incomplete: Incomplete
) -> Judgments:
    """Select tasks and systems, then lay out every pair of each task's outputs."""
    in_pair = campaign.task_pair == campaign.pairs.index(pair)
    groups = campaign.output_groups()
    pair_systems = sorted(
        {
            s
            for o in np.unique(
                campaign.entry_output[np.repeat(in_pair, np.diff(campaign.task_start))]
            )
            for s in groups[o]
        },
        key=lambda s: campaign.systems[s],
    )
    left_out = _systems_left_out([campaign.systems[s] for s in pair_systems], selection)
    kept = [s for s in pair_systems if campaign.systems[s] not in left_out]
    code_of = {s: code for code, s in enumerate(kept)}

    tasks = np.flatnonzero(
        in_pair & _judge_mask(campaign, selection) & _segment_mask(campaign, selection)
    )
    starts, entries = _entries_of(campaign.task_start, tasks)
    ranks = campaign.entry_rank[entries]
    unranked_task = np.zeros(len(tasks), dtype=bool)
    unranked_task[np.repeat(np.arange(len(tasks)), np.diff(starts))[ranks == UNRANKED]] = True
    n_incomplete = int(unranked_task.sum())
    if incomplete == "drop-task" and n_incomplete:
        tasks = tasks[~unranked_task]
        starts, entries = _entries_of(campaign.task_start, tasks)

    members = [tuple(code_of[s] for s in group if s in code_of) for group in groups]
    starts, outputs, ranks = _keep_entries(
        starts, campaign.entry_output[entries], campaign.entry_rank[entries], members, selection
    )
    codes, group_codes = _output_codes(outputs, members, len(kept), selection.identical)
    if selection.identical == "expanded":
        starts, codes, ranks = _expand(starts, outputs, ranks, members)
    left, right, outcome, task = _pairs_of_tasks(starts, codes, ranks)
    return Judgments(
        campaign=campaign,
        pair=pair,
        selection=selection,
        fingerprint=campaign.fingerprint,
        systems=tuple(campaign.systems[s] for s in kept),
        groups=group_codes,
        judges=campaign.judges,
        segments=campaign.segments,
        left=left,
        right=right,
        outcome=outcome,
        task=task,
        task_segment=campaign.task_segment[tasks],
        task_judge=campaign.task_judge[tasks],
        task_seconds=None if campaign.task_seconds is None else campaign.task_seconds[tasks],
        task_start=starts,
        entry_output=codes,
        entry_rank=ranks,
        incomplete_tasks=n_incomplete,
        left_out=tuple(left_out),
    )


def _systems_left_out(systems: list[str], selection: Selection) -> list[str]:
    for wanted in selection.exclude_systems:
        if wanted not in systems:
            raise PodiumError(
                "System to leave out",
                f"{wanted!r} is not in this pair, which has {', '.join(systems)}",
                "Give a name as the file spells it.",
            )
    return [
        name
        for name in systems
        if name in selection.exclude_systems or (is_reference(name) and not selection.references)
    ]


def _judge_mask(campaign: Campaign, selection: Selection) -> npt.NDArray[np.bool_]:
    def matches(judge: str, patterns: tuple[str, ...]) -> bool:
        return any(judge == p or fnmatch.fnmatchcase(judge, p) for p in patterns)

    kept = np.array(
        [
            (not selection.judges or matches(judge, selection.judges))
            and not matches(judge, selection.exclude_judges)
            for judge in campaign.judges
        ],
        dtype=bool,
    )
    if len(kept) and not kept.any():
        raise PodiumError(
            "Judges",
            f"the choice leaves none of the {len(campaign.judges)} judges",
            f"Names look like {', '.join(campaign.judges[:3])}; * stands for any letters.",
        )
    return kept[campaign.task_judge]


def _segment_mask(campaign: Campaign, selection: Selection) -> npt.NDArray[np.bool_]:
    if selection.segments is None:
        return np.ones(campaign.n_tasks, dtype=bool)
    numbers = segment_numbers(campaign.segments)
    first, last = selection.segments
    return ((numbers >= first) & (numbers <= last))[campaign.task_segment]


def segment_numbers(segments: Sequence[str]) -> IntArray:
    """Return segments as numbers where all are, else their positions from 1."""
    if are_numbered(segments):
        return np.array([int(segment) for segment in segments], dtype=np.int64)
    return np.arange(1, len(segments) + 1)


def are_numbered(segments: Sequence[str]) -> bool:
    """Return whether all are plain numbers of at most 15 digits; longer ones are identifiers.

    >>> are_numbered(["1", "042"]), are_numbered(["1234567890123456711"]), are_numbered(["１"])
    (True, False, False)
    """
    return all(s.isascii() and s.isdecimal() and len(s) <= 15 for s in segments)


def _entries_of(task_start: IntArray, tasks: IntArray) -> tuple[IntArray, IntArray]:
    """Return the new task starts and the entries' indices of some tasks."""
    sizes = (task_start[tasks + 1] - task_start[tasks]) if len(tasks) else np.zeros(0, np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    entries = np.arange(starts[-1]) + np.repeat(task_start[tasks] - starts[:-1], sizes)
    return starts, entries


def _keep_entries(
    starts: IntArray,
    outputs: IntArray,
    ranks: IntArray,
    members: list[tuple[int, ...]],
    selection: Selection,
) -> tuple[IntArray, IntArray, IntArray]:
    """Leave out entries without a rank and outputs none of whose systems are kept."""
    has_member = np.array([bool(m) for m in members], dtype=bool)
    keep = (ranks != UNRANKED) & has_member[outputs]
    sizes = (
        np.add.reduceat(np.append(keep, False), starts[:-1])
        if len(starts) > 1
        else np.zeros(0, int)
    )
    sizes[np.diff(starts) == 0] = 0
    new_starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return new_starts, outputs[keep], ranks[keep]


def _output_codes(
    outputs: IntArray, members: list[tuple[int, ...]], n_systems: int, identical: Identical
) -> tuple[IntArray, tuple[tuple[int, ...], ...]]:
    """Return each entry's code: a system's, or one past them for several systems' output."""
    if identical == "expanded":
        return outputs, ()
    codes = np.empty(len(members), dtype=np.int32)
    groups: dict[tuple[int, ...], int] = {}
    for output in np.unique(outputs):
        group = members[output]
        if len(group) == 1:
            codes[output] = group[0]
        else:
            codes[output] = n_systems + groups.setdefault(group, len(groups))
    return codes[outputs], tuple(groups)


def _expand(
    starts: IntArray, outputs: IntArray, ranks: IntArray, members: list[tuple[int, ...]]
) -> tuple[IntArray, IntArray, IntArray]:
    """Replace every output by its systems, one entry each."""
    member_start = np.concatenate([[0], np.cumsum([len(m) for m in members])]).astype(np.int64)
    flat = np.array([s for group in members for s in group], dtype=np.int32)
    sizes = np.diff(member_start)[outputs]
    entry_start, positions = _entries_of(member_start, outputs)
    return entry_start[starts], flat[positions], np.repeat(ranks, sizes)


def _pairs_of_tasks(
    starts: IntArray, codes: IntArray, ranks: IntArray
) -> tuple[IntArray, IntArray, npt.NDArray[np.int8], IntArray]:
    """Lay out the pairs (first, second) of every task's entries in displayed order."""
    sizes = np.diff(starts)
    followers = np.repeat(starts[1:], sizes) - np.arange(len(codes)) - 1
    first = np.repeat(np.arange(len(codes)), followers)
    pair_start = np.concatenate([[0], np.cumsum(followers)])[:-1]
    second = np.arange(len(first)) - np.repeat(pair_start, followers) + first + 1
    small = np.int16 if (codes.max(initial=0) < 2**15) else np.int32
    outcome = np.sign(ranks[second].astype(np.int16) - ranks[first]).astype(np.int8)
    task = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)[first]
    return codes[first].astype(small), codes[second].astype(small), outcome, task


def _spread_over_members(judgments: Judgments) -> Observations:
    """Repeat a row for each system on its left and each on its right."""
    n = judgments.n_systems
    members = [(s,) for s in range(n)] + list(judgments.groups)
    sizes = np.array([len(m) for m in members])
    flat = np.array([s for m in members for s in m], dtype=np.int32)
    member_start = np.concatenate([[0], np.cumsum(sizes)])
    n_left, n_right = sizes[judgments.left], sizes[judgments.right]
    rows = np.repeat(np.arange(len(judgments), dtype=np.int32), n_left * n_right)
    within = np.arange(len(rows)) - np.repeat(
        np.cumsum(n_left * n_right) - n_left * n_right, n_left * n_right
    )
    left = flat[member_start[judgments.left[rows]] + within // n_right[rows]]
    right = flat[member_start[judgments.right[rows]] + within % n_right[rows]]
    return Observations(left, right, judgments.outcome[rows], rows)


def _take_tasks(judgments: Judgments, tasks: IntArray) -> Judgments:
    starts, entries = _entries_of(judgments.task_start, tasks)
    codes, ranks = judgments.entry_output[entries], judgments.entry_rank[entries]
    return _with_entries(judgments, tasks, starts, codes, ranks)


def _take_rows(judgments: Judgments, rows: IntArray) -> Judgments:
    codes = np.stack([judgments.left[rows], judgments.right[rows]], axis=1).ravel()
    outcome = judgments.outcome[rows]
    ranks = np.stack([1 + (outcome == LOSS), 1 + (outcome == WIN)], axis=1).ravel()
    starts = np.arange(len(rows) + 1, dtype=np.int64) * 2
    return _with_entries(judgments, judgments.task[rows], starts, codes, ranks.astype(np.int8))


def _with_entries(
    judgments: Judgments, tasks: IntArray, starts: IntArray, codes: IntArray, ranks: IntArray
) -> Judgments:
    left, right, outcome, task = _pairs_of_tasks(starts, codes, ranks)
    columns = dict(vars(judgments))
    for derived in ("observations", "counts"):
        columns.pop(derived, None)
    seconds = judgments.task_seconds
    columns.update(
        left=left,
        right=right,
        outcome=outcome,
        task=task,
        task_segment=judgments.task_segment[tasks],
        task_judge=judgments.task_judge[tasks],
        task_seconds=None if seconds is None else seconds[tasks],
        task_start=starts,
        entry_output=codes,
        entry_rank=ranks,
    )
    return Judgments(**columns)
