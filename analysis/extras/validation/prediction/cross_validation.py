"""A model's predictions in every fold of a split, and how they fared: hits, calibration.

How shares of held-out judgments would vary with other segments and other judges: a share is a ratio
of sums, x = Σ_t x_t / Σ_t n_t over the held-out tasks t. To first order a task adds
(x_t - x n_t) / Σ n_t to it. Sums of that by tasks, segments and judges give the variance of
`analysis.ranking.verdict`, where nothing is taken for independent that was judged together.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, IntArray
from analysis.extras.validation.prediction.predict import Model, Prediction, predict
from analysis.extras.validation.prediction.radius import (
    DEFAULT_TUNING,
    Tuning,
    hit_cells,
    surprise_cells,
)
from analysis.extras.validation.prediction.splits import Average, HeldOut, Split, set_aside
from analysis.parallel import Progress, map_items
from analysis.provenance import Provenance
from analysis.ranking.covariance import Unit, UnitCovariance, number_alike
from analysis.ranking.significance import clopper_pearson
from analysis.ranking.uncertainty import Uncertainty

WON, LOST = 0, 2
"""Of the three tables of `HeldOut.cell`, those of wins and losses."""


UNITS_IN_WORDS: dict[Unit, str] = {
    "task": "ranking task",
    "segment": "segment",
    "judge": "judge",
}


@dataclass(frozen=True, eq=False)
class HeldOutScore:
    """How one model fared on what it did not learn from.

    ``hits`` and ``bits`` are sums over each held-out task's judgments: outcomes named rightly,
    where a toss of a coin is half a hit, and surprise -log2 Q. ``method`` is the command line's
    name for the model, ``shown`` the reader's.
    """

    method: str
    shown: str
    provenance: Provenance
    prediction: Prediction
    hits: FloatArray
    bits: FloatArray
    n_judgments: int
    calibration: Calibration

    @property
    def signature(self) -> str:
        """What makes the numbers again, as text."""
        return str(self.provenance)

    @property
    def accuracy(self) -> float:
        return float(self.hits.sum() / self.n_judgments)

    @property
    def perplexity(self) -> float:
        return float(2 ** (self.bits.sum() / self.n_judgments))

    def without_tables(self) -> HeldOutScore:
        """Return the score alone: a table in every fold is much to keep with many systems."""
        empty = np.zeros((*self.prediction.win.shape[:-2], 0, 0))
        kept = replace(
            self.prediction, named=empty.astype(np.int8), win=empty, tie=empty, loss=empty
        )
        return replace(self, prediction=kept)


def cross_validate(
    split: Split,
    model: Model,
    *,
    label: str | None = None,
    tuning: Tuning = DEFAULT_TUNING,
    average: Average = "judgments",
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> HeldOutScore:
    """Train a model on each fold's training judgments and score what it says of the others.

    ``label`` names the model where several have one name, such as TrueSkill with 2 and 3 players.
    """
    folds = range(split.n_folds)
    predictions = predict_folds(
        split, model, folds, tuning=tuning, seed=seed, executor=executor, progress=progress
    )
    stacked = Prediction.stack(predictions)
    return score(split, model, stacked, label=label, tuning=tuning, average=average, seed=seed)


def predict_folds(
    split: Split,
    model: Model,
    folds: Sequence[int],
    *,
    tuning: Tuning = DEFAULT_TUNING,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> list[Prediction]:
    """Return what a model predicts in some of the folds.

    A fold's prediction depends on the seed and the fold alone: folds asked for one after the other
    give what all of them at once give, and a run that was left can go on where it was.
    """
    split.judgments.observations  # noqa: B018  computed once, before the threads start
    function = partial(_predict_fold, split, model, tuning, seed)
    return map_items(function, folds, seed=seed, executor=executor, progress=progress)


def _predict_fold(
    split: Split, model: Model, tuning: Tuning, seed: int, fold: int, _: np.random.Generator
) -> Prediction:
    own_seed = int(np.random.SeedSequence([seed, fold]).generate_state(1)[0])
    train, dev = split.train(fold), split.dev
    if tuning.on == "dev" and dev is None:
        train, apart = set_aside(train, tuning.dev, np.random.default_rng(own_seed))
        dev = apart.counts
    return predict(model, train, tuning, seed=own_seed, dev=dev)


def score(
    split: Split,
    model: Model,
    prediction: Prediction,
    *,
    label: str | None = None,
    tuning: Tuning = DEFAULT_TUNING,
    average: Average = "judgments",
    seed: int = 0,
) -> HeldOutScore:
    """Look every held-out judgment up in its fold's tables, and add up by task.

    The mean over ``folds`` of their accuracies is that over judgments with the weights n / F n_f.
    """
    held_out, tables = split.held_out, (prediction.win, prediction.tie, prediction.loss)
    hit = hit_cells(prediction.named)[held_out.fold, held_out.cell]
    mean: tuple[tuple[str, object], ...] = ()
    if average == "folds":
        sizes = np.bincount(held_out.fold, minlength=split.n_folds)
        hit = hit * (len(held_out) / (split.n_folds * sizes))[held_out.fold]
        mean = (("mean", "folds"),)
    bits = surprise_cells(*tables)[held_out.fold, held_out.cell]
    return HeldOutScore(
        method=label or model.name,
        shown=label if label and label != model.name else model.title,
        provenance=model.provenance
        | split.judgments.provenance
        | Provenance(extra=(("split", split.name), *tuning.extra, *mean), seed=seed),
        prediction=prediction,
        hits=held_out.sum_by_task(hit),
        bits=held_out.sum_by_task(bits),
        n_judgments=len(held_out),
        calibration=calibrate(prediction.win, prediction.loss, held_out),
    )


@dataclass(frozen=True, eq=False)
class Calibration:
    """Predicted and observed preference, by bins of the predicted one.

    A judgment between i and j speaks twice, for "i is preferred" and for "j is preferred"; a tie
    is neither. ``predicted`` is the mean probability of a bin, ``observed`` the share that came
    true, with its interval from ``low`` to ``high`` for other sentences and judges; ``judgments``
    is the number behind it. Bins that hold nothing are left out.
    """

    bin_low: FloatArray
    bin_high: FloatArray
    predicted: FloatArray
    observed: FloatArray
    low: FloatArray
    high: FloatArray
    judgments: IntArray
    level: float

    @property
    def error(self) -> float:
        """The mean distance of predicted and observed, weighted by judgments."""
        distance = np.abs(self.predicted - self.observed)
        return float(np.average(distance, weights=self.judgments))

    def to_frame(self) -> pd.DataFrame:
        """Return a table, a bin a row."""
        return pd.DataFrame(
            {
                "bin_low": self.bin_low,
                "bin_high": self.bin_high,
                "predicted": self.predicted,
                "observed": self.observed,
                "low": self.low,
                "high": self.high,
                "judgments": self.judgments,
            }
        )


def calibrate(
    win: FloatArray, loss: FloatArray, held_out: HeldOut, bins: int = 10, level: float = 0.95
) -> Calibration:
    """Compare probabilities [F, K, K] of the system on the left with what judges said.

    Judgments of one sentence or one judge are no independent facts: the interval is that of as many
    independent ones as would leave the same variance (Korn & Graubard 1998).
    """
    n_pairs = win.shape[-1] ** 2
    kind, pair = np.divmod(held_out.cell, n_pairs)
    fact = held_out.fold * n_pairs + pair
    asked, true, weight = (np.zeros((held_out.n_tasks, bins)) for _ in range(3))
    for chance, outcome in ((win, WON), (loss, LOST)):
        predicted = chance.ravel()[fact]
        place = np.clip((predicted * bins).astype(np.int64), 0, bins - 1)
        cell = held_out.task * bins + place
        for sums, values in ((asked, None), (true, kind == outcome), (weight, predicted)):
            sums += np.bincount(cell, values, minlength=sums.size).reshape(sums.shape)
    held = np.flatnonzero(asked.sum(axis=0) > 0)
    asked, true, weight = asked[:, held], true[:, held], weight[:, held]
    total = asked.sum(axis=0)
    observed = true.sum(axis=0) / total
    doubt = uncertainty_of_shares(added_by_task(true, asked), held_out)
    size = effective_size(observed, total, doubt.along(np.eye(len(held))))
    low, high = clopper_pearson(observed * size, size, level)
    return Calibration(
        bin_low=held / bins,
        bin_high=(held + 1) / bins,
        predicted=weight.sum(axis=0) / total,
        observed=observed,
        low=low,
        high=high,
        judgments=total.astype(np.int64),
        level=level,
    )


def effective_size(share: FloatArray, n: FloatArray, variance: FloatArray) -> FloatArray:
    """Return how many independent facts would leave this variance of a share; at most ``n``.

    A variance of 0 or nan says nothing: where all came out alike, or of one task alone.

    >>> share, n, variance = np.array([.5, .5, 1.]), np.array([100., 100., 8.]), [.01, .001, 0]
    >>> effective_size(share, n, np.array(variance)).tolist()
    [25.0, 100.0, 8.0]
    """
    known = np.nan_to_num(variance) > 0
    size = share * (1 - share) / np.where(known, variance, 1.0)
    return np.where(known & (size > 0), np.clip(size, 1.0, n), n)


def added_by_task(sums: FloatArray, sizes: FloatArray) -> FloatArray:
    """Return what each task adds to the shares: ``sums[T, M]`` of ``sizes[T]`` or [T, M]."""
    sizes = np.broadcast_to(sizes if sizes.ndim == 2 else sizes[:, None], sums.shape)
    total = np.maximum(sizes.sum(axis=0), 1)
    return np.asarray((sums - sums.sum(axis=0) / total * sizes) / total)


def uncertainty_of_shares(added: FloatArray, held_out: HeldOut) -> Uncertainty:
    """Return the covariances of M numbers by tasks, segments and judges from ``added[T, M]``.

    As in `analysis.ranking.covariance`, a group that holds a large share w of the judgments moves
    the shares by its sum times (1 - 1/G)/(1 - w).
    """
    sizes = held_out.sum_by_task(np.ones(len(held_out)))
    labels: dict[Unit, IntArray] = {
        "task": np.arange(held_out.n_tasks),
        "segment": held_out.task_source,
        "judge": held_out.task_judge,
    }
    units: dict[Unit, UnitCovariance] = {}
    missing: dict[Unit, str] = {}
    for unit, label in labels.items():
        groups, group = np.unique(label, return_inverse=True)
        n = len(groups)
        if n < 2:
            missing[unit] = f"All judgments belong to one {UNITS_IN_WORDS[unit]}."
            continue
        weight = np.bincount(group, weights=sizes) / sizes.sum()
        sums = np.zeros((n, added.shape[1]))
        for k, column in enumerate(added.T):
            sums[:, k] = np.bincount(group, weights=column)
        sums *= ((1 - 1 / n) / (1 - weight))[:, None]
        sums -= sums.mean(axis=0)
        units[unit] = UnitCovariance(sums.T @ sums, n, number_alike(weight))
    nothing = np.zeros((added.shape[1], added.shape[1]))
    known = units if "task" in units else {}
    return Uncertainty(known, missing, nothing, nothing, nothing, "closed form")
