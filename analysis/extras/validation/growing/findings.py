"""What campaigns of so many judgments would have said, in words."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping

import numpy as np

from analysis.extras.validation.growing.growing import CLUSTER_RUNS, ClusterGrowth, Trainings
from analysis.extras.validation.prediction.learning_curves import LearningCurve
from analysis.rankers import RANKERS
from analysis.ranking.rank_ranges import RankRanges, clusters_from_ranges
from analysis.wording import count, fixed, listed, thousands

SURE = 2.0
"""Standard errors of the test set by which two curves must differ to be called different."""

CLUSTERS_MADE = (
    "By the published procedure (Sakaguchi et al. 2014, Figure 8): each resample takes the given "
    "number of judgments. TrueSkill chooses its judgments; the other methods get random ones. "
    "Rank ranges leave out 2.5% of the resamples at each end. This finds more clusters than "
    "Podium's own definition."
)
ABILITIES_MADE = (
    "As in Hopkins & May (2013), Figure 6: each training uses its own random judgments. Bars are "
    "the standard deviation over the trainings, which shows how much campaigns of this size vary "
    "by the choice of judgments alone. They are not intervals for new judges or segments."
)
RANKS_MADE = (
    f"As in Sakaguchi et al. (2014), Figures 9 and 10: {CLUSTER_RUNS} resamples of the given "
    "number of judgments. Boxes cover half of the resamples, whiskers reach to the extremes, "
    "dashed lines are cluster boundaries."
)
GROUPS_MADE = (
    "As in Hopkins & May (2013), Figure 5: both groups are tested on the same {test} judgments of "
    "rarely judged segments. Bands cover all trials."
)


def growth_finding(growth: ClusterGrowth) -> str:
    """Say how many clusters the largest size has by each method.

    "After 25,000 judgments: 8.2 clusters by TrueSkill; 7.4 by Expected Wins"
    """
    means = growth.clusters[:, -1].mean(axis=1)
    order = np.argsort(-means, kind="stable")
    parts = [
        f"{_clusters(float(means[m]), named=not k)} by "
        f"{RANKERS[growth.methods[m]].title if growth.methods[m] in RANKERS else growth.methods[m]}"
        for k, m in enumerate(order)
    ]
    return f"After {thousands(growth.sizes[-1])} judgments: {'; '.join(parts)}"


def _clusters(mean: float, *, named: bool) -> str:
    number = fixed(mean, 1).removesuffix(".0")
    return f"{number} cluster{'' if number == '1' else 's'}" if named else number


def trainings_finding(found: Trainings, name: Callable[[str], str] = str) -> str:
    """Say which neighbors' bars overlap after so few judgments, and which do not."""
    if found.is_whole:
        return (
            f"Each training used all {count(found.size, 'judgment')}, so the bars show nothing "
            "about campaigns of this size"
        )
    order = [k for k in found.order if np.isfinite(found.mean[k])]
    mean, bar = found.mean, found.deviation
    clear = [
        (above, below)
        for above, below in itertools.pairwise(order)
        if mean[above] - bar[above] > mean[below] + bar[below]
    ]
    n = len(order) - 1
    if not clear:
        what = f"the bars of all {count(n, 'pair')} of adjacent systems overlap"
    elif len(clear) == n:
        what = "no bars of adjacent systems overlap"
    else:
        names = [f"{name(found.systems[a])} over {name(found.systems[b])}" for a, b in clear]
        what = f"bars do not overlap for {listed(names, 3)}"
    return f"After {count(found.size, 'judgment')}, {what}"


def clusters_after(ranges: RankRanges, size: int) -> str:
    """Say how many clusters there are after so many judgments."""
    n = int(clusters_from_ranges(ranges).max(initial=0))
    return f"After {count(size, 'judgment')}: {count(n, 'cluster')}"


def groups_finding(curves: Mapping[str, LearningCurve]) -> str:
    """Say which group's judgments predict better at the largest size that both have."""
    (one, first), (other, second) = curves.items()
    size = max({p.size for p in first.points} & {p.size for p in second.points}, default=0)
    if not size:
        return "The two groups have no number of judgments in common"
    a, b = (next(p.accuracy for p in curve.points if p.size == size) for curve in (first, second))
    ahead = one if a.mean() >= b.mean() else other
    gap = 100 * abs(float(a.mean() - b.mean()))
    noise = 100 * SURE * first.test_error
    if gap <= noise:
        return f"After {count(size, 'judgment')}, experts and crowd predict about equally well"
    return f"After {count(size, 'judgment')}, {ahead.lower()} predict {fixed(gap, 1)} points better"
