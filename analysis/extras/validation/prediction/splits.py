"""Splits of judgments into what a model learns from and what it is asked to predict.

A split is one or more *folds*. In fold f the rows whose ``left_out`` is f do not train; the facts
of ``held_out`` whose fold is f are predicted. The ranking task should stay whole: the pairs of one
task share a judge, a sentence and five outputs, so that a model that has learned from some of them
knows something of the others. Splitting by rows leaks in this way, and says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from analysis.campaign import WIN, FloatArray, IntArray, Judgments, Observations, PairCounts
from analysis.errors import PodiumError, UndefinedResultError, unknown
from analysis.extras.validation.prediction.radius import GRIDS, WMT14, TuneOn, Tuning
from analysis.rankers.resampling import UNITS, Unit, unit_of_rows

FoldUnit = Literal["task", "judgment", "segment", "document", "judge"]
FOLD_UNITS: dict[FoldUnit, Unit] = {unit: UNITS[unit] for unit in get_args(FoldUnit)}

ALWAYS_TRAINS = -1
"""The ``left_out`` of a row that trains in every fold."""

DEFAULT_FOLDS = 10
"""With many more, the trained models are all but one and the same, and tell less of the method."""

HM13_TEST_SIZE = 2000
"""Comparisons that HM13's test set has at least."""

ROW_LEAK = (
    "Split by single judgments: pairs of one ranking task are in training and in test, so the "
    "scores flatter every model. Split by task for a fair comparison."
)


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Facts to predict, each with its ranking task and its fold.

    ``cell`` is a fact's place in a flat table of wins, ties and losses [3, K, K] of the system on
    the left against the one on the right. Tasks are numbered from 0 without gaps; ``task_source``
    and ``task_judge`` are those of each.
    """

    cell: IntArray
    task: IntArray
    fold: IntArray
    task_source: IntArray
    task_judge: IntArray

    def __len__(self) -> int:
        return len(self.cell)

    @property
    def n_tasks(self) -> int:
        return len(self.task_source)

    def sum_by_task(self, values: FloatArray) -> FloatArray:
        """Add up ``values``, one a fact, task by task."""
        return np.bincount(self.task, weights=values, minlength=self.n_tasks).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Split:
    """What trains and what is predicted, in each of ``n_folds`` folds.

    ``name`` tells the split in a signature; ``notes`` say what a reader of the scores must know.
    ``dev`` counts judgments of a development set that neither trains nor is predicted.
    """

    judgments: Judgments
    left_out: IntArray
    held_out: HeldOut
    n_folds: int
    name: str
    notes: tuple[str, ...] = ()
    dev: PairCounts | None = None

    @cached_property
    def test_tables(self) -> FloatArray:
        """Wins, ties and losses of left against right in what each fold predicts: [F, 3, K, K]."""
        n = self.judgments.n_systems
        flat = _fold_tables(self.held_out.cell, self.held_out.fold, self.n_folds, 3 * n * n)
        return flat.reshape(self.n_folds, 3, n, n)

    @cached_property
    def test_counts(self) -> PairCounts:
        """Win and tie tables of what each fold predicts, whoever stood on the left."""
        wins, ties, losses = np.moveaxis(self.test_tables, 1, 0)
        return PairCounts(wins + losses.swapaxes(1, 2), ties + ties.swapaxes(1, 2))

    @property
    def reuse(self) -> float:
        """What to multiply the variance of a difference of two models by: 1 + n_test / n_train.

        Models that learned from other judgments would differ in other predictions, and folds that
        learn from nearly the same judgments do not show that. With k folds this is 1 + k/(k - 1).

        Reference: Nadeau & Bengio 2003, *Inference for the Generalization Error*.
        """
        fold = self.left_out[self.judgments.observations.row]
        trained = len(fold) - np.bincount(fold[fold != ALWAYS_TRAINS], minlength=self.n_folds)
        return float(1 + len(self.held_out) / trained.mean())

    def train(self, fold: int) -> Judgments:
        """Return a fold's training judgments, as whole tasks where none is torn apart."""
        if (self.left_out == ALWAYS_TRAINS).all():
            return self.judgments
        return take_judgments(self.judgments, self.left_out != fold)


def set_aside(
    judgments: Judgments, amount: float, rng: np.random.Generator
) -> tuple[Judgments, Judgments]:
    """Return the judgments without, and with, tasks drawn at random until ``amount`` is reached.

    It is a share, or from 1 on a number of judgments.
    """
    wanted = amount if amount >= 1 else amount * len(judgments)
    if not 0 < wanted < len(judgments):
        raise PodiumError(
            "Judgments to set aside",
            f"{amount:g} of {len(judgments)} cannot be set aside",
            "Use a share such as 0.2, or a smaller number of judgments.",
        )
    tasks = rng.permutation(judgments.n_tasks)
    rows_of = judgments.task_rows[tasks]
    n = int(np.searchsorted(np.cumsum(rows_of), wanted)) + 1
    if n >= len(tasks):
        raise UndefinedResultError(
            "Judgments to set aside", "none is left for training", "Set fewer of them aside."
        )
    return judgments.take_tasks(np.sort(tasks[n:])), judgments.take_tasks(np.sort(tasks[:n]))


def with_dev_file(split: Split, dev: Judgments) -> Split:
    """Return a split whose radii are tuned on the judgments of another campaign."""
    known = test_file(split.judgments, dev)
    return replace(split, dev=known.test_counts[0], name=f"{split.name}|dev:{dev.fingerprint}")


def take_judgments(judgments: Judgments, keep: npt.NDArray[np.bool_]) -> Judgments:
    """Return the rows to keep; as whole tasks where no task is torn apart."""
    kept_of = np.bincount(judgments.task[keep], minlength=judgments.n_tasks)
    if ((kept_of == 0) | (kept_of == judgments.task_rows)).all():
        return judgments.take_tasks(np.flatnonzero(kept_of))
    return judgments.take_rows(np.flatnonzero(keep))


def k_fold(
    judgments: Judgments, folds: int, rng: np.random.Generator, unit: FoldUnit = "task"
) -> Split:
    """Deal the units into ``folds`` folds at random; every judgment is predicted once."""
    _require_at_least(judgments, 2)
    if folds < 2:
        raise PodiumError(
            "Folds", f"{folds} is too few", f"Use 2 or more; {DEFAULT_FOLDS} is usual."
        )
    _, label = np.unique(_unit_of_rows(judgments, unit), return_inverse=True)
    n_units = int(label.max()) + 1
    if n_units < 2:
        raise UndefinedResultError(
            "Split", f"there is only one {unit}, and a split needs two", "Split by task."
        )
    notes = [ROW_LEAK] if unit == "judgment" else []
    if folds > n_units:
        notes.append(f"There are {n_units} {unit}s, so there are {n_units} folds, not {folds}.")
        folds = n_units
    fold = (rng.permutation(n_units) % folds)[label]
    return _split_rows(judgments, fold, folds, f"{unit}|folds:{folds}", tuple(notes))


def random_share(
    judgments: Judgments, share: float, rng: np.random.Generator, unit: FoldUnit = "task"
) -> Split:
    """Hold out units drawn at random until ``share`` of the judgments is held out.

    From 1 on it is their number.
    """
    _require_at_least(judgments, 2)
    name = f"{unit}|share:{share:g}" if share < 1 else f"{unit}|held-out:{share:g}"
    if share >= 1:
        share /= len(judgments)
    if not 0 < share < 1:
        raise PodiumError(
            "Judgments to predict",
            "the choice contains none of them, or all",
            "Use a share such as 0.2, or a smaller number.",
        )
    _, label = np.unique(_unit_of_rows(judgments, unit), return_inverse=True)
    sizes = np.bincount(label)
    order = rng.permutation(len(sizes))
    before = np.cumsum(sizes[order]) - sizes[order]
    drawn = np.zeros(len(sizes), dtype=bool)
    drawn[order[before < share * len(judgments)]] = True
    notes = (ROW_LEAK,) if unit == "judgment" else ()
    return _split_rows(judgments, np.where(drawn[label], 0, ALWAYS_TRAINS), 1, name, notes)


def rare_segments(judgments: Judgments, at_least: int = HM13_TEST_SIZE) -> Split:
    """Hold out the comparisons of rarely judged segments (HM13, §4).

    The test set is the comparisons whose segment occurs in at most k comparisons, with the
    smallest k that gives ``at_least`` comparisons; the rest trains.
    """
    _require_at_least(judgments, 2)
    segment = judgments.task_segment[judgments.task]
    occurs = np.bincount(segment)[segment]
    reached = np.cumsum(np.bincount(occurs))
    k = int(np.searchsorted(reached, at_least))
    if k >= len(reached) - 1:
        raise UndefinedResultError(
            "Rare segments",
            f"predicting {at_least} comparisons of the rarest segments leaves none for training",
            "Split by task instead.",
        )
    fold = np.where(occurs <= k, 0, ALWAYS_TRAINS)
    return _split_rows(judgments, fold, 1, f"hm13|segment-occurs:{k}")


def test_file(judgments: Judgments, test: Judgments) -> Split:
    """Train on all judgments and predict those of another campaign, system names in common."""
    code_of = {name: code for code, name in enumerate(judgments.systems)}
    code = np.array([code_of.get(name, -1) for name in test.systems], dtype=np.int64)
    facts = test.observations
    known = (code[facts.left] >= 0) & (code[facts.right] >= 0)
    if not known.any():
        raise UndefinedResultError(
            "Test file",
            "none of its judgments compares two systems of the training file",
            f"Training has {', '.join(judgments.systems[:3])} …",
        )
    notes = []
    if not known.all():
        unknown = ", ".join(name for name in test.systems if name not in code_of)
        notes.append(
            f"{int((~known).sum())} judgments of the test file were left out: "
            f"the training file has no {unknown}."
        )
    rows = Observations(
        code[facts.left[known]], code[facts.right[known]], facts.outcome[known], facts.row[known]
    )
    return Split(
        judgments=judgments,
        left_out=np.full(len(judgments), ALWAYS_TRAINS),
        held_out=_hold_out(rows, test, np.zeros(len(test), int), judgments.n_systems),
        n_folds=1,
        name=f"file:{test.fingerprint}",
        notes=tuple(notes),
    )


test_file.__test__ = False  # type: ignore[attr-defined]  # pytest must not take it for a test


def _split_rows(
    judgments: Judgments, fold: IntArray, n_folds: int, name: str, notes: tuple[str, ...] = ()
) -> Split:
    """Make the split in which a row is predicted in the fold that does not train on it."""
    held_out = _hold_out(judgments.observations, judgments, fold, judgments.n_systems)
    if not len(held_out) or (n_folds == 1 and len(held_out) == len(judgments.observations)):
        raise UndefinedResultError(
            "Split", "one side of it is empty", "Predict more or fewer judgments, or split by task."
        )
    return Split(judgments, fold, held_out, n_folds, name, notes)


def _hold_out(
    facts: Observations, source: Judgments, fold_of_row: IntArray, n_systems: int
) -> HeldOut:
    """Hold facts out; ``source`` has their rows, tasks, segments and judges."""
    tested = fold_of_row[facts.row] != ALWAYS_TRAINS
    row = facts.row[tested]
    held, task = np.unique(source.task[row], return_inverse=True)
    left, right = facts.left[tested].astype(np.int64), facts.right[tested]
    kind = WIN - facts.outcome[tested].astype(np.int64)
    cell = (kind * n_systems + left) * n_systems + right
    return HeldOut(
        cell=cell,
        task=task,
        fold=fold_of_row[row],
        task_source=source.task_source[held],
        task_judge=source.task_judge[held],
    )


def _unit_of_rows(judgments: Judgments, unit: FoldUnit) -> IntArray:
    """Return the unit to which each row belongs."""
    if unit not in FOLD_UNITS:
        raise unknown("Split", unit, FOLD_UNITS)
    return unit_of_rows(judgments, unit)


def _fold_tables(cells: IntArray, fold: IntArray, n_folds: int, size: int) -> FloatArray:
    """Count the cells of each fold: [n_folds, size]."""
    flat = np.bincount(fold.astype(np.int64) * size + cells, minlength=n_folds * size)
    return flat.reshape(n_folds, size).astype(np.float64)


def _require_at_least(judgments: Judgments, n: int) -> None:
    if len(judgments) < n:
        raise UndefinedResultError(
            "Split",
            f"there are {len(judgments)} judgments, and a split needs {n}",
            "Widen the selection of judges, systems or segments.",
        )


Draw = Literal["row", "task", "active", "own", "matches", "match-pairs"]
DRAWS: dict[Draw, str] = {
    "row": "single judgments at random, as in the papers",
    "task": "whole ranking tasks at random, as a campaign collects them",
    "active": "judgments that TrueSkill chooses, with replacement, for all models",
    "own": (
        "as in SPV14: TrueSkill chooses from all with replacement and keeps that run, the others "
        "learn from single judgments at random"
    ),
    "matches": "this many matches, with one output per player of the model (SPV14, Table 3)",
    "match-pairs": "such matches, with this many judgments in total (SPV14, Table 4)",
}

PUBLISHED_SIZES = (400, 800, 1600, 3200, 6400)

Average = Literal["judgments", "folds"]
AVERAGES: dict[Average, str] = {
    "judgments": "the share of all judgments predicted that is right",
    "folds": "the mean of the folds' accuracies (WMT14)",
}

SplitBy = FoldUnit | Literal["hm13"]

assert set(AVERAGES) == set(get_args(Average))
assert set(DRAWS) == set(get_args(Draw))


@dataclass(frozen=True)
class Protocol:
    """One way to ask models for judgments that they have not seen; the defaults are ours.

    ``split`` is what each of the ``folds`` holds out, or hm13 for one test set of rarely judged
    segments; ``average`` says how accuracies of folds are put together. Radii of the ``grid`` are
    tuned on what ``tune`` names; None tunes on what trains the radii of models whose own was not
    chosen. ``dev`` is the development set, as a share of what trains or as a number of judgments.
    Of learning curves, ``hold_out`` is the share or number that is predicted where the split is by
    units, ``sizes`` and ``trials`` what is drawn and how often, and ``draw`` how.
    """

    split: SplitBy = "task"
    folds: int = DEFAULT_FOLDS
    average: Average = "judgments"
    grid: str = WMT14.name
    tune: TuneOn | None = None
    dev: float = 0.2
    hold_out: float = 0.2
    sizes: tuple[int, ...] = PUBLISHED_SIZES
    trials: int = 5
    draw: Draw = "row"

    def tuning(self, *, own_radius: bool = False) -> Tuning:
        """Return which radii are tried on what, for a model whose radius a user chose or not."""
        on = self.tune or ("none" if own_radius else "train")
        return Tuning(GRIDS[self.grid], on=on, dev=self.dev)
