"""How scores would vary with other tasks, segments or judges, without drawing any: C_u[K, K].

Where documents are known, they stand in for segments: sentences of one document are alike.

Where ψ_r is what row r adds to the scores (`Influence`), a group g of rows adds u_g = Σ ψ_r, and
drawing the G groups of a unit again gives, to first order,

    C_u = Σ_g (u_g - ū)(u_g - ū)ᵀ.

Scores follow a group that holds a large share w_g of all rows, so that what it adds to them looks
too small: leaving it out would move them by u_g/(1 - w_g). Each u_g is therefore taken times
(1 - 1/G)/(1 - w_g), which is 1 where groups are alike. Without it, where one judge gives six tenths
of the judgments, claims are wrong twice to three times as often.

Reference: Cameron, Gelbach & Miller 2011, *Robust Inference with Multiway Clustering*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.campaign.judgments import Judgments
from analysis.campaign.ragged import FloatArray, IntArray
from analysis.kernel import kernel
from analysis.rankers.influence import Influence, JudgedRows, ScoredRows
from analysis.rankers.resampling import ResamplingUnit, n_units

Unit = Literal["task", "segment", "judge"]
UNITS: tuple[Unit, ...] = ("task", "segment", "judge")


LEAST_FREEDOM = 0.1
"""Where one judge did nearly all the work, hardly anything is known of other judges."""


@dataclass(frozen=True, eq=False)
class UnitCovariance:
    """The covariance of the scores when ``n`` units are drawn again.

    ``alike`` is the number of units of equal size that would tell as much of how units differ,
    1/Σ w² for shares w of all judgments: less than ``n`` where some did most of the work. None:
    all did as much.
    """

    matrix: FloatArray
    n: int
    alike: float | None = None

    @property
    def freedom(self) -> float:
        """The degrees of freedom of a variance between these units."""
        return max((self.n if self.alike is None else self.alike) - 1, LEAST_FREEDOM)


def covariances(judgments: Judgments, influence: Influence) -> dict[Unit, UnitCovariance]:
    """Return the covariance of the scores by tasks, by segments and by judges.

    Rows lie task by task in judgments, so that a unit is a list of tasks: tasks are sorted, rows
    are not.
    """
    if influence.scored is not None:
        return {unit: covariance_of_scores(influence.scored, influence, unit) for unit in UNITS}
    k, facts = influence.n_systems, judgments.observations
    cells = facts.cells(k)
    are_votes = judgments.are_votes and not judgments.groups
    start = start_of_tasks(judgments)
    rows = None if influence.rows_of is None else influence.rows_of(judgments)
    found: dict[Unit, UnitCovariance] = {}
    for unit in UNITS:
        if rows is None and unit == "task" and are_votes:
            squares, total, n = _squares_of_single_rows(cells, influence)
            found[unit] = _covariance_of(squares, total, n, influence, float(n))
            continue
        group_start, tasks = tasks_by_group(judgments, unit)
        if rows is None and are_votes:
            # Votes lie behind each other as they are added up: memory is read in order.
            squares, total, n = sum_squares(
                cells[tasks], start, group_start, np.arange(len(tasks), dtype=np.int32),
                *_tables(influence), influence.n_coordinates,
            )  # fmt: skip
            found[unit] = _covariance_of(
                squares, total, n, influence, number_alike(np.diff(group_start))
            )
            continue
        if rows is None:
            squares, total, n = sum_squares(
                cells, start, group_start, tasks, *_tables(influence), influence.n_coordinates
            )
        else:
            squares, total, n = sum_judged(start, group_start, tasks, *_columns(rows))
        sizes = np.bincount(labels_of(judgments, unit), weights=np.diff(start))
        found[unit] = _covariance_of(squares, total, n, influence, number_alike(sizes))
    return found


def start_of_tasks(judgments: Judgments) -> IntArray:
    """Return where the observations of each task begin: they lie task by task."""
    if judgments.are_votes and not judgments.groups:
        return np.arange(len(judgments) + 1)
    if not judgments.groups:
        return _starts(judgments.task_rows)
    task = judgments.task[judgments.observations.row]
    return _starts(np.bincount(task, minlength=judgments.n_tasks))


def _covariance_of(
    squares: FloatArray, total: FloatArray, n: int, influence: Influence, alike: float
) -> UnitCovariance:
    squares *= (1 - 1 / max(n, 1)) ** 2
    total *= 1 - 1 / max(n, 1)
    squares -= np.outer(total, total) / max(n, 1)
    return UnitCovariance(influence.mix(squares), n, alike)


def _squares_of_single_rows(
    cells: IntArray, influence: Influence
) -> tuple[FloatArray, FloatArray, int]:
    """Do as `sum_squares` where each row is a group of its own: equal rows are counted."""
    k, n, size = influence.n_systems, len(cells), influence.n_coordinates
    factor = n / (n - 1) if n > 1 else 0.0
    times = np.bincount(cells, minlength=2 * k * k).reshape(2, k, k).astype(np.float64)
    first = factor * influence.own.reshape(2, k, k)
    second = factor * influence.other.reshape(2, k, k)
    squares, total = np.zeros((size, size)), np.zeros(size)
    both = (times * first * second).sum(axis=0)
    squares[:k, :k] = both + both.T
    squares[np.arange(k), np.arange(k)] += (times * first**2).sum(axis=(0, 2))
    squares[np.arange(k), np.arange(k)] += (times * second**2).sum(axis=(0, 1))
    total[:k] = (times * first).sum(axis=(0, 2)) + (times * second).sum(axis=(0, 1))
    if influence.common is not None:
        common = factor * influence.common.reshape(2, k, k)
        with_first = (times * first * common).sum(axis=(0, 2))
        squares[:k, k] = squares[k, :k] = with_first + (times * second * common).sum(axis=(0, 1))
        squares[k, k], total[k] = (times * common**2).sum(), (times * common).sum()
    return squares, total, n


def covariance_of_scores(rows: ScoredRows, influence: Influence, unit: Unit) -> UnitCovariance:
    """Return the covariance of means when tasks, segments or judges are drawn again."""
    _, label = np.unique(getattr(rows, unit), return_inverse=True)
    sizes = np.bincount(label)
    if len(sizes) < 2:
        nothing = np.zeros((influence.n_systems, influence.n_systems))
        return UnitCovariance(nothing, len(sizes), number_alike(sizes))
    added = rows.added(label, influence.n_systems)
    added *= ((1 - 1 / len(sizes)) / (1 - sizes / len(label)))[:, None]
    added -= added.mean(axis=0)
    return UnitCovariance(added.T @ added, len(sizes), number_alike(sizes))


def numbers_of_units(judgments: Judgments, unit: Unit) -> tuple[int, float]:
    """Return how many units there are, and how many of equal size are worth these."""
    return n_units(judgments, drawn_unit(judgments, unit)), number_alike(
        np.bincount(labels_of(judgments, unit), judgments.task_rows)
    )


def drawn_unit(judgments: Judgments, unit: Unit) -> ResamplingUnit:
    """Return what a resample draws for a unit: documents for segments where they are known."""
    return judgments.source_unit if unit == "segment" else unit


def number_alike(sizes: FloatArray | IntArray) -> float:
    """Return 1/Σ w² of shares w: how many units of equal size are worth these.

    >>> number_alike(np.array([5, 5])), round(number_alike(np.array([8, 1, 1])), 2)
    (2.0, 1.52)
    >>> number_alike(np.array([]))
    0.0
    """
    total = float(sizes.sum())
    return total**2 / float((np.asarray(sizes, np.float64) ** 2).sum()) if total else 0.0


def labels_of(judgments: Judgments, unit: Unit) -> IntArray:
    """Return the unit of each task, as numbers."""
    if unit == "task":
        return np.arange(judgments.n_tasks)
    return judgments.task_source if unit == "segment" else judgments.task_judge


def _starts(sizes: IntArray) -> IntArray:
    start = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=start[1:])
    return start


def tasks_by_group(judgments: Judgments, unit: Unit) -> tuple[IntArray, IntArray]:
    """Return where each group begins in the list of tasks, and that list, sorted by group."""
    if unit == "task":
        every = np.arange(judgments.n_tasks + 1)
        return every, every[:-1].astype(np.int32)
    label = labels_of(judgments, unit)
    start = _starts(np.bincount(label))
    return start, sort_tasks(label, start)


def _tables(influence: Influence) -> tuple[FloatArray, FloatArray, FloatArray]:
    common = np.zeros(0) if influence.common is None else influence.common.ravel()
    return influence.own.ravel(), influence.other.ravel(), common


def _columns(rows: JudgedRows) -> tuple[IntArray | FloatArray, ...]:
    return (
        rows.left.astype(np.int64),
        rows.right.astype(np.int64),
        rows.judge.astype(np.int64),
        rows.sensitivity * rows.by_lead,
        rows.gap * rows.by_lead,
        rows.by_lead,
        rows.by_tie,
        rows.level,
        np.ascontiguousarray(rows.loads),
    )


@kernel
def sort_tasks(label, start):  # type: ignore[no-untyped-def]
    """Return tasks sorted by label, in their order within one: a counting sort."""
    place = start[:-1].copy()
    tasks = np.empty(len(label), dtype=np.int32)
    for t in range(len(label)):
        tasks[place[label[t]]] = t
        place[label[t]] += 1
    return tasks


@kernel
def sum_squares(  # type: ignore[no-untyped-def]
    cells, start, group_start, tasks, own, other, common, n_coordinates
):
    """Return Σ_g v_g v_gᵀ, Σ_g v_g and the number of groups that have rows, v_g = u_g/(1 - w_g).

    Of every group only the coordinates that its rows touch are looked at.
    """
    has_common = len(common) > 0
    k = n_coordinates - has_common
    # which two systems each cell of the flat tables is about
    of_first = np.empty(2 * k * k, dtype=np.int32)
    of_second = np.empty(2 * k * k, dtype=np.int32)
    for cell in range(2 * k * k):
        of_first[cell] = cell // k % k
        of_second[cell] = cell % k
    squares = np.zeros((n_coordinates, n_coordinates))
    total = np.zeros(n_coordinates)
    added = np.zeros(n_coordinates)
    is_touched = np.zeros(n_coordinates, dtype=np.bool_)
    touched = np.empty(n_coordinates, dtype=np.int64)
    n_groups = 0
    for g in range(len(group_start) - 1):
        n_touched = 0
        n_rows = 0
        # u_g: what the rows of the group's tasks add to the coordinates that they touch
        for t in range(group_start[g], group_start[g + 1]):
            task = tasks[t]
            n_rows += start[task + 1] - start[task]
            for row in range(start[task], start[task + 1]):
                cell = cells[row]
                first, second = of_first[cell], of_second[cell]
                if not is_touched[first]:
                    is_touched[first] = True
                    touched[n_touched] = first
                    n_touched += 1
                if not is_touched[second]:
                    is_touched[second] = True
                    touched[n_touched] = second
                    n_touched += 1
                added[first] += own[cell]
                added[second] += other[cell]
                if has_common:
                    added[k] += common[cell]
        if n_touched == 0:
            continue
        n_groups += 1
        # of a group that is all there is nothing can be said
        factor = len(cells) / (len(cells) - n_rows) if n_rows < len(cells) else 0.0
        if has_common:
            touched[n_touched] = k
            n_touched += 1
        # Σ v_g and one side of Σ v_g v_gᵀ, over the touched coordinates alone
        for a in range(n_touched):
            i = touched[a]
            added[i] *= factor
            value = added[i]
            total[i] += value
            for b in range(a + 1):
                j = touched[b]
                squares[i, j] += value * added[j]
        # back to zero for the next group
        for a in range(n_touched):
            added[touched[a]] = 0.0
            is_touched[touched[a]] = False
    # each pair was added on one side of the diagonal, which side depends on the group's order
    for i in range(n_coordinates):
        for j in range(i):
            both = squares[i, j] + squares[j, i]
            squares[i, j] = both
            squares[j, i] = both
    return squares, total, n_groups


@kernel
def sum_judged(  # type: ignore[no-untyped-def]
    start,
    group_start,
    tasks,
    left,
    right,
    judge,
    push,
    by_sensitivity,
    by_side,
    by_tie,
    level,
    loads,
):
    """Do as `sum_squares` where judges have traits: a task moves all coordinates by its judge's."""
    n_coordinates = loads.shape[1]
    squares = np.zeros((n_coordinates, n_coordinates))
    total = np.zeros(n_coordinates)
    added = np.zeros(n_coordinates)
    n_groups = 0
    for g in range(len(group_start) - 1):
        n_rows = 0
        added[:] = 0.0
        for t in range(group_start[g], group_start[g + 1]):
            first, last = start[tasks[t]], start[tasks[t] + 1]
            if first == last:
                continue
            n_rows += last - first
            # the rows' own pushes, and the sums by which the judge's traits move
            sensitivity, side, tie = 0.0, 0.0, 0.0
            for row in range(first, last):
                added[left[row]] += push[row]
                added[right[row]] -= push[row]
                sensitivity += by_sensitivity[row]
                side += by_side[row]
                tie += by_tie[row]
                added[n_coordinates - 1] += level[row]
            added[n_coordinates - 2] += tie
            # what the judge's traits carry to all coordinates is taken from them
            carried = loads[judge[first]]
            for i in range(n_coordinates):
                added[i] -= carried[i, 0] * sensitivity + carried[i, 1] * side + carried[i, 2] * tie
        if n_rows == 0:
            continue
        n_groups += 1
        factor = len(left) / (len(left) - n_rows) if n_rows < len(left) else 0.0
        for i in range(n_coordinates):
            value = factor * added[i]
            total[i] += value
            for j in range(n_coordinates):
                squares[i, j] += value * factor * added[j]
    return squares, total, n_groups
