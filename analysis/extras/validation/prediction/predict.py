"""What a model, once trained, says of judgments that it has not seen; models that rank nothing.

With π = 1, 0, 2 for win, tie, loss of the left system, Hopkins & May (2013) set against their own
models: chances that know nothing of the systems (§5), chances of every pair by itself (§6.1), and
chances of every system by itself, put together for the two that meet (§6.2).

Reference: Hopkins & May 2013, *Models of Translation Competitions*.
"""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from analysis.campaign import TIE, FloatArray, Judgments, PairCounts
from analysis.errors import PodiumError, control, unknown
from analysis.extras.validation.prediction.radius import (
    DEFAULT_TUNING,
    OutcomeTable,
    Tuning,
    accuracy,
    likeliest_outcomes,
    outcomes_at_radius,
    perplexity_on_counts,
    separations,
    tune_radius,
)
from analysis.parameters import choice, from_settings, hyperparameters, number
from analysis.rankers import RANKERS, Ranker
from analysis.rankers.preferences import LEAST_PROBABILITY, Preferences
from analysis.rankers.ranker import Fit, Method, require_judgments


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


Model = Ranker | OutcomeModel
"""What can be asked to predict: a ranker, or a model that only gives probabilities."""


@dataclass(frozen=True, eq=False)
class Prediction:
    """Outcomes named and probabilities given, of left against right [K, K], and the radii used.

    A radius is nan where the model has none. Leading axes are folds.
    """

    named: OutcomeTable
    win: FloatArray
    tie: FloatArray
    loss: FloatArray
    accuracy_radius: FloatArray
    perplexity_radius: FloatArray

    @classmethod
    def stack(cls, predictions: Sequence[Prediction]) -> Prediction:
        """Put one prediction a fold into tables with a leading fold axis."""
        names = [field.name for field in dataclasses.fields(cls)]
        return cls(**{name: np.stack([getattr(p, name) for p in predictions]) for name in names})


def model_named(words: str, usual: Mapping[str, Mapping[str, Any]] = MappingProxyType({})) -> Model:
    """Return a model by its name, with settings after colons; ``usual`` ones, by model, before.

    >>> model_named("trueskill:players=3:selection=shuffled").players
    3
    """
    name, *settings = words.split(":")
    given = dict(setting.partition("=")[::2] for setting in settings)
    for setting, value in given.items():
        if not value:
            raise PodiumError(
                f"Method {words!r}",
                f"{setting!r} has no value",
                (f"Use the form {name}:{setting}=VALUE."),
            )
    return from_settings(model_class(name), {**usual.get(name, {}), **given})


def words_of(model: Model) -> str:
    """Return the words by which `model_named` makes a model.

    >>> words_of(model_named("trueskill:zone=one-sided:players=2"))
    'trueskill:zone=one-sided'
    """
    settings = model.settings()
    told = [
        f"{p.name}={'yes' if settings[p.name] is True else settings[p.name]}"
        for p in hyperparameters(type(model))
        if settings[p.name] != p.default
    ]
    return ":".join([model.name, *told])


def shown_name(words: str) -> str:
    """Return a model's name with its settings as people read them.

    >>> shown_name("independent-students:mean=arithmetic")
    'Independent Students, mean arithmetic'
    """
    name, *settings = words.split(":")
    told = [setting.replace("=", " ").replace("_", " ") for setting in settings]
    return ", ".join([model_class(name).title, *told])


def keeps_own_radius(words: str) -> bool:
    """Return whether words name a model with a radius, which is then used and not tuned.

    >>> keeps_own_radius("hopkins-may:radius=0.4"), keeps_own_radius("hopkins-may:sigma_a=1")
    (True, False)
    """
    return any(setting.startswith("radius=") for setting in words.split(":")[1:])


def predict(
    model: Model,
    train: Judgments,
    tuning: Tuning = DEFAULT_TUNING,
    seed: int = 0,
    dev: PairCounts | None = None,
) -> Prediction:
    """Train a model, choose its radii as the tuning has it, and return what it predicts.

    ``dev`` counts the development set, where the radii are tuned on one.
    """
    if isinstance(model, Ranker):
        return read_off(model.fit(train, seed), tuning, dev)
    said = model.preferences(train, seed)
    nothing = np.array(np.nan)
    return _likeliest(said, said, nothing, nothing)


def read_off(
    fit: Fit, tuning: Tuning = DEFAULT_TUNING, dev: PairCounts | None = None
) -> Prediction:
    """Choose the radii of what is fitted, and return what it predicts."""
    ranker, grid = fit.ranker, tuning.accuracy
    if tuning.on == "none":
        own = np.array(ranker.own_radius)
        said = fit.preferences()
        return _likeliest(said, said, own, own)
    counts = fit.judgments.counts if tuning.on == "train" else dev
    if counts is None:
        raise PodiumError(
            "Tuning on a development set",
            "there is none",
            f"Use a share or a file ({control('--dev', 'development set')}).",
        )
    said_at = cache(fit.preferences)
    tried = ranker.tunes_radius
    calm = [said_at(radius) for radius in tuning.perplexity] if tried else [said_at()]
    surprise = [round(perplexity_on_counts(said, counts), 12) for said in calm]
    least = int(np.argmin(surprise))
    calm_radius = np.array(tuning.perplexity[least] if tried else np.nan)
    if grid.apart is not None:
        scores = fit.standings.scores
        radius = tune_radius(scores, counts, grid)
        named = outcomes_at_radius(separations(scores, grid.apart), radius)
        said = calm[least]
        return Prediction(named, said.win, said.tie, said.loss, radius, calm_radius)
    named_by = [said_at(radius) for radius in grid.radii] if tried else calm
    right = [accuracy(likeliest_outcomes(s.win, s.tie, s.loss), counts) for s in named_by]
    best = int(np.argmax(np.round(right, 12)))
    radius = np.array(grid.radii[best] if tried else np.nan)
    return _likeliest(named_by[best], calm[least], radius, calm_radius)


def _likeliest(
    by: Preferences, said: Preferences, radius: FloatArray, calm_radius: FloatArray
) -> Prediction:
    """Name the likeliest outcomes of the first, and give the probabilities of the second."""
    named = likeliest_outcomes(by.win, by.tie, by.loss)
    return Prediction(named, said.win, said.tie, said.loss, radius, calm_radius)
