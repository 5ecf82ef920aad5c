"""How models are asked to predict: what is held out, which radii are tried, how curves are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from analysis.prediction.learning_curves import PUBLISHED_SIZES, Draw
from analysis.prediction.predict import Tuning
from analysis.prediction.radius import GRIDS, WMT14
from analysis.prediction.splits import DEFAULT_FOLDS, FoldUnit

Split = FoldUnit | Literal["hm13"]


@dataclass(frozen=True)
class Protocol:
    """One way to ask models for judgments that they have not seen; the defaults are ours.

    ``split`` is what each of the ``folds`` holds out, or hm13 for one test set of rarely judged
    segments. Of learning curves, ``hold_out`` is the share that is predicted where the split is by
    units, ``sizes`` and ``trials`` what is drawn and how often, and ``draw`` how.
    """

    split: Split = "task"
    folds: int = DEFAULT_FOLDS
    grid: str = WMT14.name
    hold_out: float = 0.2
    sizes: tuple[int, ...] = PUBLISHED_SIZES
    trials: int = 5
    draw: Draw = "row"

    @property
    def tuning(self) -> Tuning:
        """The radii that are tried."""
        return Tuning(GRIDS[self.grid])
