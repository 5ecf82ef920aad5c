"""How models are asked to predict: what is held out, which radii are tried, how curves are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from analysis.prediction.radius import GRIDS, WMT14, TuneOn, Tuning
from analysis.prediction.splits import DEFAULT_FOLDS, FoldUnit

Draw = Literal["row", "task", "active", "own", "matches", "match-pairs"]
DRAWS: dict[Draw, str] = {
    "row": "single judgments at random, as in the papers",
    "task": "whole ranking tasks at random, as a campaign collects them",
    "active": "judgments that TrueSkill chooses, with replacement, for all models",
    "own": (
        "as in SPV14: TrueSkill chooses from all with replacement and keeps that run, the others "
        "learn from single judgments at random"
    ),
    "matches": "this many matches, with one output per player of the model (SPV14, Table 3)",
    "match-pairs": "such matches, with this many judgments in total (SPV14, Table 4)",
}

PUBLISHED_SIZES = (400, 800, 1600, 3200, 6400)

Average = Literal["judgments", "folds"]
AVERAGES: dict[Average, str] = {
    "judgments": "the share of all judgments predicted that is right",
    "folds": "the mean of the folds' accuracies (WMT14)",
}

Split = FoldUnit | Literal["hm13"]

assert set(AVERAGES) == set(get_args(Average))
assert set(DRAWS) == set(get_args(Draw))


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
