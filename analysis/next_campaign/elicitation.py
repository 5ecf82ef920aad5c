"""Which ranking tasks to send out next, to whom, on which segments.

The systems of a task are chosen by one of three methods:

*active*, as TrueSkill does: the system of largest variance, then others with probability
proportional to exp(-|μ_a - μ_b|). Variances fall within the batch as by the likelier answers.

*uncertainty*: where answers are expected to settle most orders. A difference δ known up to s puts
two systems in the right order with probability Φ(|δ|/s). An answer about i and j of information h
lowers the variances s_kl², and so raises the sum of these probabilities, to first order, by

    h / (1 + h s_ij²) · (e_i - e_j)ᵀ Σ L Σ (e_i - e_j),  L the Laplacian of ω(m_kl/s_kl) / 2 s_kl²,

where Σ is the posterior covariance, m_kl ± s_kl the posterior of δ_kl and ω(z) = E |x| φ(x) over
x ~ N(z, 1): little is to be gained where the order is clear. A task is built greedily from such
pairs, and its information is added to the posterior before the next task.

*uniform*: systems at random.

Reference: Sakaguchi, Post & Van Durme 2014, *Efficient Elicitation of Annotations for Human
Evaluation of Machine Translation* (SPV14), §2.4.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from scipy.special import erf

from analysis.campaign import WIN, FloatArray, IntArray, Judgments
from analysis.errors import PodiumError
from analysis.next_campaign.assignment import Assignment
from analysis.next_campaign.batches import Batch
from analysis.next_campaign.outlook import WIDE, difference_variances, fit_evidence, fit_radius
from analysis.rankers.ordered_probit import OrderedProbit
from analysis.rankers.trueskill import TrueSkill
from analysis.rankers.trueskill_kernels import play_sequence, update_pair_readable

Method = Literal["uncertainty", "active", "uniform"]
METHODS: dict[Method, str] = {
    "uncertainty": "where answers are expected to settle most orders",
    "active": "as TrueSkill selects: the least known system, against others of about its skill",
    "uniform": "systems at random, for comparison and for agreement",
}
assert set(METHODS) == set(get_args(Method))

WARNING = (
    "These tasks put alike systems together: judges will agree less on them than on random tasks, "
    "and win ratios that pool all opponents, such as Bojar's, will be drawn together; rank by a "
    "model of abilities, and compute agreement on uniform tasks alone."
)

UNKNOWN_SPREAD = 0.3
"""Deviation of abilities, in noise units, before any judgment; WMT14's pairs have .14 to .54."""


def next_tasks(
    judgments: Judgments,
    n_tasks: int,
    method: Method = "uncertainty",
    n_way: int = 5,
    segments: Sequence[str] | None = None,
    judges: Sequence[str] | None = None,
    seed: int = 0,
    repeat_share: float = 0.0,
) -> Batch:
    """Return the next tasks to send out, given the judgments so far.

    Segments and judges are those of the campaign where not given; `assignment` deals the
    tasks out. ``repeat_share`` of the tasks repeat an earlier task of the same judge, outputs in a
    new order, to measure how far judges agree with themselves.
    """
    _check(judgments, n_tasks, method, n_way, repeat_share)
    rng = np.random.default_rng(seed)
    assignment = Assignment.of(judgments, segments, judges, rng)
    tasks = [assignment.repeat() for _ in range(round(repeat_share * n_tasks))]
    repeated = [task for task in tasks if task is not None]
    n_way = min(n_way, judgments.n_systems)
    groups = choose_systems(judgments, n_tasks - len(repeated), method, n_way, rng)
    fresh = [assignment.assign(rng.permutation(group)) for group in groups]
    everything = [*fresh, *repeated]
    return Batch(
        pair=judgments.pair,
        method=method,
        seed=seed,
        tasks=tuple(everything[k] for k in rng.permutation(len(everything))),
        warning="" if method == "uniform" else WARNING,
    )


def _check(
    judgments: Judgments, n_tasks: int, method: str, n_way: int, repeat_share: float
) -> None:
    if method not in METHODS:
        raise PodiumError(
            "Method", f"{method!r} is not known", f"Choose from {', '.join(METHODS)}."
        )
    if n_tasks < 1:
        raise PodiumError("Tasks", f"{n_tasks} is too few", "Give 1 or more.")
    if not 2 <= n_way <= 10:
        raise PodiumError("Outputs per task", f"{n_way} is outside 2–10", "5 is usual.")
    if judgments.n_systems < 2:
        raise PodiumError("Systems", "there are fewer than two", "Take fewer systems out.")
    if not 0 <= repeat_share <= 1:
        raise PodiumError("Repeated tasks", f"{repeat_share:g} is outside 0–1", "Give .1 for 10%.")


def choose_systems(
    judgments: Judgments, n_tasks: int, method: Method, n_way: int, rng: np.random.Generator
) -> list[IntArray]:
    """Return the systems of each task, as codes."""
    if method == "active":
        return _choose_actively(judgments, n_tasks, n_way, rng)
    if method == "uncertainty":
        posterior = OrderPosterior.of(judgments)
        return [posterior.choose(n_way, rng) for _ in range(n_tasks)]
    return [rng.permutation(judgments.n_systems)[:n_way] for _ in range(n_tasks)]


def _choose_actively(
    judgments: Judgments, n_tasks: int, n_way: int, rng: np.random.Generator
) -> list[IntArray]:
    """Choose by the skills after all judgments so far, in random order (SPV14 §2.4)."""
    ranker, facts, k = TrueSkill(), judgments.observations, judgments.n_systems
    n_further = n_tasks * n_way * (n_way - 1) // 2
    beta, margin = ranker.scale(len(facts) + n_further + 1)
    mu, variance = np.zeros(k), np.full(k, ranker.sigma0**2)
    order = rng.permutation(len(facts))
    play_sequence(facts.left, facts.right, facts.outcome, order, mu, variance, beta, margin, 0.0)
    chosen = []
    for _ in range(n_tasks):
        most = np.flatnonzero(variance == variance.max())
        group = [int(rng.choice(most))]
        while len(group) < n_way:
            reach = np.exp(-np.abs(mu - mu[group[0]]))
            reach[group] = 0.0
            group.append(int(rng.choice(k, p=reach / reach.sum())))
        for a, b in itertools.combinations(sorted(group, key=lambda i: -mu[i]), 2):
            update_pair_readable(mu.copy(), variance, a, b, WIN, beta, margin, 0.0)
        chosen.append(np.array(group))
    return chosen


@dataclass(eq=False)
class OrderPosterior:
    """What is known of abilities, and how it grows by tasks whose answers are still to come.

    ``precision`` counts a judgment by the design effect's inverse: pairs of a task are not
    independent. Abilities have the deviation that the campaign shows.
    """

    model: OrderedProbit
    mean: FloatArray
    precision: FloatArray
    design_effect: float

    @classmethod
    def of(cls, judgments: Judgments) -> OrderPosterior:
        """Fit the posterior to the judgments so far; without any, all abilities are alike."""
        k = judgments.n_systems
        if not len(judgments.observations):
            model = OrderedProbit(1.0, 0.0, UNKNOWN_SPREAD)
            return cls(model, np.zeros(k), np.eye(k) / UNKNOWN_SPREAD**2, 1.0)
        evidence = fit_evidence(judgments)
        model, mode, precision = fit_radius(judgments)
        told = (precision - np.eye(k) / WIDE**2) / evidence.design_effect
        whole = told + np.eye(k) / evidence.spread**2
        mean = np.asarray(np.linalg.solve(whole, told @ mode), dtype=np.float64)
        return cls(model, mean, whole, evidence.design_effect)

    def choose(self, n_way: int, rng: np.random.Generator) -> IntArray:
        """Choose the systems of one task, and count it as done."""
        gain = self.expected_gain()
        gain = gain * (1 + 1e-9 * rng.random(gain.shape))  # equal gains are chosen among at random
        group = list(np.unravel_index(int(gain.argmax()), gain.shape))
        while len(group) < n_way:
            added = gain[:, group].sum(axis=1)
            added[group] = -np.inf
            group.append(np.intp(added.argmax()))
        self.add(np.array(group))
        return np.array(group)

    def expected_gain(self) -> FloatArray:
        """Return by how much a judgment of two systems raises the expected right orders."""
        covariance = np.asarray(np.linalg.inv(self.precision), dtype=np.float64)
        variance = difference_variances(covariance)
        difference = self.mean[:, None] - self.mean
        weight = settling(np.abs(difference) / np.sqrt(variance)) / (2 * variance)
        np.fill_diagonal(weight, 0.0)
        laplacian = np.diag(weight.sum(axis=1)) - weight
        settled = difference_variances(covariance @ laplacian @ covariance)
        h = self.information()
        gain = h / (1 + h * variance) * settled
        np.fill_diagonal(gain, -np.inf)
        return np.asarray(gain)

    def information(self) -> FloatArray:
        """Return what one judgment of two systems tells of their difference (Fisher), on average.

        Σ over the outcomes of (dP/dδ)²/P, divided by the design effect.
        """
        difference, r = self.mean[:, None] - self.mean, self.model.radius
        win, tie = self.model.outcome_probabilities(difference)
        up, down = (np.exp(-((difference + x) ** 2) / 2) / np.sqrt(2 * np.pi) for x in (-r, r))
        parts = ((up, win), (down, win.T), (down - up, tie))
        told = sum(change**2 / np.maximum(chance, 1e-12) for change, chance in parts)
        return np.asarray(told / self.design_effect)

    def add(self, group: IntArray) -> None:
        """Count all pairs of a task as judged."""
        within = np.zeros(self.precision.shape)
        within[np.ix_(group, group)] = self.information()[np.ix_(group, group)]
        np.fill_diagonal(within, 0.0)
        self.precision = self.precision + np.diag(within.sum(axis=1)) - within


def settling(z: FloatArray) -> FloatArray:
    """Return ω(z) = E |x| φ(x), x ~ N(z, 1): what sharper knowledge does for an order seen at z.

    e^(-z²/4) / 2√π · (e^(-z²/4) / √π + z/2 · erf(z/2))

    ``z`` is a difference in units of its own standard error, 0 or more.
    """
    fall = np.exp(-(z**2) / 4)
    root = np.sqrt(np.pi)
    return np.asarray(fall / (2 * root) * (fall / root + z / 2 * erf(z / 2)))
