"""What Sakaguchi et al. (2014) and Koehn (2012) claim of clusters, as tests of one campaign."""

from __future__ import annotations

import numpy as np

from analysis.campaign import Judgments
from analysis.errors import UndefinedResultError
from analysis.extras.growing.growing import ranges_after
from analysis.prediction.learning_curves import draw_training
from analysis.prediction.paper_claims import LEVEL, Claim, over_campaigns
from analysis.rankers.ratios import ExpectedWins
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.certainty import Replicates
from analysis.ranking.rank_ranges import RankRanges, clusters_from_ranges, rank_ranges
from analysis.ranking.uncertainty import Interval

RUNS = 50
ENOUGH, CLUSTERS = 30_000, 4


def separated(judgments: Judgments, seed: int, runs: int = RUNS) -> Interval:
    """Return the clusters by TrueSkill from a third, minus those by Expected Wins from all."""

    def value(pool: Judgments, rng: np.random.Generator) -> float:
        few = ranges_after(pool, TrueSkill(), len(pool) // 3, rng, runs=runs)
        return _n_clusters(few) - _by_expected_wins(pool, rng, runs)

    return over_campaigns(judgments, seed, value)


def clusters_found(judgments: Judgments, seed: int, enough: int = ENOUGH) -> Interval:
    """Return the clusters by Expected Wins from so many judgments."""
    if len(judgments) < enough:
        raise UndefinedResultError(
            f"{enough:,} judgments",
            f"the campaign has {len(judgments):,}",
            "Use a larger campaign.",
        )

    def value(pool: Judgments, rng: np.random.Generator) -> float:
        return _by_expected_wins(draw_training(pool, enough, "row", rng), rng, RUNS)

    return over_campaigns(judgments, seed, value)


def _by_expected_wins(judgments: Judgments, rng: np.random.Generator, runs: int) -> int:
    ranker = ExpectedWins()
    scores = ranker.replicate_scores(judgments, "judgment", runs, rng)
    drawn = Replicates(judgments.systems, scores, "judgment", 0, ranker.provenance)
    return _n_clusters(rank_ranges(drawn, LEVEL))


def _n_clusters(ranges: RankRanges) -> int:
    return int(clusters_from_ranges(ranges).max())


CLAIMS = (
    Claim(
        "third", "Sakaguchi et al. 2014",
        "TrueSkill separates systems with a third of the judgments.",
        "clusters by TrueSkill from a third, minus clusters by Expected Wins from all", separated,
        0, -2, "if TrueSkill found two clusters fewer",
    ),
    Claim(
        "four-clusters", "Koehn 2012", "30,000 judgments are enough for four clusters.",
        "clusters by Expected Wins from 30,000 judgments", clusters_found, CLUSTERS, CLUSTERS - 2,
        "if there were two clusters",
    ),
)  # fmt: skip
