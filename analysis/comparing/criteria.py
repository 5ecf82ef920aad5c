"""Several criteria at once: who is good at what, who is beaten at nothing, whose weights decide.

Each criterion is ranked at the level 1 − (1 − level) / K for K criteria. All K sets of rank ranges
are then valid together at ``level`` (Bonferroni), however the criteria depend on each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from analysis.campaign import Campaign, FloatArray, Judgments
from analysis.errors import PodiumError
from analysis.ranking.ranking import Ranking


def joint_level(level: float, n_criteria: int) -> float:
    """Return the level of each criterion at which all of them together have ``level``.

    >>> round(joint_level(.95, 5), 10)
    0.99
    """
    return 1 - (1 - level) / n_criteria


@dataclass(frozen=True)
class Halo:
    """How two criteria go along: in one judge's scores, and between those of different judges.

    ``within`` is the correlation over outputs of what one judge gave for both criteria, around the
    judge's means. ``between`` takes the second criterion from another judge of the same output.
    What ``within`` has above ``between`` is halo: the judge's impression, not the output. Both are
    nan if too few judgments have both criteria.
    """

    a: str
    b: str
    within: float
    between: float
    n: int


@dataclass(frozen=True, eq=False)
class Criteria:
    """The rankings of one campaign by each of its criteria, in the same order of systems.

    ``scores[s, k]`` and ``se[s, k]`` are of system ``s`` by criterion ``k``, the good end up.
    """

    names: tuple[str, ...]
    systems: tuple[str, ...]
    rankings: tuple[Ranking, ...]
    level: float

    @cached_property
    def scores(self) -> FloatArray:
        return self._table(lambda ranking: ranking.scores)

    @cached_property
    def se(self) -> FloatArray:
        return self._table(lambda ranking: ranking.se)

    def _table(self, of: Callable[[Ranking], FloatArray]) -> FloatArray:
        columns = [
            pd.Series(of(ranking), index=list(ranking.systems)).reindex(self.systems)
            for ranking in self.rankings
        ]
        return np.stack([column.to_numpy(dtype=np.float64) for column in columns], axis=1)

    @property
    def scaled(self) -> FloatArray:
        """Scores in standard deviations of the systems, so that scales of any size can be added."""
        spread = np.nanstd(self.scores, axis=0)
        return (self.scores - np.nanmean(self.scores, axis=0)) / np.where(spread > 0, spread, 1)

    @property
    def pareto(self) -> tuple[str, ...]:
        """The systems to which no other is as good by every criterion and better by one."""
        known = np.asarray(np.isfinite(self.scores).all(axis=1))
        return tuple(
            name
            for k, name in enumerate(self.systems)
            if known[k] and not _is_beaten(self.scores[k], self.scores[known])
        )

    @property
    def beaten(self) -> dict[str, tuple[str, ...]]:
        """The systems than which another is significantly better by every criterion, with these."""
        found: dict[str, tuple[str, ...]] = {}
        for name in self.systems:
            over = [
                other
                for other in self.systems
                if other != name and all(_is_above(one, other, name) for one in self.rankings)
            ]
            if over:
                found[name] = tuple(over)
        return found

    def weighted(self, weights: Sequence[float]) -> FloatArray:
        """Return each system's mean of the scaled scores by these weights."""
        return np.asarray(self.scaled @ (np.array(weights) / np.sum(weights)))

    def winner(self, weights: Sequence[float]) -> str:
        """Return the system with the highest weighted mean."""
        return self.systems[int(np.nanargmax(self.weighted(weights)))]

    def stays(self, weights: Sequence[float]) -> dict[str, tuple[float, float]]:
        """Return for each criterion the shares of weight at which the winner stays.

        One criterion's share goes from 0 to 1 while the others keep their proportions. The winner's
        lead over each other system is then a straight line, so that the shares are an interval.
        """
        own = np.array(weights, dtype=np.float64) / np.sum(weights)
        best = self.systems.index(self.winner(weights))
        return {name: self._interval(k, own, best) for k, name in enumerate(self.names)}

    def _interval(self, k: int, weights: FloatArray, best: int) -> tuple[float, float]:
        others = np.delete(weights, k)
        rest = np.delete(self.scaled, k, axis=1)
        total = others.sum()
        mixed = rest @ (others / total if total > 0 else np.full(len(others), 1 / len(others)))
        low, high = 0.0, 1.0
        at_none = mixed[best] - mixed
        at_all = self.scaled[best, k] - self.scaled[:, k]
        for none, whole in zip(at_none.tolist(), at_all.tolist(), strict=True):
            if math.isnan(none + whole) or none == whole:
                continue
            zero = none / (none - whole)
            if whole > none:
                low = max(low, zero)
            else:
                high = min(high, zero)
        share = float(weights[k])
        return min(low, share), max(high, share)

    def to_frame(self) -> pd.DataFrame:
        """Return systems by criteria: score and rank range of each, best mean first."""
        columns: dict[str, Any] = {"system": list(self.systems)}
        for name, ranking in zip(self.names, self.rankings, strict=True):
            own = ranking.to_frame().set_index("system").reindex(self.systems)
            columns[name] = own["score"].to_numpy()
            columns[f"{name} ranks"] = [
                _range(best, worst)
                for best, worst in zip(own["rank_best"], own["rank_worst"], strict=True)
            ]
        columns["undominated"] = [name in self.pareto for name in self.systems]
        order = np.argsort(-self.weighted([1.0] * len(self.names)), kind="stable")
        return pd.DataFrame(columns).iloc[order].reset_index(drop=True)


def rank_criteria(
    campaign: Campaign,
    rank: Callable[[Campaign, float], Ranking],
    level: float = 0.95,
) -> Criteria:
    """Rank a campaign by each of its criteria; ``rank`` gets the campaign of one and its level."""
    if len(campaign.criteria) < 2:
        raise PodiumError("Criteria", "the campaign has a single one", "Rank by that one.")
    own = joint_level(level, len(campaign.criteria))
    rankings = tuple(rank(campaign.of_criterion(name), own) for name, _ in campaign.criteria)
    systems = sorted({name for ranking in rankings for name in ranking.systems})
    names = tuple(name for name, _ in campaign.criteria)
    return Criteria(names, tuple(systems), rankings, level)


def weights_of(criteria: Criteria, given: Mapping[str, float]) -> list[float]:
    """Return a weight for each criterion, by names in any case; those not given have weight 1."""
    known = {name.casefold(): k for k, name in enumerate(criteria.names)}
    weights = [1.0] * len(criteria.names)
    for name, weight in given.items():
        if name.strip().casefold() not in known or not 0 <= weight < math.inf:
            raise PodiumError(
                "Weights",
                f"{name}={weight:g} is not a criterion with a weight of 0 or more",
                f"Criteria are {', '.join(criteria.names)}.",
            )
        weights[known[name.strip().casefold()]] = weight
    if not sum(weights):
        raise PodiumError("Weights", "all are 0", "Set the weight of one criterion above 0.")
    return weights


def halos(judgments: Sequence[tuple[str, Judgments]]) -> list[Halo]:
    """Return the halo of every two criteria, from the judgments by each."""
    tables = [(name, _values(own)) for name, own in judgments]
    return [
        _halo(a, b, one, other) for k, (a, one) in enumerate(tables) for b, other in tables[k + 1 :]
    ]


def _values(judgments: Judgments) -> pd.DataFrame:
    """Return what each judge said of each output, or of each two systems, as numbers."""
    scores = judgments.scores
    if scores is not None:
        judge, segment, value = scores.judge, scores.segment, scores.goodness
        unit = np.array(judgments.systems, dtype=object)[scores.system]
    else:
        names = np.array([judgments.output_name(k) for k in range(len(judgments.systems)
                          + len(judgments.groups))], dtype=object)  # fmt: skip
        left, right = names[judgments.left], names[judgments.right]
        turned = left > right
        unit = np.where(turned, right + "\t" + left, left + "\t" + right)
        value = np.where(turned, -1.0, 1.0) * judgments.outcome
        judge, segment = (
            judgments.task_judge[judgments.task],
            judgments.task_segment[judgments.task],
        )
    return pd.DataFrame(
        {
            "judge": np.array(judgments.judges, dtype=object)[judge],
            "segment": np.array(judgments.segments, dtype=object)[segment],
            "unit": unit,
            "value": value,
        }
    ).drop_duplicates(["judge", "segment", "unit"])


def _halo(a: str, b: str, one: pd.DataFrame, other: pd.DataFrame) -> Halo:
    both = one.merge(other, on=["judge", "segment", "unit"], suffixes=("_a", "_b"))
    if len(both) < 3:
        return Halo(a, b, math.nan, math.nan, len(both))
    of_judge = both.groupby("judge")[["value_a", "value_b"]]
    rest = both[["value_a", "value_b"]] - of_judge.transform("mean")
    x, y = rest["value_a"].to_numpy(), rest["value_b"].to_numpy()
    within = _ratio((x * y).sum(), (x**2).sum(), (y**2).sum())
    output = both.groupby(["segment", "unit"], sort=False).ngroup().to_numpy()
    n = np.bincount(output)
    several = (n > 1)[output]
    sum_x, sum_y, same = (np.bincount(output, own) for own in (x, y, x * y))
    # Sum over different judges of one output: all products without those of one judge.
    crossed = (sum_x * sum_y - same)[n > 1].sum()
    weight = (n - 1)[output][several]
    spread_x, spread_y = ((own[several] ** 2 * weight).sum() for own in (x, y))
    return Halo(a, b, within, _ratio(crossed, spread_x, spread_y), len(both))


def _ratio(product: float, one: float, other: float) -> float:
    return float(product / math.sqrt(one * other)) if one > 0 and other > 0 else math.nan


def _is_beaten(own: FloatArray, others: FloatArray) -> bool:
    return bool(((others >= own).all(axis=1) & (others > own).any(axis=1)).any())


def _is_above(ranking: Ranking, one: str, other: str) -> bool:
    """Return whether the rank ranges of two systems show one above the other."""
    if ranking.ranges is None or one not in ranking.systems or other not in ranking.systems:
        return False
    a, b = ranking.systems.index(one), ranking.systems.index(other)
    return bool(ranking.ranges.rank_worst[a] < ranking.ranges.rank_best[b])


def _range(best: object, worst: object) -> str:
    if best is pd.NA or worst is pd.NA:
        return ""
    return str(best) if best == worst else f"{best}\N{EN DASH}{worst}"
