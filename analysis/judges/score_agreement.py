"""How far judges agree where they gave scores: Krippendorff's α, the intraclass correlation, r.

An item is a segment's output by one system; its values x are those of different judges, of each
the last one. Over the items i that m_i ≥ 2 judges scored, with n values in all, the squares SS_i
about the item's mean and SS about the mean of all,

    α    1 - [Σ_i m_i SS_i / (m_i - 1) / n] / [SS / (n - 1)],
    ICC  (B - W) / (B + (k - 1) W),   W = Σ SS_i / (n - N),   B = (SS - Σ SS_i) / (N - 1),

N the number of items and k = (n - Σ m_i² / n) / (N - 1) judges to an item: the share of variance
that is between outputs, of one judge's score. α of ordinal values is that of their ranks among all,
ties sharing the mean rank. α and ICC are sums over segments, which are drawn again for intervals.

References: Krippendorff 2011, *Computing Krippendorff's Alpha-Reliability*; Shrout & Fleiss 1979,
*Intraclass Correlations: Uses in Assessing Rater Reliability*, ICC(1, 1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from analysis.campaign import FloatArray, IntArray, Judgments, Scores
from analysis.errors import UndefinedResultError
from analysis.judges.agreement import (
    NO_INTERVAL,
    check_interval,
    quantile_interval,
    resampled_segments,
)

FEWEST_COMMON = 5
"""Outputs that two judges must both have scored before their correlation is told."""

SCORE_NAMES = {
    "alpha_ordinal": "Krippendorff's α, ordinal",
    "alpha_interval": "Krippendorff's α, interval",
    "icc": "Intraclass correlation, one judge",
}


@dataclass(frozen=True)
class Measure:
    """A measure with its interval over resampled segments, by these judges; ``n`` items."""

    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, eq=False)
class ScoreAgreement:
    """How far judges agree in their scores.

    ``correlation[J, J]`` is Pearson's r of two judges over the ``common[J, J]`` outputs that both
    scored, nan where these are fewer than `FEWEST_COMMON`.
    """

    alpha_ordinal: Measure
    alpha_interval: Measure
    icc: Measure
    judges: tuple[str, ...]
    correlation: FloatArray
    common: IntArray
    runs: int
    level: float
    seed: int

    def by_name(self) -> dict[str, Measure]:
        """Return the measures under the names of `SCORE_NAMES`."""
        return {name: getattr(self, name) for name in SCORE_NAMES}

    def pairs_frame(self) -> pd.DataFrame:
        """Return two judges a row, those with most outputs in common first."""
        first, second = np.triu_indices(len(self.judges), 1)
        kept = ~np.isnan(self.correlation[first, second])
        first, second = first[kept], second[kept]
        frame = pd.DataFrame(
            {
                "judge": [self.judges[k] for k in first],
                "other": [self.judges[k] for k in second],
                "common": self.common[first, second],
                "correlation": self.correlation[first, second],
            }
        )
        return frame.sort_values("common", ascending=False, kind="stable", ignore_index=True)


def score_agreement(
    judgments: Judgments, *, runs: int = 1000, level: float = 0.95, seed: int = 0
) -> ScoreAgreement:
    """Return how far judges agree in the scores that count, with intervals over ``runs``."""
    check_interval(runs, level)
    scores = judgments.scores
    if scores is None:
        raise UndefinedResultError(
            f"Agreement of scores in {judgments.pair}",
            "the judges of this campaign ranked outputs",
            "Ask how far their rankings agree.",
        )
    items = _items(scores)
    table = items[items.groupby("item")["judge"].transform("size") > 1]
    n = table["item"].nunique()
    ranks = rankdata(table["value"])
    tables = {
        "interval": _by_segment(np.asarray(table["value"], dtype=np.float64), table),
        "ordinal": _by_segment(np.asarray(ranks, dtype=np.float64), table),
    }

    def measured(which: str, of: Callable[[FloatArray], FloatArray]) -> Measure:
        sums = tables[which]
        if not n:
            return Measure(np.nan, *NO_INTERVAL, 0)
        value = float(of(sums.sum(axis=0)))
        ends = NO_INTERVAL
        if runs:
            ends = quantile_interval(of(resampled_segments(sums, runs, seed)), level)
        return Measure(value, *ends, n)

    correlation, common = _correlations(items, len(judgments.judges))
    return ScoreAgreement(
        alpha_ordinal=measured("ordinal", _alpha),
        alpha_interval=measured("interval", _alpha),
        icc=measured("interval", _icc),
        judges=judgments.judges,
        correlation=correlation,
        common=common,
        runs=runs,
        level=level,
        seed=seed,
    )


def _items(scores: Scores) -> pd.DataFrame:
    """Return one value a judge and output: the last."""
    frame = pd.DataFrame(
        {
            "segment": scores.segment.astype(np.int64),
            "system": scores.system.astype(np.int64),
            "judge": scores.judge.astype(np.int64),
            "value": scores.goodness,
        }
    )
    frame["item"] = frame.groupby(["segment", "system"]).ngroup()
    return frame.drop_duplicates(["item", "judge"], keep="last").reset_index(drop=True)


def _by_segment(values: FloatArray, table: pd.DataFrame) -> FloatArray:
    """Return what the measures are made of, added up over each segment's items.

    Columns: values, their sum, their squares, Σ m SS/(m - 1), Σ SS, Σ m², items. Values are taken
    from their mean first, so that squares keep their digits.
    """
    if not len(values):
        return np.zeros((0, 7))
    values = values - values.mean()
    item = pd.factorize(table["item"])[0]
    m = np.bincount(item)
    mean = np.bincount(item, values) / m
    squares = np.bincount(item, (values - mean[item]) ** 2)
    first = np.unique(item, return_index=True)[1]
    segment = pd.factorize(table["segment"].to_numpy()[first])[0]
    columns = [
        m, np.bincount(item, values), np.bincount(item, values**2), m * squares / (m - 1), squares,
        m**2, np.ones(len(m)),
    ]  # fmt: skip
    return np.stack([np.bincount(segment, column) for column in columns], axis=1)


def _alpha(sums: FloatArray) -> FloatArray:
    n, total, squares, weighted = (sums[..., k] for k in range(4))
    expected = (squares - total**2 / np.maximum(n, 1)) / np.maximum(n - 1, 1)
    observed = weighted / np.maximum(n, 1)
    undefined = np.full(np.shape(n), np.nan)
    return 1 - np.divide(observed, expected, out=undefined, where=expected > 1e-12)


def _icc(sums: FloatArray) -> FloatArray:
    n, total, squares, _, within, of_sizes, items = (sums[..., k] for k in range(7))
    whole = squares - total**2 / np.maximum(n, 1)
    between = (whole - within) / np.maximum(items - 1, 1)
    inside = within / np.maximum(n - items, 1)
    k = (n - of_sizes / np.maximum(n, 1)) / np.maximum(items - 1, 1)
    bottom = between + (k - 1) * inside
    undefined = np.full(np.shape(n), np.nan)
    return np.divide(between - inside, bottom, out=undefined, where=bottom > 1e-12)


def _correlations(items: pd.DataFrame, n_judges: int) -> tuple[FloatArray, IntArray]:
    """Return Pearson's r and the number of common outputs of every two judges."""
    wide = items.pivot_table(index="item", columns="judge", values="value")
    found = wide.corr(min_periods=FEWEST_COMMON).to_numpy()
    known = wide.notna().to_numpy().astype(np.int64)
    seen = wide.columns.to_numpy()
    correlation = np.full((n_judges, n_judges), np.nan)
    common = np.zeros((n_judges, n_judges), dtype=np.int64)
    place = np.ix_(seen, seen)
    correlation[place], common[place] = found, known.T @ known
    return correlation, common
