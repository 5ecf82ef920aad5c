"""Models side by side on the same held-out judgments, and which of them differ significantly.

All models predict the same judgments, so that the difference of two accuracies is known far better
than either. Its variance is that of `analysis.ranking.uncertainty`: segments and judges are
samples. Two more things make differences of models look surer than they are. Folds learn from
nearly the same judgments, so that the variance is taken times `Split.reuse`. And the best of many
is chosen by the same judgments: which models are told from it is Holm's test over all comparisons
with it, at the level.

References: Nadeau & Bengio 2003, *Inference for the Generalization Error*; Cameron, Gelbach &
Miller 2011, *Robust Inference with Multiway Clustering*.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from analysis.campaign import PairCounts
from analysis.extras.validation.prediction.cross_validation import (
    HeldOutScore,
    added_by_task,
    uncertainty_of_shares,
)
from analysis.extras.validation.prediction.radius import accuracy, hit_cells, oracle_outcomes
from analysis.extras.validation.prediction.splits import Split
from analysis.ranking.covariance import Unit
from analysis.ranking.significance import holm
from analysis.ranking.uncertainty import Interval
from analysis.ranking.variance import Scope

Measure = Literal["accuracy", "perplexity"]


@dataclass(frozen=True)
class Estimate:
    """A number with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Standing:
    """One model's accuracy and perplexity; the radii are the medians over the folds."""

    score: HeldOutScore
    accuracy: Estimate
    perplexity: Estimate

    @property
    def accuracy_radius(self) -> float:
        return float(np.median(self.score.prediction.accuracy_radius))

    @property
    def perplexity_radius(self) -> float:
        return float(np.median(self.score.prediction.perplexity_radius))


@dataclass(frozen=True)
class Difference:
    """First model minus second; a *lower* perplexity is better.

    Each p is that of this one comparison: 2T(-|difference| / σ).
    """

    first: str
    second: str
    accuracy: Estimate
    perplexity: Estimate
    accuracy_p: float
    perplexity_p: float


@dataclass(frozen=True, eq=False)
class PairedComparison:
    """Models by falling accuracy, all their paired differences, and the oracle's accuracy.

    ``missing`` says which units of the ``scope`` the file does not name.
    """

    split: Split
    standings: tuple[Standing, ...]
    differences: tuple[Difference, ...]
    oracle: float
    level: float
    scope: Scope
    missing: Mapping[Unit, str]

    def difference(self, first: str, second: str) -> Difference:
        """Return the difference of two models, in the order asked for."""
        for d in self.differences:
            if (d.first, d.second) == (first, second):
                return d
            if (d.second, d.first) == (first, second):
                opposite = _negative(d.accuracy), _negative(d.perplexity)
                return Difference(first, second, *opposite, d.accuracy_p, d.perplexity_p)
        raise KeyError((first, second))

    @property
    def calmest(self) -> Standing:
        """The model of lowest perplexity."""
        return min(self.standings, key=lambda s: s.perplexity.value)

    def best(self, measure: Measure) -> Standing:
        """Return the model that is first by a measure."""
        return self.standings[0] if measure == "accuracy" else self.calmest

    def not_told_from_best(self, measure: Measure) -> tuple[str, ...]:
        """Names of the models that Holm's test does not tell from the first one by a measure."""
        best = self.best(measure).score.method
        others = [s.score.method for s in self.standings if s.score.method != best]
        p = np.full((len(others) + 1,) * 2, np.nan)
        p[0, 1:] = [getattr(self.difference(best, other), f"{measure}_p") for other in others]
        told = holm(p)[0, 1:] <= 1 - self.level + 1e-12
        return tuple(other for other, apart in zip(others, told, strict=True) if not apart)

    @property
    def not_separated(self) -> tuple[str, ...]:
        """Names of the models whose accuracy cannot be told from the best one's."""
        return self.not_told_from_best("accuracy")

    def to_frame(self) -> pd.DataFrame:
        """Return a table, best accuracy first, the oracle last."""
        rows = [
            {
                "method": s.score.method,
                "accuracy": s.accuracy.value,
                "accuracy_low": s.accuracy.low,
                "accuracy_high": s.accuracy.high,
                "radius": s.accuracy_radius,
                "perplexity": s.perplexity.value,
                "perplexity_low": s.perplexity.low,
                "perplexity_high": s.perplexity.high,
                "tie_radius": s.perplexity_radius,
            }
            for s in self.standings
        ]
        return pd.DataFrame([*rows, {"method": "oracle", "accuracy": self.oracle}])

    def differences_frame(self) -> pd.DataFrame:
        """Return a table of the paired differences."""
        return pd.DataFrame(
            [
                {
                    "first": d.first,
                    "second": d.second,
                    "accuracy": d.accuracy.value,
                    "accuracy_low": d.accuracy.low,
                    "accuracy_high": d.accuracy.high,
                    "accuracy_p": d.accuracy_p,
                    "perplexity": d.perplexity.value,
                    "perplexity_low": d.perplexity.low,
                    "perplexity_high": d.perplexity.high,
                    "perplexity_p": d.perplexity_p,
                }
                for d in self.differences
            ]
        )


def compare_paired(
    split: Split,
    scores: Sequence[HeldOutScore],
    *,
    level: float = 0.95,
    scope: Scope = "new",
) -> PairedComparison:
    """Put models' scores on one split together, with intervals for the ``scope``."""
    ordered = sorted(scores, key=lambda s: (-s.accuracy, s.perplexity))
    n = len(ordered)
    values = np.array([[s.accuracy for s in ordered], [s.perplexity for s in ordered]])
    sizes = split.held_out.sum_by_task(np.ones(len(split.held_out)))
    hits, bits = (np.stack([getattr(s, x) for s in ordered], axis=1) for x in ("hits", "bits"))
    # d 2^b = 2^b ln 2 db
    slopes = np.array([np.ones(n), np.log(2) * values[1]])
    doubts = [
        uncertainty_of_shares(slope * added_by_task(sums, sizes), split.held_out)
        for sums, slope in zip((hits, bits), slopes, strict=True)
    ]
    each = np.eye(n)

    def standing(k: int) -> Standing:
        accuracy, perplexity = (
            doubt.interval(values[m], each[k], level, scope) for m, doubt in enumerate(doubts)
        )
        share = Estimate(accuracy.estimate, max(accuracy.low, 0.0), min(accuracy.high, 1.0))
        return Standing(ordered[k], share, _estimate(perplexity))

    def difference(a: int, b: int) -> Difference:
        gaps = [
            doubt.interval(values[m], each[a] - each[b], level, scope).widened(split.reuse**0.5)
            for m, doubt in enumerate(doubts)
        ]
        accuracy, perplexity = (_estimate(gap) for gap in gaps)
        p = (gap.p for gap in gaps)
        return Difference(ordered[a].method, ordered[b].method, accuracy, perplexity, *p)

    return PairedComparison(
        split=split,
        standings=tuple(standing(k) for k in range(n)),
        differences=tuple(difference(a, b) for a, b in itertools.combinations(range(n), 2)),
        oracle=oracle_accuracy(split),
        level=level,
        scope=scope,
        missing=doubts[0].missing,
    )


def oracle_accuracy(split: Split) -> float:
    """Return the accuracy of naming each pair's most frequent outcome in all held-out judgments."""
    counts = _pooled(split)
    return float(accuracy(oracle_outcomes(counts), counts))


def guessed_accuracy(split: Split) -> float:
    """Return the best accuracy without a look at the systems: a tie, or the toss of a coin."""
    counts = _pooled(split)
    ties = counts.ties.sum() / counts.compared.sum()
    return float(max(ties, (1 - ties) / 2))


def oracle_error(split: Split) -> float:
    """Return the standard error of the oracle's accuracy for other sentences and judges.

    It stands for that of any accuracy on these held-out judgments, as errors go by their number.
    """
    held_out = split.held_out
    hits = held_out.sum_by_task(hit_cells(oracle_outcomes(_pooled(split)))[held_out.cell])
    sizes = held_out.sum_by_task(np.ones(len(held_out)))
    added = added_by_task(hits[:, None], sizes)
    return float(np.sqrt(uncertainty_of_shares(added, held_out).along(np.ones(1))))


def _pooled(split: Split) -> PairCounts:
    counts = split.test_counts
    return PairCounts(counts.wins.sum(axis=0), counts.ties.sum(axis=0))


def _estimate(interval: Interval) -> Estimate:
    return Estimate(interval.estimate, interval.low, interval.high)


def _negative(estimate: Estimate) -> Estimate:
    return Estimate(-estimate.value, -estimate.high, -estimate.low)


def accuracy_table(comparisons: Mapping[str, PairedComparison]) -> pd.DataFrame:
    """Return accuracies in percent, methods in columns and the oracle last (WMT14, Table 7)."""
    rows = {
        pair: {s.score.method: 100 * s.accuracy.value for s in c.standings}
        | {"oracle": 100 * c.oracle}
        for pair, c in comparisons.items()
    }
    frame = pd.DataFrame.from_dict(rows, orient="index")
    frame.loc["MEAN"] = frame.mean()
    last = frame.pop("oracle")
    return frame.reindex(columns=sorted(frame.columns)).assign(oracle=last)
