"""Models side by side on the same held-out judgments, and which of them can be told apart.

Accuracies that differ in the third digit may differ by chance. All models predict the same
judgments, so their difference is known far better than either number: the interval comes from
drawing the held-out ranking tasks again, with replacement, and taking the difference in each
draw. The training data stay as they are; what another campaign would teach the models is left out.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, PairCounts
from analysis.parallel import map_chunks
from analysis.prediction.accuracy import accuracy, oracle_outcomes
from analysis.prediction.cross_validation import HeldOutScore
from analysis.prediction.splits import Split

GUESSED = 1 / 3
"""Accuracy of calling win, tie and loss at random."""


@dataclass(frozen=True)
class Estimate:
    """A number with its interval."""

    value: float
    low: float
    high: float

    @property
    def differs_from_zero(self) -> bool:
        return self.low > 0 or self.high < 0


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
    """First model minus second; a *lower* perplexity is better."""

    first: str
    second: str
    accuracy: Estimate
    perplexity: Estimate


@dataclass(frozen=True, eq=False)
class PairedComparison:
    """Models by falling accuracy, all their paired differences, and the oracle's accuracy."""

    split: Split
    standings: tuple[Standing, ...]
    differences: tuple[Difference, ...]
    oracle: float
    runs: int
    level: float
    seed: int

    def difference(self, first: str, second: str) -> Difference:
        """Return the difference of two models, in the order asked for."""
        for d in self.differences:
            if (d.first, d.second) == (first, second):
                return d
            if (d.second, d.first) == (first, second):
                return Difference(first, second, _negative(d.accuracy), _negative(d.perplexity))
        raise KeyError((first, second))

    @property
    def not_told_apart(self) -> tuple[str, ...]:
        """Names of the models whose accuracy cannot be told from the best one's."""
        best = self.standings[0].score.method
        return tuple(
            s.score.method
            for s in self.standings[1:]
            if not self.difference(best, s.score.method).accuracy.differs_from_zero
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the numbers must know: of the split, and of models too sure."""
        too_sure = [s.score.shown for s in self.standings if s.perplexity.low > 3]
        if not too_sure:
            return self.split.notes
        return (
            *self.split.notes,
            f"{_enumerate(too_sure)}: a perplexity above 3 is worse than calling all outcomes "
            "equally likely. The order may be right, but the probabilities are too sure.",
        )

    def verdict(self) -> str:
        """Say in one sentence which model to believe, and how sure that is."""
        best, equals = self.standings[0], self.not_told_apart
        share = f"{best.accuracy.value:.1%} of the unseen outcomes; no model can name more than"
        share += f" {self.oracle:.1%}"
        if best.accuracy.low <= GUESSED:
            return (
                f"No model is known to predict better than guessing: the first, "
                f"{best.score.shown}, names {share}."
            )
        if len(self.standings) == 1:
            return f"{best.score.shown} names {share}."
        if not equals:
            return (
                f"{best.score.shown} predicts best at the {self.level:.0%} level: it names {share}."
            )
        if len(equals) < 4:
            shown = {s.score.method: s.score.shown for s in self.standings}
            who = _enumerate([best.score.shown, *(shown[name] for name in equals)])
        else:
            who = f"{len(equals) + 1} of {len(self.standings)} models"
        return (
            f"{who} cannot be told apart at the {self.level:.0%} level: "
            f"the first, {best.score.shown}, names {share}."
        )

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
                    "perplexity": d.perplexity.value,
                    "perplexity_low": d.perplexity.low,
                    "perplexity_high": d.perplexity.high,
                }
                for d in self.differences
            ]
        )


def compare_paired(
    split: Split,
    scores: Sequence[HeldOutScore],
    *,
    runs: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    executor: Executor | None = None,
) -> PairedComparison:
    """Put models' scores on one split together; intervals from ``runs`` draws of the tasks."""
    ordered = sorted(scores, key=lambda s: (-s.accuracy, s.perplexity))
    sizes = np.bincount(split.held_out.task, minlength=split.held_out.n_tasks)
    sums = np.column_stack([sizes, *(s.hits for s in ordered), *(s.bits for s in ordered)])
    chunks = map_chunks(partial(_draw_tasks, sums), runs, seed=seed, executor=executor)
    observed, drawn = _measures(sums.sum(axis=0)), _measures(np.concatenate(chunks))
    tails = np.array([1 - level, 1 + level]) / 2

    def estimate(value: FloatArray, draws: FloatArray) -> Estimate:
        low, high = np.quantile(draws, tails)
        return Estimate(float(value), float(low), float(high))

    n = len(ordered)
    return PairedComparison(
        split=split,
        standings=tuple(
            Standing(s, *(estimate(observed[m, k], drawn[:, m, k]) for m in (0, 1)))
            for k, s in enumerate(ordered)
        ),
        differences=tuple(
            Difference(
                ordered[a].method,
                ordered[b].method,
                *(
                    estimate(observed[m, a] - observed[m, b], drawn[:, m, a] - drawn[:, m, b])
                    for m in (0, 1)
                ),
            )
            for a, b in itertools.combinations(range(n), 2)
        ),
        oracle=oracle_accuracy(split),
        runs=runs,
        level=level,
        seed=seed,
    )


def oracle_accuracy(split: Split) -> float:
    """Return the accuracy of naming each pair's most frequent outcome in all held-out judgments."""
    counts = split.test_counts
    pooled = PairCounts(counts.wins.sum(axis=0), counts.ties.sum(axis=0))
    return float(accuracy(oracle_outcomes(pooled), pooled))


def _draw_tasks(sums: FloatArray, n: int, rng: np.random.Generator) -> FloatArray:
    """Return the column sums of ``n`` draws of as many tasks (rows) as there are."""
    n_tasks = len(sums)
    drawn = np.empty((n, sums.shape[1]))
    for r in range(n):
        drawn[r] = np.bincount(rng.integers(n_tasks, size=n_tasks), minlength=n_tasks) @ sums
    return drawn


def _measures(sums: FloatArray) -> FloatArray:
    """Return [..., 2, models]: accuracies and perplexities, from judgments, hits and bits."""
    share = sums[..., 1:] / sums[..., :1]
    n = share.shape[-1] // 2
    return np.stack([share[..., :n], 2 ** share[..., n:]], axis=-2)


def _negative(estimate: Estimate) -> Estimate:
    return Estimate(-estimate.value, -estimate.high, -estimate.low)


def _enumerate(names: Sequence[str]) -> str:
    """Join names by commas, or by semicolons where a name has a comma of its own.

    >>> _enumerate(["Elo", "Bojar"]), _enumerate(["Hopkins & May, Gaussian", "Elo", "Bojar"])
    ('Elo and Bojar', 'Hopkins & May, Gaussian; Elo; and Bojar')
    """
    if any("," in name for name in names) and len(names) > 1:
        return "; ".join([*names[:-1], f"and {names[-1]}"])
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


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
