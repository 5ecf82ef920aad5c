"""What a model, once trained, says of judgments that it has not seen."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from analysis.campaign import FloatArray, Judgments
from analysis.errors import PodiumError
from analysis.parameters import from_settings
from analysis.prediction.accuracy import (
    OutcomeTable,
    likeliest_outcomes,
    named_outcomes,
    separations,
)
from analysis.prediction.models import OutcomeModel, model_class
from analysis.prediction.perplexity import perplexity_on_counts
from analysis.prediction.radius import SPV14, WMT14, RadiusGrid, tune_radius
from analysis.rankers import Ranker
from analysis.rankers.preferences import Preferences
from analysis.rankers.ranker import Fit

Model = Ranker | OutcomeModel
"""What can be asked to predict: a ranker, or a model that only gives probabilities."""


@dataclass(frozen=True)
class Tuning:
    """What is tried on the training data, as each measure has its own best radius (SPV14, §3.4).

    ``accuracy`` are the radii for a ranker's scores, ``perplexity`` those for its probabilities.
    """

    accuracy: RadiusGrid = WMT14
    perplexity: tuple[float, ...] = SPV14.radii


DEFAULT_TUNING = Tuning()


@dataclass(frozen=True, eq=False)
class Prediction:
    """Outcomes named and probabilities given, of left against right [K, K], and the radii tuned.

    A radius is nan where the model has none to tune. Leading axes are folds.
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
                f"Method {words!r}", f"{setting!r} has no value", f"Write {name}:{setting}=VALUE."
            )
    return from_settings(model_class(name), {**usual.get(name, {}), **given})


def predict(
    model: Model, train: Judgments, tuning: Tuning = DEFAULT_TUNING, seed: int = 0
) -> Prediction:
    """Train a model, tune its radii on what it was trained on, and return what it predicts."""
    if not isinstance(model, Ranker):
        said = model.preferences(train, seed)
        named = likeliest_outcomes(said.win, said.tie, said.loss)
        none = np.array(np.nan)
        return Prediction(named, said.win, said.tie, said.loss, none, none)
    fit = model.fit(train, seed)
    perplexity_radius, said = _least_surprised(fit, tuning.perplexity)
    scores = fit.standings.scores
    radius = tune_radius(scores, train.counts, tuning.accuracy)
    named = named_outcomes(separations(scores, tuning.accuracy.apart), radius)
    return Prediction(named, said.win, said.tie, said.loss, radius, np.array(perplexity_radius))


def _least_surprised(fit: Fit, radii: Sequence[float]) -> tuple[float, Preferences]:
    """Return the tie radius of least perplexity and its probabilities; nan where none is tuned."""
    if not fit.ranker.tunes_radius:
        return float("nan"), fit.preferences()
    tried = [(radius, fit.preferences(radius)) for radius in radii]
    if len(tried) == 1:
        return tried[0]
    counts = fit.judgments.counts
    surprise = [round(perplexity_on_counts(said, counts), 12) for _, said in tried]
    return tried[int(np.argmin(surprise))]
