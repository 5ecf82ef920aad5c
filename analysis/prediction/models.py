"""Preference models that rank nothing, rankers lifted to models, and the registry of all.

With π = 1, 0, 2 for win, tie, loss of the left system, Hopkins & May (2013) set against their own
models: chances that know nothing of the systems (§5), chances of every pair by itself (§6.1), and
chances of every system by itself, put together for the two that meet (§6.2).

Reference: Hopkins & May 2013, *Models of Translation Competitions*.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from analysis.campaign import FloatArray, Judgments
from analysis.errors import PodiumError
from analysis.parameters import Parameterized, choice, number
from analysis.provenance import Provenance
from analysis.rankers import RANKERS, Ranker
from analysis.rankers.preferences import PreferenceModel, Preferences, share_of_ties
from analysis.rankers.ranker import require_judgments


@dataclass(frozen=True)
class OutcomeModel(Parameterized, ABC):
    """A preference model that is no ranker; it has the same names and signature."""

    name: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str]
    citation: ClassVar[str] = "Hopkins & May 2013"

    @abstractmethod
    def preferences(self, judgments: Judgments, seed: int = 0) -> Preferences:
        """Fit to judgments and return the probabilities; none of them is zero."""

    @property
    def provenance(self) -> Provenance:
        """Name and settings."""
        return Provenance(self.name, self.signature())

    def method_signature(self) -> str:
        """Return name and settings, so that a number in a paper can be made again."""
        return str(self.provenance)


@dataclass(frozen=True)
class Uniform(OutcomeModel):
    """Q(π) = ⅓ for every outcome; its perplexity is 3."""

    name: ClassVar = "uniform"
    title: ClassVar = "Uniform"
    sentence: ClassVar = "Win, tie and loss are equally likely, whoever meets."

    def preferences(self, judgments: Judgments, seed: int = 0) -> Preferences:
        third = np.full((judgments.n_systems, judgments.n_systems), 1 / 3)
        return Preferences(judgments.systems, third, third, self.method_signature())


@dataclass(frozen=True)
class AdjustedUniform(OutcomeModel):
    """Q(0) = t, Q(1) = Q(2) = (1 - t)/2, with t = (ties + 1) / (judgments + 3)."""

    name: ClassVar = "adjusted-uniform"
    title: ClassVar = "Adjusted Uniform"
    sentence: ClassVar = "Ties are as frequent as in the judgments; who wins is a toss of a coin."

    def preferences(self, judgments: Judgments, seed: int = 0) -> Preferences:
        require_judgments(judgments)
        tie = np.full((judgments.n_systems, judgments.n_systems), share_of_ties(judgments))
        return Preferences(judgments.systems, (1 - tie) / 2, tie, self.method_signature())


@dataclass(frozen=True)
class IndependentPairs(OutcomeModel):
    """Q(π | i, j) = (n_π(i, j) + α) / (n(i, j) + 3α), every pair by itself (HM13, §6.1).

    This is the mean of the posterior under a symmetric Dirichlet prior.
    """

    name: ClassVar = "independent-pairs"
    title: ClassVar = "Independent Pairs"
    sentence: ClassVar = "What happened between two systems will happen again."

    alpha: float = number(
        1.0,
        "Times that each outcome counts as seen before any judgment.",
        low=0.01,
        high=100,
        step=0.5,
        symbol="α",
    )

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
    - geometric: Q(π | i, j) ∝ √(p_i(π) p_j(π')). In print it is not divided by its sum over π;
      but then it is no probability and has no perplexity, so here it is.
    """

    name: ClassVar = "independent-students"
    title: ClassVar = "Independent Students"
    sentence: ClassVar = "A system wins, ties and loses as often as ever, nearly whoever it meets."

    mean: str = choice(
        "geometric",
        "How the chances of the two systems are put together.",
        {
            "asymmetric": "those of the left system alone",
            "arithmetic": "their mean",
            "geometric": "their geometric mean, made to sum to one",
        },
    )
    alpha: float = number(
        1.0,
        "Times that each outcome counts as seen before any judgment.",
        low=0.01,
        high=100,
        step=0.5,
        symbol="α",
    )

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
        mixed = mixed / mixed.sum(axis=0)
        return Preferences(judgments.systems, mixed[0], mixed[1], signature)


@dataclass(frozen=True)
class Lifted(Parameterized):
    """Any ranker made a preference model: only which side of a radius a score difference falls on.

    Of the pairs in the training judgments, score(i) - score(j) > r puts i *above* j, |…| ≤ r puts
    them *level*; each has its own frequencies of win, tie and loss, as if every outcome had been
    seen ``alpha`` times more. Level pairs win and lose alike. A system without a score is level
    with all.
    """

    ranker: Ranker
    radius: float = number(
        0.0, "Difference of scores up to which two systems are level.", low=0, high=1000, symbol="r"
    )
    alpha: float = number(
        1.0,
        "Times that each outcome counts as seen before any judgment.",
        low=0.01,
        high=100,
        step=0.5,
        symbol="α",
    )

    @property
    def name(self) -> str:
        return self.ranker.name

    @property
    def title(self) -> str:
        return self.ranker.title

    @property
    def sentence(self) -> str:
        return f"{self.ranker.sentence} Systems closer than {self.radius:g} count as level."

    @property
    def citation(self) -> str:
        return self.ranker.citation

    @property
    def provenance(self) -> Provenance:
        """The ranker's name, its settings and the radius."""
        settings = (self.ranker.signature(), self.signature())
        return Provenance(self.name, "|".join(filter(None, settings)))

    def method_signature(self) -> str:
        """Return the ranker's signature and the radius."""
        return str(self.provenance)

    def preferences(self, judgments: Judgments, seed: int = 0) -> Preferences:
        return self.preferences_from_scores(self.ranker.fit(judgments, seed).scores, judgments)

    def preferences_from_scores(self, scores: FloatArray, judgments: Judgments) -> Preferences:
        """Return the probabilities by scores known already: many radii need one fit."""
        counts = judgments.counts
        difference = scores[:, None] - scores[None, :]
        above = difference > self.radius
        level = ~above & ~above.T
        outcomes = np.stack([counts.wins, counts.ties, counts.losses])
        seen_above = outcomes[:, above].sum(axis=1) + self.alpha
        seen_level = (outcomes + outcomes[::-1])[:, level].sum(axis=1) / 4 + self.alpha
        p_above, p_level = seen_above / seen_above.sum(), seen_level / seen_level.sum()
        win = np.where(above, p_above[0], np.where(level, p_level[0], p_above[2]))
        tie = np.where(level, p_level[1], p_above[1])
        return Preferences(judgments.systems, win, tie, self.method_signature())


_OUTCOME_MODELS: tuple[type[OutcomeModel], ...] = (
    Uniform,
    AdjustedUniform,
    IndependentPairs,
    IndependentStudents,
)
MODELS: dict[str, type[OutcomeModel] | type[Ranker]] = {
    **{model.name: model for model in _OUTCOME_MODELS},
    **{name: ranker for name, ranker in RANKERS.items() if issubclass(ranker, PreferenceModel)},
}
"""Everything that gives probabilities by itself, by name; other rankers are `Lifted`."""


def model_class(name: str) -> type[OutcomeModel] | type[Ranker]:
    """Return the model of this name, or the ranker to be lifted; an unknown name raises."""
    known = {**MODELS, **RANKERS}
    if name not in known:
        raise PodiumError("Model", f"{name!r} is not known", f"Choose one of {', '.join(known)}.")
    return known[name]


def as_preference_model(model: Ranker | OutcomeModel, radius: float = 0.0) -> PreferenceModel:
    """Return the model itself where it gives probabilities, else the ranker lifted by a radius."""
    if isinstance(model, Ranker) and not isinstance(model, PreferenceModel):
        return Lifted(model, radius)
    return model
