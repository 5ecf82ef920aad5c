"""The radius below which two systems tie: what is tried, and on which judgments it is chosen.

WMT14 (§3.4) take the radius that predicts their training judgments best. SPV14 (§3.4) take, for
accuracy and for perplexity, the one that is best on a development set, 2,000 judgments apart from
training and test. HM13 (§8) choose all settings once and tune nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from analysis.campaign import FloatArray, PairCounts
from analysis.prediction.accuracy import Verdict, accuracy_by_radius, separations
from analysis.rankers.trueskill.trueskill import PUBLISHED_RADII

TuneOn = Literal["none", "train", "dev"]
TUNE_ON: dict[TuneOn, str] = {
    "none": "no tuning: a model's own radius, and the likeliest outcome",
    "train": "on the training judgments (WMT14)",
    "dev": "on a development set, which is not used for training (SPV14)",
}
assert set(TUNE_ON) == set(get_args(TuneOn))


@dataclass(frozen=True)
class RadiusGrid:
    """Radii to try, and how outcomes are named: by how far ``apart`` two systems are.

    Where ``apart`` is None the likeliest of win, tie and loss is named.
    """

    name: str
    title: str
    radii: tuple[float, ...]
    apart: Verdict | None


WMT14 = RadiusGrid(
    "wmt14",
    "0 to 0.25 by 0.01, by gaps between adjacent systems (Bojar et al. 2014)",
    tuple(k / 100 for k in range(26)),
    "clusters",
)
SPV14 = RadiusGrid(
    "spv14",
    "0.001, 0.01, 0.1, 0.3, 0.5, by the likeliest of win, tie and loss (Sakaguchi et al. 2014)",
    PUBLISHED_RADII,
    None,
)
DIFFERENCE = RadiusGrid(
    "difference",
    "0.001, 0.01, 0.1, 0.3, 0.5, by the difference of scores: a tie within the radius",
    PUBLISHED_RADII,
    "difference",
)
GRIDS = {grid.name: grid for grid in (WMT14, SPV14, DIFFERENCE)}


def tune_radius(scores: FloatArray, counts: PairCounts, grid: RadiusGrid) -> FloatArray:
    """Return the radius of the grid with the best accuracy on ``counts``.

    The smallest among equals. Leading axes of scores and counts are folds, and each fold has its
    own radius. ``counts`` are the ones that the scores were made from, or those of a development
    set; never those that they will be tested on.
    """
    assert grid.apart is not None, "the likeliest outcome does not depend on scores"
    radii = np.array(grid.radii)
    by_radius = accuracy_by_radius(separations(scores, grid.apart), counts, radii)
    # Accuracies that are equal as fractions must not differ by the order of a sum.
    return np.asarray(radii[np.argmax(by_radius.round(12), axis=-1)])


@dataclass(frozen=True)
class Tuning:
    """Which radii are tried, as each measure has its own best one (SPV14, §3.4), and ``on`` what.

    ``accuracy`` are the radii for the outcomes named, ``perplexity`` those for the probabilities.
    ``dev`` is the share of the training judgments, or from 1 on their number, that is set aside as
    the development set where the split has none.
    """

    accuracy: RadiusGrid = WMT14
    perplexity: tuple[float, ...] = SPV14.radii
    on: TuneOn = "train"
    dev: float = 0.2

    @property
    def extra(self) -> tuple[tuple[str, object], ...]:
        """What a signature tells of it."""
        if self.on == "none":
            return (("tune", "none"),)
        told: tuple[tuple[str, object], ...] = (("radii", self.accuracy.name),)
        return told if self.on == "train" else (*told, ("tune", "dev"))


DEFAULT_TUNING = Tuning()
