"""How far judges agree where they gave scores: Krippendorff's α, the intraclass correlation, r.

An item is a segment's output by one system; its values x are those of different judges, of each
the last one. Over the items i that m_i ≥ 2 judges scored, with n values in all, the squares SS_i
about the item's mean and SS about the mean of all,

    α    1 - [Σ_i m_i SS_i / (m_i - 1) / n] / [SS / (n - 1)],
    ICC  (B - W) / (B + (k - 1) W),   W = Σ SS_i / (n - N),   B = (SS - Σ SS_i) / (N - 1),

N the number of items and k = (n - Σ m_i² / n) / (N - 1) judges to an item: the share of variance
that is between outputs, of one judge's score. α of ordinal values is that of their ranks among all,
ties sharing the mean rank. α and ICC are sums over segments, or over documents where the file names
any, which are drawn again for intervals: outputs of one document are alike. Pearson's r of two
judges has an interval on Fisher's scale, artanh r ± t σ, by what each of these adds to r,

    (u v - r (u² + v²) / 2) / n / (1 - r²),   u and v both judges' scores in standard deviations.

References: Krippendorff 2011, *Computing Krippendorff's Alpha-Reliability*; Shrout & Fleiss 1979,
*Intraclass Correlations: Uses in Assessing Rater Reliability*, ICC(1, 1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from analysis.campaign import FloatArray, IntArray, Judgments, Scores
from analysis.errors import UndefinedResultError
from analysis.judges.agreement import check_interval
from analysis.judges.kappa import NO_INTERVAL, quantile_interval, resampled_segments
from analysis.wording import count, fixed

TINY = 1e-12

FEWEST_COMMON = 5
"""Outputs that two judges must both have scored before their correlation is told."""

SCORE_NAMES = {
    "alpha_ordinal": "Krippendorff's α, ordinal",
    "alpha_interval": "Krippendorff's α, interval",
    "icc": "Intraclass correlation, one judge",
}


@dataclass(frozen=True)
class Measure:
    """A measure with its interval over resampled sentences, by these judges; ``n`` items."""

    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, eq=False)
class ScoreAgreement:
    """How far judges agree in their scores.

    ``correlation[J, J]`` is Pearson's r of two judges over the ``common[J, J]`` outputs that both
    scored, nan where these are fewer than `FEWEST_COMMON`, with the ends of its interval.
    """

    alpha_ordinal: Measure
    alpha_interval: Measure
    icc: Measure
    judges: tuple[str, ...]
    correlation: FloatArray
    correlation_low: FloatArray
    correlation_high: FloatArray
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
                "low": self.correlation_low[first, second],
                "high": self.correlation_high[first, second],
            }
        )
        return frame.sort_values("common", ascending=False, kind="stable", ignore_index=True)


def score_headline(found: ScoreAgreement) -> str:
    """Say how much judges' ratings agree: on a terminal, in a report and in a paper.

    "Krippendorff's α of different judges' ratings of one output is 0.41 (0.36 to 0.46 for these
    judges) on the interval scale, over the 90 outputs that two judges or more rated"
    """
    alpha = found.alpha_interval
    if not alpha.n:
        return "No output was rated by two judges, so their agreement is unknown"
    if np.isnan(alpha.value):
        return "All ratings of the same outputs are equal, so agreement is undefined"
    ends = f" ({fixed(alpha.low)} to {fixed(alpha.high)} for these judges)"
    return (
        f"Krippendorff's α of different judges' ratings of one output is {fixed(alpha.value)}"
        f"{'' if np.isnan(alpha.low) else ends} on the interval scale, over the "
        f"{count(alpha.n, 'output')} that two judges or more rated"
    )


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
            "Use the agreement of their rankings.",
        )
    items = _items(scores)
    table = items[items.groupby("item")["judge"].transform("size") > 1]
    n = table["item"].nunique()
    ranks = table["value"].rank().to_numpy()
    tables = {
        "interval": _by_drawn(np.asarray(table["value"], dtype=np.float64), table),
        "ordinal": _by_drawn(np.asarray(ranks, dtype=np.float64), table),
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

    pairs = _Correlations.of(items, len(judgments.judges), level)
    return ScoreAgreement(
        alpha_ordinal=measured("ordinal", _alpha),
        alpha_interval=measured("interval", _alpha),
        icc=measured("interval", _icc),
        judges=judgments.judges,
        correlation=pairs.r,
        correlation_low=pairs.low,
        correlation_high=pairs.high,
        common=pairs.common,
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
            "drawn": (scores.segment if scores.document is None else scores.document),
        }
    )
    frame["item"] = frame.groupby(["segment", "system"]).ngroup()
    return frame.drop_duplicates(["item", "judge"], keep="last").reset_index(drop=True)


def _by_drawn(values: FloatArray, table: pd.DataFrame) -> FloatArray:
    """Return what the measures are made of, added up over the items of what is drawn again.

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
    segment = pd.factorize(table["drawn"].to_numpy()[first])[0]
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


@dataclass(frozen=True, eq=False)
class _Correlations:
    """Pearson's r of every two judges [J, J], its interval, and the outputs that both scored."""

    r: FloatArray
    low: FloatArray
    high: FloatArray
    common: IntArray

    @classmethod
    def of(cls, items: pd.DataFrame, n_judges: int, level: float) -> _Correlations:
        r, low, high = (np.full((n_judges, n_judges), np.nan) for _ in range(3))
        common = np.zeros((n_judges, n_judges), dtype=np.int64)
        wide = items.pivot_table(index="item", columns="judge", values="value")
        drawn = items.groupby("item")["drawn"].first().loc[wide.index].to_numpy()
        values, seen = wide.to_numpy(), wide.columns.to_numpy()
        known = ~np.isnan(values)
        place = np.ix_(seen, seen)
        common[place] = known.T.astype(np.int64) @ known
        for a, b in zip(*np.triu_indices(len(seen), 1), strict=True):
            both = known[:, a] & known[:, b]
            if both.sum() < FEWEST_COMMON:
                continue
            found = _correlation(values[both, a], values[both, b], drawn[both], level)
            for first, second in ((seen[a], seen[b]), (seen[b], seen[a])):
                r[first, second], low[first, second], high[first, second] = found
        return cls(r, low, high, common)


def _correlation(
    x: FloatArray, y: FloatArray, drawn: IntArray, level: float
) -> tuple[float, float, float]:
    """Return r with its interval; outputs of one sentence, or one document, go together."""
    deviations = x.std(), y.std()
    if min(deviations) < TINY:
        return np.nan, *NO_INTERVAL
    x, y = (x - x.mean()) / deviations[0], (y - y.mean()) / deviations[1]
    r = float(np.clip((x * y).mean(), -1, 1))
    _, unit = np.unique(drawn, return_inverse=True)
    g = int(unit.max()) + 1
    if g < FEWEST_COMMON or 1 - abs(r) < TINY:
        return r, *NO_INTERVAL
    moved = np.bincount(unit, x * y - r * (x**2 + y**2) / 2) / len(x) / (1 - r**2)
    reach = float(stdtrit(g - 1, (1 + level) / 2) * np.sqrt(g / (g - 1) * (moved**2).sum()))
    return r, float(np.tanh(np.arctanh(r) - reach)), float(np.tanh(np.arctanh(r) + reach))
