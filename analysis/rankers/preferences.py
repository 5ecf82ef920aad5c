"""Preference models: probabilities of win, tie and loss for any two systems (HM13, §4).

One of them, the ordered probit, is fitted here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import scipy
from scipy.special import log_ndtr, ndtr

from analysis.campaign.counts import TIE, WIN, PairCounts
from analysis.campaign.judgments import Judgments
from analysis.campaign.ragged import FloatArray, IntArray
from analysis.errors import NotConvergedError, UndefinedResultError

LEAST_PROBABILITY = 1e-9
"""No outcome is called less likely, so that a surprise costs 30 bits and not infinitely many."""


@dataclass(frozen=True, eq=False)
class Preferences:
    """``win[i, j]``: the probability that system i, on the left, is preferred to j.

    The probability of a loss is ``win`` the other way round, and ``tie`` is symmetric, unless
    ``asymmetric_loss`` is given: then it matters which system stands on the left. The three sum
    to one, but for a model that was printed without being divided by its sum.
    """

    systems: tuple[str, ...]
    win: FloatArray
    tie: FloatArray
    signature: str
    asymmetric_loss: FloatArray | None = field(default=None, kw_only=True)

    @property
    def loss(self) -> FloatArray:
        return self.win.T if self.asymmetric_loss is None else self.asymmetric_loss


def cut_in_three(
    mean: FloatArray, spread: FloatArray, radius: float, *, one_sided: bool
) -> tuple[FloatArray, FloatArray]:
    """Return the chances of win and tie, a difference N(μi - μj, ``spread``²) being cut in three.

    A tie is a difference in [-r, r]; one-sided in [0, r], system i being the one of larger μ, the
    earlier by name among equals:

        P(j better) = Φ(-δ/s),   P(tie) = Φ((r - δ)/s) - Φ(-δ/s),   P(i better) = 1 - Φ((r - δ)/s).

    Reference: Sakaguchi, Post & Van Durme 2014, §3.2.
    """
    lead = mean[:, None] - mean
    index = np.arange(len(mean))
    better = (lead > 0) | ((lead == 0) & (index[:, None] <= index))
    beyond = np.where(better, radius, 0.0) if one_sided else radius
    win = ndtr((lead - beyond) / spread)
    tie = 1 - (win + win.T)
    win, tie = np.maximum(win, LEAST_PROBABILITY), np.maximum(tie, LEAST_PROBABILITY)
    whole = (win + win.T) + tie
    return win / whole, tie / whole


def log2_probabilities(preferences: Preferences, judgments: Judgments) -> FloatArray:
    """Return log2 Q(outcome | left, right) of every observation, in bits."""
    facts = judgments.observations
    place = {system: k for k, system in enumerate(preferences.systems)}
    unknown = [system for system in judgments.systems if system not in place]
    if unknown:
        raise UndefinedResultError(
            "Predicting judgments",
            f"the model was not fitted to {', '.join(unknown)}",
            "Fit it to judgments of the same systems.",
        )
    code = np.array([place[system] for system in judgments.systems], dtype=np.int64)
    left, right = code[facts.left], code[facts.right]
    chances = np.where(
        facts.outcome == WIN,
        preferences.win[left, right],
        np.where(facts.outcome == TIE, preferences.tie[left, right], preferences.loss[left, right]),
    )
    return np.log2(chances)


def perplexity(preferences: Preferences, judgments: Judgments) -> float:
    """Return 2^(-mean log2 Q) over the judgments: as if there were so many equal outcomes.

    1 is a perfect prediction, 3 says nothing (HM13, §4).
    """
    if not len(judgments.observations):
        raise UndefinedResultError(
            "Perplexity", "there are no judgments to predict", "Choose a larger test set."
        )
    return float(2 ** -log2_probabilities(preferences, judgments).mean())


def share_of_ties(judgments: Judgments) -> float:
    """Return the share of ties, as if each of the three outcomes had been seen once more."""
    facts = judgments.observations
    return (float(np.count_nonzero(facts.outcome == TIE)) + 1) / (len(facts) + 3)


def chances_from_expected_scores(
    expected: FloatArray, judgments: Judgments
) -> tuple[FloatArray, FloatArray]:
    """Split expected scores, win + tie/2, into the chances of win and tie.

    Two systems tie as often as any two did in the judgments, yet not more often than the weaker
    one's expected score, so that it may win as well.
    """
    tie = np.minimum(share_of_ties(judgments), np.minimum(expected, expected.swapaxes(-1, -2)))
    return expected - tie / 2, tie


def chances_by_gaps(
    scores: FloatArray, judgments: Judgments, radius: float
) -> tuple[FloatArray, FloatArray]:
    """Return the chances of win and tie by scores alone, for rankers without a model of ties.

    Of the pairs in the judgments, score(i) - score(j) > r puts i *above* j, |…| ≤ r puts them
    *level*; each has its own frequencies of win, tie and loss, as if every outcome had been seen
    once more. Level pairs win and lose alike. A system without a score is level with all.
    """
    counts = judgments.counts
    difference = scores[:, None] - scores[None, :]
    above = difference > radius
    level = ~above & ~above.T
    outcomes = np.stack([counts.wins, counts.ties, counts.losses])
    seen_above = outcomes[:, above].sum(axis=1) + 1
    seen_level = (outcomes + outcomes[::-1])[:, level].sum(axis=1) / 4 + 1
    p_above, p_level = seen_above / seen_above.sum(), seen_level / seen_level.sum()
    win = np.where(above, p_above[0], np.where(level, p_level[0], p_above[2]))
    return win, np.where(level, p_level[1], p_above[1])


MAX_STEPS = 100
TOLERANCE = 1e-9
"""Newton stops when no ability moves by more than this."""


@dataclass(frozen=True)
class OrderedProbit:
    """The ordered probit: posterior mode and spread of abilities from the K×K tables alone.

    Two outputs differ by μ_i - μ_j + s ε, ε ~ N(0, 1), s being the noise's ``scale``; the left one
    wins above the tie ``radius`` r, loses below -r and ties between. With μ ~ N(0, σ0²), σ0 being
    ``prior_sd``, the log posterior

        Σ_ij win(i, j) log Φ((μ_i - μ_j - r) / s)
        + Σ_{i<j} tie(i, j) log [Φ((r - μ_i + μ_j) / s) - Φ((-r - μ_i + μ_j) / s)]
        - Σ_i μ_i² / 2σ0²

    is strictly concave: it has one mode and Newton's method finds it, for many tables at once.
    """

    scale: float
    radius: float
    prior_sd: float

    def outcome_probabilities(
        self, difference: FloatArray, variance: FloatArray | float = 0.0
    ) -> tuple[FloatArray, FloatArray]:
        """Return the probabilities of win and tie at a difference known up to ``variance``."""
        sd = np.sqrt(self.scale**2 + variance)
        distance = np.abs(difference)
        tie = ndtr((self.radius - distance) / sd) - ndtr((-self.radius - distance) / sd)
        return ndtr((difference - self.radius) / sd), tie

    def outcome_slopes(self, difference: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the slopes of log P(win) and of log P(tie) by the difference."""
        above = (difference - self.radius) / self.scale
        below = (-difference - self.radius) / self.scale
        win = np.exp(_log_density(above) - log_ndtr(above))
        r, distance = self.radius / self.scale, np.abs(difference) / self.scale
        chance = np.maximum(ndtr(r - distance) - ndtr(-r - distance), np.finfo(float).tiny)
        tie = (np.exp(_log_density(below)) - np.exp(_log_density(above))) / chance
        return win / self.scale, tie / self.scale

    def mode(
        self, counts: PairCounts, near: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return abilities[..., K] at the mode and the precision[..., K, K] there.

        Leading axes of the counts are replicates; all of them start at the mode of their mean,
        which is sought from ``near`` where that is given.
        """
        k = counts.n_systems
        wins, ties = counts.wins.reshape(-1, k, k), counts.ties.reshape(-1, k, k)
        start = np.zeros((1, k)) if near is None else near[None]
        if len(wins) > 1:
            start, _ = self._newton(wins.mean(0, keepdims=True), ties.mean(0, keepdims=True), start)
        mode, precision = self._newton(wins, ties, np.repeat(start, len(wins), axis=0))
        shape = counts.wins.shape
        return mode.reshape(shape[:-1]), precision.reshape(shape)

    def log_posterior(self, counts: PairCounts, abilities: FloatArray) -> float:
        """Return the log posterior of one set of abilities, up to a constant."""
        tables = _Tables.of(counts.wins[None], counts.ties[None])
        return float(self._evaluate(tables, abilities[None])[0][0])

    def _newton(
        self, wins: FloatArray, ties: FloatArray, mode: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        tables = _Tables.of(wins, ties)
        value, gradient, precision = self._evaluate(tables, mode)
        step = np.full(mode.shape, np.inf)
        for _ in range(MAX_STEPS):
            step = np.linalg.solve(precision, gradient[..., None])[..., 0]
            if np.abs(step).max() < TOLERANCE:
                return mode + step, precision
            reached = self._evaluate(tables, mode + step)
            # Far from the mode a full step can overshoot; the log posterior must not fall.
            while (worse := reached[0] < value - 1e-9 * (1 + np.abs(value))).any():
                step[worse] /= 2
                reached = self._evaluate(tables, mode + step)
            mode = mode + step
            value, gradient, precision = reached
        raise NotConvergedError(
            "Posterior mode of the abilities",
            f"Newton's method still moved by {np.abs(step).max():.2g} after {MAX_STEPS} steps",
            "Choose a smaller σ0, or a larger tie radius.",
        )

    def _evaluate(
        self, tables: _Tables, abilities: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the log posterior, its gradient and its negative Hessian, by replicate."""
        i, j = tables.pairs
        value, slope, bend = self._terms(tables, abilities[:, i] - abilities[:, j])
        n, k = abilities.shape
        prior = 1 / self.prior_sd**2
        precision = np.zeros((n, k, k))
        precision[:, i, j] = precision[:, j, i] = bend
        precision[:, np.arange(k), np.arange(k)] = prior - precision.sum(axis=-1)
        return (
            value - prior / 2 * (abilities**2).sum(axis=1),
            (tables.signs @ slope.T).T - prior * abilities,
            precision,
        )

    def _terms(
        self, tables: _Tables, difference: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the log likelihood by replicate, and its first two derivatives by pair.

        With m(z) = φ(z) / Φ(z): d log Φ(z)/dz = m and d² log Φ(z)/dz² = -m (z + m).
        """
        above, below = (
            (difference - self.radius) / self.scale,
            (-difference - self.radius) / self.scale,
        )
        log_win, log_loss = log_ndtr(above), log_ndtr(below)
        log_density_win, log_density_loss = _log_density(above), _log_density(below)
        win_ratio = np.exp(log_density_win - log_win)
        loss_ratio = np.exp(log_density_loss - log_loss)
        value = (tables.wins * log_win + tables.losses * log_loss).sum(axis=1)
        slope = tables.wins * win_ratio - tables.losses * loss_ratio
        bend = -tables.wins * win_ratio * (above + win_ratio)
        bend -= tables.losses * loss_ratio * (below + loss_ratio)
        if tables.ties.any():
            distance = np.abs(difference) / self.scale
            r = self.radius / self.scale
            tie = np.maximum(ndtr(r - distance) - ndtr(-r - distance), np.finfo(float).tiny)
            density_win, density_loss = np.exp(log_density_win), np.exp(log_density_loss)
            ratio = (density_loss - density_win) / tie
            value += (tables.ties * np.log(tie)).sum(axis=1)
            slope += tables.ties * ratio
            bend += tables.ties * ((below * density_loss + above * density_win) / tie - ratio**2)
        return value, slope / self.scale, bend / self.scale**2


@dataclass(frozen=True, eq=False)
class _Tables:
    """Counts[R, P] of every pair i < j; ``signs[K, P]`` sums pairs' slopes by system."""

    pairs: tuple[IntArray, IntArray]
    signs: scipy.sparse.csr_array
    wins: FloatArray
    losses: FloatArray
    ties: FloatArray

    @classmethod
    def of(cls, wins: FloatArray, ties: FloatArray) -> _Tables:
        k = wins.shape[-1]
        i, j = np.triu_indices(k, 1)
        ends, pairs = np.concatenate([i, j]), np.tile(np.arange(len(i)), 2)
        signs = np.repeat([1.0, -1.0], len(i))
        by_system = scipy.sparse.csr_array((signs, (ends, pairs)), shape=(k, len(i)))
        return cls((i, j), by_system, wins[:, i, j], wins[:, j, i], ties[:, i, j])


def _log_density(z: FloatArray) -> FloatArray:
    return np.asarray(-(z**2) / 2 - np.log(2 * np.pi) / 2)
