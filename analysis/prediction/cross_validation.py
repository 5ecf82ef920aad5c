"""A model's predictions in every fold of a split, and how they fared, task by task."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from analysis.campaign import FloatArray
from analysis.parallel import Progress, map_items
from analysis.prediction.accuracy import hit_cells, surprise_cells
from analysis.prediction.calibration import Calibration, calibrate
from analysis.prediction.predict import Model, Prediction, predict
from analysis.prediction.protocol import Average
from analysis.prediction.radius import DEFAULT_TUNING, Tuning
from analysis.prediction.splits import Split, set_aside
from analysis.provenance import Provenance


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
