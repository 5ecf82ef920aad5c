"""How models are asked to predict: what is held out, which radii are tried, how curves are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from analysis.prediction.cross_validation import Average
from analysis.prediction.learning_curves import PUBLISHED_SIZES, Draw
from analysis.prediction.predict import Tuning
from analysis.prediction.radius import GRIDS, WMT14, TuneOn
from analysis.prediction.splits import DEFAULT_FOLDS, FoldUnit

Split = FoldUnit | Literal["hm13"]


@dataclass(frozen=True)
class Protocol:
    """One way to ask models for judgments that they have not seen; the defaults are ours.

    ``split`` is what each of the ``folds`` holds out, or hm13 for one test set of rarely judged
    segments; ``average`` says how accuracies of folds are put together. Radii of the ``grid`` are
    tuned on what ``tune`` names; None tunes on what trains the radii of models whose own was not
    chosen. ``dev`` is the development set, as a share of what trains or as a number of judgments.
    Of learning curves, ``hold_out`` is the share or number that is predicted where the split is by
    units, ``sizes`` and ``trials`` what is drawn and how often, and ``draw`` how.
    """

    split: Split = "task"
    folds: int = DEFAULT_FOLDS
    average: Average = "judgments"
    grid: str = WMT14.name
    tune: TuneOn | None = None
    dev: float = 0.2
    hold_out: float = 0.2
    sizes: tuple[int, ...] = PUBLISHED_SIZES
    trials: int = 5
    draw: Draw = "row"

    def tuning(self, *, own_radius: bool = False) -> Tuning:
        """Return which radii are tried on what, for a model whose radius a user chose or not."""
        on = self.tune or ("none" if own_radius else "train")
        return Tuning(GRIDS[self.grid], on=on, dev=self.dev)
