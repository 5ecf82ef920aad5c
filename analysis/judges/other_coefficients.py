"""Other measures of how far judges agree: Krippendorff's α, Gwet's AC1, and percent agreement.

An item is a segment with two outputs, in the order of their names; its labels are those of
different judges, of each the first one. With n_ic labels c on item i, m_i labels in all, and sums
over the items that have two labels or more unless said:

    percent   pA = mean of Σ_c n_ic (n_ic - 1) / (m_i (m_i - 1))
    AC1        (pA - pE) / (1 - pE),   pE = Σ_c π_c (1 - π_c) / (q - 1),
               π_c the mean of n_ic / m_i over all items, q the labels in use
    α          1 - D_o / D_e,   D_o = Σ_ck o_ck δ_ck / n,   D_e = Σ_ck n_c n_k δ_ck / (n (n - 1)),
               o_ck = Σ_i n_ic (n_ik - [c = k]) / (m_i - 1),   n_c = Σ_k o_ck,   n = Σ_c n_c

δ_ck is 1 for two labels that differ (nominal), the square of their distance with better, tie and
worse at 1, 0 and -1 (interval), or that of the labels given between them (ordinal).

All are made of sums over segments, so that segments are drawn again as for kappa. For other judges
each segment, each judge and each judge's part of a segment is left out in turn (`for_others`).

References: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability; Gwet 2008, Computing
inter-rater reliability and its variance in the presence of high agreement.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.campaign import FloatArray, IntArray, Judgments
from analysis.judges.agreement import check_interval
from analysis.judges.kappa import NO_INTERVAL, quantile_interval, resampled_segments
from analysis.judges.labels import compact, unordered_labels_of
from analysis.ranking.variance import quantile, two_way

NAMES = {
    "alpha": "Krippendorff's α, nominal",
    "alpha_ordinal": "Krippendorff's α, ordinal",
    "alpha_interval": "Krippendorff's α, interval",
    "ac1": "Gwet's AC1",
    "percent": "Share of agreeing labels",
}
"""The measures in the order of tables."""

LABELS = np.array([-1.0, 0.0, 1.0])
"""Worse, tie and better, as far apart as α of intervals takes them."""


@dataclass(frozen=True)
class Coefficient:
    """A measure with its interval over resampled segments, by these judges.

    ``others_low`` and ``others_high`` are the ends for other judges of this kind as well, see
    `for_others`. ``n`` is the number of items that two judges or more labeled. nan where there is
    none, or where all labels are alike, so that nothing exceeds chance.
    """

    value: float
    low: float
    high: float
    others_low: float
    others_high: float
    n: int


@dataclass(frozen=True)
class Coefficients:
    """How far judges agree by other measures than kappa."""

    alpha: Coefficient
    alpha_ordinal: Coefficient
    alpha_interval: Coefficient
    ac1: Coefficient
    percent: Coefficient
    runs: int
    level: float
    seed: int

    def by_name(self) -> dict[str, Coefficient]:
        """Return the measures under the names of `NAMES`."""
        return {name: getattr(self, name) for name in NAMES}


class Sums(NamedTuple):
    """What the measures are made of, added up over items; in front stand axes of resamples.

    ``coincidences[..., q, q]``, ``agreeing`` (Σ of the items' agreement), ``compared`` (items with
    two labels or more), ``shares[..., q]`` (Σ n_ic / m_i), ``items``.
    """

    coincidences: FloatArray
    agreeing: FloatArray
    compared: FloatArray
    shares: FloatArray
    items: FloatArray


def coefficients(
    judgments: Judgments, *, runs: int = 1000, level: float = 0.95, seed: int = 0
) -> Coefficients:
    """Return α, AC1 and percent agreement of different judges with their intervals.

    The judgments should be those of `analysis.judges.agreement.judged_once`; the intervals at
    ``level`` come from ``runs`` resamples of the segments, drawn with ``seed``.
    """
    check_interval(runs, level)
    given = labels_given(judgments)
    counts, segment = by_item(given)
    if counts.sum(axis=1).max(initial=0) < 2:  # nothing was judged by two
        none = Coefficient(float("nan"), *NO_INTERVAL, *NO_INTERVAL, 0)
        return Coefficients(**dict.fromkeys(NAMES, none), runs=runs, level=level, seed=seed)
    used = np.asarray(counts.any(axis=0))
    counts, labels = counts[:, used], LABELS[used]
    table = by_segment(counts, segment)
    whole = sums_of(table.sum(axis=0), len(labels))
    n = int(whole.compared)
    has_interval = runs > 0 and np.count_nonzero(sums_of(table, len(labels)).compared) > 1
    again = sums_of(resampled_segments(table, runs, seed), len(labels)) if has_interval else None
    others = for_others(given, table, used, level) if has_interval else {}
    found = {}
    for name, measure in MEASURES.items():
        ends = NO_INTERVAL if again is None else quantile_interval(measure(again, labels), level)
        beyond = others.get(name, NO_INTERVAL)
        found[name] = Coefficient(float(measure(whole, labels)), *ends, *beyond, n)
    return Coefficients(**found, runs=runs, level=level, seed=seed)


class Given(NamedTuple):
    """Each judge's first label of each item: item, segment, judge, and the label's column."""

    item: IntArray
    segment: IntArray
    judge: IntArray
    label: IntArray


def labels_given(judgments: Judgments) -> Given:
    """Return the labels that count."""
    labels = unordered_labels_of(judgments)
    item = labels.item()
    n_judges = int(labels.judge.max(initial=-1)) + 1
    _, first = np.unique(item * n_judges + labels.judge, return_index=True)
    segment = labels.segment[first].astype(np.int64)
    return Given(item[first], segment, compact(labels.judge[first]), labels.outcome[first] + 1)


def by_item(given: Given) -> tuple[IntArray, IntArray]:
    """Return counts[I, 3] of worse, tie and better for every item, and its segment."""
    n_items = int(given.item.max(initial=-1)) + 1
    counts = np.bincount(given.item * 3 + given.label, minlength=3 * n_items)
    segment = np.zeros(n_items, dtype=np.int64)
    segment[given.item] = given.segment
    return counts.reshape(n_items, 3), segment


def for_others(
    given: Given, table: FloatArray, used: npt.NDArray[np.bool_], level: float
) -> dict[str, tuple[float, float]]:
    """Return the interval of every measure for other judges on other sentences of this kind.

    With θ_-g the measure without group g, a segment, a judge, or a judge's labels of a segment, G
    groups of a kind, S segments and J judges,

        V_u = (G - 1)/G Σ_g (θ - θ_-g)²,   σ² = max(V_segment + V_judge - V_both, each of the two),

    and θ ± t σ, t of min(S, J) - 1 degrees of freedom, as for kappa. nan where fewer than three
    judges or two segments compare, or where leaving one out leaves nothing to compare.
    (Cameron, Gelbach & Miller 2011, by the jackknife)
    """
    q = int(used.sum())
    whole = table.sum(axis=0)
    lost = _lost_with(given, used)
    compared = np.bincount(given.item)[given.item] > 1
    n_judges, n_segments = (len(np.unique(u[compared])) for u in (given.judge, given.segment))
    if n_judges < 3 or n_segments < 2:
        return {}
    cell = compact(given.segment * (int(given.judge.max()) + 1) + given.judge)
    without = {
        "segment": whole - table[np.unique(given.segment[compared])],
        "judge": whole - _added_up(given.judge, lost)[np.unique(given.judge[compared])],
        "both": whole - _added_up(cell, lost)[np.unique(cell[compared])],
    }
    reach = quantile((1 + level) / 2, min(n_judges, n_segments) - 1)
    found = {}
    for name, measure in MEASURES.items():
        value = float(measure(sums_of(whole, q), LABELS[used]))
        v = {
            unit: _jackknife(value, measure(sums_of(sums, q), LABELS[used]))
            for unit, sums in without.items()
        }
        variance = float(two_way(v["both"], v["segment"], v["judge"]))
        if variance > 0:
            ends = value - reach * np.sqrt(variance), value + reach * np.sqrt(variance)
            least = 0.0 if name == "percent" else -1.0
            found[name] = (max(float(ends[0]), least), min(float(ends[1]), 1.0))
    return found


def _jackknife(value: float, without: FloatArray) -> float:
    """Return the variance from the values without each group; nan where one is not known."""
    return (len(without) - 1) / len(without) * float(((value - without) ** 2).sum())


def _lost_with(given: Given, used: npt.NDArray[np.bool_]) -> FloatArray:
    """Return what the sums lose when each label alone is left out: [L, sums]."""
    counts, _ = by_item(given)
    with_it = counts[given.item]
    without = with_it.copy()
    without[np.arange(len(without)), given.label] -= 1
    return _sums_of_items(with_it[:, used]) - _sums_of_items(without[:, used])


def _added_up(group: IntArray, table: FloatArray) -> FloatArray:
    columns = [np.bincount(group, weights=column) for column in table.T]
    return np.stack(columns, axis=1)


def by_segment(counts: IntArray, segment: IntArray) -> FloatArray:
    """Return a row of sums for every segment; `sums_of` tells what stands where."""
    rows = _sums_of_items(counts)
    table = np.zeros((int(segment.max(initial=-1)) + 1, rows.shape[1]))
    np.add.at(table, segment, rows)
    return table


def _sums_of_items(counts: IntArray) -> FloatArray:
    """Return a row of sums for every item; nothing of an item without labels."""
    n, q = counts.astype(np.float64), counts.shape[1]
    m = n.sum(axis=1)
    is_compared = m > 1
    pairs = n[:, :, None] * (n[:, None, :] - np.eye(q))
    per_label = np.where(is_compared, m - 1, np.inf)
    whole = np.maximum(m, 1)
    agreeing = np.trace(pairs, axis1=1, axis2=2) / (whole * per_label)
    columns = [
        (pairs / per_label[:, None, None]).reshape(len(n), q * q),
        agreeing[:, None],
        is_compared[:, None],
        n / whole[:, None],
        (m > 0)[:, None],
    ]
    return np.hstack(columns)


def sums_of(table: FloatArray, q: int) -> Sums:
    """Read sums[..., q² + q + 3] by name."""
    square = table[..., : q * q].reshape(*table.shape[:-1], q, q)
    agreeing, compared, *_ = np.moveaxis(table[..., q * q :], -1, 0)
    return Sums(square, agreeing, compared, table[..., q * q + 2 : -1], table[..., -1])


def percent_agreement(sums: Sums, labels: FloatArray) -> FloatArray:
    """Return the mean share of agreeing pairs of labels of an item."""
    return _ratio(sums.agreeing, sums.compared)


def gwet_ac1(sums: Sums, labels: FloatArray) -> FloatArray:
    """Return agreement beyond what labels at random on hard items would give."""
    observed, q = percent_agreement(sums, labels), len(labels)
    share = _ratio(sums.shares, sums.items[..., None])
    chance = _ratio((share * (1 - share)).sum(axis=-1), np.asarray(q - 1.0))
    return _ratio(observed - chance, 1 - chance)


def krippendorff_alpha(sums: Sums, distance: FloatArray) -> FloatArray:
    """Return 1 - observed over expected distance; nan where all labels are alike."""
    given = sums.coincidences.sum(axis=-1)
    n = given.sum(axis=-1)
    observed = (sums.coincidences * distance).sum(axis=(-2, -1))
    expected = (given[..., :, None] * given[..., None, :] * distance).sum(axis=(-2, -1))
    return 1 - _ratio(observed * (n - 1), expected)


def nominal_alpha(sums: Sums, labels: FloatArray) -> FloatArray:
    """Return α with all labels equally far apart."""
    return krippendorff_alpha(sums, 1 - np.eye(len(labels)))


def interval_alpha(sums: Sums, labels: FloatArray) -> FloatArray:
    """Return α with labels as far apart as their numbers."""
    return krippendorff_alpha(sums, np.subtract.outer(labels, labels) ** 2)


def ordinal_alpha(sums: Sums, labels: FloatArray) -> FloatArray:
    """Return α with labels as far apart as labels were given between them."""
    given = sums.coincidences.sum(axis=-1)
    middle = np.cumsum(given, axis=-1) - given / 2
    return krippendorff_alpha(sums, (middle[..., :, None] - middle[..., None, :]) ** 2)


MEASURES: dict[str, Callable[[Sums, FloatArray], FloatArray]] = {
    "alpha": nominal_alpha,
    "alpha_ordinal": ordinal_alpha,
    "alpha_interval": interval_alpha,
    "ac1": gwet_ac1,
    "percent": percent_agreement,
}


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Return part / whole; nan where the whole is nothing."""
    part, whole = np.broadcast_arrays(np.asarray(part, np.float64), np.asarray(whole, np.float64))
    return np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole != 0)
