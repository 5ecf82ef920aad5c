"""What the sidebar's widgets hold for a method and a certainty, by the widgets' keys."""

from __future__ import annotations

from typing import Any

from analysis.parameters import hyperparameters
from analysis.presets import PRESETS
from analysis.rankers import Ranker
from analysis.ranking.certainty import Certainty

_OF_PRESETS = {preset.certainty.runs for preset in PRESETS.values() if preset.certainty}
RUNS = tuple(sorted({100, 200, 500, 1000, 2000, 5000} | _OF_PRESETS))
"""Numbers of resamples that can be chosen, those of every preset among them."""
LEVELS = (0.8, 0.9, 0.95, 0.99)


def of_ranker(ranker: Ranker) -> dict[str, Any]:
    """Return the widgets' values of a method; rare settings are shown only where they matter."""
    values: dict[str, Any] = {"method": ranker.title}
    rare = False
    for parameter in hyperparameters(type(ranker)):
        value = getattr(ranker, parameter.name)
        rare = rare or (parameter.advanced and value != parameter.default)
        values[f"{ranker.name}.{parameter.name}"] = value
    values[f"{ranker.name}.more"] = rare
    return values


def of_certainty(certainty: Certainty) -> dict[str, Any]:
    """Return the widgets' values of a certainty, without its seed."""
    sure = "published" if certainty.is_official else certainty.scope
    values = {"sure": sure, "runs": certainty.runs, "level": certainty.level}
    return {**values, "resample": certainty.unit} if certainty.is_official else values
