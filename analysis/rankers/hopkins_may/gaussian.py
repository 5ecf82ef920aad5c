"""Hopkins & May's Gaussian model: every system has an ability, every output a quality around it.

The quality of an output is q ~ N(μ_system, σa²). A judge who compares two outputs sees each with
fresh noise N(0, σobs²) and prefers one if what they see differs by more than d; else it is a tie.
Abilities have the prior μ ~ N(0, σ0²). Their level is not identified, so they are centered.

Four fits: the posterior mode (`ordered_probit`), two exact samplers and the procedure of SPV14
(`hopkins_may_gibbs`).

References: Hopkins & May 2013, *Models of Translation Competitions* (HM13); Sakaguchi, Post &
Van Durme 2014, *Efficient Elicitation of Annotations for Human Evaluation of Machine
Translation* (SPV14).
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from analysis.campaign import FloatArray, Judgments, PairCounts
from analysis.parameters import choice, format_value, number
from analysis.rankers.hopkins_may.chains import describe_chain, require_enough_draws
from analysis.rankers.hopkins_may.gibbs import (
    Plate,
    draw_with_items,
    draw_with_pairs,
    push_and_average,
)
from analysis.rankers.influence import Influence, relative
from analysis.rankers.preferences import OrderedProbit, Preferences, cut_in_three
from analysis.rankers.ranker import CountRanker, Fit, Pace, require_judgments

SAMPLERS = ("gibbs", "gibbs-items", "spv14")
RESAMPLED_BY_LAPLACE = "Rank ranges come from resamples, each fitted by Laplace's approximation."
SPV14_SCALE = (
    "This procedure has no prior and shrinks the scale: compare its order and proportions with "
    "other fits, not its values."
)


@dataclass(frozen=True, eq=False)
class Abilities:
    """A posterior of abilities: their mean and covariance, the level included.

    ``covariance`` is None where the fit has no posterior.
    """

    mean: FloatArray
    covariance: FloatArray | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class HopkinsMay(CountRanker):
    """HM13's IRT-Gaussian; the se is the posterior deviation of the centered ability."""

    name: ClassVar = "hopkins-may"
    title: ClassVar = "Hopkins & May, Gaussian"
    sentence: ClassVar = (
        "A system's ability: the mean quality of its outputs, which judges see with noise."
    )
    citation: ClassVar = "Hopkins & May 2013; Sakaguchi, Post & Van Durme 2014"
    references: ClassVar = ("hopkins-may-2013-models", "sakaguchi-etal-2014-efficient")
    score_label: ClassVar = "ability (quality units)"
    is_relative: ClassVar = True
    has_chances: ClassVar = True

    sigma0: float = number(
        1.0,
        "Standard deviation of the prior on abilities.",
        low=0.05,
        high=10.0,
        step=0.05,
        symbol="σ0",
        advanced=True,
    )
    sigma_obs: float = number(
        1.0,
        "Standard deviation of a judge's noise on each output seen.",
        low=0.05,
        high=10.0,
        step=0.05,
        symbol="σobs",
    )
    sigma_a: float = number(
        0.5,
        "Standard deviation of the quality of one system's outputs.",
        low=0.05,
        high=10.0,
        step=0.05,
        symbol="σa",
    )
    radius: float = number(
        0.4,
        "Two outputs tie if they differ by at most this much for a judge.",
        low=0.001,
        high=5.0,
        step=0.01,
        symbol="d",
    )

    inference: str = choice(
        "laplace",
        "How abilities are estimated.",
        {
            "laplace": "posterior mode of independent pairs, exact to 0.1 se, instant",
            "gibbs": "exact sampler, in which every pair has two outputs of its own",
            "gibbs-items": "exact sampler, in which an output is one item in all its pairs (HM13)",
            "spv14": (
                "resample, push out of the radius, average repeatedly (SPV14): no prior, no se"
            ),
        },
        symbol="fit",
    )
    query: str = choice(
        "posterior",
        "How outcomes are predicted from the abilities.",
        {
            "posterior": "as a judge sees them, averaged over the uncertainty of the abilities",
            "plug-in": "as a judge sees them, with the abilities as if known exactly (HM13)",
            "one-sided": (
                "by the quality of outputs, N(μ1 - μ2, 2σa²) cut at 0 and at the radius, the "
                "better system first; without the judges' noise (SPV14)"
            ),
        },
        advanced=True,
        role="prediction",
    )
    iterations: int = number(
        200,
        "Number of iterations of a sampler, including the burn-in.",
        low=20,
        high=50_000,
        step=50,
        symbol="it",
        advanced=True,
        only_with=("inference", SAMPLERS),
    )
    burn_in: int = number(
        50,
        "First iterations of a sampler, which are discarded.",
        low=0,
        high=10_000,
        step=10,
        symbol="burn",
        advanced=True,
        only_with=("inference", SAMPLERS),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        require_enough_draws(self.iterations, self.burn_in)

    @property
    def probit(self) -> OrderedProbit:
        """The model of one pair, its qualities integrated out."""
        scale = math.sqrt(2 * (self.sigma_a**2 + self.sigma_obs**2))
        return OrderedProbit(scale, self.radius, self.sigma0)

    def scores_from_counts(self, counts: PairCounts) -> FloatArray:
        mode, _ = self.probit.mode(counts)
        return np.where(counts.compared.sum(axis=-1) > 0, mode, np.nan)

    @property
    def pace(self) -> Pace:
        return "minutes" if self.inference in SAMPLERS else "instant"

    def has_derivative(self, judgments: Judgments) -> bool:
        return True

    def quick_form(self) -> HopkinsMay:
        return dataclasses.replace(self, inference="laplace")

    def fit(self, judgments: Judgments, seed: int = 0) -> HopkinsMayFit:
        require_judgments(judgments)
        abilities = self.abilities(judgments, seed)
        met = judgments.counts.compared.sum(axis=1) > 0
        mean, spread = centered(abilities, met)
        standings = self.standings(judgments, mean, spread, abilities.notes)
        return HopkinsMayFit(self, judgments, seed, standings, abilities)

    def abilities(self, judgments: Judgments, seed: int = 0) -> Abilities:
        """Return the posterior by the chosen inference; samplers start at the posterior mode."""
        counts = judgments.counts
        mode, precision = self.probit.mode(counts)
        if self.inference == "laplace":
            return Abilities(mode, np.asarray(np.linalg.inv(precision), dtype=np.float64))
        plate = Plate(self.sigma0, self.sigma_a, self.sigma_obs, self.radius)
        rng = np.random.default_rng(seed)
        met = counts.compared.sum(axis=1) > 0
        if self.inference == "spv14":
            draws = push_and_average(counts, plate, mode, self.iterations, rng)[self.burn_in :]
            return Abilities(draws.mean(axis=0), None, (RESAMPLED_BY_LAPLACE, SPV14_SCALE))
        if self.inference == "gibbs":
            draws = draw_with_pairs(counts, plate, mode, self.iterations, rng)
        else:
            draws = draw_with_items(judgments, plate, mode, self.iterations, rng)
        draws = draws[self.burn_in :]
        relative = draws[:, met] - draws[:, met].mean(axis=1, keepdims=True)
        return Abilities(
            draws.mean(axis=0),
            np.cov(draws, rowvar=False),
            (RESAMPLED_BY_LAPLACE, describe_chain(relative)),
        )


@dataclass(frozen=True, eq=False)
class HopkinsMayFit(Fit):
    """The posterior of the abilities."""

    ranker: HopkinsMay
    abilities: Abilities

    def influence(self) -> Influence:
        """Return that of Laplace's approximation, whatever the inference."""
        counts, probit = self.judgments.counts, self.ranker.probit
        mode, precision = probit.mode(counts)
        inverse = np.asarray(np.linalg.inv(precision), dtype=np.float64)
        slopes = np.stack(probit.outcome_slopes(mode[:, None] - mode))
        return Influence(
            scores=np.where(counts.compared.sum(axis=-1) > 0, mode, np.nan),
            own=slopes,
            other=-slopes,
            mixing=inverse,
            least=relative(inverse, counts),
        )

    def preferences(self, radius: float | None = None) -> Preferences:
        """Return the predictive probabilities, what is not known of the abilities included.

        The abilities depend on the radius: another one than the ranker's asks for another fit. Not
        so with the one-sided query, whose radius is one of prediction alone (SPV14 §3.4). SPV14 do
        not print the deviation that this model's prediction has; here it is that of outputs, σa,
        on which their sampler draws.
        """
        if self.ranker.query == "one-sided":
            return self._one_sided(self.ranker.radius if radius is None else radius)
        if radius is not None and radius != self.ranker.radius:
            other = dataclasses.replace(self.ranker, radius=radius)
            return other.fit(self.judgments, self.seed).preferences()
        mean, covariance = self.abilities.mean, self.abilities.covariance
        difference = mean[:, None] - mean
        variance: FloatArray | float = 0.0
        if covariance is not None and self.ranker.query == "posterior":
            own = np.diag(covariance)
            variance = np.maximum(own[:, None] + own - 2 * covariance, 0)
        win, tie = self.ranker.probit.outcome_probabilities(difference, variance)
        return Preferences(self.judgments.systems, win, tie, self.ranker.method_signature())

    def _one_sided(self, radius: float) -> Preferences:
        mean = self.abilities.mean
        spread = np.full((len(mean), len(mean)), math.sqrt(2) * self.ranker.sigma_a)
        win, tie = cut_in_three(mean, spread, radius, one_sided=True)
        signature = f"{self.ranker.method_signature()}|r:{format_value(radius)}"
        return Preferences(self.judgments.systems, win, tie, signature)


def centered(abilities: Abilities, met: FloatArray) -> tuple[FloatArray, FloatArray | None]:
    """Return means and deviations of each ability minus the mean of those of the systems met."""
    k = len(abilities.mean)
    center = np.eye(k) - met / met.sum()
    mean = center @ abilities.mean
    if abilities.covariance is None:
        return mean, None
    return mean, np.sqrt(np.diag(center @ abilities.covariance @ center.T))
