"""Scores of the same systems in several parts of a campaign, on one scale."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.campaign import FloatArray
from analysis.rankers import Fit
from analysis.ranking.fit_uncertainty import uncertainty_of
from analysis.ranking.uncertainty import Scope


def systems_of_all(fits: Sequence[Fit]) -> set[str]:
    """Return the systems that have a score in every part."""
    scored = [zip(fit.standings.systems, fit.standings.scores, strict=True) for fit in fits]
    return set.intersection(*({s for s, score in part if np.isfinite(score)} for part in scored))


def distances_from_the_mean(
    fits: Sequence[Fit], systems: Sequence[str], scope: Scope
) -> tuple[FloatArray, FloatArray, float]:
    """Return each part's scores minus their mean [parts, K], their variances, the least freedom."""
    scores, variances, freedom = [], [], np.inf
    for fit in fits:
        place = [fit.judgments.systems.index(system) for system in systems]
        directions = np.zeros((len(systems), fit.judgments.n_systems))
        directions[:, place] = np.eye(len(systems)) - 1 / len(systems)
        scores.append(directions @ np.nan_to_num(fit.standings.scores))
        precision = uncertainty_of(fit).precision(directions, scope)
        variances.append(precision.se**2)
        freedom = min(freedom, precision.freedom)
    return np.stack(scores), np.stack(variances), freedom
