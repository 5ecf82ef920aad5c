"""The mean of the scores that judges gave.

A system's score is s = Σ a_r y_r over its scores: y is the score, the good end up, or z, the score
in standard deviations from its judge's mean; a_r is 1/n, or 1/(G n_g) for a mean over documents or
domains of the means within them.

With more of unit u the sum of what its scores add to s changes: score r adds a_r (y_r - s), and
a_r (y_r - m_g) if the domains are fixed. Documents are resampled as wholes. Score q also
moves its judge's mean and deviation, and so every z of that judge, by

    -(z_q A_j + (z_q² - 1) Z_j / 2) / n_j,  A_j = Σ a_r, Z_j = Σ a_r z_r over the judge's scores.

Of two outputs that one judge sees, that of system i is preferred with chance Φ(a (s_i - s_j) - c),
and they tie with what that leaves of both sides: a normal model of the difference of their scores,
a one by its deviation and c the margin of a tie by it, at their likeliest values given the
preferences that follow from the scores, each outcome between equals as if seen once more.

One further score with the deviation of all scores is added to each system's: for a single score the
deviation from itself says nothing.

References: Graham, Baldwin, Moffat & Zobel 2017, *Can Machine Translation Systems Be Evaluated by
the Crowd Alone* (z by judge); Kocmi et al. 2024, *Findings of the WMT24 General Machine Translation
Shared Task* (means over domains).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy
from scipy.special import log_ndtr, ndtr

from analysis.campaign import FloatArray, IntArray, Judgments, PairCounts, Scores, standardized
from analysis.errors import NotConvergedError, UndefinedResultError
from analysis.parameters import choice
from analysis.rankers.influence import Influence, ScoredRows
from analysis.rankers.preferences import LEAST_PROBABILITY, Preferences
from analysis.rankers.ranker import Fit, Pace, Ranker, Standings
from analysis.rankers.resampling import ResamplingUnit

BY_Z = (
    "In simulations, 95% intervals of standardized means covered up to 98% of the scores of "
    "equal systems, so they may be slightly too wide."
)
BY_DOMAIN = (
    "If judges and documents favor systems, 95% intervals of means over domains covered 91% of "
    "the scores in simulations: they are slightly too narrow."
)
"""What was measured where intervals do not hold what they promise."""
GIVEN_Z = "Scores are means of the ratings that the file itself standardizes by judge (z)."
SETTLED = 1e-6
"""Slope of the log-likelihood of one judgment under which a search has found the summit."""
NOT_SCORED = "It was never compared or rated, so it has no score."
NO_Z = (
    "None of its ratings could be standardized: its judges gave one rating only, or always the "
    "same."
)


@dataclass(frozen=True)
class Mean(Ranker):
    """The mean score of a system's outputs, raw or standardized by judge."""

    standardize: str = choice(
        "given",
        "the values to average: ratings, or ratings standardized by judge",
        {
            "given": "the file's own standardized ratings where it has them, otherwise its ratings",
            "none": "the ratings, even if the file also has standardized ones",
            "judge": (
                "ratings in standard deviations from the judge's mean, so that harsh and lenient "
                "judges are comparable"
            ),
        },
        symbol="z",
        title="Ratings to average",
    )
    macro: str = choice(
        "none",
        "the units to average over",
        {
            "none": "all ratings, with equal weight",
            "document": "documents, each with equal weight, so that long ones count no more",
            "domain": "domains, each with equal weight, so that large ones count no more",
        },
        symbol="macro",
        title="Average over",
    )

    name: ClassVar = "mean"
    title: ClassVar = "Mean score"
    sentence: ClassVar = "The mean of the ratings of a system's outputs."
    citation: ClassVar = "Graham et al. 2017; Kocmi et al. 2024"
    references: ClassVar = ("graham-etal-2017-crowd", "kocmi-etal-2024-findings")
    score_label: ClassVar = "mean score"
    needs_scores: ClassVar = True
    has_chances: ClassVar = True
    tunes_radius: ClassVar = False

    @property
    def pace(self) -> Pace:
        return "instant"

    def fit(self, judgments: Judgments, seed: int = 0) -> Fit:
        rows = _Rows.of(self, judgments)
        return MeanFit(self, judgments, seed, self._standings(judgments, rows.means()))

    def _standings(self, judgments: Judgments, scores: FloatArray) -> Standings:
        assert judgments.scores is not None
        was_scored = np.bincount(judgments.scores.system, minlength=judgments.n_systems) > 0
        return Standings(
            systems=judgments.systems,
            scores=scores,
            spread=None,
            method=self.name,
            signature=self.method_signature(),
            n_judgments=len(judgments.scores),
            undefined={
                judgments.systems[k]: NO_Z if was_scored[k] else NOT_SCORED
                for k in np.flatnonzero(np.isnan(scores))
            },
            is_z=self.averages_z(judgments.scores),
            notes=(
                *((BY_Z,) if self.standardize == "judge" else ()),
                *((GIVEN_Z,) if self._is_given_z(judgments.scores) else ()),
                *((BY_DOMAIN,) if self.macro == "domain" else ()),
            ),
        )

    def _is_given_z(self, scores: Scores) -> bool:
        """Return whether the file's z are averaged; none, if some of its ratings have no z."""
        return self.standardize == "given" and scores.has_given_z

    def averages_z(self, scores: Scores) -> bool:
        """Return whether standardized ratings are averaged: by the file, or by judge."""
        return self.standardize == "judge" or self._is_given_z(scores)

    def replicate_scores(
        self, judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
    ) -> FloatArray:
        rows = _Rows.of(self, judgments)
        if unit == "none":
            return np.tile(rows.means(), (n, 1))
        _, label = np.unique(rows.unit(unit), return_inverse=True)
        n_units = int(label.max()) + 1
        whole = rows.whole_groups and unit in ("segment", "document")
        drawn = np.empty((n, judgments.n_systems))
        for run in range(n):
            counts = np.bincount(rng.integers(n_units, size=n_units), minlength=n_units)
            times = counts[label].astype(np.float64)
            drawn[run] = rows.means(times, rows.group_times(times) if whole else None)
        return drawn

    def has_derivative(self, judgments: Judgments) -> bool:
        return judgments.scores is not None

    def influence_of(self, judgments: Judgments) -> Influence:
        return _Rows.of(self, judgments).influence()


@dataclass(frozen=True, eq=False)
class MeanFit(Fit):
    """Means, and the chances of preferences that follow from them."""

    def preferences(self, radius: float | None = None) -> Preferences:
        """Return the chances by the normal model; a system without scores is as good as all."""
        scores = self.standings.scores
        scores = np.where(np.isnan(scores), np.nanmean(scores), scores)
        gap = scores[:, None] - scores
        a, c = likeliest_slope_and_margin(gap, self.judgments.counts)
        win = np.maximum(ndtr(a * gap - c), LEAST_PROBABILITY)
        tie = np.maximum(1 - win - win.T, LEAST_PROBABILITY)
        whole = win + win.T + tie
        return Preferences(
            self.judgments.systems, win / whole, tie / whole, self.standings.signature
        )


def likeliest_slope_and_margin(gap: FloatArray, counts: PairCounts) -> tuple[float, float]:
    """Return a and c of P(win) = Φ(a gap - c), both 0 or more; the likelihood has one summit."""
    unit = float(np.abs(gap).max()) or 1.0
    x = np.append(gap / unit, 0.0)
    wins, ties = np.append(counts.wins, 2.0), np.append(counts.ties / 2, 1.0)
    n = float(wins.sum() + ties.sum())

    def rise(at: FloatArray) -> tuple[float, FloatArray]:
        above, below = at[0] * x - at[1], -at[0] * x - at[1]
        tied = np.maximum(1 - ndtr(above) - ndtr(below), 1e-300)
        value = wins @ log_ndtr(above) + ties @ np.log(tied)
        by_above = wins * np.exp(_log_density(above) - log_ndtr(above))
        slope_above = by_above - ties * np.exp(_log_density(above)) / tied
        slope_below = -ties * np.exp(_log_density(below)) / tied
        by_slope = float(((slope_above - slope_below) * x).sum())
        by_margin = -float((slope_above + slope_below).sum())
        return -float(value) / n, -np.array([by_slope, by_margin]) / n

    least = np.array([0, LEAST_PROBABILITY])
    found = scipy.optimize.minimize(
        rise, np.array([1.0, 0.1]), jac=True, method="L-BFGS-B",
        bounds=[(end, None) for end in least], options={"ftol": 1e-14, "gtol": 1e-8},
    )  # fmt: skip
    # at the summit rounding can end the search before it calls itself done
    left = np.abs(found.x - np.maximum(found.x - found.jac, least)).max()
    if not found.success and left > SETTLED:
        raise NotConvergedError(
            "Chances by means",
            f"the search stopped after {found.nit} steps: {found.message}",
            "Choose another method.",
        )
    return float(found.x[0]) / unit, float(found.x[1])


def _log_density(x: FloatArray) -> FloatArray:
    return -(x**2) / 2 - np.log(2 * np.pi) / 2


def possible_means(judgments: Judgments) -> dict[str, Mean]:
    """Return the means that these scores have, by what they are called."""
    scores = judgments.scores
    if scores is None:
        return {}
    if scores.has_given_z:
        means = {"Standardized in the file": Mean(), "Not standardized": Mean(standardize="none")}
    else:
        means = {"Mean score": Mean(), "Standardized by judge": Mean(standardize="judge")}
    if scores.document is not None:
        means["Over documents"] = Mean(macro="document")
    if scores.domain is not None:
        means["Over domains"] = Mean(macro="domain")
    return means


@dataclass(frozen=True, eq=False)
class _Rows:
    """The scores that count under a setting: ``group`` numbers what the mean goes over."""

    scores: Scores
    n_systems: int
    group: IntArray
    by_judge: bool
    whole_groups: bool
    has_documents: bool

    @classmethod
    def of(cls, ranker: Mean, judgments: Judgments) -> _Rows:
        scores = judgments.scores
        if scores is None:
            raise UndefinedResultError(
                f"{ranker.title} of {judgments.pair}",
                "a mean needs scores, and the judges of this campaign ranked outputs",
                "Choose a method for pairwise judgments, such as Expected Wins.",
            )
        if not len(scores) or len(np.unique(scores.system)) < 2:
            raise UndefinedResultError(
                f"Ranking {judgments.pair}",
                f"there are scores of only {len(np.unique(scores.system))} system, and a ranking "
                "needs two",
                "Widen the selection of judges, systems or segments.",
            )
        group = np.zeros(len(scores), dtype=np.int64)
        if ranker.macro != "none":
            found = scores.document if ranker.macro == "document" else scores.domain
            if found is None:
                raise UndefinedResultError(
                    f"Means over {ranker.macro}s",
                    f"the file names no {ranker.macro}s",
                    "Average over all ratings instead.",
                )
            group = found.astype(np.int64)
        return cls(
            scores, judgments.n_systems, group, ranker.averages_z(scores),
            ranker.macro == "document", judgments.source_unit == "document",
        )  # fmt: skip

    def unit(self, unit: ResamplingUnit) -> IntArray:
        """Return the unit of each score; means over documents draw documents for segments."""
        if unit == "judgment":
            return np.arange(len(self.scores))
        if unit == "document" and self.scores.document is not None:
            return self.scores.document
        if unit in ("segment", "document"):
            return self.group if self.whole_groups else self.scores.segment
        return self.scores.judge if unit == "judge" else self.scores.screen

    def group_times(self, times: FloatArray) -> FloatArray:
        """Return how often each group was drawn, where groups are drawn as wholes."""
        drawn = np.zeros(int(self.group.max()) + 1)
        drawn[self.group] = times
        return drawn

    def values(self, times: FloatArray | None = None) -> FloatArray:
        """Return what is averaged, where each score counts so many times."""
        if not self.by_judge:
            return self.scores.goodness
        if times is None or self.scores.standardized is not None:
            return self.scores.z
        return standardized(self.scores.goodness, self.scores.judge, times)

    def means(
        self, times: FloatArray | None = None, group_times: FloatArray | None = None
    ) -> FloatArray:
        """Return every system's mean, where each score, and each group, counts so many times."""
        values = self.values(times)
        known = ~np.isnan(values)
        weight = known * (np.ones(len(values)) if times is None else times)
        sums, n = self._by_group(np.where(known, values, 0.0), weight)
        means = np.divide(sums, n, out=np.zeros(n.shape), where=n > 0)
        share = (n > 0) * (1.0 if group_times is None else group_times)
        total = share.sum(axis=1)
        undefined = np.full(len(n), np.nan)
        return np.divide((means * share).sum(axis=1), total, out=undefined, where=total > 0)

    def _by_group(self, values: FloatArray, weight: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return sums and numbers [K, G] by system and group."""
        n_groups = int(self.group.max()) + 1
        cell = self.scores.system.astype(np.int64) * n_groups + self.group
        size = self.n_systems * n_groups
        sums, n = (np.bincount(cell, w, size) for w in (values * weight, weight))
        shape = self.n_systems, n_groups
        return np.asarray(sums, np.float64).reshape(shape), np.asarray(n, np.float64).reshape(shape)

    def influence(self) -> Influence:
        """Return what each score adds to the means."""
        values, k = self.values(), self.n_systems
        known = ~np.isnan(values)
        y = np.where(known, values, 0.0)
        sums, n = self._by_group(y, known.astype(np.float64))
        system, judge = self.scores.system, self.scores.judge
        n_groups = np.maximum((n > 0).sum(axis=1), 1)
        share = known / np.maximum(n, 1)[system, self.group] / n_groups[system]
        means = self.means()
        stands_fixed = not self.whole_groups
        center = (sums / np.maximum(n, 1))[system, self.group] if stands_fixed else means[system]
        rows = ScoredRows(
            system=system,
            own=share * np.where(known, y - center, 0.0),
            task=self.scores.screen,
            segment=self.unit("document" if self.has_documents else "segment"),
            judge=judge,
            **self._carried(y, share),
        )
        nothing = np.zeros((2, k, k))
        spread = float(np.var(values[known], ddof=1)) if known.sum() > 1 else 0.0
        squares = np.bincount(system, share**2, k)
        bounds = (-np.inf, np.inf) if self.by_judge else self._bounds()
        return Influence(
            scores=means,
            own=nothing,
            other=nothing,
            least=_independent(rows, k),
            few=np.diag(spread * squares**2),
            bounds=bounds,
            scored=rows,
        )

    def _carried(self, z: FloatArray, share: FloatArray) -> dict[str, FloatArray]:
        """Return how scores move their judge's mean and deviation, where z depends on these."""
        if not self.by_judge or self.scores.standardized is not None:
            return {}
        judge, k = self.scores.judge.astype(np.int64), self.n_systems
        n_judges = int(judge.max()) + 1
        n = np.bincount(judge)[judge]
        cell = judge * k + self.scores.system
        by_mean, by_deviation = (
            np.asarray(np.bincount(cell, w, n_judges * k), np.float64).reshape(n_judges, k)
            for w in (share, share * z)
        )
        return {
            "to_mean": z / n,
            "to_deviation": (z**2 - 1) / (2 * n),
            "by_mean": by_mean,
            "by_deviation": by_deviation,
        }

    def _bounds(self) -> tuple[float, float]:
        """Return the ends of the scale, the good one up; there may be none."""
        scale = self.scores.scale
        low, high = (scale.low, scale.high) if scale.higher_is_better else (-scale.high, -scale.low)
        return (-np.inf if np.isnan(low) else low), (np.inf if np.isnan(high) else high)


def _independent(rows: ScoredRows, n_systems: int) -> FloatArray:
    """Return the covariance of means if tasks were independent: no unit's is smaller."""
    _, task = np.unique(rows.task, return_inverse=True)
    added = rows.added(task, n_systems)
    return np.asarray(added.T @ added)
