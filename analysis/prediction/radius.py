"""The radius below which two systems tie, chosen on training data (WMT14, §3.4; SPV14, §3.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.campaign import FloatArray, PairCounts
from analysis.prediction.accuracy import Apart, accuracy_by_radius, separations
from analysis.rankers.trueskill.trueskill import PUBLISHED_RADII


@dataclass(frozen=True)
class RadiusGrid:
    """Radii to try, in units of the score, and how far ``apart`` two systems are taken to be."""

    name: str
    title: str
    radii: tuple[float, ...]
    apart: Apart


WMT14 = RadiusGrid(
    "wmt14",
    "0 to .25 by .01, by gaps between neighbors in the order (Bojar et al. 2014)",
    tuple(k / 100 for k in range(26)),
    "clusters",
)
SPV14 = RadiusGrid(
    "spv14",
    ".001, .01, .1, .3, .5, by the difference of scores (Sakaguchi et al. 2014)",
    PUBLISHED_RADII,
    "difference",
)
GRIDS = {grid.name: grid for grid in (WMT14, SPV14)}


def tune_radius(scores: FloatArray, counts: PairCounts, grid: RadiusGrid) -> FloatArray:
    """Return the radius of the grid with the best accuracy on ``counts``.

    The smallest among equals. Leading axes of scores and counts are folds, and each fold has its
    own radius. ``counts`` are the ones that the scores were made from, never those that they will
    be tested on.
    """
    radii = np.array(grid.radii)
    by_radius = accuracy_by_radius(separations(scores, grid.apart), counts, radii)
    # Accuracies that are equal as fractions must not differ by the order of a sum.
    return np.asarray(radii[np.argmax(by_radius.round(12), axis=-1)])
