"""How well models predict after so many judgments (HM13, Figures 2–4; SPV14, Figures 3, 4 and 8).

Training sets of given sizes are drawn from what may train, several times; every model learns from
the same draws, or as its paper has it from its own, and all are asked about the same held-out
judgments. Each point of a curve stands
for itself, made from the seed and its size alone: a run that was left can go on where it was.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, IntArray, Judgments, PairCounts
from analysis.errors import PodiumError, unknown
from analysis.extras.validation.prediction.paired import oracle_accuracy, oracle_error
from analysis.extras.validation.prediction.predict import Model, predict, read_off
from analysis.extras.validation.prediction.radius import (
    DEFAULT_TUNING,
    Tuning,
    hit_cells,
    surprise_cells,
)
from analysis.extras.validation.prediction.splits import (
    DRAWS,
    PUBLISHED_SIZES,
    Draw,
    Split,
    set_aside,
)
from analysis.parallel import Progress, map_items
from analysis.rankers import Ranker
from analysis.rankers.trueskill import TrueSkill
from analysis.rankers.trueskill.active_draw import choose_rows
from analysis.ranking.certainty import Certainty
from analysis.ranking.ranking import rank
from analysis.wording import listed, thousands

T = TypeVar("T")


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


def sizes_within(pool: Judgments, sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes that the judgments allow, and all of them as the last if some do not."""
    kept = tuple(size for size in sizes if size <= len(pool))
    return kept if len(kept) == len(sizes) else (*kept, len(pool))


def learning_curve(
    split: Split,
    models: Mapping[str, Model],
    *,
    sizes: Sequence[int] = PUBLISHED_SIZES,
    trials: int = 5,
    draw: Draw = "row",
    tuning: Tuning | Mapping[str, Tuning] = DEFAULT_TUNING,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> LearningCurve:
    """Return accuracy and perplexity of all models at all training sizes.

    ``tuning`` is that of all models, or each one's own.
    """
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
                tuning=tuning if isinstance(tuning, Tuning) else tuning[label],
                seed=seed,
                executor=executor,
            )
        )
        if progress is not None:
            progress(done + 1, len(todo))
    return assemble_curve(split, points)


def assemble_curve(split: Split, points: Sequence[CurvePoint]) -> LearningCurve:
    """Put points on one split together, as many as there are."""
    notes = (*split.notes, *_whole_pool(split, points))
    return LearningCurve(tuple(points), oracle_accuracy(split), oracle_error(split), notes)


def mean_curve(curves: Mapping[str, LearningCurve]) -> LearningCurve:
    """Return the mean of several language pairs' curves, trial by trial (HM13; SPV14, Figure 3).

    A point that a pair lacks is left out. The test error is that of a mean of independent tests.
    """
    first, *others = curves.values()
    points = []
    for point in first.points:
        alike = [
            [p for p in curve.points if (p.method, p.size) == (point.method, point.size)]
            for curve in others
        ]
        if all(alike):
            same = [point, *(found[0] for found in alike)]
            points.append(
                CurvePoint(
                    point.method,
                    point.size,
                    accuracy=np.mean([p.accuracy for p in same], axis=0),
                    perplexity=np.mean([p.perplexity for p in same], axis=0),
                    accuracy_radius=np.median([p.accuracy_radius for p in same], axis=0),
                    perplexity_radius=np.median([p.perplexity_radius for p in same], axis=0),
                )
            )
    errors = np.array([curve.test_error for curve in curves.values()])
    told = dict.fromkeys(
        f"{pair}: {note}" for pair, curve in curves.items() for note in curve.notes
    )
    return LearningCurve(
        tuple(points),
        oracle=float(np.mean([curve.oracle for curve in curves.values()])),
        test_error=float(np.sqrt((errors**2).sum()) / len(errors)),
        notes=(f"Mean over {len(curves)} language pairs: {listed(list(curves))}.", *told),
    )


def _whole_pool(split: Split, points: Sequence[CurvePoint]) -> tuple[str, ...]:
    """Say which sizes are larger than what may train: then all of it does (HM13, footnote 12)."""
    pool = len(split.train(0))
    larger = sorted({p.size for p in points if p.size > pool})
    if not larger:
        return ()
    sizes = listed([thousands(size) for size in larger])
    return (f"Only {thousands(pool)} judgments may train; {sizes} uses all of them.",)


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
            "Predict a share, the rare segments, or a test file.",
        )
    pool, tables = training_pool(split, tuning, seed), split.test_tables[0]
    dev = split.dev
    if tuning.on == "dev" and dev is None:
        dev = _set_aside(split, tuning, seed)[1].counts
    function = partial(_predict_trial, pool, tables, dev, model, size, draw, tuning)
    measured = np.array(_trials(function, pool, size, trials, seed, executor, progress))
    return CurvePoint(label, size, *measured.T)


def training_pool(split: Split, tuning: Tuning = DEFAULT_TUNING, seed: int = 0) -> Judgments:
    """Return the judgments that training sets are drawn from: all but the tests."""
    if tuning.on == "dev" and split.dev is None:
        return _set_aside(split, tuning, seed)[0]
    return split.train(0)


def _set_aside(split: Split, tuning: Tuning, seed: int) -> tuple[Judgments, Judgments]:
    """Return what may train, and the one development set of all sizes, trials and models."""
    return set_aside(split.train(0), tuning.dev, np.random.default_rng([seed, 1]))


def cluster_point(
    pool: Judgments,
    ranker: Ranker,
    size: int,
    *,
    trials: int = 5,
    draw: Draw = "row",
    runs: int = 100,
    level: float = 0.95,
    seed: int = 0,
    executor: Executor | None = None,
) -> IntArray:
    """Return the number of clusters after ``size`` judgments, by trial (SPV14, Figure 8)."""
    function = partial(_cluster_trial, pool, ranker, size, draw, runs, level)
    return np.array(_trials(function, pool, size, trials, seed, executor, None))


def draw_training(
    pool: Judgments, size: int, draw: Draw, rng: np.random.Generator, players: int = 2
) -> Judgments:
    """Return ``size`` judgments of the pool; whole tasks may go up to one task past it.

    Of a draw by matches, ``players`` is the number of outputs in one.
    """
    if draw in ("matches", "match-pairs"):
        many = size if draw == "matches" else matches_of_pairs(players, size)
        return draw_matches(pool, players, many, rng)
    if draw == "active":
        return pool.take_rows(choose_rows(pool, size, rng, TrueSkill()))
    if draw in ("row", "own"):
        return pool.take_rows(rng.choice(len(pool), min(size, len(pool)), replace=False))
    if draw != "task":
        raise unknown("Draw", draw, DRAWS)
    tasks = rng.permutation(pool.n_tasks)
    rows_of = np.bincount(pool.task, minlength=pool.n_tasks)[tasks]
    before = np.cumsum(rows_of) - rows_of
    return pool.take_tasks(tasks[before < size])


def draw_matches(
    pool: Judgments, n_outputs: int, n_matches: int, rng: np.random.Generator
) -> Judgments:
    """Return ``n_matches`` tasks of exactly ``n_outputs`` outputs each, drawn from larger ones.

    SPV14 (§4.2) compare matches of N = 2…5 outputs and do not say how they were cut out of tasks of
    five: here N of a task's outputs are drawn at random, one match per task until all tasks had
    their turn.
    """
    sizes = np.diff(pool.task_start)
    able = np.flatnonzero(sizes >= n_outputs)
    if not len(able):
        raise PodiumError(
            f"Matches of {n_outputs}",
            f"no ranking task that may train has {n_outputs} outputs",
            "Choose fewer players, or another way to sample.",
        )
    rounds = -(-n_matches // len(able))
    turns = np.concatenate([rng.permutation(able) for _ in range(rounds)])[:n_matches]
    entries = np.concatenate(
        [
            pool.task_start[task] + np.sort(rng.permutation(sizes[task])[:n_outputs])
            for task in turns
        ]
    )
    return dataclasses.replace(
        pool,
        tasks=pool.tasks[turns],
        task_start=np.arange(n_matches + 1, dtype=np.int64) * n_outputs,
        entry_output=pool.entry_output[entries],
        entry_rank=pool.entry_rank[entries],
    )


def matches_of_pairs(n_outputs: int, n_pairs: int) -> int:
    """Return how many matches hold so many pairs, rounded to the nearest.

    >>> [matches_of_pairs(n, 400) for n in (2, 3, 4, 5)]
    [400, 133, 67, 40]
    """
    return max(1, round(n_pairs / (n_outputs * (n_outputs - 1) / 2)))


def _predict_trial(
    pool: Judgments,
    tables: FloatArray,
    dev: PairCounts | None,
    model: Model,
    size: int,
    draw: Draw,
    tuning: Tuning,
    trial: int,
    rng: np.random.Generator,
) -> tuple[float, float, float, float]:
    chosen = None
    if draw == "own" and isinstance(model, Ranker):
        chosen = model.draw_own(pool, size, rng)
    if chosen is None:
        train = draw_training(pool, size, draw, rng, model.players_at_once)
        p = predict(model, train, tuning, seed=int(rng.integers(2**31)), dev=dev)
    else:
        p = read_off(chosen, tuning, dev)
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
    trial: int,
    rng: np.random.Generator,
) -> int:
    train = draw_training(pool, size, draw, rng, ranker.players_at_once)
    seed = int(rng.integers(2**31))
    published = Certainty("marginal", unit="judgment", runs=runs, level=level, seed=seed)
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
        raise PodiumError("Trials", f"{trials} is too few", "Use 1 or more; 5 shows the noise.")
    if size < 1:
        raise PodiumError("Training size", f"{size} is too few", "Use 1 or more.")
    pool.observations, pool.counts  # noqa: B018  computed once, before the threads start
    child = int(np.random.SeedSequence([seed, size]).generate_state(1)[0])
    return map_items(function, range(trials), seed=child, executor=executor, progress=progress)
