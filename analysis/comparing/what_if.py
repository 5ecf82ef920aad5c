"""What if: the radius, the settings, fewer judgments, ties counted otherwise.

All curves are of the judgments that the scores were made from. They tell where a radius or a
setting fits these judgments best, not how well it predicts others.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.campaign import FloatArray, Judgments, PairCounts
from analysis.parameters import Hyperparameter, hyperparameters
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.preferences import Preferences
from analysis.rankers.ranker import Ranker
from analysis.rankers.ratios import Bojar, ExpectedWins
from analysis.wording import rounded_up

TASK_SHARES = (0.01, 0.02, 0.05, *(k / 10 for k in range(1, 11)))
"""Shares of the ranking tasks to be left with."""

FEWEST_TASKS = 10

CURVE_POINTS = 25

WMT14_RADII = tuple(k / 100 for k in range(26))
"""The radii that Bojar et al. (2014, section 3.4) tried."""

TIE_POLICIES: tuple[tuple[str, Ranker], ...] = (
    ("ignored (Bojar)", Bojar()),
    ("ignored (exp. wins)", ExpectedWins()),
    ("half a win each", BradleyTerry(ties="half")),
    ("modeled: Davidson", BradleyTerry(ties="davidson")),
    ("modeled: Rao–Kupper", BradleyTerry(ties="rao-kupper")),
)
"""Ways to count a tie, each with the method that does."""


@dataclass(frozen=True, eq=False)
class RadiusSweep:
    """What each of ``radii`` does: accuracy on the judgments, and the share it calls ties.

    The last one is at least the distance of the first two systems, which then tie.
    ``tuned`` is the radius of best accuracy; ``observed_ties`` the share of judgments that are
    ties; ``oracle`` the accuracy of the most frequent outcome of every pair.
    """

    radii: FloatArray
    accuracy: FloatArray
    ties: FloatArray
    tuned: float
    observed_ties: float
    oracle: float

    def at(self, radius: float) -> tuple[float, float]:
        """Return accuracy and share of ties at the radius of the grid next to ``radius``."""
        k = int(np.argmin(np.abs(self.radii - radius)))
        return float(self.accuracy[k]), float(self.ties[k])


def radius_grid(scores: FloatArray) -> tuple[float, ...]:
    """Return WMT14's grid, 0 … .25 by .01; times a power of ten where scores have a wide scale.

    >>> radius_grid(np.array([.3, .6]))[1], radius_grid(np.array([900., 1250.]))[1]
    (0.01, 1.0)
    """
    known = scores[~np.isnan(scores)]
    width = float(np.ptp(known)) if len(known) else 0.0
    scale = 10 ** max(0, math.floor(math.log10(width / 5)) + 1) if width > 5 else 1
    return tuple(round(radius * scale, 9) for radius in WMT14_RADII)


def sweep_radius(scores: FloatArray, counts: PairCounts) -> RadiusSweep:
    """Try every radius of the grid, by gaps between neighbors in the order (WMT14, §3.4)."""
    grid = radius_grid(scores)
    best = np.sort(scores[~np.isnan(scores)])[-2:]
    first_tie = float(rounded_up(np.ptp(best))) if len(best) > 1 else 0.0
    radii = np.array([*grid, *[first_tie] * (first_tie > max(grid))])
    apart = widest_gaps(scores)
    by_radius = accuracy_by_radius(apart, counts, radii)
    most = np.maximum(np.maximum(counts.wins, counts.losses), counts.ties)
    return RadiusSweep(
        radii=radii,
        accuracy=by_radius,
        ties=_ties_by_radius(apart, counts, radii),
        tuned=float(best_radius(by_radius[: len(grid)], grid)),
        observed_ties=float(counts.ties.sum() / counts.compared.sum()),
        oracle=float(most.sum() / counts.compared.sum()),
    )


def widest_gaps(scores: FloatArray) -> FloatArray:
    """Return ``table[..., i, j]``: the widest gap between neighbors in the order from j up to i.

    Negative where i is below j, nan without a score. Walking down the scores, a new cluster starts
    where a gap exceeds the radius; so two systems tie exactly where no gap between them does.
    """
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
    return np.asarray(total / (counts.compared.sum(axis=(-1, -2)) / 2)[..., None])


def best_radius(accuracies: FloatArray, radii: Sequence[float]) -> FloatArray:
    """Return the radius of the best of ``accuracies`` (last axis), the smallest among equals."""
    # Accuracies that are equal as fractions must not differ by the order of a sum.
    return np.asarray(radii)[np.argmax(accuracies.round(12), axis=-1)]


def _ties_by_radius(apart: FloatArray, counts: PairCounts, radii: FloatArray) -> FloatArray:
    """Return the share of judgments between systems that tie within a radius."""
    upper = np.triu_indices(counts.n_systems, 1)
    distance, met = np.abs(np.nan_to_num(apart[upper])), counts.compared[upper]
    return np.asarray(((distance <= radii[:, None]) * met).sum(axis=1) / met.sum())


@dataclass(frozen=True, eq=False)
class SettingSweep:
    """Perplexity on the judgments and share of ties predicted at each of ``values``.

    ``tuned`` is the value of least perplexity.
    """

    values: FloatArray
    perplexity: FloatArray
    ties: FloatArray
    tuned: float

    def at(self, value: float) -> tuple[float, float]:
        """Return perplexity and share of ties at ``value``, between values that were tried."""
        perplexity = np.interp(value, self.values, self.perplexity)
        return float(perplexity), float(np.interp(value, self.values, self.ties))


def numeric_settings(ranker: type[Ranker]) -> tuple[Hyperparameter, ...]:
    """Return the hyperparameters of a ranker that a slider can move."""
    return tuple(
        p
        for p in hyperparameters(ranker)
        if p.kind is float and p.low is not None and p.role != "effort"
    )


def setting_values(parameter: Hyperparameter, *marked: float) -> tuple[float, ...]:
    """Return the values of a slider: from the least to about 2.5 times the default, by its step.

    ``marked`` values are among them. Where the default is 0 and the range is wide, the values are
    0 and 1, 2, 5, 10, …
    """
    low, high = float(parameter.low or 0), float(parameter.high or 0)
    default = float(parameter.default)
    if default == 0 and high > 10:
        steps = [m * 10.0**e for e in range(6) for m in (1, 2, 5)]
        values = {low, *(step for step in steps if step <= high)}
    else:
        top = min(high, max((2.5 * default, *marked))) if default else high
        step = parameter.step or 10 ** math.floor(math.log10(top or 1)) / 20
        step *= max(1, math.ceil((top - low) / step / 250))
        first = math.ceil(round(low / step, 9))
        values = {low, *(k * step for k in range(first, math.floor(round(top / step, 9)) + 1))}
    return tuple(sorted({round(v, 9) for v in (*values, default, *marked) if low <= v <= high}))


def sweep_setting(
    ranker: Ranker, name: str, judgments: Judgments, values: Sequence[float], seed: int = 0
) -> SettingSweep:
    """Fit the ranker at some of the values of one setting; the rest of its settings stay."""
    tried = _some(values, [float(getattr(ranker, name))])
    counts = judgments.counts
    found = []
    for value in tried:
        model = dataclasses.replace(ranker, **{name: value}).quick_form()
        chances = model.preferences(judgments, seed)
        found.append((perplexity_of_counts(chances, counts), predicted_ties(chances, counts)))
    perplexity, ties = np.array(found).T
    return SettingSweep(
        np.array(tried), perplexity, ties, float(tried[int(np.argmin(perplexity.round(9)))])
    )


def perplexity_of_counts(chances: Preferences, counts: PairCounts) -> float:
    """Return 2^(-mean log2 Q), which needs only how often each outcome occurred (HM13, §4)."""
    upper = np.triu(counts.ties, 1)
    bits = (counts.wins * np.log2(chances.win)).sum() + (upper * np.log2(chances.tie)).sum()
    return float(2 ** -(bits / (counts.wins.sum() + upper.sum())))


def predicted_ties(chances: Preferences, counts: PairCounts) -> float:
    """Return the mean probability of a tie over the judgments."""
    return float((chances.tie * counts.compared).sum() / counts.compared.sum())


def margins(judgments: Judgments) -> list[float]:
    """Return tie margins to look at: 0, the chosen one, and steps to a fifth of the range used."""
    scores = judgments.scores
    if scores is None or not len(scores):
        return [0.0, judgments.selection.tie_margin]
    reach = float(np.ptp(scores.value)) / 5
    step = 10.0 ** np.floor(np.log10(reach / 5)) if reach > 0 else 1.0
    step *= next((k for k in (1, 2, 5) if reach / (k * step) <= 10), 10)
    grid = {round(float(k * step), 10) for k in range(int(reach / step + 1e-9) + 1)}
    return sorted({*grid, 0.0, judgments.selection.tie_margin})


def task_shares(judgments: Judgments) -> tuple[float, ...]:
    """Return the shares that leave `FEWEST_TASKS` ranking tasks or more; always the whole."""
    enough = [s for s in TASK_SHARES if s * judgments.n_tasks >= FEWEST_TASKS]
    return tuple(enough) or (1.0,)


def first_tasks(judgments: Judgments, share: float) -> Judgments:
    """Return that share of the ranking tasks, the file's first."""
    return judgments.take_tasks(np.arange(_n_first(judgments, share)))


def tasks_after(judgments: Judgments, share: float) -> Judgments:
    """Return the ranking tasks after the file's first ones."""
    return judgments.take_tasks(np.arange(_n_first(judgments, share), judgments.n_tasks))


def _n_first(judgments: Judgments, share: float) -> int:
    return max(1, round(share * judgments.n_tasks))


def _some(values: Sequence[float], wanted: Sequence[float]) -> list[float]:
    """Return about `CURVE_POINTS` of the values, evenly, and those that are wanted."""
    places = np.linspace(0, len(values) - 1, min(len(values), CURVE_POINTS)).round().astype(int)
    return sorted({*(float(values[k]) for k in places), *wanted})
