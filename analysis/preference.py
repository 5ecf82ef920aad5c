"""Preference models: probabilities of win, tie and loss for any two systems (HM13, §2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from analysis.campaign import FloatArray, Judgments


@dataclass(frozen=True, eq=False)
class Preferences:
    """``win[i, j]``: the probability that system i is preferred to j; ``tie`` is symmetric.

    The probability of a loss is ``win`` the other way round; the three sum to one.
    """

    systems: tuple[str, ...]
    win: FloatArray
    tie: FloatArray
    signature: str

    @property
    def loss(self) -> FloatArray:
        return self.win.T


@runtime_checkable
class PreferenceModel(Protocol):
    """A model that says how likely each outcome is; rankers may be preference models too."""

    def preferences(self, judgments: Judgments, seed: int = 0) -> Preferences:
        """Fit to judgments and return the probabilities; none of them is zero."""
        ...
