"""Ties at a radius: two systems no further apart than the radius r tie, else the better one wins.

How far apart two systems are has two readings:

- ``difference``: the difference of their scores;
- ``clusters`` (WMT14, §3.4): the widest gap between neighbors in the order on the way from one to
  the other. Walking down the scores, a new cluster starts where a gap exceeds r; so two systems are
  in one cluster, and tie, exactly where no gap between them exceeds r.

Which radii are tried, and on which judgments the best is chosen, differs between papers.

WMT14 (§3.4) take the radius that predicts their training judgments best. SPV14 (§3.4) take, for
accuracy and for perplexity, the one that is best on a development set, 2,000 judgments apart from
training and test. HM13 (§8) choose all settings once and tune nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from analysis.campaign import FloatArray, PairCounts
from analysis.prediction.accuracy import OutcomeTable, n_judgments
from analysis.rankers.trueskill.trueskill import PUBLISHED_RADII

Separation = Literal["difference", "clusters"]
"""How far two systems are apart: by the difference of their scores, or by the widest gap in the
order between them (Bojar et al. 2014)."""


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
    apart: Separation | None


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


def separations(scores: FloatArray, apart: Separation) -> FloatArray:
    """Return ``table[..., i, j]``: how far i is above j; negative below, nan without a score."""
    scores = np.asarray(scores, dtype=np.float64)
    if apart == "difference":
        return scores[..., :, None] - scores[..., None, :]
    return _widest_gaps(scores)


def _widest_gaps(scores: FloatArray) -> FloatArray:
    n = scores.shape[-1]
    order = np.argsort(scores, axis=-1)
    gaps = np.diff(np.take_along_axis(scores, order, axis=-1), axis=-1)
    widest = np.zeros((*scores.shape, n))
    for place in range(n - 1):
        reach = np.maximum.accumulate(gaps[..., place:], axis=-1)
        widest[..., place + 1 :, place] = reach
        widest[..., place, place + 1 :] = -reach
    place_of = np.argsort(order, axis=-1)
    rows = np.take_along_axis(widest, place_of[..., :, None], axis=-2)
    return np.take_along_axis(rows, place_of[..., None, :], axis=-1)


def outcomes_at_radius(separation: FloatArray, radius: FloatArray | float) -> OutcomeTable:
    """Return the outcomes that a radius names; a pair of which nothing is known is named a tie.

    ``radius`` is one number, or one for every leading index of the separations.
    """
    limit = np.asarray(radius)[..., None, None]
    return (separation > limit).astype(np.int8) - (separation < -limit).astype(np.int8)


def accuracy_by_radius(separation: FloatArray, counts: PairCounts, radii: FloatArray) -> FloatArray:
    """Return the accuracy at each of ``radii``; the last axis of the result is the radius.

    Each pair of systems counts as its better system's wins below its separation and as its ties
    from there on, so that one sort of the pairs answers for all radii.
    """
    upper = np.triu_indices(counts.n_systems, 1)
    apart = np.nan_to_num(separation[..., *upper])
    wins = np.where(apart >= 0, counts.wins[..., *upper], counts.losses[..., *upper])
    gain = counts.ties[..., *upper] - wins
    order = np.argsort(np.abs(apart), axis=-1)
    sorted_gain = np.take_along_axis(gain, order, axis=-1)
    reached = np.concatenate(
        [np.zeros((*gain.shape[:-1], 1)), np.cumsum(sorted_gain, axis=-1)], axis=-1
    )
    within = (np.abs(apart)[..., None, :] <= np.asarray(radii)[:, None]).sum(axis=-1)
    total = wins.sum(axis=-1, keepdims=True) + np.take_along_axis(reached, within, axis=-1)
    return np.asarray(total / n_judgments(counts)[..., None])


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
