"""How well models predict after so many judgments (HM13, Figures 2–4; SPV14, Figures 3, 4 and 8).

Training sets of given sizes are drawn from what may train, several times; every model learns from
the same draws, and all are asked about the same held-out judgments. Each point of a curve stands
for itself, made from the seed and its size alone: a run that was left can go on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeVar, get_args

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, IntArray, Judgments
from analysis.errors import PodiumError
from analysis.parallel import Progress, map_items
from analysis.prediction.accuracy import hit_cells
from analysis.prediction.active_draw import choose_rows
from analysis.prediction.paired import oracle_accuracy, oracle_error
from analysis.prediction.perplexity import surprise_cells
from analysis.prediction.predict import DEFAULT_TUNING, Model, Tuning, predict
from analysis.prediction.splits import Split
from analysis.rankers import Ranker
from analysis.rankers.draws import ResamplingUnit
from analysis.ranking.certainty import Certainty
from analysis.ranking.ranking import rank

T = TypeVar("T")

Draw = Literal["row", "task", "active"]
DRAWS: dict[Draw, str] = {
    "row": "single judgments at random, as published",
    "task": "whole ranking tasks at random, as a campaign collects them",
    "active": "judgments that TrueSkill chooses for itself, with replacement",
}
assert set(DRAWS) == set(get_args(Draw))

PUBLISHED_SIZES = (400, 800, 1600, 3200, 6400)


@dataclass(frozen=True, eq=False)
class CurvePoint:
    """One model trained on ``size`` judgments: accuracy and perplexity of every trial."""

    method: str
    size: int
    accuracy: FloatArray
    perplexity: FloatArray
    accuracy_radius: FloatArray
    perplexity_radius: FloatArray


@dataclass(frozen=True, eq=False)
class LearningCurve:
    """Points of all models, and what bounds them: the oracle, and the noise of the test set.

    ``test_error`` is the standard error of an accuracy on this test set, with other sentences and
    judges in mind; curves of different models are nearer to each other than it says, as they share
    the test set.
    """

    points: tuple[CurvePoint, ...]
    oracle: float
    test_error: float
    notes: tuple[str, ...] = ()

    def point(self, method: str, size: int) -> CurvePoint:
        """Return the point of a model at a size."""
        return next(p for p in self.points if (p.method, p.size) == (method, size))

    def to_frame(self) -> pd.DataFrame:
        """Return a table, one row per point; deviations are those over the trials."""
        return pd.DataFrame(
            [
                {
                    "method": p.method,
                    "size": p.size,
                    "trials": len(p.accuracy),
                    "accuracy": p.accuracy.mean(),
                    "accuracy_deviation": p.accuracy.std(),
                    "radius": float(np.median(p.accuracy_radius)),
                    "perplexity": p.perplexity.mean(),
                    "perplexity_deviation": p.perplexity.std(),
                    "tie_radius": float(np.median(p.perplexity_radius)),
                }
                for p in self.points
            ]
        )


def learning_curve(
    split: Split,
    models: Mapping[str, Model],
    *,
    sizes: Sequence[int] = PUBLISHED_SIZES,
    trials: int = 5,
    draw: Draw = "row",
    tuning: Tuning = DEFAULT_TUNING,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> LearningCurve:
    """Return accuracy and perplexity of all models at all training sizes."""
    todo = [(label, model, size) for size in sizes for label, model in models.items()]
    points = []
    for done, (label, model, size) in enumerate(todo):
        points.append(
            curve_point(
                split,
                model,
                size,
                label=label,
                trials=trials,
                draw=draw,
                tuning=tuning,
                seed=seed,
                executor=executor,
            )
        )
        if progress is not None:
            progress(done + 1, len(todo))
    return assemble_curve(split, points)


def assemble_curve(split: Split, points: Sequence[CurvePoint]) -> LearningCurve:
    """Put points on one split together, as many as there are."""
    return LearningCurve(tuple(points), oracle_accuracy(split), oracle_error(split), split.notes)


def curve_point(
    split: Split,
    model: Model,
    size: int,
    *,
    label: str,
    trials: int = 5,
    draw: Draw = "row",
    tuning: Tuning = DEFAULT_TUNING,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> CurvePoint:
    """Return one model's accuracy and perplexity after ``size`` judgments, ``trials`` times."""
    if split.n_folds != 1:
        raise PodiumError(
            "Learning curve",
            f"the split has {split.n_folds} test sets, and a curve needs one",
            "Hold out a share, the rare segments, or give a test file.",
        )
    pool, tables = split.train(0), split.test_tables[0]
    function = partial(_predict_trial, pool, tables, model, size, draw, tuning)
    measured = np.array(_trials(function, pool, size, trials, seed, executor, progress))
    return CurvePoint(label, size, *measured.T)


def cluster_point(
    pool: Judgments,
    ranker: Ranker,
    size: int,
    *,
    trials: int = 5,
    draw: Draw = "row",
    runs: int = 100,
    level: float = 0.95,
    unit: ResamplingUnit | None = None,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> IntArray:
    """Return the number of clusters after ``size`` judgments, by trial (SPV14, Figure 8)."""
    function = partial(_cluster_trial, pool, ranker, size, draw, runs, level, unit)
    return np.array(_trials(function, pool, size, trials, seed, executor, progress))


def draw_training(pool: Judgments, size: int, draw: Draw, rng: np.random.Generator) -> Judgments:
    """Return ``size`` judgments of the pool; whole tasks may go up to one task past it."""
    if draw == "active":
        return pool.take_rows(choose_rows(pool, size, rng))
    if draw == "row":
        return pool.take_rows(rng.choice(len(pool), size, replace=False))
    if draw != "task":
        raise PodiumError("Draw", f"{draw!r} is not known", f"Choose one of {', '.join(DRAWS)}.")
    tasks = rng.permutation(pool.n_tasks)
    rows_of = np.bincount(pool.task, minlength=pool.n_tasks)[tasks]
    before = np.cumsum(rows_of) - rows_of
    return pool.take_tasks(tasks[before < size])


def _predict_trial(
    pool: Judgments,
    tables: FloatArray,
    model: Model,
    size: int,
    draw: Draw,
    tuning: Tuning,
    trial: int,
    rng: np.random.Generator,
) -> tuple[float, float, float, float]:
    train = draw_training(pool, size, draw, rng)
    p = predict(model, train, tuning, seed=int(rng.integers(2**31)))
    surprise = (surprise_cells(p.win, p.tie, p.loss) * tables.ravel()).sum() / tables.sum()
    hit = (hit_cells(p.named) * tables.ravel()).sum() / tables.sum()
    return (
        float(hit),
        float(2**surprise),
        float(p.accuracy_radius),
        float(p.perplexity_radius),
    )


def _cluster_trial(
    pool: Judgments,
    ranker: Ranker,
    size: int,
    draw: Draw,
    runs: int,
    level: float,
    unit: ResamplingUnit | None,
    trial: int,
    rng: np.random.Generator,
) -> int:
    train = draw_training(pool, size, draw, rng)
    seed = int(rng.integers(2**31))
    published = Certainty("marginal", unit=unit or "rows", runs=runs, level=level, seed=seed)
    return rank(train, ranker, published).n_clusters or 1


def _trials(
    function: Callable[[int, np.random.Generator], T],
    pool: Judgments,
    size: int,
    trials: int,
    seed: int,
    executor: Executor | None,
    progress: Progress | None,
) -> list[T]:
    """Run the trials of one size; the same draws for every model, other ones for other sizes."""
    if trials < 1:
        raise PodiumError("Trials", f"{trials} is too few", "Give 1 or more; 5 shows the noise.")
    if not 1 <= size <= len(pool):
        raise PodiumError(
            "Training size",
            f"{size} is outside 1–{len(pool)}, the judgments that may train",
            "Give smaller sizes.",
        )
    pool.observations, pool.counts  # noqa: B018  computed once, before the threads start
    child = int(np.random.SeedSequence([seed, size]).generate_state(1)[0])
    return map_items(function, range(trials), seed=child, executor=executor, progress=progress)
