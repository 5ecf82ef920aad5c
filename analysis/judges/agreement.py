"""Agreement of judges with each other (inter) and with themselves (intra), beyond chance.

Two labels that were given to one item, a segment with two outputs, either agree or do not:

    κ = (pA - pE) / (1 - pE),   pE = p² + (1 - p)² / 2,

pA the share of agreeing pairs of labels among the comparable ones, p the share of ties among all
labels: a tie is as likely by chance as ties are, and the rest falls evenly to either side.

*Strict*: (A, B) and (B, A) are one item; inter pairs come from two different judges; p of intra
is that of the repeated labels. *Published*: items in displayed order; inter pairs whoever the
judges, so that a judge who repeats a task raises the agreement of judges with each other; p of
intra is that of all labels of a judge on a segment where one of the judge's items is repeated.

An output that several systems made alike counts once (`judged_once`). Each judged for itself
(expanded), these systems tie in every judgment, and all judges agree on ties that nobody judged.

References: Cohen 1960; Landis and Koch 1977 (the words); Bojar et al. 2014, section 3.2.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.campaign import (
    DEFAULT_SELECTION,
    TIE,
    UNNAMED_SEGMENT,
    Campaign,
    FloatArray,
    Identical,
    IntArray,
    Judgments,
    Selection,
)
from analysis.campaign.ragged import Ragged, smallest
from analysis.errors import PodiumError, UndefinedResultError
from analysis.ranking.covariance import LEAST_FREEDOM
from analysis.ranking.freedom import quantile
from analysis.ranking.variance import two_way

LANDIS_KOCH = ((0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))
"""Each word with the largest kappa for which it holds; below 0 "poor", above "almost perfect"."""

NO_INTERVAL = (float("nan"), float("nan"))

MOST_BY_FEW = 0.25
"""Σ w² of the judges' shares of what they judged twice above which nothing is said of others: with
fewer than four judges' worth of work an interval covers other judges by chance."""

CHUNK_CELLS = 4_000_000
"""Runs times segments that are resampled at once: what keeps the memory under 100 MB."""


ENOUGH = 30
"""Comparable labels or decided comparisons under which nothing is said of agreement or of a judge:
the standard error of a share is then above 9 points."""


@dataclass(frozen=True)
class Kappa:
    """Agreement beyond chance with the counts that it was made from.

    ``agree`` of ``comparable`` pairs of labels agree; ``ties`` of ``total`` labels are ties.
    ``low`` and ``high`` are the ends of the interval over resampled segments: other sentences, but
    *these judges*. ``others_low`` and ``others_high`` are those for other judges of this kind as
    well, see `interval_for_others`. nan where none was asked for or none can be given.
    """

    agree: int
    comparable: int
    ties: int
    total: int
    low: float = float("nan")
    high: float = float("nan")
    others_low: float = float("nan")
    others_high: float = float("nan")

    @property
    def p_agree(self) -> float:
        return self.agree / self.comparable if self.comparable else float("nan")

    @property
    def p_chance(self) -> float:
        return float(chance_agreement(np.array(self.ties), np.array(self.total)))

    @property
    def kappa(self) -> float:
        return float(kappa_of(np.array([self.agree, self.comparable, self.ties, self.total])))

    @property
    def is_scarce(self) -> bool:
        """Whether labels meet, but so few that nothing can be said of agreement."""
        return 0 < self.comparable < ENOUGH

    @property
    def word(self) -> str:
        """What Landis and Koch call it, or that it rests on too few answers for a word."""
        return "too few" if self.is_scarce else landis_koch(self.kappa)

    @property
    def undefined(self) -> str:
        """Why kappa is nan, in words; empty where it is a number."""
        if not self.comparable:
            return "No pair of outputs was judged twice, so there is nothing to compare."
        if self.p_chance == 1:
            return "Every judgment is a tie, so agreement cannot exceed chance."
        return ""


@dataclass(frozen=True)
class Rates:
    """Agreement of judges with each other and with themselves, by one definition."""

    inter: Kappa
    intra: Kappa


@dataclass(frozen=True)
class Agreement:
    """Agreement in one language pair as published and as it should be counted.

    ``identical`` says how outputs that several systems made alike were counted; None where the
    file names none.
    """

    published: Rates
    strict: Rates
    runs: int
    level: float
    seed: int
    identical: Identical | None = None

    @property
    def is_known(self) -> bool:
        """Whether judges can be compared with each other or with themselves often enough."""
        return max(self.strict.inter.comparable, self.strict.intra.comparable) >= ENOUGH

    def __repr__(self) -> str:
        kappas = {"inter": self.strict.inter.kappa, "intra": self.strict.intra.kappa}
        told = ", ".join(
            f"{kind} κ {kappa:.3f}" if kappa == kappa else f"{kind} κ undefined"
            for kind, kappa in kappas.items()
        )
        return f"Agreement (strict): {told}"

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each kappa, for tables."""
        return [
            {
                "definition": definition,
                "kind": kind,
                "kappa": kappa.kappa,
                "low": kappa.low,
                "high": kappa.high,
                "others_low": kappa.others_low,
                "others_high": kappa.others_high,
                "word": kappa.word,
                "agree": kappa.agree,
                "comparable": kappa.comparable,
            }
            for definition, rates in (("strict", self.strict), ("published", self.published))
            for kind, kappa in (("inter", rates.inter), ("intra", rates.intra))
        ]


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


class Cells(NamedTuple):
    """counts[C, 4] (agree, comparable, ties, total) of a judge on a segment.

    ``shared``: for how many judges a pair of labels is counted.
    """

    segment: IntArray
    judge: IntArray
    counts: FloatArray
    shared: int


class Tally(NamedTuple):
    """Agreeing and comparable pairs of labels in each group of labels."""

    agree: IntArray
    comparable: IntArray


def judged_once(
    campaign: Campaign,
    pair: str | None = None,
    selection: Selection = DEFAULT_SELECTION,
    *,
    identical: Identical = "collapsed",
) -> Judgments:
    """Return a pair's judgments as agreement counts them.

    What a judge did not rank loses its pairs and not the whole task, as in the published counts;
    outputs that the file says to be identical were judged once, whatever the selection has.
    """
    chosen = dataclasses.replace(selection, identical=identical)
    return campaign.judgments(pair, chosen, incomplete="drop-pair")


def agreement(
    judgments: Judgments, *, runs: int = 1000, level: float = 0.95, seed: int = 0
) -> Agreement:
    """Return inter and intra agreement, as published and strict, the latter with intervals.

    The judgments should be those of `judged_once`.
    The intervals at ``level`` are of these judges, from ``runs`` resamples of the segments, drawn
    with ``seed``, and of other judges too, by `interval_for_others`; no runs, no intervals.
    """
    check_interval(runs, level)
    if judgments.n_judges is None:
        raise UndefinedResultError(
            "Agreement", "the file names no judges", "Add a column with the judge of each row."
        )
    unordered = unordered_labels_of(judgments)
    groups = group_labels(unordered)
    identical = judgments.selection.identical if _names_identical(judgments) else None
    if groups.item.max(initial=-1) + 1 == len(groups.item):  # nothing was judged twice
        all_labels = Kappa(0, 0, judgments.n_ties, len(judgments))
        nothing = Rates(all_labels, Kappa(0, 0, 0, 0))
        return Agreement(nothing, nothing, runs, level, seed, identical)
    shown = statistics(labels_of(judgments), published=True)
    honest = statistics(unordered, published=False, groups=groups)
    these = [segment_interval(table, runs, level, seed) for table in honest]
    others = [
        interval_for_others(cells, level) if runs else NO_INTERVAL
        for cells in cell_counts(unordered, groups)
    ]
    return Agreement(
        published=Rates(*(_kappa(table) for table in shown)),
        strict=Rates(*(_kappa(t, *a, *b) for t, a, b in zip(honest, these, others, strict=True))),
        runs=runs,
        level=level,
        seed=seed,
        identical=identical,
    )


def check_interval(runs: int, level: float) -> None:
    """Refuse runs or a level that are none."""
    if runs < 0 or not 0 < level < 1:
        raise PodiumError(
            "Interval of the agreement",
            f"{runs} runs at level {level:g} is not possible",
            "Use 0 or more runs and a level between 0 and 1.",
        )


def _names_identical(judgments: Judgments) -> bool:
    """Return whether some output that was shown is of several systems."""
    campaign = judgments.campaign
    shown = Ragged.from_start(campaign.task_start).take(judgments.tasks).values
    return bool((campaign.made_by.sizes[campaign.entry_output[shown]] > 1).any())


def landis_koch(kappa: float) -> str:
    """Return the word of Landis and Koch (1977) for a kappa.

    >>> [landis_koch(k) for k in (-.1, .2, .21, .93, float("nan"))]
    ['poor', 'slight', 'fair', 'almost perfect', 'undefined']
    """
    if np.isnan(kappa):
        return "undefined"
    if kappa < 0:
        return "poor"
    return next((word for bound, word in LANDIS_KOCH if kappa <= bound), "almost perfect")


def chance_agreement(ties: npt.NDArray[np.number], total: npt.NDArray[np.number]) -> FloatArray:
    """pE = p² + (1 - p)²/2, where p = ties/total; nan without labels."""
    p = np.divide(ties, total, out=np.full(np.shape(ties), np.nan), where=total > 0)
    return np.asarray(p**2 + (1 - p) ** 2 / 2)


def kappa_of(counts: npt.NDArray[np.generic]) -> FloatArray:
    """Return kappa of counts[..., 4] = agree, comparable, ties, total; nan where undefined."""
    agree, comparable, ties, total = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
    chance = chance_agreement(ties, total)
    observed = np.divide(agree, comparable, out=np.full(agree.shape, np.nan), where=comparable > 0)
    return np.divide(
        observed - chance, 1 - chance, out=np.full(agree.shape, np.nan), where=chance != 1
    )


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


class Groups(NamedTuple):
    """Which labels are of one item: ``item`` of every label.

    ``again`` are the labels whose judge labeled the item more than once, few as a rule, and
    ``own`` numbers their judges' items.
    """

    item: IntArray
    again: IntArray
    own: IntArray


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


def segment_interval(counts: IntArray, runs: int, level: float, seed: int) -> tuple[float, float]:
    """Return the interval of kappa over resampled segments, from counts[S, 4] of each segment.

    Fewer than two segments with something to compare, or no runs, give nan.
    """
    if runs < 1 or np.count_nonzero(counts[:, 1]) < 2:
        return NO_INTERVAL
    return quantile_interval(kappa_of(resampled_segments(counts, runs, seed)), level)


def quantile_interval(values: FloatArray, level: float) -> tuple[float, float]:
    """Return the ends that hold the middle ``level`` of the values that are numbers."""
    told = values[~np.isnan(values)]
    if not len(told):
        return NO_INTERVAL
    low, high = np.quantile(told, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def resampled_segments(table: IntArray | FloatArray, runs: int, seed: int) -> FloatArray:
    """Return the column sums[runs, C] of table[S, C], S segments drawn again in every run."""
    rng = np.random.default_rng(seed)
    chunk = max(1, CHUNK_CELLS // len(table))
    sums = [_resample(table, min(chunk, runs - done), rng) for done in range(0, runs, chunk)]
    return np.concatenate(sums)


def _resample(counts: IntArray | FloatArray, runs: int, rng: np.random.Generator) -> FloatArray:
    """Sum the counts of as many drawn segments as there are, ``runs`` times."""
    n = len(counts)
    drawn = rng.integers(n, size=(runs, n)) + np.arange(runs)[:, None] * n
    times = np.bincount(drawn.ravel(), minlength=runs * n).reshape(runs, n)
    return times.astype(np.float64) @ counts


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


def interval_for_others(cells: Cells, level: float) -> tuple[float, float]:
    """Return the interval of kappa for other judges on other sentences of this kind.

    With ψ_g the change of κ per unit of weight on group g, a segment, a judge, or a judge's labels
    on a segment, w_g the group's share of the comparable pairs of labels, S segments and J judges,

        V_u = Σ_g (ψ_g / (1 - w_g))² (1 - 1/n_u),   A_u = 1/Σ_g w_g²,
        σ² = max(V_segment + V_judge - V_both, each of the two alone),

    and κ ± t σ, t of min(A_segment, A_judge) - 1 degrees of freedom: few judges, or one who did
    most of the work, say little of others. nan where fewer than two judges or segments compare,
    and of judges with themselves where Σ w² is above `MOST_BY_FEW`. (Cameron, Gelbach & Miller
    2011)
    """
    shared = np.array([cells.shared, cells.shared, 1, 1])
    kappa, slope = _kappa_with_slope(cells.counts.sum(axis=0) / shared)
    by_cell = cells.counts @ slope
    parts = [(cells.segment, cells.counts / shared @ slope), (cells.judge, by_cell)]
    v, alike = [], []
    for unit, psi in parts:
        compared = np.bincount(unit, weights=cells.counts[:, 1])
        share = compared / max(compared.sum(), 1)
        n = np.count_nonzero(share)
        if n < 2 or np.isnan(kappa):
            return NO_INTERVAL
        sums = np.bincount(unit, weights=psi) / (1 - share)
        v.append(float((sums**2).sum()) * (1 - 1 / n))
        alike.append(1 / float((share**2).sum()))
    variance = float(two_way((by_cell**2).sum(), *v))
    if not variance or (cells.shared == 1 and 1 / alike[1] > MOST_BY_FEW):
        return NO_INTERVAL
    reach = quantile((1 + level) / 2, max(min(alike) - 1, LEAST_FREEDOM)) * np.sqrt(variance)
    return max(kappa - reach, -1.0), min(kappa + reach, 1.0)


def _kappa_with_slope(counts: FloatArray) -> tuple[float, FloatArray]:
    """Return kappa and its derivatives with respect to agree, comparable, ties and total."""
    agree, comparable, ties, total = counts
    kappa = float(kappa_of(counts))
    if np.isnan(kappa):
        return kappa, np.zeros(4)
    p, chance = ties / total, float(chance_agreement(ties, total))
    observed = 1 / comparable / (1 - chance)
    by_ties = -(1 - agree / comparable) / (1 - chance) ** 2 * (3 * p - 1) / total
    slope = [observed, -agree / comparable * observed, by_ties, -p * by_ties]
    return kappa, np.array(slope)


def _kappa(
    counts: IntArray,
    low: float = float("nan"),
    high: float = float("nan"),
    others_low: float = float("nan"),
    others_high: float = float("nan"),
) -> Kappa:
    agree, comparable, ties, total = (int(n) for n in counts.sum(axis=0))
    return Kappa(agree, comparable, ties, total, low, high, others_low, others_high)
