"""Effects of what a method controls for: position, length and the like, with their intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import expit
from scipy.stats import norm

from analysis.campaign import FloatArray
from analysis.rankers.controlled import ControlledFit
from analysis.ranking.apart import Target, closed_form


@dataclass(frozen=True)
class Effects:
    """β of every column that is controlled for, in log-odds, with intervals at ``level``.

    ``position`` is what the output shown first gains. Of a number of outputs it is what an output
    gains that has all of it, the other one none: of one twice as long it gains a third of that.
    """

    names: tuple[str, ...]
    values: FloatArray
    deviations: FloatArray
    level: float

    @property
    def low(self) -> FloatArray:
        return self.values - norm.isf((1 - self.level) / 2) * self.deviations

    @property
    def high(self) -> FloatArray:
        return self.values + norm.isf((1 - self.level) / 2) * self.deviations

    def to_frame(self) -> pd.DataFrame:
        """Return a row an effect; ``chance`` is that of two equal systems where it is 1."""
        return pd.DataFrame(
            {
                "controlled for": self.names,
                "effect": self.values,
                "low": self.low,
                "high": self.high,
                "chance": expit(self.values),
            }
        )


def effects(fit: ControlledFit, level: float = 0.95, target: Target = "others") -> Effects:
    """Return the effects of a fit, as sure as for other sentences and judges, or for these."""
    influence = fit.influence_on_effects()
    uncertainty = closed_form(fit.judgments, influence, fit.effects)
    variance = uncertainty.along(np.eye(len(fit.effects)), target)
    return Effects(fit.names, fit.effects, np.sqrt(variance), level)
