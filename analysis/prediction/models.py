"""Preference models that rank nothing, and the registry of all.

With π = 1, 0, 2 for win, tie, loss of the left system, Hopkins & May (2013) set against their own
models: chances that know nothing of the systems (§5), chances of every pair by itself (§6.1), and
chances of every system by itself, put together for the two that meet (§6.2).

Reference: Hopkins & May 2013, *Models of Translation Competitions*.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from analysis.campaign import TIE, Judgments
from analysis.errors import unknown
from analysis.parameters import choice, number
from analysis.rankers import RANKERS, Ranker
from analysis.rankers.preferences import LEAST_PROBABILITY, Preferences
from analysis.rankers.ranker import Method, require_judgments


@dataclass(frozen=True)
class OutcomeModel(Method):
    """A preference model that is no ranker."""

    citation: ClassVar[str] = "Hopkins & May 2013"
    references: ClassVar[tuple[str, ...]] = ("hopkins-may-2013-models",)

    @abstractmethod
    def preferences(self, judgments: Judgments, seed: int = 0) -> Preferences:
        """Fit to judgments and return the probabilities; none of them is zero."""


@dataclass(frozen=True)
class Uniform(OutcomeModel):
    """Q(π) = ⅓ for every outcome; its perplexity is 3."""

    name: ClassVar = "uniform"
    title: ClassVar = "Uniform"
    sentence: ClassVar = "Win, tie and loss are equally likely for all systems."

    def preferences(self, judgments: Judgments, seed: int = 0) -> Preferences:
        third = np.full((judgments.n_systems, judgments.n_systems), 1 / 3)
        return Preferences(judgments.systems, third, third, self.method_signature())


@dataclass(frozen=True)
class AdjustedUniform(OutcomeModel):
    """Q(0) = |C0|/|C|, Q(1) = Q(2) = (1 - |C0|/|C|)/2, C0 the ties among the judgments C (§5.2).

    Nothing is added to the counts. Where there are no ties, or ties alone, the outcomes that were
    not seen have a chance of 1e-9, so that one of them does not cost infinitely many bits.
    """

    name: ClassVar = "adjusted-uniform"
    title: ClassVar = "Adjusted Uniform"
    sentence: ClassVar = (
        "Ties are as frequent as in the judgments; wins and losses are equally likely."
    )

    def preferences(self, judgments: Judgments, seed: int = 0) -> Preferences:
        require_judgments(judgments)
        tied = float((judgments.observations.outcome == TIE).mean())
        share = np.clip(tied, LEAST_PROBABILITY, 1 - 2 * LEAST_PROBABILITY)
        tie = np.full((judgments.n_systems, judgments.n_systems), share)
        return Preferences(judgments.systems, (1 - tie) / 2, tie, self.method_signature())


def _prior_count() -> float:
    return number(1.0, "Prior count of each outcome.", low=0.01, high=100, step=0.5, symbol="α")


@dataclass(frozen=True)
class IndependentPairs(OutcomeModel):
    """Q(π | i, j) = (n_π(i, j) + α) / (n(i, j) + 3α), every pair by itself (HM13, §6.1).

    This is the mean of the posterior under a symmetric Dirichlet prior.
    """

    name: ClassVar = "independent-pairs"
    title: ClassVar = "Independent Pairs"
    sentence: ClassVar = "Past outcomes of a pair repeat with the same frequencies."

    alpha: float = _prior_count()

    def preferences(self, judgments: Judgments, seed: int = 0) -> Preferences:
        require_judgments(judgments)
        counts = judgments.counts
        total = counts.compared + 3 * self.alpha
        return Preferences(
            judgments.systems,
            (counts.wins + self.alpha) / total,
            (counts.ties + self.alpha) / total,
            self.method_signature(),
        )


@dataclass(frozen=True)
class IndependentStudents(OutcomeModel):
    """Every system has its own chances p_i(π) = (n_π(i) + α) / (n(i) + 3α) (HM13, §6.2).

    With π' the outcome as the other system sees it:

    - asymmetric: Q(π | i, j) = p_i(π), so that only the left system counts;
    - arithmetic: Q(π | i, j) = (p_i(π) + p_j(π')) / 2;
    - geometric: Q(π | i, j) ∝ √(p_i(π) p_j(π')), divided by its sum over π;
    - geometric-as-printed: not divided. The three then sum to less than one, by up to .06 on real
      campaigns, and perplexity is higher than that of any model that spends the rest.
    """

    name: ClassVar = "independent-students"
    title: ClassVar = "Independent Students"
    sentence: ClassVar = (
        "Each system has its own win, tie and loss rates, almost independent of the opponent."
    )

    mean: str = choice(
        "geometric",
        "How the rates of the two systems are combined.",
        {
            "asymmetric": "those of the left system alone",
            "arithmetic": "their mean",
            "geometric": "their geometric mean, made to sum to one",
            "geometric-as-printed": (
                "their geometric mean as in the paper, which sums to less than one"
            ),
        },
    )
    alpha: float = _prior_count()

    def preferences(self, judgments: Judgments, seed: int = 0) -> Preferences:
        require_judgments(judgments)
        counts = judgments.counts
        tables = np.stack([counts.wins, counts.ties, counts.losses]).sum(axis=-1) + self.alpha
        own = np.broadcast_to(
            (tables / tables.sum(axis=0))[:, :, None], (3, counts.n_systems, counts.n_systems)
        )
        others = own[::-1].swapaxes(1, 2)
        signature = self.method_signature()
        if self.mean == "asymmetric":
            win, tie, loss = np.array(own)
            return Preferences(judgments.systems, win, tie, signature, asymmetric_loss=loss)
        mixed = (own + others) / 2 if self.mean == "arithmetic" else np.sqrt(own * others)
        if self.mean != "geometric-as-printed":
            mixed = mixed / mixed.sum(axis=0)
        return Preferences(judgments.systems, mixed[0], mixed[1], signature)


_OUTCOME_MODELS: tuple[type[OutcomeModel], ...] = (
    Uniform,
    AdjustedUniform,
    IndependentPairs,
    IndependentStudents,
)
MODELS: dict[str, type[OutcomeModel] | type[Ranker]] = {
    **{model.name: model for model in _OUTCOME_MODELS},
    **{name: ranker for name, ranker in RANKERS.items() if ranker.has_chances},
}
"""Everything that gives probabilities by itself, by name; other rankers by the gaps of scores."""


def model_class(name: str) -> type[OutcomeModel] | type[Ranker]:
    """Return the model of this name, or the ranker; an unknown name raises."""
    known = {**MODELS, **RANKERS}
    if name not in known:
        raise unknown("Model", name, known)
    return known[name]
