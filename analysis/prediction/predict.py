"""What a model, once trained, says of judgments that it has not seen."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np

from analysis.campaign import FloatArray, Judgments, PairCounts
from analysis.errors import PodiumError, control
from analysis.parameters import from_settings, hyperparameters
from analysis.prediction.accuracy import (
    OutcomeTable,
    accuracy,
    likeliest_outcomes,
    perplexity_on_counts,
)
from analysis.prediction.models import OutcomeModel, model_class
from analysis.prediction.radius import (
    DEFAULT_TUNING,
    Tuning,
    outcomes_at_radius,
    separations,
    tune_radius,
)
from analysis.rankers import Ranker
from analysis.rankers.preferences import Preferences
from analysis.rankers.ranker import Fit

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
