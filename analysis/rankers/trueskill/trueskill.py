"""TrueSkill as the translation workshops use it: skills from pairwise matches, best pairs first.

Each system has a skill N(μ, σ²), μ = 0 and σ = σ0 at first. Each judgment is a match; a win moves
the winner's μ up and the loser's down, a tie draws both together, and both σ shrink.

References: Sakaguchi, Post & Van Durme 2014, *Efficient Elicitation of Annotations for Human
Evaluation of Machine Translation* (SPV14), §2.3, §2.4 and §3.2; Bojar et al. 2014 and 2015;
Herbrich, Minka & Graepel 2006.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import ndtri

from analysis.campaign import FloatArray, Judgments
from analysis.errors import PodiumError, control
from analysis.parameters import choice, number
from analysis.rankers.influence import (
    Influence,
    covariance_of_pairs,
    missed_by_pairs,
    smoothed_variance,
)
from analysis.rankers.preferences import Preferences, cut_in_three
from analysis.rankers.ranker import Fit, Pace, Ranker, Standings, require_judgments
from analysis.rankers.resampling import (
    ResamplingUnit,
    draw_observations,
    stacks_of_counts,
    unit_index,
)
from analysis.rankers.trueskill.active_draw import choose_facts
from analysis.rankers.trueskill.fluid import expected_run
from analysis.rankers.trueskill.kernels import play_active, play_by_quality, play_sequence
from analysis.rankers.trueskill.nway import draw_matches, play_matches
from analysis.rankers.trueskill.package import PACKAGE, Engine
from analysis.rankers.trueskill.response import expected_response

KERNELS = Engine(play_active, play_by_quality, play_sequence, play_matches)

FLUID_NEEDS = 5
"""Systems from which on the expected run is close to the mean of runs."""

WIDEST_MARGIN = 2.8
"""Margins of a tie over β up to which one judgment moves a skill by little: p = .95."""

FIT_RUNS = 20
"""Runs whose mean is the fit where there is no expected run."""

PUBLISHED_RADII = (0.001, 0.01, 0.1, 0.3, 0.5)
"""Radii of a tie that SPV14 tried (§3.4)."""


@dataclass(frozen=True)
class TrueSkill(Ranker):
    """TrueSkill with β = σ0·N/40, N being one more than the number of judgments used.

    β in proportion to N makes the order of the judgments matter little and the scale of μ hardly
    depend on how many there are: a win moves μ by about 14.3/N. Active selection goes on drawing
    judgments of the system of largest variance against one of about its own skill; replicates
    differ by these draws.

    SPV14 (§3.4) print β = .025 |A| σ0² and a tie margin ε = .25 in the unit of the skills, which is
    ``beta_rule="printed"`` and ``epsilon=.25``. The numbers of the workshops come out with σ0 in
    place of σ0², and with the margin of a draw probability of .25, which are the defaults.
    """

    name: ClassVar = "trueskill"
    title: ClassVar = "TrueSkill (from WMT14)"
    sentence: ClassVar = "A skill on an open scale: systems gain by winning and lose by losing."
    citation: ClassVar = "Sakaguchi, Post & Van Durme 2014; Herbrich, Minka & Graepel 2006"
    references: ClassVar = ("sakaguchi-etal-2014-efficient", "herbrich-etal-2006-trueskill")
    score_label: ClassVar = "skill μ"
    is_relative: ClassVar = True
    has_chances: ClassVar = True

    selection: str = choice(
        "active",
        "Which judgments are used, and in which order.",
        {
            "active": "the most informative pairs, sampled with replacement (as in the paper)",
            "shuffled": "every judgment once, in random order",
        },
    )
    players: int = number(
        2,
        "Number of outputs of a ranking task in one match; more than 2 only when shuffled.",
        low=2,
        high=5,
        step=1,
        symbol="n",
    )
    sigma0: float = number(
        0.5, "Standard deviation of the prior on skills.", low=0.01, high=10.0, symbol="σ0"
    )
    beta: float = number(
        0.0,
        "Standard deviation of a performance around its skill; 0 makes it grow with the number N "
        "of judgments, by the beta rule.",
        low=0.0,
        high=100_000.0,
        symbol="β",
    )
    beta_rule: str = choice(
        "reproduces",
        "Growth of β with N if β is 0.",
        {
            "reproduces": "σ0·N/40, which reproduces published numbers",
            "printed": "σ0²·N/40, as in Sakaguchi, Post & Van Durme (2014)",
        },
        symbol="βN",
        advanced=True,
        only_with=("beta", (0,)),
    )
    draw_probability: float = number(
        0.25,
        "Probability that two equally skilled systems tie; it sets the tie threshold, unless an "
        "epsilon is given.",
        low=0.01,
        high=0.95,
        step=0.01,
        symbol="p",
        only_with=("epsilon", (0,)),
    )
    epsilon: float = number(
        0.0,
        "Tie threshold in the unit of the skills; 0 derives it from the draw probability, which "
        "reproduces published numbers. Sakaguchi, Post & Van Durme (2014) give 0.25.",
        low=0.0,
        high=100_000.0,
        step=0.01,
        symbol="ε",
        advanced=True,
    )
    opponent: str = choice(
        "skill",
        "How active selection picks an opponent for the system with the most uncertain rating.",
        {
            "skill": "one of similar skill, in proportion to exp(-|μ1 - μ2|) (as in the paper)",
            "quality": "TrueSkill's own match quality, almost the same for all if β is large",
        },
        advanced=True,
        only_with=("selection", ("active",)),
    )
    tau: float = number(
        0.0,
        "Standard deviation added to a skill before each of its matches.",
        low=0.0,
        high=1.0,
        symbol="τ",
        advanced=True,
    )
    radius: float = number(
        0.1,
        "Predict a tie if two random skills differ by at most this much.",
        low=0.001,
        high=2.0,
        step=0.001,
        symbol="r",
        role="prediction",
        published=PUBLISHED_RADII,
    )
    zone: str = choice(
        "symmetric",
        "Which differences, better system minus worse, count as a tie.",
        {
            "symmetric": "[-r, r]: on either side of zero",
            "one-sided": "[0, r]: on the better system's side only (as in the paper)",
        },
        advanced=True,
        role="prediction",
    )
    engine: str = choice(
        "kernels",
        "Implementation of the updates.",
        {
            "kernels": "compiled kernels, with the expected run if there is one",
            "package": (
                "the reference: the trueskill package, many times slower, run by run; its normal "
                "distribution changes skills by less than 1e-7"
            ),
        },
        advanced=True,
        role="effort",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.players > 2 and self.selection == "active":
            raise PodiumError(
                control("--players", "Setting players"),
                f"{self.players} outputs per match cannot be selected actively; only pairs can",
                f"Use {control('--selection shuffled', 'shuffled selection')} or 2 players.",
            )

    @property
    def pace(self) -> Pace:
        return "minutes" if self.players > 2 or self.engine == "package" else "seconds"

    @property
    def players_at_once(self) -> int:
        return self.players

    def sweeps(self, setting: str) -> bool:
        """The expected run takes a moment; there is none of all values of β, ε and τ."""
        expected = self.selection == "active" and self.engine == "kernels"
        return expected and setting not in ("beta", "epsilon", "tau")

    def fit(self, judgments: Judgments, seed: int = 0) -> TrueSkillFit:
        """Return the expected result of a run; its mean over some runs where that is not known."""
        require_judgments(judgments)
        if self._has_expected_run(judgments):
            standings = self.fluid_preview(judgments)
        else:
            standings = self._mean_of_runs(judgments, seed)
        return TrueSkillFit(self, judgments, seed, standings)

    def draw_own(self, pool: Judgments, n: int, rng: np.random.Generator) -> TrueSkillFit | None:
        """Choose ``n`` judgments actively, with replacement; the skills are those of that run.

        (SPV14 §2.4 and §3.1)
        """
        if self.selection != "active":
            return None
        require_judgments(pool)
        facts = choose_facts(pool, n, rng, self)
        judgments = pool.take_rows(pool.observations.row[facts])
        own = pool.observations
        mu, variance = self._unplayed(pool.n_systems)
        order = facts.astype(np.int32)
        play = self._engine.play_sequence
        play(own.left, own.right, own.outcome, order, mu, variance, *self.scale(n + 1), self.tau)
        standings = self.standings(
            judgments, mu, np.sqrt(variance), notes=("One run on actively selected judgments.",)
        )
        return TrueSkillFit(self, judgments, 0, standings)

    def has_derivative(self, judgments: Judgments) -> bool:
        return self._has_expected_run(judgments)

    def influence_at(self, judgments: Judgments, scores: FloatArray) -> Influence | None:
        """Return the derivative of the expected run that gave the scores, where there is one."""
        if not self._has_expected_run(judgments):
            return None
        counts, n = judgments.counts, len(judgments) + 1
        response = expected_response(counts, n, self.sigma0, *self.scale(n))
        own = np.stack([response.win, response.tie])
        mixing = response.mixing
        smoothed = smoothed_variance(counts.wins, counts.decided)
        return Influence(
            scores=scores,
            own=own,
            other=-own,
            mixing=mixing,
            least=mixing @ covariance_of_pairs(smoothed, response.decided) @ mixing.T,
            few=mixing @ missed_by_pairs(counts, response.decided) @ mixing.T,
            by_share=response.decided,
        )

    def fluid_preview(self, judgments: Judgments) -> Standings:
        """Return what runs under active selection give on average, in milliseconds.

        Made for the published β and more than four systems; see `trueskill_fluid`.
        """
        require_judgments(judgments)
        n = len(judgments) + 1
        beta, margin = self.scale(n)
        mu, variance = expected_run(judgments.counts, n, self.sigma0, beta, margin)
        return self.standings(
            judgments,
            mu,
            np.sqrt(variance),
            notes=("Expected value over all active selections, not sampled.",),
            approximate=True,
        )

    def replicate_scores(
        self, judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
    ) -> FloatArray:
        # The kernels agree with the package within 1e-7 and are a hundred times faster.
        return dataclasses.replace(self, engine="kernels")._runs(judgments, unit, n, rng)[0]

    def _has_expected_run(self, judgments: Judgments) -> bool:
        n_met = int((judgments.counts.compared > 0).any(axis=1).sum())
        published = self.selection == "active" and self.opponent == "skill" and self.tau == 0
        beta, margin = self.scale(len(judgments) + 1)
        small_steps = self.beta == 0 and margin <= WIDEST_MARGIN * beta
        return published and small_steps and n_met >= FLUID_NEEDS and self.engine == "kernels"

    def _mean_of_runs(self, judgments: Judgments, seed: int) -> Standings:
        scores, variances = self._runs(judgments, "none", FIT_RUNS, np.random.default_rng(seed))
        return self.standings(
            judgments,
            scores.mean(axis=0),
            np.sqrt(variances.mean(axis=0)),
            notes=(f"Mean of {FIT_RUNS} runs.",),
            approximate=True,
        )

    def scale(self, n: int) -> tuple[float, float]:
        """Return β and the tie margin for N = ``n``: ε, or Φ⁻¹((p + 1)/2)·√2·β."""
        width = self.sigma0 if self.beta_rule == "reproduces" else self.sigma0**2
        beta = self.beta or width * n / 40
        drawn = float(ndtri((self.draw_probability + 1) / 2)) * math.sqrt(2) * beta
        return beta, self.epsilon or drawn

    def _runs(
        self, judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
    ) -> tuple[FloatArray, FloatArray]:
        """Return μ[n, K] and σ²[n, K] of ``n`` runs, each on its own resample."""
        if self.players > 2:
            return self._nway_runs(judgments, unit, n, rng)
        if self.selection == "shuffled":
            return self._shuffled_runs(judgments, unit, n, rng)
        return self._active_runs(judgments, unit, n, rng)

    def _active_runs(
        self, judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
    ) -> tuple[FloatArray, FloatArray]:
        """Draw a resample's counts, then N of its judgments actively.

        A row that stands for several facts (identical outputs, judged once) counts once in N.
        """
        rows_per_fact = len(judgments) / len(judgments.observations)
        runs = []
        for counts in stacks_of_counts(judgments, unit, n, rng):
            for wins, ties in zip(counts.wins, counts.ties, strict=True):
                n_draws = round((wins.sum() + ties.sum() / 2) * rows_per_fact) + 1
                beta, margin = self.scale(n_draws)
                engine = self._engine
                play = engine.play_active if self.opponent == "skill" else engine.play_by_quality
                runs.append(play(wins, ties, n_draws, self.sigma0, beta, margin, self.tau, rng))
        return _stack(runs)

    def _shuffled_runs(
        self, judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
    ) -> tuple[FloatArray, FloatArray]:
        facts = judgments.observations
        index = None if unit == "none" else unit_index(judgments, unit)
        everything = np.arange(len(facts), dtype=np.int32)
        runs = []
        for _ in range(n):
            drawn = everything if index is None else draw_observations(index, rng)
            order = rng.permutation(drawn)
            beta, margin = self.scale(len(order) + 1)
            mu, variance = self._unplayed(judgments.n_systems)
            self._engine.play_sequence(
                facts.left, facts.right, facts.outcome, order, mu, variance, beta, margin, self.tau
            )
            played = np.zeros(judgments.n_systems, dtype=bool)
            played[facts.left[order]] = played[facts.right[order]] = True
            runs.append((np.where(played, mu, np.nan), np.where(played, variance, np.nan)))
        return _stack(runs)

    def _nway_runs(
        self, judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
    ) -> tuple[FloatArray, FloatArray]:
        runs = []
        for _ in range(n):
            matches = draw_matches(judgments, self.players, unit, rng)
            beta, margin = self.scale(len(matches) + 1)
            mu, variance = self._unplayed(judgments.n_systems)
            self._engine.play_matches(
                matches.start, matches.player, matches.rank, mu, variance, beta, margin, self.tau
            )
            played = np.zeros(judgments.n_systems, dtype=bool)
            played[matches.player] = True
            runs.append((np.where(played, mu, np.nan), np.where(played, variance, np.nan)))
        return _stack(runs)

    @property
    def _engine(self) -> Engine:
        return PACKAGE if self.engine == "package" else KERNELS

    def _unplayed(self, n_systems: int) -> tuple[FloatArray, FloatArray]:
        return np.zeros(n_systems), np.full(n_systems, self.sigma0**2)


@dataclass(frozen=True, eq=False)
class TrueSkillFit(Fit):
    """Skills with their spread."""

    ranker: TrueSkill

    def influence(self) -> Influence | None:
        return self.ranker.influence_at(self.judgments, self.standings.scores)

    def preferences(self, radius: float | None = None) -> Preferences:
        """Return the probabilities of win, tie and loss of two systems' skills drawn at random.

        The difference is N(μ1 - μ2, σ1² + σ2²), cut at ±r; one-sided at 0 and r, where system 1 is
        the one of larger μ, the earlier by name among equals. A system never compared has the
        skill it had at first. (SPV14 §3.2)
        """
        ranker = self.ranker if radius is None else dataclasses.replace(self.ranker, radius=radius)
        standings = self.standings
        assert standings.spread is not None
        mu = np.nan_to_num(standings.scores, nan=0.0)
        sigma = np.nan_to_num(standings.spread, nan=ranker.sigma0)
        spread = np.hypot(sigma[:, None], sigma)
        win, tie = cut_in_three(mu, spread, ranker.radius, one_sided=ranker.zone == "one-sided")
        return Preferences(standings.systems, win, tie, ranker.method_signature())


def _stack(runs: list[tuple[FloatArray, FloatArray]]) -> tuple[FloatArray, FloatArray]:
    return np.stack([mu for mu, _ in runs]), np.stack([variance for _, variance in runs])
