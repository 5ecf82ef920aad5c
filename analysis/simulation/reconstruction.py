"""Rankings drawn so that published figures hold: head-to-head table, ties, inter and intra κ.

    perceived quality = mean + √a · item + √b · judge's view of the item + √(1-a-b) · noise

``item`` is one draw for each output, ``judge's view`` one for each output and judge. A task's five
outputs are ordered by perceived quality; a new rank begins where the quality falls more than a
radius below the best of the rank before. The means are fitted to the head-to-head table
(Thurstone 1927); the radius is set so that the share of ties is right, a so that different judges
agree as published, b so that judges agree with themselves as published. Last, neighbors in single
rankings change places until the head-to-head table is the published one (to the print's last digit
in most tables; everywhere well within sampling error).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from analysis.campaign import FloatArray, IntArray
from analysis.simulation.campaigns import Ranks, rank_by_radius

N_WAY = 5
FIRST, SECOND = np.triu_indices(N_WAY, 1)
REPEATED_BY_OTHERS, REPEATED_BY_THE_SAME = 0.12, 0.04
"""Shares of tasks that are put before another judge, or before the same one again: so few of the
latter that inter κ as published, which takes a judge's repeats for another judge's, is near too."""


@dataclass(frozen=True, eq=False)
class Figures:
    """What the drawn rankings must show: shares of wins and of ties, and κ.

    ``beats[i, j]`` is the share of decided judgments that i wins against j, nan where i is j.
    """

    n_judgments: int
    n_segments: int
    beats: FloatArray
    tie_share: float
    inter: float
    intra: float


@dataclass(frozen=True, eq=False)
class Design:
    """Which judge is shown which systems on which segment; one row per task, as displayed."""

    systems: IntArray
    segment: IntArray
    judge: IntArray
    n_judges: int

    @property
    def first(self) -> IntArray:
        """The first system of each of a task's ten pairs."""
        return self.systems[:, FIRST]

    @property
    def second(self) -> IntArray:
        return self.systems[:, SECOND]


@dataclass(frozen=True, eq=False)
class Perception:
    """Standard normal draws behind every entry, and how much each counts (shares of variance)."""

    mean: FloatArray
    item: FloatArray
    view: FloatArray
    noise: FloatArray
    radius: float
    item_share: float
    view_share: float

    def ranks(self) -> Ranks:
        """Return the ranks of all tasks' entries, 1 the best."""
        rest = 1 - self.item_share - self.view_share
        quality = (
            self.mean
            + np.sqrt(self.item_share) * self.item
            + np.sqrt(self.view_share) * self.view
            + np.sqrt(rest) * self.noise
        )
        return rank_by_radius(quality, self.radius)


def reconstruct(figures: Figures, rng: np.random.Generator) -> tuple[Design, Ranks]:
    """Draw a design, and rankings that have the published figures."""
    n_tasks = figures.n_judgments // len(FIRST)
    design = draw_design(n_tasks, len(figures.beats), figures.n_segments, rng)
    means = task_means(design.systems, fitted_differences(figures.beats, figures.tie_share))
    perception = _draw_perception(design, means, len(figures.beats), figures.n_segments, rng)
    return design, _calibrated_ranks(design, perception, figures)


def fitted_differences(beats: FloatArray, tie_share: float) -> FloatArray:
    """Return for every two systems the difference of mean qualities that fits their cell.

    With unit variances a difference δ wins a decided judgment with probability Φ((δ-r)/√2) /
    [Φ((δ-r)/√2) + Φ((-δ-r)/√2)], where r is the radius at which ties have their share (Thurstone).
    """
    grid = np.linspace(-10, 10, 4001)
    apart = ~np.eye(len(beats), dtype=bool)
    shares = np.where(apart, beats, 0.5)
    low, high = 0.0, 5.0
    while high - low > 1e-4:
        radius = (low + high) / 2
        wins = ndtr((grid - radius) / np.sqrt(2))
        differences = np.interp(shares, wins / (wins + wins[::-1]), grid)
        delta = differences[apart]
        ties = ndtr((radius - delta) / np.sqrt(2)) - ndtr((-radius - delta) / np.sqrt(2))
        low, high = (low, radius) if ties.mean() > tie_share else (radius, high)
    return np.asarray(differences)


def task_means(systems: IntArray, differences: FloatArray) -> FloatArray:
    """Return the mean quality of every entry of every task.

    An ability for each system, the row mean of its differences (least squares), and for each
    opponent in the task a part of what the abilities leave over. The part is such that the two
    systems' difference comes out right on average over the company they are seen in: of three
    others, each carries 1/(K-2) of it back.
    """
    n_systems = len(differences)
    ability = differences.mean(axis=1)
    left_over = differences - (ability[:, None] - ability)
    effect = 2 - 2 * (N_WAY - 2) / (n_systems - 2)
    if effect > 0:
        company = left_over[systems[:, :, None], systems[:, None, :]].sum(axis=2) / effect
    else:  # All systems stand in every task, where abilities are all there is.
        company = np.zeros(systems.shape)
    return np.asarray(ability[systems] + company)


def draw_design(n_tasks: int, n_systems: int, n_segments: int, rng: np.random.Generator) -> Design:
    """Draw tasks of five systems and a segment at random; some are shown twice.

    A judge's workload is log-normal: some do ten times as much as others.
    """
    n_judges = round(np.sqrt(n_tasks))
    workload = rng.lognormal(0, 0.8, n_judges)
    systems = np.argsort(rng.random((n_tasks, n_systems)), axis=1)[:, :N_WAY].astype(np.int32)
    segment = rng.integers(n_segments, size=n_tasks).astype(np.int32)
    judge = rng.choice(n_judges, n_tasks, p=workload / workload.sum()).astype(np.int32)
    n_others, n_same = round(REPEATED_BY_OTHERS * n_tasks), round(REPEATED_BY_THE_SAME * n_tasks)
    again = np.arange(n_others + n_same)
    shown_before = again + len(again)
    systems[again] = rng.permuted(systems[shown_before], axis=1)
    segment[again] = segment[shown_before]
    judge[again[n_others:]] = judge[shown_before[n_others:]]
    shuffled = rng.permutation(n_tasks)
    return Design(systems[shuffled], segment[shuffled], judge[shuffled], n_judges)


def _draw_perception(
    design: Design, mean: FloatArray, n_systems: int, n_segments: int, rng: np.random.Generator
) -> Perception:
    """Draw what lies behind every entry; a judge's noise is his own (sd up to twice another's)."""
    systems = design.systems
    items = rng.standard_normal((n_segments, n_systems))
    _, sitting = np.unique(design.segment * design.n_judges + design.judge, return_inverse=True)
    views = rng.standard_normal((sitting.max() + 1, n_systems))
    carelessness = rng.lognormal(0, 0.25, design.n_judges)[design.judge]
    carelessness /= np.sqrt(np.mean(carelessness**2))
    return Perception(
        mean=mean,
        item=items[design.segment[:, None], systems],
        view=views[sitting[:, None], systems],
        noise=rng.standard_normal(systems.shape) * carelessness[:, None],
        radius=0.3,
        item_share=0.3,
        view_share=0.1,
    )


@dataclass(frozen=True, eq=False)
class Comparable:
    """Pairs of judgments of the same two outputs: rows (task, which of its ten pairs) a and b."""

    task_a: IntArray
    task_b: IntArray
    slot_a: IntArray
    slot_b: IntArray
    turned: npt.NDArray[np.bool_]

    def agreement(self, ranks: Ranks) -> float:
        """Return in what share of these pairs the two judgments are the same."""
        outcomes = np.sign(ranks[:, SECOND] - ranks[:, FIRST])
        a, b = outcomes[self.task_a, self.slot_a], outcomes[self.task_b, self.slot_b]
        return float(np.mean(a == np.where(self.turned, -b, b)))


def _find_comparable(design: Design) -> tuple[Comparable, Comparable]:
    """Return the pairs of judgments of different judges, and those of one judge."""
    first, second = design.first.ravel().astype(np.int64), design.second.ravel().astype(np.int64)
    n = design.systems.max() + 1
    segment = np.repeat(design.segment, len(FIRST))
    item = (segment * n + np.minimum(first, second)) * n + np.maximum(first, second)
    order = np.argsort(item, kind="stable")
    ordered, found = item[order], []
    for lag in range(1, len(order)):
        same = np.flatnonzero(ordered[lag:] == ordered[:-lag])
        if not len(same):
            break
        found.append(np.stack([order[same], order[same + lag]]))
    a, b = np.concatenate(found, axis=1)
    (task_a, slot_a), (task_b, slot_b) = np.divmod(a, len(FIRST)), np.divmod(b, len(FIRST))
    one_judge = design.judge[task_a] == design.judge[task_b]
    columns = (task_a, task_b, slot_a, slot_b, first[a] != first[b])
    return (
        Comparable(*(column[~one_judge] for column in columns)),
        Comparable(*(column[one_judge] for column in columns)),
    )


def _calibrated_ranks(design: Design, start: Perception, figures: Figures) -> Ranks:
    """Return rankings with the published ties, agreement and head-to-head table.

    κ = (A - E) / (1 - E) with E = t² + (1-t)²/2 for a share t of ties, so each κ asks for a share
    A of equal judgments. What the last step costs in agreement is added to the aim beforehand.
    """
    between, within = _find_comparable(design)
    by_chance = figures.tie_share**2 + (1 - figures.tie_share) ** 2 / 2
    wanted = by_chance + np.array([figures.inter, figures.intra]) * (1 - by_chance)
    aim, perception = wanted, start
    rounds: list[tuple[float, Ranks]] = []
    for _ in range(5):
        perception = _solve(perception, "radius", _tie_share, figures.tie_share, 2.0)
        perception = _solve(
            replace(perception, view_share=0.0), "item_share", between.agreement, aim[0], 0.97
        )
        room = 0.98 - perception.item_share
        perception = _solve(perception, "view_share", within.agreement, aim[1], room)
        ranks = _match_head_to_head(design, perception.ranks(), figures.beats)
        missed = wanted - [between.agreement(ranks), within.agreement(ranks)]
        rounds.append((float(np.abs(missed).max()), ranks))
        aim = aim + missed
    return min(rounds, key=lambda tried: tried[0])[1]


def _tie_share(ranks: Ranks) -> float:
    return float(np.mean(ranks[:, FIRST] == ranks[:, SECOND]))


def _solve(
    start: Perception,
    setting: str,
    figure: Callable[[Ranks], float],
    wanted: float,
    high: float,
    steps: int = 9,
) -> Perception:
    """Return the perception whose rankings have the wanted figure, which grows with the setting."""

    def at(value: float) -> Perception:
        settings: dict[str, Any] = {setting: value}
        return replace(start, **settings)

    low = 0.0
    for _ in range(steps):
        middle = (low + high) / 2
        if figure(at(middle).ranks()) < wanted:
            low = middle
        else:
            high = middle
    return at((low + high) / 2)


def _match_head_to_head(design: Design, ranks: Ranks, beats: FloatArray, rounds: int = 12) -> Ranks:
    """Let neighbors in single rankings change places until every pair has its share of wins.

    Two outputs alone on neighboring ranks can change places without touching any other pair.
    """
    ranks = ranks.copy()
    for _ in range(rounds):
        surplus = _surplus_wins(design, ranks, beats)
        if not surplus.any():
            break
        order = np.argsort(ranks, axis=1, kind="stable")
        systems = np.take_along_axis(design.systems, order, axis=1)
        sorted_ranks = np.pad(np.take_along_axis(ranks, order, axis=1), ((0, 0), (1, 1)))
        alone = np.diff(sorted_ranks, axis=1) != 0
        alone = alone[:, :-1] & alone[:, 1:]
        task, place = np.nonzero(alone[:, :-1] & alone[:, 1:])
        pair = systems[task, place] * len(beats) + systems[task, place + 1]
        chosen = _choose_swaps(task, pair, surplus.ravel())
        task, place = task[chosen], place[chosen]
        upper, lower = order[task, place], order[task, place + 1]
        ranks[task, upper], ranks[task, lower] = ranks[task, lower], ranks[task, upper]
    return ranks


def _surplus_wins(design: Design, ranks: Ranks, beats: FloatArray) -> IntArray:
    """Return by how many wins over j system i has too many: 0 where too few or right."""
    n = len(beats)
    first, second = design.first.ravel(), design.second.ravel()
    outcome = np.sign(ranks[:, SECOND] - ranks[:, FIRST]).ravel()
    winner, loser = np.where(outcome > 0, first, second), np.where(outcome > 0, second, first)
    decided = outcome != 0
    cells = winner[decided] * n + loser[decided]
    wins = np.bincount(cells, minlength=n * n).reshape(n, n)
    upper = np.triu(np.ones((n, n), dtype=bool), 1)
    target = np.rint(np.where(upper, beats, 0) * (wins + wins.T)).astype(np.int64)
    excess = np.where(upper, wins - target, 0)
    return np.maximum(excess, 0) + np.maximum(-excess, 0).T


def _choose_swaps(task: IntArray, pair: IntArray, surplus: IntArray) -> IntArray:
    """Choose as many candidates of each ordered pair as it has surplus wins, one a task."""
    wanted = np.flatnonzero(surplus[pair] > 0)
    # The rarer a pair's candidates are for its need, the earlier it may choose.
    need = surplus[pair[wanted]] / np.bincount(pair[wanted], minlength=len(surplus))[pair[wanted]]
    wanted = wanted[np.argsort(-need, kind="stable")]
    _, first_of_task = np.unique(task[wanted], return_index=True)
    wanted = wanted[first_of_task]
    order = np.argsort(pair[wanted], kind="stable")
    by_pair = pair[wanted][order]
    nth = np.arange(len(by_pair)) - np.searchsorted(by_pair, by_pair)
    return wanted[order[nth < surplus[by_pair]]]
