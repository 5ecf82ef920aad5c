"""What campaigns of so many judgments would have said, in words."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from analysis.extras.growing.growing import ClusterGrowth, Trainings
from analysis.rankers import RANKERS
from analysis.wording import count, fixed, listed, thousands

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


def growth_finding(growth: ClusterGrowth) -> str:
    """Say how many clusters the largest size has by each method.

    "After 25,000 judgments: 8.2 clusters by TrueSkill, 7.4 by Expected Wins"
    """
    means = growth.clusters[:, -1].mean(axis=1)
    order = np.argsort(-means, kind="stable")
    parts = [
        f"{fixed(float(means[m]), 1)}{' clusters' if not k else ''} by "
        f"{RANKERS[growth.methods[m]].title if growth.methods[m] in RANKERS else growth.methods[m]}"
        for k, m in enumerate(order)
    ]
    return f"After {thousands(growth.sizes[-1])} judgments: {'; '.join(parts)}"


def trainings_finding(found: Trainings, name: Callable[[str], str] = str) -> str:
    """Say which neighbors' bars overlap after so few judgments, and which do not."""
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
