"""Bradley–Terry that knows judges: how keenly each one tells systems apart, and prefers a side.

A judgment by judge k of i, shown first, and j is a win, a loss or a tie of i with weights

    exp(d/2),  exp(-d/2),  exp(τ + t_k),      d = a_k (θ_i - θ_j) + b_k,

which is Davidson's model for a judge of sensitivity a_k = 1 without side bias, b_k = 0. A judge who
tosses coins has a_k near 0, one who takes the ranks upside down a negative one. Priors pull each
judge towards the usual one: a_k ~ N(1, s_a²), b_k ~ N(0, s_b²), t_k ~ N(0, s_t²); the fewer
judgments a judge gave, the more. Abilities are θ ~ N(0, s²) as in Bradley–Terry, in the log-odds of
a judge of sensitivity 1.

All unknowns are at their joint mode (`posterior`). Only the products a_k θ_i are known well: the
scores are therefore ā θ, ā the mean sensitivity over the judgments, which are log-odds of the
average judge, and sensitivities are told as a_k/ā. All of this depends smoothly on the judgments:
what one of them adds follows from the inverse of the information at the mode, traits included.
With g_k the slopes by the traits, w_k the judges' shares of the judgments, L = Σ_k w_k B_k D_k⁻¹ e₁
and dθ, da the changes of the mode,

    d(ā θ) = ā dθ + θ (Σ_k w_k da_k + Σ_k a_k dw_k),
    Σ_k w_k da_k = Σ_k w_k e₁ᵀ D_k⁻¹ g_k - Lᵀ dθ.

References: Davidson 1970; Davidson & Beaver 1977, *On Extending the Bradley–Terry Model to
Incorporate Within-Pair Order Effects* (the side); Jin, Xu, Gu & Farnoud 2020, *Rank Aggregation via
Heterogeneous Thurstone Preference Models* (the sensitivity).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd
from scipy.special import expit

from analysis.campaign import TIE, UNNAMED_JUDGE, FloatArray, IntArray, Judgments
from analysis.errors import PodiumError
from analysis.parameters import number
from analysis.rankers.draws import ResamplingUnit, draw_observations, unit_index
from analysis.rankers.influence import Influence, JudgedRows, relative
from analysis.rankers.judge_aware.posterior import Cells, Curvature, Posterior, State, chances
from analysis.rankers.preferences import Preferences
from analysis.rankers.ranker import Fit, Ranker, require_judgments

MOST_NUMBERS = 30_000_000
"""Judges times systems whose traits are worked out: what keeps the memory under a gigabyte."""

AT_ONCE = 200
"""Judges whose chances are averaged at once."""

EQUAL_SYSTEMS = (
    "Where all systems are equal, this method told some two apart in 9% of simulated campaigns, "
    "not in 5%; where systems differ, in 4% at most. Of pairs that differ it found 68% where "
    "Expected Wins found 72%."
)
"""What was measured: sensitivities follow the noise where there is nothing else to follow."""

Z95 = 1.959964
"""Standard deviations to either side that hold 95% of a normal distribution."""


@dataclass(frozen=True)
class JudgeAware(Ranker):
    """The joint mode of abilities and judges' traits; abilities in log-odds of the average judge.

    The spread is the posterior's standard deviation of an ability less the mean of all, from the
    curvature at the mode, what is not known of the judges included.
    """

    name: ClassVar = "bradley-terry-judges"
    title: ClassVar = "Judge-aware Bradley–Terry"
    sentence: ClassVar = (
        "Bradley–Terry abilities, where each judge has a sensitivity, a side bias and a readiness "
        "to tie."
    )
    citation: ClassVar = "Davidson 1970; Davidson & Beaver 1977; Jin, Xu, Gu & Farnoud 2020"
    references: ClassVar = (
        "davidson-1970-extending",
        "davidson-beaver-1977-order",
        "jin-etal-2020-heterogeneous",
    )
    score_label: ClassVar = "ability (log-odds)"
    runs_at_once: ClassVar = 10
    has_chances: ClassVar = True
    tunes_radius: ClassVar = False

    prior: float = number(
        3.0,
        "Standard deviation of abilities before any judgment, in log-odds; large says little.",
        low=0.01,
        high=10,
        step=0.5,
        symbol="s",
    )
    sensitivity: float = number(
        0.5,
        "How much judges differ in sensitivity: its standard deviation around 1. Small values pull "
        "every judge towards the usual one.",
        low=0.01,
        high=5,
        step=0.1,
        symbol="sa",
    )
    side: float = number(
        0.5,
        "How much judges prefer one side of the display: the standard deviation of the bias around "
        "0, in log-odds.",
        low=0.01,
        high=5,
        step=0.1,
        symbol="sb",
    )
    tying: float = number(
        1.0,
        "How much judges differ in their readiness to tie: its standard deviation, in log-odds.",
        low=0.01,
        high=5,
        step=0.1,
        symbol="st",
        advanced=True,
    )

    def fit(self, judgments: Judgments, seed: int = 0) -> JudgeAwareFit:
        require_judgments(judgments)
        who, judge = _judges_of_facts(judgments)
        if len(who) * judgments.n_systems > MOST_NUMBERS:
            raise PodiumError(
                self.title,
                f"{len(who)} judges and {judgments.n_systems} systems are too many",
                "Choose bradley-terry, which does not ask who judged.",
            )
        posterior = self.posterior(Cells.make(judgments.observations, judge, judgments.n_systems))
        at = Mode.of(posterior, posterior.mode())
        met = judgments.counts.compared.sum(axis=1) > 0
        center = np.eye(judgments.n_systems) - met / met.sum()
        spread = np.sqrt(np.diag(center @ at.covariance() @ center.T))
        standings = self.standings(judgments, at.scores, spread, _notes(judgments, who))
        return JudgeAwareFit(self, judgments, seed, standings, at, who, judge)

    def posterior(self, cells: Cells, times: FloatArray | None = None) -> Posterior:
        """Return the posterior of some cells; ``times`` is how many judges each one stands for."""
        spread = np.array([self.sensitivity, self.side, self.tying])
        return Posterior(
            cells, self.prior, spread, np.ones(cells.n_judges) if times is None else times
        )

    def replicate_scores(
        self, judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
    ) -> FloatArray:
        return self.fit(judgments).replicates(unit, n, rng)

    def has_derivative(self, judgments: Judgments) -> bool:
        return True


@dataclass(frozen=True, eq=False)
class Mode:
    """The mode with its curvature, and abilities on the scale of the average judge."""

    posterior: Posterior
    state: State
    curvature: Curvature
    work: FloatArray

    @classmethod
    def of(cls, posterior: Posterior, state: State) -> Mode:
        return cls(posterior, state, posterior.curvature(state), posterior.work())

    @property
    def mean_sensitivity(self) -> float:
        return mean_sensitivity(self.state, self.work)

    @property
    def scores(self) -> FloatArray:
        return self.mean_sensitivity * self.state.abilities

    def mixing(self) -> FloatArray:
        """Return how θ and τ's slopes, and last the mean sensitivity, move the scores: [K, K+2]."""
        theta, k = self.state.abilities, len(self.state.abilities)
        by_mode = self.mean_sensitivity * np.eye(k, k + 1)
        by_mode -= np.outer(theta, np.einsum("j,ja->a", self.work, self.curvature.loads[:, :, 0]))
        return np.column_stack([by_mode @ self.curvature.inverse, theta])

    def loads(self) -> FloatArray:
        """Return how far slopes by the traits carry over to the coordinates: [J, K+2, 3]."""
        of_sensitivity = np.linalg.inv(self.curvature.own)[:, :1]
        direct = -self.work[:, None, None] * of_sensitivity
        return np.concatenate([self.curvature.loads, direct], axis=1)

    def covariance(self) -> FloatArray:
        """Return the posterior covariance of the scores, for these judges' shares of the work."""
        mixing, theta = self.mixing(), self.state.abilities
        own = np.linalg.inv(self.curvature.own)[:, 0, 0]
        through = mixing[:, :-1] @ self.curvature.complement @ mixing[:, :-1].T
        return np.asarray(through + float(self.work**2 @ own) * np.outer(theta, theta))


def mean_sensitivity(state: State, work: FloatArray) -> float:
    """Return ā, the mean of the judges' sensitivities over the judgments."""
    return float(work @ state.traits[:, 0])


@dataclass(frozen=True, eq=False)
class JudgeAwareFit(Fit):
    """The mode; ``who[J]`` are the judges' codes, ``judge[N]`` each observation's place in them."""

    ranker: JudgeAware
    mode: Mode
    who: IntArray
    judge: IntArray

    def replicates(self, unit: ResamplingUnit, n: int, rng: np.random.Generator) -> FloatArray:
        """Refit to each resample, from the fit to all; a judge drawn twice is two judges."""
        k = self.judgments.n_systems
        if unit == "none":
            return np.tile(self.standings.scores, (n, 1))
        index = unit_index(self.judgments, unit)
        cells = self.mode.posterior.cells
        scores = np.empty((n, k))
        for r in range(n):
            drawn = draw_observations(index, rng)
            weight = np.bincount(drawn, minlength=len(self.judge)).astype(np.float64)
            resampled = cells.weighted(weight)
            times = np.ones(cells.n_judges)
            if unit == "judge":
                times[self.judge] = np.maximum(weight, 1)
            posterior = self.ranker.posterior(resampled, times)
            state = posterior.mode(self.mode.state)
            met = np.zeros(k, dtype=bool)
            there = resampled.counts.any(axis=1)
            met[cells.left[there]] = met[cells.right[there]] = True
            own = mean_sensitivity(state, posterior.work()) * state.abilities
            scores[r] = np.where(met, own, np.nan)
        return scores

    def influence(self) -> Influence:
        """Return the inverse information times the slopes of each judgment's log-chance."""
        k = self.judgments.n_systems
        nothing = np.zeros((2, k, k))
        return Influence(
            scores=self.standings.scores,
            own=nothing,
            other=nothing,
            least=relative(self.mode.covariance(), self.judgments.counts),
            mixing=self.mode.mixing(),
            rows_of=self.rows_of,
        )

    def rows_of(self, judgments: Judgments) -> JudgedRows:
        """Return what each of some judgments of these systems adds, or would add, to this fit.

        A judge of whom the fit knows nothing is the usual one, and has no traits to move.
        """
        facts, state = judgments.observations, self.mode.state
        code = judgments.task_judge[judgments.task[facts.row]]
        place = np.minimum(np.searchsorted(self.who, code), len(self.who) - 1)
        judge = np.where(self.who[place] == code, place, len(self.who))
        traits = np.vstack([state.traits, self.mode.posterior.usual])
        loads = self.mode.loads()
        a, b, t = traits[judge].T
        gap = state.abilities[facts.left] - state.abilities[facts.right]
        p = chances(a * gap + b, state.tau + t)
        lead, outcome = p[:, 0] - p[:, 2], facts.outcome.astype(np.float64)
        return JudgedRows(
            left=facts.left,
            right=facts.right,
            judge=judge,
            sensitivity=a,
            gap=gap,
            by_lead=(outcome - lead) / 2,
            by_lead_turned=(-outcome - lead) / 2,
            by_tie=(outcome == TIE) - p[:, 1],
            level=(a - self.mode.mean_sensitivity) / len(self.judge),
            loads=np.concatenate([loads, np.zeros((1, *loads.shape[1:]))]),
        )

    def preferences(self, radius: float | None = None) -> Preferences:
        """Return the chances of a judge drawn as in these judgments, either output shown first."""
        state, work = self.mode.state, self.mode.work
        traits, gap = state.traits, state.abilities[:, None] - state.abilities
        win, tie = np.zeros((2, *gap.shape))
        for first in range(0, len(traits), AT_ONCE):
            some = slice(first, first + AT_ONCE)
            a, b, t = (traits[some, trait, None, None] for trait in range(3))
            for side in (b, -b):
                p = chances(a * gap + side, state.tau + t)
                win += np.einsum("j,jkl->kl", work[some] / 2, p[..., 0])
                tie += np.einsum("j,jkl->kl", work[some] / 2, p[..., 1])
        return Preferences(self.judgments.systems, win, tie, self.ranker.method_signature())

    def traits(self) -> pd.DataFrame:
        """Return one row per judge: traits, their deviations, and how far they are drawn together.

        ``sensitivity`` is 1 for the average judge, 0 for one who tosses coins; ``prefers_first`` is
        the chance of preferring the output displayed first where two are equally good and do not
        tie, with its 95% interval by the model; ``tying`` is the readiness to tie, in log-odds, 0
        for the usual judge. ``shrinkage`` is the share of the sensitivity that comes from what
        judges are taken to be before any judgment, from 0 to 1.
        """
        deviation = self.mode.curvature.trait_deviations()
        traits, spread = self.mode.state.traits, self.mode.posterior.spread
        scale, reach = self.mode.mean_sensitivity, Z95 * deviation[:, 1]
        return pd.DataFrame(
            {
                "judge": [self.judgments.judges[code] for code in self.who],
                "judgments": np.bincount(self.judge, minlength=len(traits)),
                "sensitivity": traits[:, 0] / scale,
                "sensitivity_sd": deviation[:, 0] / scale,
                "prefers_first": expit(traits[:, 1]),
                "prefers_first_low": expit(traits[:, 1] - reach),
                "prefers_first_high": expit(traits[:, 1] + reach),
                "tying": traits[:, 2],
                "shrinkage": np.minimum((deviation[:, 0] / spread[0]) ** 2, 1.0),
            }
        )


def _notes(judgments: Judgments, who: IntArray) -> tuple[str, ...]:
    if len(who) == 1 and judgments.judges[who[0]] == UNNAMED_JUDGE:
        return ("The file names no judges, so that all judgments count as those of one.",)
    return (EQUAL_SYSTEMS,)


def _judges_of_facts(judgments: Judgments) -> tuple[IntArray, IntArray]:
    """Return the codes of the judges who judged anything, and each observation's place in them."""
    task = judgments.task[judgments.observations.row]
    who, judge = np.unique(judgments.task_judge[task], return_inverse=True)
    return who, judge.astype(np.int64)
