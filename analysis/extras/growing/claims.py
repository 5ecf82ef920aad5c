"""What Sakaguchi et al. (2014) and Koehn (2012) claim of clusters, as tests of one campaign.

Standard errors come from bootstrapped segments: every draw is a campaign on other segments.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from analysis.campaign import Judgments
from analysis.errors import UndefinedResultError
from analysis.extras.growing.growing import ranges_after
from analysis.prediction.paper_claims import Claim, Measured
from analysis.rankers import Ranker
from analysis.rankers.draws import draw_observations, unit_index
from analysis.rankers.ratios import ExpectedWins
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.rank_ranges import clusters_from_ranges

DRAWS, RUNS = 10, 50
ENOUGH, CLUSTERS = 30_000, 4


def _over_segments(
    judgments: Judgments, seed: int, value: Callable[[Judgments, np.random.Generator], float]
) -> Measured:
    rng = np.random.default_rng(seed)
    if len(np.unique(judgments.task_segment)) < DRAWS:
        raise UndefinedResultError(
            "Clusters", "there are too few segments to resample", "Name the segments in the file."
        )
    index = unit_index(judgments, "segment")
    drawn = []
    for _ in range(DRAWS):
        rows = judgments.observations.row[draw_observations(index, rng)]
        drawn.append(value(judgments.take_rows(rows), rng))
    return float(np.mean(drawn)), float(np.std(drawn, ddof=1)), DRAWS - 1


def _clusters(pool: Judgments, ranker: Ranker, size: int, rng: np.random.Generator) -> int:
    return int(clusters_from_ranges(ranges_after(pool, ranker, size, rng, runs=RUNS)).max())


def _third(judgments: Judgments, seed: int) -> Measured:
    n = len(judgments)

    def value(pool: Judgments, rng: np.random.Generator) -> float:
        few = _clusters(pool, TrueSkill(), n // 3, rng)
        return few - _clusters(pool, ExpectedWins(), n, rng)

    return _over_segments(judgments, seed, value)


def _four(judgments: Judgments, seed: int) -> Measured:
    if len(judgments) < ENOUGH:
        raise UndefinedResultError(
            "30,000 judgments", f"the campaign has {len(judgments):,}", "Use a larger campaign."
        )

    def value(pool: Judgments, rng: np.random.Generator) -> float:
        return _clusters(pool, ExpectedWins(), ENOUGH, rng)

    return _over_segments(judgments, seed, value)


CLAIMS = (
    Claim(
        "third", "Sakaguchi et al. 2014",
        "TrueSkill separates systems with a third of the judgments.",
        "clusters by TrueSkill from a third, minus clusters by Expected Wins from all", _third, 0,
        -2, "if TrueSkill found two clusters fewer",
    ),
    Claim(
        "four-clusters", "Koehn 2012", "30,000 judgments are enough for four clusters.",
        "clusters by Expected Wins from 30,000 judgments", _four, CLUSTERS, CLUSTERS - 2,
        "if there were two clusters",
    ),
)  # fmt: skip
