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

All are made of sums over segments, so that segments are drawn again as for kappa.

References: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability; Gwet 2008, Computing
inter-rater reliability and its variance in the presence of high agreement.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analysis.campaign import FloatArray, IntArray, Judgments
from analysis.judges.agreement import (
    NO_INTERVAL,
    check_interval,
    quantile_interval,
    resampled_segments,
    unordered_labels_of,
)

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

    ``n`` is the number of items that two judges or more labeled. nan where there is none, or where
    all labels are alike, so that nothing exceeds chance.
    """

    value: float
    low: float
    high: float
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
    counts, segment = labels_of_items(judgments)
    used = counts.any(axis=0)
    counts, labels = counts[:, used], LABELS[used]
    table = by_segment(counts, segment)
    whole = sums_of(table.sum(axis=0), len(labels))
    n = int(whole.compared)
    has_interval = runs > 0 and np.count_nonzero(sums_of(table, len(labels)).compared) > 1
    again = sums_of(resampled_segments(table, runs, seed), len(labels)) if has_interval else None
    found = {}
    for name, measure in MEASURES.items():
        ends = NO_INTERVAL if again is None else quantile_interval(measure(again, labels), level)
        found[name] = Coefficient(float(measure(whole, labels)), *ends, n)
    return Coefficients(**found, runs=runs, level=level, seed=seed)


def labels_of_items(judgments: Judgments) -> tuple[IntArray, IntArray]:
    """Return counts[I, 3] of worse, tie and better for every item, and its segment."""
    labels = unordered_labels_of(judgments)
    item = labels.item()
    n_judges = int(labels.judge.max(initial=-1)) + 1
    n_items = int(item.max(initial=-1)) + 1
    _, first = np.unique(item * n_judges + labels.judge, return_index=True)
    counts = np.bincount(item[first] * 3 + labels.outcome[first] + 1, minlength=3 * n_items)
    segment = np.zeros(n_items, dtype=np.int64)
    segment[item] = labels.segment
    return counts.reshape(n_items, 3), segment


def by_segment(counts: IntArray, segment: IntArray) -> FloatArray:
    """Return a row of sums for every segment; `sums_of` tells what stands where."""
    n, q = counts.astype(np.float64), counts.shape[1]
    m = n.sum(axis=1)
    is_compared = m > 1
    pairs = n[:, :, None] * (n[:, None, :] - np.eye(q))
    per_label = np.where(is_compared, m - 1, np.inf)
    agreeing = np.trace(pairs, axis1=1, axis2=2) / (m * per_label)
    columns = [
        (pairs / per_label[:, None, None]).reshape(len(n), q * q),
        agreeing[:, None],
        is_compared[:, None],
        n / m[:, None],
        np.ones((len(n), 1)),
    ]
    table = np.zeros((int(segment.max(initial=-1)) + 1, q * q + q + 3))
    np.add.at(table, segment, np.hstack(columns))
    return table


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
