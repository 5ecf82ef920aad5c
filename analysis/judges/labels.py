"""What judges said of which item, and how often two labels of one item agree.

An item is a segment with two outputs; every judgment is a label of one. `analysis.judges.kappa`
makes a number of the counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analysis.campaign import TIE, UNNAMED_SEGMENT, FloatArray, IntArray, Judgments
from analysis.campaign.ragged import smallest
from analysis.judges.kappa import Cells


class Labels(NamedTuple):
    """What each judgment says of which item, by whom; in as few bytes as hold the numbers."""

    segment: IntArray
    first: IntArray
    second: IntArray
    judge: IntArray
    outcome: IntArray

    def item(self) -> IntArray:
        """Number the items: equal numbers for the same outputs of the same segment."""
        n_codes = 1 + int(max(self.first.max(initial=0), self.second.max(initial=0)))
        code = self.segment.astype(np.int64)
        for digit in (self.first, self.second):
            code *= n_codes
            code += digit
        return compact(code)

    def session(self, n_judges: int) -> IntArray:
        """Return a number for each judge on each segment."""
        code = self.segment.astype(np.int64)
        code *= n_judges
        code += self.judge
        return code


class Tally(NamedTuple):
    """Agreeing and comparable pairs of labels in each group of labels."""

    agree: IntArray
    comparable: IntArray


class Groups(NamedTuple):
    """Which labels are of one item: ``item`` of every label.

    ``again`` are the labels whose judge labeled the item more than once, few as a rule, and
    ``own`` numbers their judges' items.
    """

    item: IntArray
    again: IntArray
    own: IntArray


def labels_of(judgments: Judgments) -> Labels:
    """Return the judgments as labels of items in displayed order.

    In a file that only counts, each vote is about something of its own: nothing was judged twice.
    """
    segment: IntArray = np.arange(judgments.n_tasks, dtype=np.int64)
    if judgments.segments != (UNNAMED_SEGMENT,):
        segment = compact(judgments.task_segment)
    return Labels(
        segment=smallest(segment, np.int32)[judgments.task],
        first=judgments.left,
        second=judgments.right,
        judge=judgments.task_judge[judgments.task],
        outcome=judgments.outcome,
    )


def unordered_labels_of(judgments: Judgments) -> Labels:
    """Return the judgments as labels of items whose outputs stand in one order."""
    segment, left, right, judge, outcome = labels_of(judgments)
    as_set = _codes_of_sets(judgments)
    left, right = as_set[left], as_set[right]
    swapped = left > right
    return Labels(
        segment,
        np.where(swapped, right, left),
        np.where(swapped, left, right),
        judge,
        np.where(swapped, -outcome, outcome),
    )


def _codes_of_sets(judgments: Judgments) -> IntArray:
    """Return one code for a+b and b+a: the first that such an output has."""
    first: dict[tuple[int, ...], int] = {}
    n = judgments.n_systems
    codes = [first.setdefault(tuple(sorted(g)), n + k) for k, g in enumerate(judgments.groups)]
    return smallest(np.array([*range(n), *codes], dtype=np.int64))


def group_labels(labels: Labels) -> Groups:
    """Return the items, and the labels that a judge gave again."""
    item = labels.item()
    code = item * (int(labels.judge.max(initial=-1)) + 1)
    code += labels.judge
    ordered, position = _sorted(code)
    same = ordered[1:] == ordered[:-1]
    is_again = np.zeros(len(code), dtype=bool)
    is_again[position[1:][same]] = True
    is_again[position[:-1][same]] = True
    again = np.flatnonzero(is_again)
    return Groups(item, again, compact(code[again]))


def compact(labels: IntArray) -> IntArray:
    """Number the distinct values of a column 0, 1, 2, …

    >>> compact(np.array([7, 2, 7, 10**15])).tolist()
    [1, 0, 1, 2]
    """
    if not len(labels):
        return np.zeros(0, dtype=np.int64)
    top = int(labels.max())
    if top < 4 * len(labels) + 1000 and int(labels.min()) >= 0:
        is_there = np.zeros(top + 1, dtype=bool)
        is_there[labels] = True
        return (np.cumsum(is_there) - 1)[labels]
    ordered, position = _sorted(labels)
    number = np.empty(len(labels), dtype=np.int64)
    number[position] = np.cumsum(np.concatenate([[False], ordered[1:] != ordered[:-1]]))
    return number


def _sorted(values: IntArray) -> tuple[IntArray, IntArray]:
    """Return values in order and where each stood, equal ones as they stood.

    Numbers that carry their own position are sorted several times as fast as positions are.
    """
    bits = len(values).bit_length()
    if not len(values) or values.min() < 0 or int(values.max()) >= 1 << (62 - bits):
        order = np.argsort(values, kind="stable")
        return values[order], order
    carried = (values.astype(np.int64) << bits) | np.arange(len(values))
    carried.sort()
    return carried >> bits, carried & ((1 << bits) - 1)


def count_pairs(group: IntArray, outcome: IntArray) -> Tally:
    """Count the pairs of labels within each group, and those that agree."""
    n = int(group.max(initial=-1)) + 1
    table = np.bincount(_kinds(group, outcome), minlength=3 * n).reshape(n, 3)
    size = table.sum(axis=1)
    return Tally((table * (table - 1) // 2).sum(axis=1), size * (size - 1) // 2)


def _kinds(group: IntArray, outcome: IntArray) -> IntArray:
    """Return a number for each outcome in each group."""
    kind = group * 3
    kind += outcome
    kind += 1
    return kind


def statistics(
    labels: Labels, published: bool, groups: Groups | None = None
) -> tuple[IntArray, IntArray]:
    """Return inter and intra counts[S, 4] of every segment: agree, comparable, ties, total."""
    n_segments = int(labels.segment.max(initial=-1)) + 1
    n_judges = int(labels.judge.max(initial=-1)) + 1
    item, again, own = groups or group_labels(labels)
    everyone, oneself = (
        count_pairs(item, labels.outcome),
        count_pairs(own, labels.outcome[again]),
    )
    inter = _per_segment(everyone, item, labels.segment, n_segments)
    intra = _per_segment(oneself, own, labels.segment[again], n_segments)
    some = again
    if published:
        some = _whole_sessions(again, labels.session(n_judges))
    else:
        inter = inter - intra
    return (
        np.hstack([inter, _ties_and_total(labels.segment, labels.outcome, n_segments)]),
        np.hstack([intra, _ties_and_total(labels.segment[some], labels.outcome[some], n_segments)]),
    )


def _whole_sessions(again: IntArray, session: IntArray) -> IntArray:
    """Return all labels of a judge on a segment of whom one label there is among these."""
    session = compact(session)
    marked = np.zeros(int(session.max(initial=-1)) + 1, dtype=bool)
    marked[session[again]] = True
    return np.flatnonzero(marked[session])


def _per_segment(tally: Tally, group: IntArray, segment: IntArray, n_segments: int) -> IntArray:
    segment_of_group = np.zeros(len(tally.agree), dtype=np.int64)
    segment_of_group[group] = segment
    columns = [np.bincount(segment_of_group, weights=c, minlength=n_segments) for c in tally]
    return np.stack(columns, axis=1).astype(np.int64)


def _ties_and_total(group: IntArray, outcome: IntArray, n_groups: int) -> IntArray:
    """Return how many labels of each group are ties, and how many there are."""
    ties = np.bincount(group[outcome == TIE], minlength=n_groups)
    return np.stack([ties, np.bincount(group, minlength=n_groups)], axis=1)


def cell_counts(labels: Labels, groups: Groups | None = None) -> tuple[Cells, Cells]:
    """Return strict inter and intra counts of every judge's labels on every segment.

    An inter pair of labels is counted for both of its judges, an intra pair once.
    """
    n_judges = int(labels.judge.max(initial=-1)) + 1
    item, again, own = groups or group_labels(labels)
    session = labels.session(n_judges)
    number = compact(session)
    n_cells = int(number.max(initial=-1)) + 1
    cell = np.zeros(n_cells, dtype=np.int64)
    cell[number] = session

    def add_up(number: IntArray, met: tuple[IntArray, IntArray]) -> FloatArray:
        return np.stack([np.bincount(number, weights=w, minlength=n_cells) for w in met], axis=1)

    labeled = _ties_and_total(number, labels.outcome, n_cells)
    relabeled = _ties_and_total(number[again], labels.outcome[again], n_cells)
    with_all = add_up(number, _met(item, labels.outcome))
    with_own = add_up(number[again], _met(own, labels.outcome[again])) - relabeled[:, 1:]
    others = with_all - labeled[:, 1:] - with_own  # a label is none of its others
    segment, judge = cell // max(n_judges, 1), cell % max(n_judges, 1)
    return (
        Cells(segment, judge, np.hstack([others, labeled]), shared=2),
        Cells(segment, judge, np.hstack([with_own / 2, relabeled]), shared=1),
    )


def _met(group: IntArray, outcome: IntArray) -> tuple[IntArray, IntArray]:
    """Return how many labels of its group each label equals, and how many there are, itself too."""
    kind = _kinds(group, outcome)
    return np.bincount(kind)[kind], np.bincount(group)[group]
