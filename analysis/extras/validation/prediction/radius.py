"""How well a model predicts judgments, and where outcomes are named by a radius, which one.

Accuracy is the share of outcomes that a model names (SPV14, §3.3; WMT14, §3.4). A model with
probabilities names the likeliest of win, tie and loss (SPV14, §3.3), or two systems whose distance
is at most the radius r tie, else the better one wins. The distance of two systems has two readings:

- ``difference``: the difference of their scores;
- ``clusters`` (WMT14, §3.4): the widest gap between neighbors in the order on the way from one to
  the other.

Which radii are tried, and on which judgments the best is chosen, differs between papers.

WMT14 (§3.4) take the radius that predicts their training judgments best. SPV14 (§3.4) take, for
accuracy and for perplexity, the one that is best on a development set, 2,000 judgments apart from
training and test. HM13 (§8) choose all settings once and tune nothing.

Perplexity = 2^(-mean log2 Q(outcome)), as `analysis.rankers.preferences.perplexity` has it. All of
it is computed from K×K tables, so that a fold costs as little as a table does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from analysis.campaign import LOSS, TIE, WIN, FloatArray, PairCounts
from analysis.comparing.what_if import WMT14_RADII, accuracy_by_radius, best_radius, widest_gaps
from analysis.rankers.preferences import Preferences
from analysis.rankers.trueskill.trueskill import PUBLISHED_RADII

OutcomeTable = npt.NDArray[np.int8]
"""``table[..., i, j]``: the outcome named for i against j, from i's side, or `TOSS`."""

TOSS = 2
"""Named where win and loss are equally likely and likelier than a tie: a coin decides which.

Each of the two then counts half, so that no system gains by where its name stands.
"""


def likeliest_outcomes(win: FloatArray, tie: FloatArray, loss: FloatArray) -> OutcomeTable:
    """Return the outcome of largest probability (or count) for every pair.

    A tie where nothing is likelier; `TOSS` where win and loss are equally likely and likelier.
    """
    wins, loses = (win > tie) & (win > loss), (loss > tie) & (loss > win)
    named = wins.astype(np.int8) - loses.astype(np.int8)
    named[(win == loss) & (win > tie)] = TOSS
    return named


def oracle_outcomes(counts: PairCounts) -> OutcomeTable:
    """Return the most frequent outcome of every pair: what no model can beat on these counts."""
    return likeliest_outcomes(counts.wins, counts.ties, counts.losses)


def hits(named: OutcomeTable, counts: PairCounts) -> FloatArray:
    """Return how many judgments have the outcome that was named; leading axes are kept."""
    won = np.where(named == WIN, counts.wins, 0.0).sum(axis=(-1, -2))
    tied = np.where(named == TIE, counts.ties, 0.0).sum(axis=(-1, -2)) / 2
    tossed = np.where(named == TOSS, counts.wins, 0.0).sum(axis=(-1, -2)) / 2
    return np.asarray(won + tied + tossed)


def n_judgments(counts: PairCounts) -> FloatArray:
    """Return how many judgments the tables count; leading axes are kept."""
    return np.asarray(counts.compared.sum(axis=(-1, -2)) / 2)


def accuracy(named: OutcomeTable, counts: PairCounts) -> FloatArray:
    """Return the share of judgments whose outcome was named: hits / judgments."""
    return np.asarray(hits(named, counts) / n_judgments(counts))


def hit_cells(named: OutcomeTable) -> FloatArray:
    """Return what a judgment in each of `HeldOut`'s 3·K² cells (last axis) counts as a hit."""
    half = np.where(named == TOSS, 0.5, 0.0)
    cells = [(named == WIN) + half, (named == TIE) + 0.0, (named == LOSS) + half]
    return np.stack(cells, axis=-3).reshape(*named.shape[:-2], -1)


def surprise_cells(win: FloatArray, tie: FloatArray, loss: FloatArray) -> FloatArray:
    """Return -log2 Q, in bits, of a judgment in each of `HeldOut`'s 3·K² cells (last axis).

    A system does not meet itself, so the diagonals are 0.
    """
    itself = np.eye(win.shape[-1], dtype=bool)
    bits = -np.log2(np.where(itself, 1.0, np.stack([win, tie, loss], axis=-3)))
    return bits.reshape(*win.shape[:-2], -1)


def perplexity_on_counts(preferences: Preferences, counts: PairCounts) -> float:
    """Return the perplexity of a model that does not mind which system stands on the left."""
    itself = np.eye(counts.n_systems, dtype=bool)
    bits_win = -np.log2(np.where(itself, 1.0, preferences.win))
    bits_tie = -np.log2(np.where(itself, 1.0, preferences.tie))
    bits = (counts.wins * bits_win).sum() + (counts.ties * bits_tie).sum() / 2
    return float(2 ** (bits / n_judgments(counts)))


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
    WMT14_RADII,
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
    return widest_gaps(scores)


def outcomes_at_radius(separation: FloatArray, radius: FloatArray | float) -> OutcomeTable:
    """Return the outcomes that a radius names; a pair of which nothing is known is named a tie.

    ``radius`` is one number, or one for every leading index of the separations.
    """
    limit = np.asarray(radius)[..., None, None]
    return (separation > limit).astype(np.int8) - (separation < -limit).astype(np.int8)


def tune_radius(scores: FloatArray, counts: PairCounts, grid: RadiusGrid) -> FloatArray:
    """Return the radius of the grid with the best accuracy on ``counts``.

    The smallest among equals. Leading axes of scores and counts are folds, and each fold has its
    own radius. ``counts`` are the ones that the scores were made from, or those of a development
    set; never those that they will be tested on.
    """
    assert grid.apart is not None, "the likeliest outcome does not depend on scores"
    apart = separations(scores, grid.apart)
    by_radius = accuracy_by_radius(apart, counts, np.array(grid.radii))
    return best_radius(by_radius, grid.radii)


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
