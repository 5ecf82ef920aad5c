"""The graded response model: abilities from comparisons with one baseline system.

Every other system loses to the baseline, ties with it or wins (grades 0, 1, 2), by the judge's
sensitivity a_k and the segment's difficulties b_j1 < b_j2:

    P(ties or wins) = σ(a_k (θ - b_j1)),   P(wins) = σ(a_k (θ - b_j2)),   θ ~ N(0, τ²).

Sensitivities and difficulties maximize the marginal posterior (`graded_response_likelihood`);
abilities are the modes of theirs, with the posterior deviation as standard error. The scale is
weakly identified: compare orders and proportions, not values.

O16 (§6.3) advise to choose the baseline before any judgment is collected: the system whose metric
score (BLEU or METEOR) is nearest the mean of all systems. Without scores, judgments say which
system is middling.

Reference: Otani, Nakazawa, Kawahara & Kurohashi 2016, *IRT-based Aggregation Model of Crowdsourced
Pairwise Comparisons for Evaluating Machine Translations*.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy
from scipy.special import expit

from analysis.campaign import TIE, WIN, FloatArray, IntArray, Judgments
from analysis.errors import NotConvergedError, PodiumError, UndefinedResultError, control, unknown
from analysis.parameters import choice, number, text
from analysis.rankers.graded_response.estimation import ADAPTIVE, Estimation, as_printed
from analysis.rankers.graded_response.items import Difficulties, Sensitivities
from analysis.rankers.graded_response.likelihood import (
    Comparisons,
    MarginalPosterior,
    Parameters,
)
from analysis.rankers.graded_response.newton import refit_near
from analysis.rankers.ranker import Fit, Pace, Ranker, require_judgments
from analysis.rankers.ratios import ExpectedWins
from analysis.rankers.resampling import ResamplingUnit, draw_observations, unit_index

MAX_ITERATIONS = 1500
RESAMPLE_ITERATIONS = 120
"""Steps of the optimizer on a resample where scoring steps do not lead to its mode: on WMT13
French–English, with printed nodes, abilities are then within .005 of it, their deviation .01 to
.1."""


@dataclass(frozen=True)
class GradedResponse(Ranker):
    """Otani et al.'s graded response model; a thousand resamples take minutes."""

    name: ClassVar = "graded-response"
    title: ClassVar = "Graded response model"
    sentence: ClassVar = (
        "A system's ability to beat a baseline system; judges differ in sensitivity and segments "
        "in difficulty."
    )
    citation: ClassVar = "Otani, Nakazawa, Kawahara & Kurohashi 2016"
    references: ClassVar = ("otani-etal-2016-irt",)
    score_label: ClassVar = "ability θ (logits at a = 1)"
    is_relative: ClassVar = True
    runs_at_once: ClassVar = 5

    baseline: str = text(
        "",
        "Baseline system that all others are compared with. If empty, the one nearest the mean "
        "of the metric scores, or else the middle one by Expected Wins among the most connected "
        "systems.",
    )
    metric_scores: str = text(
        "",
        "Metric scores of the systems, such as BLEU, as name=score, comma-separated (on the "
        "command line also a CSV file of names and scores). They choose the baseline if none is "
        "named.",
        symbol="metric",
        advanced=True,
        table=True,
    )
    tau: float = number(
        1.414214,
        "Standard deviation of the prior on abilities.",
        low=0.1,
        high=10.0,
        step=0.1,
        symbol="τ",
        advanced=True,
    )
    nodes: int = number(
        21,
        "Nodes of the quadrature.",
        low=3,
        high=61,
        step=2,
        advanced=True,
    )
    quadrature: str = choice(
        "adaptive",
        "Placement of the nodes, and bounds of sensitivities and difficulties.",
        {
            "adaptive": "around each system's mode; without bounds",
            "printed": "at the same places for all, with log barriers (as in the paper): coarse",
        },
        advanced=True,
    )
    barrier: float = number(
        0.01,
        "Weight of the log barriers that keep a > 0 and b1 < b2; the paper does not state it.",
        low=0.0001,
        high=10.0,
        step=0.01,
        advanced=True,
        only_with=("quadrature", ("printed",)),
    )

    @property
    def pace(self) -> Pace:
        return "minutes"

    def fit(self, judgments: Judgments, seed: int = 0) -> GradedResponseFit:
        require_judgments(judgments)
        problem = _Problem.of(judgments, self.find_baseline(judgments))
        parameters, posterior, iterations = self._fit_problem(problem)
        baseline = judgments.systems[problem.baseline]
        spread = np.full(judgments.n_systems, np.nan)
        spread[problem.systems] = posterior.width
        standings = self.standings(
            judgments,
            problem.spread_out(posterior.ability, parameters),
            spread,
            (
                f"{len(problem.observation)} of {len(judgments.observations)} comparisons are with "
                f"the baseline {baseline}; the others are not used.",
                f"Sensitivities and difficulties converged in {iterations} steps.",
            ),
        )
        reason = f"It was never compared with the baseline {baseline}."
        met = judgments.counts.compared.sum(axis=1) > 0
        undefined = {
            name: reason if met[judgments.systems.index(name)] else why
            for name, why in standings.undefined.items()
        }
        standings = dataclasses.replace(standings, undefined=undefined)
        return GradedResponseFit(
            self, judgments, seed, standings, problem, parameters, posterior.ability
        )

    def replicate_scores(
        self, judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
    ) -> FloatArray:
        return self.fit(judgments).replicates(unit, n, rng)

    def find_baseline(self, judgments: Judgments) -> int:
        """Return the baseline's index: the one named, by metric scores, or the middling one."""
        if self.baseline:
            return named_baseline(judgments, self.baseline)
        if self.metric_scores:
            return baseline_by_metric(judgments, parse_metric_scores(self.metric_scores))
        return middling_baseline(judgments)

    @property
    def _estimation(self) -> Estimation:
        return as_printed(self.barrier) if self.quadrature == "printed" else ADAPTIVE

    def _fit_problem(self, problem: _Problem) -> tuple[Parameters, MarginalPosterior, int]:
        c = problem.comparisons
        posterior = MarginalPosterior(c, self.tau, self.nodes, self._estimation)
        start = Parameters.prior_means(c.n_judges, c.n_segments)
        parameters, iterations, converged = posterior.maximize(start, MAX_ITERATIONS)
        if not converged:
            raise NotConvergedError(
                "Graded response model",
                f"sensitivities and difficulties still moved after {iterations} steps",
                "Choose another baseline or a smaller τ.",
            )
        return parameters, posterior, iterations


@dataclass(frozen=True, eq=False)
class _Problem:
    """One baseline's comparisons, with compact codes and the way back to the campaign's.

    ``observation`` are the comparisons' places among the judgments' observations.
    """

    baseline: int
    n_systems: int
    systems: IntArray
    judges: IntArray
    segments: IntArray
    observation: IntArray
    comparisons: Comparisons

    @classmethod
    def of(cls, judgments: Judgments, baseline: int) -> _Problem:
        facts = judgments.observations
        is_left = facts.left == baseline
        chosen = np.flatnonzero(is_left != (facts.right == baseline))
        other = np.where(is_left, facts.right, facts.left)[chosen]
        chosen = chosen[np.argsort(other, kind="stable")]
        outcome = np.where(is_left, -facts.outcome, facts.outcome)[chosen]
        other = np.where(is_left, facts.right, facts.left)[chosen]
        task = judgments.task[facts.row[chosen]]
        systems, sizes = np.unique(other, return_counts=True)
        judges, judge = np.unique(judgments.task_judge[task], return_inverse=True)
        segments, segment = np.unique(judgments.task_segment[task], return_inverse=True)
        comparisons = Comparisons(
            start=np.concatenate([[0], np.cumsum(sizes)]),
            judge=judge,
            segment=segment,
            grade=np.where(outcome == WIN, 2, np.where(outcome == TIE, 1, 0)),
            weight=np.ones(len(chosen)),
            n_judges=len(judges),
            n_segments=len(segments),
        )
        return cls(baseline, judgments.n_systems, systems, judges, segments, chosen, comparisons)

    def weighted(self, observation_weights: FloatArray) -> _Problem:
        """Return the problem with every comparison counted as often as a resample drew it."""
        weight = observation_weights[self.observation]
        comparisons = dataclasses.replace(self.comparisons, weight=weight)
        return dataclasses.replace(self, comparisons=comparisons)

    def spread_out(self, ability: FloatArray, parameters: Parameters) -> FloatArray:
        """Return abilities of all systems: the baseline's by convention, nan if it was not met."""
        c = self.comparisons
        met = np.add.reduceat(c.weight, c.start[:-1]) > 0
        scores = np.full(self.n_systems, np.nan)
        scores[self.systems] = np.where(met, ability, np.nan)
        if met.any():
            scores[self.baseline] = ability_of_baseline(c, parameters)
        return scores


def ability_of_baseline(comparisons: Comparisons, parameters: Parameters) -> float:
    """Return the θ that wins against the baseline as often as it loses, over all comparisons.

    Σ [P(wins) - P(loses)] rises with θ, from minus to plus the number of comparisons.
    """
    c = comparisons
    a, b1, b2 = parameters.a[c.judge], parameters.b1[c.segment], parameters.b2[c.segment]

    def surplus(theta: float) -> float:
        return float(c.weight @ (expit(a * (theta - b2)) - expit(-a * (theta - b1))))

    return float(
        scipy.optimize.brentq(surplus, float(b1.min()) - 1, float(b2.max()) + 1, xtol=1e-9)
    )


@dataclass(frozen=True, eq=False)
class GradedResponseFit(Fit):
    """All that the model says: abilities in `standings`, and what judges and segments are like.

    The baseline's ability is where the model expects it to win against itself as often as to lose,
    over the segments and judges of the campaign; it has no spread. ``ability`` is that of the
    systems that met the baseline, in the order of the problem.
    """

    ranker: GradedResponse
    problem: _Problem
    parameters: Parameters
    ability: FloatArray

    @property
    def baseline(self) -> str:
        return self.judgments.systems[self.problem.baseline]

    @property
    def signature(self) -> str:
        """What makes these numbers again."""
        return str(self.ranker.provenance | self.judgments.provenance)

    def sensitivities(self) -> Sensitivities:
        """Return what the judges who compared something with the baseline are like."""
        c, a = self.problem.comparisons, self.parameters.a
        order = np.argsort(-a, kind="stable")
        names = [self.judgments.judges[k] for k in self.problem.judges[order]]
        comparisons = np.bincount(c.judge, minlength=c.n_judges)
        return Sensitivities(tuple(names), a[order], comparisons[order])

    def difficulties(self) -> Difficulties:
        """Return what the segments on which something met the baseline are like."""
        c, found = self.problem.comparisons, self.parameters
        return Difficulties(
            tuple(self.judgments.segments[j] for j in self.problem.segments),
            found.b1,
            found.b2,
            np.bincount(c.segment, minlength=c.n_segments),
            float(np.mean(self.ability)),
        )

    def replicates(self, unit: ResamplingUnit, n: int, rng: np.random.Generator) -> FloatArray:
        """Refit to each resample by few scoring steps from the fit to all judgments."""
        problem, judgments = self.problem, self.judgments
        if unit == "none":
            return np.tile(problem.spread_out(self.ability, self.parameters), (n, 1))
        index = unit_index(judgments, unit)
        scores = np.empty((n, judgments.n_systems))
        for r in range(n):
            drawn = np.bincount(
                draw_observations(index, rng), minlength=len(judgments.observations)
            )
            resample = problem.weighted(drawn.astype(np.float64))
            ranker = self.ranker
            refit = MarginalPosterior(
                resample.comparisons, ranker.tau, ranker.nodes, ranker._estimation
            )
            refit.ability[:] = self.ability
            parameters = None if refit.estimation.fixed else refit_near(refit, self.parameters)
            if parameters is None:
                refit.ability[:] = self.ability
                try:
                    parameters, _, _ = refit.maximize(self.parameters, RESAMPLE_ITERATIONS)
                except NotConvergedError:  # A resample without scores is counted by its reader.
                    scores[r] = np.nan
                    continue
            scores[r] = resample.spread_out(refit.ability, parameters)
        return scores


def named_baseline(judgments: Judgments, name: str) -> int:
    """Return the index of a system by its name; one that nobody met is refused."""
    if name not in judgments.systems:
        raise unknown(control("--baseline", "Setting baseline"), name, judgments.systems)
    chosen = judgments.systems.index(name)
    if not judgments.counts.compared[chosen].any():
        raise UndefinedResultError(
            f"Baseline {name}",
            "no judgment compares another system with it",
            "Choose another baseline, or none for the middle system.",
        )
    return chosen


def middling_baseline(judgments: Judgments) -> int:
    """Return the system of Expected Wins nearest .5, among those that met most opponents."""
    n_opponents = (judgments.counts.compared > 0).sum(axis=1)
    wins = ExpectedWins().scores_from_counts(judgments.counts)
    distance = np.abs(wins - 0.5)
    distance[np.isnan(distance)] = np.inf
    return int(np.lexsort([np.arange(len(wins)), distance, -n_opponents])[0])


def baseline_by_metric(judgments: Judgments, scores: Mapping[str, float]) -> int:
    """Return the system whose metric score is nearest the mean of all the pair's systems (O16).

    Systems without a score do not count; of equally near ones the earlier by name is taken.
    """
    met = judgments.counts.compared.sum(axis=1) > 0
    known = {name: scores[name] for name in judgments.systems if name in scores}
    able = [name for name in known if met[judgments.systems.index(name)]]
    if len(known) < 2 or not able:
        raise PodiumError(
            control("--metric-scores", "Setting metric scores"),
            f"it has scores of {len(known)} of the systems {', '.join(judgments.systems)}",
            "Give scores of all of them, with the names of the judgments.",
        )
    mean = sum(known.values()) / len(known)
    return judgments.systems.index(min(able, key=lambda name: (abs(known[name] - mean), name)))


def parse_metric_scores(text: str) -> dict[str, float]:
    """Read scores as ``name=score``, by comma or by line.

    >>> parse_metric_scores("online-B=31.2, uedin=29")
    {'online-B': 31.2, 'uedin': 29.0}
    """
    scores = {}
    for part in text.replace("\n", ",").split(","):
        if not part.strip():
            continue
        name, _, score = part.rpartition("=")
        try:
            scores[name.strip()] = float(score)
        except ValueError:
            name = ""
        if not name.strip() or not np.isfinite(scores.get(name.strip(), np.nan)):
            raise PodiumError(
                control("--metric-scores", "Setting metric scores"),
                f"{part.strip()!r} is not a name and a score",
                "Use the form uedin=29.1.",
            )
    return scores
