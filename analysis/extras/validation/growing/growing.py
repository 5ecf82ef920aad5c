"""What a campaign of so many judgments would have said: clusters (SPV14) and abilities (HM13).

Judgments of a given number are drawn from those at hand, several times. SPV14's Figure 8 counts
clusters: each of 100 runs draws so many judgments of its own (TrueSkill chooses them, for the other
methods they come at random and with replacement), and rank ranges of the runs make the clusters.
With another draw, a campaign is drawn first, and each run resamples its rows. HM13's Figure 6 shows
the mean ability over five trainings on 1,600 comparisons, its bars the standard deviation over
these trainings, and the mean predicted preferences as a heatmap. SPV14's Figures 9 and 10 show the
ranks of the runs after 1,000 and 25,000 judgments; HM13's Figure 5 has curves of models that
learned from experts or from a crowd, on one test set.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, IntArray, Judgments
from analysis.errors import PodiumError, UndefinedResultError
from analysis.extras.validation.prediction.learning_curves import cluster_point, draw_training
from analysis.extras.validation.prediction.splits import (
    ALWAYS_TRAINS,
    HM13_TEST_SIZE,
    Draw,
    Split,
    random_share,
    rare_segments,
)
from analysis.parallel import Progress, map_items
from analysis.rankers import Ranker
from analysis.rankers.preferences import Preferences
from analysis.ranking.certainty import Replicates
from analysis.ranking.rank_ranges import RankRanges, clusters_from_ranges, rank_ranges

GROWING_SIZES = (1000, 2500, 5000, 10_000, 15_000, 20_000, 25_000)
TRAINING_SIZE, TRAININGS = 1600, 5
CLUSTER_TRIALS = 3
CLUSTER_METHODS = ("expected-wins", "hopkins-may", "trueskill")
CLUSTER_RUNS = 100
GROUP_SIZES = (100, 200, 400, 800, 1600, 3200)
RANKS_AFTER = (1000, 25_000)
"""Judgments behind SPV14's Figures 9 and 10."""


@dataclass(frozen=True, eq=False)
class ClusterGrowth:
    """The number of clusters[method, size, trial]."""

    methods: tuple[str, ...]
    sizes: tuple[int, ...]
    clusters: IntArray

    def to_frame(self) -> pd.DataFrame:
        """Return a row per method and size: mean, fewest and most clusters over the trials."""
        rows = [
            {
                "method": method,
                "size": size,
                "trials": self.clusters.shape[2],
                "clusters": float(found.mean()),
                "fewest": int(found.min()),
                "most": int(found.max()),
            }
            for method, by_size in zip(self.methods, self.clusters, strict=True)
            for size, found in zip(self.sizes, by_size, strict=True)
        ]
        return pd.DataFrame(rows)


def cluster_growth(
    pool: Judgments,
    rankers: Mapping[str, Ranker],
    *,
    sizes: Sequence[int],
    trials: int = 5,
    draw: Draw = "own",
    runs: int = CLUSTER_RUNS,
    level: float = 0.95,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> ClusterGrowth:
    """Return the clusters by size of all methods, each by ``runs`` runs."""
    if runs < 1 or trials < 1 or min(sizes) < 1:
        raise PodiumError(
            ("Resamples, trials, sizes"), "one is less than 1", "Use 1 or more for each."
        )
    pool.observations, pool.counts  # noqa: B018  computed once, before the threads start
    found = np.zeros((len(rankers), len(sizes), trials), dtype=np.int64)
    for done, (m, s) in enumerate(np.ndindex(len(rankers), len(sizes)), start=1):
        ranker, size = list(rankers.values())[m], sizes[s]
        if draw == "own":
            function = partial(_own_clusters, pool, ranker, size, runs, level)
            child = int(np.random.SeedSequence([seed, size]).generate_state(1)[0])
            found[m, s] = map_items(function, range(trials), seed=child, executor=executor)
        else:
            found[m, s] = cluster_point(
                pool, ranker, size, trials=trials, draw=draw, runs=runs, level=level, seed=seed,
                executor=executor,
            )  # fmt: skip
        if progress is not None:
            progress(done, len(rankers) * len(sizes))
    return ClusterGrowth(tuple(rankers), tuple(sizes), found)


def _own_clusters(
    pool: Judgments,
    ranker: Ranker,
    size: int,
    runs: int,
    level: float,
    trial: int,
    rng: np.random.Generator,
) -> int:
    ranges = ranges_after(pool, ranker, size, rng, runs=runs, level=level)
    return int(clusters_from_ranges(ranges).max(initial=1)) or 1


def ranges_after(
    pool: Judgments,
    ranker: Ranker,
    size: int,
    rng: np.random.Generator,
    *,
    runs: int = CLUSTER_RUNS,
    level: float = 0.95,
) -> RankRanges:
    """Return ranks over runs that each draw ``size`` judgments of their own (SPV14, Figures 9, 10).

    ``ranks`` are those of every run.
    """
    if not len(pool):
        raise PodiumError(
            "Clusters",
            "there are no judgments left to sample from",
            "Leave out fewer systems or judges.",
        )
    scores = np.empty((runs, pool.n_systems))
    for r in range(runs):
        fit = ranker.draw_own(pool, size, rng)
        if fit is None:
            drawn = pool.take_rows(rng.integers(len(pool), size=size))
            fit = ranker.fit(drawn, int(rng.integers(2**31)))
        scores[r] = fit.standings.scores
    return rank_ranges(Replicates(pool.systems, scores, "judgment", 0, ranker.provenance), level)


def crowd_and_experts(
    judgments: Judgments, experts: Collection[str], *, test_size: int = HM13_TEST_SIZE
) -> dict[str, Split]:
    """Return what each group of judges trains on, and one test set for both (HM13, Figure 5).

    The test set holds the comparisons of rarely judged segments, whoever made them; of a fifth of
    the segments if all were judged equally often.
    """
    try:
        split = rare_segments(judgments, min(test_size, len(judgments) // 5))
    except UndefinedResultError:
        split = random_share(judgments, 0.2, np.random.default_rng(0), "segment")
    is_expert = np.isin(np.array(judgments.judges), list(experts))
    expert_rows = is_expert[judgments.task_judge[judgments.task]]
    groups = {}
    for name, own in (("Experts", expert_rows), ("Crowd", ~expert_rows)):
        left_out = np.where(own, split.left_out, 0)
        if not (left_out == ALWAYS_TRAINS).any():
            raise UndefinedResultError(
                name, "no judgment outside the test set is theirs", "Choose other experts."
            )
        groups[name] = dataclasses.replace(split, left_out=left_out)
    return groups


@dataclass(frozen=True, eq=False)
class Trainings:
    """Scores[training, system] of one method, each learned from ``size`` judgments of its own.

    ``preferences`` are the mean ones of all trainings; None where the method predicts nothing.
    ``is_whole``: there are no more judgments, so every training used the same ones.
    """

    systems: tuple[str, ...]
    size: int
    scores: FloatArray
    preferences: Preferences | None
    is_whole: bool = False

    @property
    def mean(self) -> FloatArray:
        return np.asarray(self.scores.mean(axis=0))

    @property
    def deviation(self) -> FloatArray:
        """The standard deviation over the trainings."""
        return np.asarray(self.scores.std(axis=0, ddof=1))

    @property
    def order(self) -> IntArray:
        """The systems by mean score, best first, those without a score last."""
        return np.argsort(-np.nan_to_num(self.mean, nan=-np.inf), kind="stable")

    def to_frame(self) -> pd.DataFrame:
        """Return system, mean score and standard deviation over the trainings, best first."""
        frame = pd.DataFrame(
            {"system": self.systems, "score": self.mean, "deviation": self.deviation}
        )
        return frame.iloc[self.order].reset_index(drop=True)


def train_repeatedly(
    pool: Judgments,
    ranker: Ranker,
    *,
    size: int = TRAINING_SIZE,
    trainings: int = TRAININGS,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Trainings:
    """Train on so many single judgments, each time drawn anew; a smaller pool is taken whole."""
    if trainings < 2:
        raise PodiumError(
            "Trainings",
            f"{trainings} is too few",
            ("A standard deviation needs 2 or more; Hopkins & May (2013) used 5."),
        )
    if size < 1:
        raise PodiumError(
            "Training size",
            f"{size} is too few",
            ("Use 1 or more; Hopkins & May (2013) used 1600."),
        )
    size = min(size, len(pool))
    pool.observations, pool.counts  # noqa: B018  computed once, before the threads start
    found = map_items(
        partial(_train, pool, ranker, size), range(trainings), seed=seed, executor=executor,
        progress=progress,
    )  # fmt: skip
    scores = np.array([score for score, _ in found])
    learned = [preferences for _, preferences in found if preferences is not None]
    return Trainings(pool.systems, size, scores, _mean(learned), size == len(pool))


def _train(
    pool: Judgments, ranker: Ranker, size: int, training: int, rng: np.random.Generator
) -> tuple[FloatArray, Preferences | None]:
    fit = ranker.fit(draw_training(pool, size, "row", rng), int(rng.integers(2**31)))
    try:
        return fit.standings.scores, fit.preferences()
    except PodiumError:
        return fit.standings.scores, None


def _mean(learned: Sequence[Preferences]) -> Preferences | None:
    if not learned:
        return None
    win = np.mean([preferences.win for preferences in learned], axis=0)
    tie = np.mean([preferences.tie for preferences in learned], axis=0)
    return Preferences(learned[0].systems, win, tie, learned[0].signature)
