"""The WMT14 samples: rankings drawn so that published figures hold.

``python -m tests.tools.wmt14_sample`` draws all ten and writes them to ``data/samples/wmt14``. The
figures are the head-to-head table, ties of each pair of systems, inter and intra κ:

    perceived quality = mean + √a · item + √b · judge's view of the item + √(1-a-b) · noise

``item`` is one draw for each output, ``judge's view`` one for each output and judge; draws of two
systems go together the more, the more often judges tie the two. A task's five
outputs are ordered by perceived quality; a new rank begins where the quality falls more than a
radius below the best of the rank before. The means are fitted to shares of wins and ties
(Thurstone 1927); the radius is set so that the share of ties is right, a so that different judges
agree as published, b so that judges agree with themselves as published. Last, neighbors in single
rankings change places, or come to share a rank, until every pair has its wins and its ties.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy
from scipy.special import ndtri

from analysis import published
from analysis.campaign import FloatArray, IntArray
from analysis.extras.validation.simulation.campaigns import Ranks, rank_by_radius
from analysis.kernel import kernel
from analysis.samples import FOLDER, N_WAY, SAMPLES, drawn_file

HINDI_SEGMENTS, SEGMENTS = 2507, 3003
FIRST, SECOND = np.triu_indices(N_WAY, 1)
STEPS_PER_TASK = 300
"""Changes of single ranks that are tried for each task."""
REPEATED_BY_OTHERS, REPEATED_BY_THE_SAME = 0.12, 0.04
"""Shares of tasks that are put before another judge, or before the same one again: so few of the
latter that inter κ as published, which takes a judge's repeats for another judge's, is near too."""


@dataclass(frozen=True, eq=False)
class Figures:
    """What the drawn rankings must show: shares of wins and of ties, and κ.

    ``beats[i, j]`` is the share of decided judgments that i wins against j, nan where i is j, and
    ``ties[i, j]`` the share of ties among all judgments of the pair.
    """

    n_judgments: int
    n_segments: int
    beats: FloatArray
    ties: FloatArray
    inter: float
    intra: float

    @property
    def tie_share(self) -> float:
        """Return the mean share of ties over the pairs, which are judged about equally often."""
        return float(self.ties[np.triu_indices(len(self.ties), 1)].mean())


@dataclass(frozen=True, eq=False)
class Design:
    """Which judge is shown which systems on which segment; one row per task, as displayed.

    ``once`` are the tasks that are not shown a second time.
    """

    systems: IntArray
    segment: IntArray
    judge: IntArray
    n_judges: int
    once: IntArray

    @property
    def first(self) -> IntArray:
        """The first system of each of a task's ten pairs."""
        return self.systems[:, FIRST]

    @property
    def second(self) -> IntArray:
        return self.systems[:, SECOND]


@dataclass(frozen=True, eq=False)
class Perception:
    """Normal draws behind every entry, and how much each counts (shares of variance)."""

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
    return design, _calibrated_ranks(design, figures, int(rng.integers(2**32)))


def fit_pairs(beats: FloatArray, ties: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return every two systems' difference of mean qualities, and the standard deviation of it.

    A pair wins with probability Φ((δ-r)/s) and loses with Φ((-δ-r)/s) (Thurstone 1927): its shares
    of wins and ties give δ/s and r/s, and one radius r for all pairs, for which s is √2 on average,
    gives δ and s.
    """
    n, apart = len(beats), ~np.eye(len(beats), dtype=bool)
    wins = np.where(apart, (1 - ties) * np.where(apart, beats, 0.5), 0.4)
    wins = np.clip(wins, 1e-3, 1 - 1e-3)
    above, below = ndtri(wins), ndtri(wins.T)
    inverse = np.maximum(-(above + below) / 2, 0.02)
    scale = np.sqrt(2) * inverse[apart].mean() / inverse
    differences = np.where(apart, (above - below) / 2 * scale, 0)
    return differences, np.where(np.eye(n, dtype=bool), 0, scale)


def root_of_covariance(deviations: FloatArray) -> FloatArray:
    """Return L so that independent draws z make L z, whose differences have these deviations.

    Systems are points whose distances are the deviations; their logarithms are fitted.
    """
    n = len(deviations)
    wanted = np.log(deviations + np.eye(n))
    center = np.eye(n) - 1 / n
    values, vectors = np.linalg.eigh(-center @ deviations**2 @ center / 2)

    def loss(flat: FloatArray) -> tuple[float, FloatArray]:
        points = flat.reshape(n, n)
        away = points[:, None] - points
        square = (away**2).sum(axis=2) + np.eye(n)
        off = np.log(square) / 2 - wanted
        return float((off**2).sum()), (4 * (off / square)[:, :, None] * away).sum(axis=1).ravel()

    start = vectors * np.sqrt(np.maximum(values, 1e-4))
    points = scipy.optimize.minimize(loss, start.ravel(), jac=True, method="L-BFGS-B").x.reshape(
        n, n
    )
    return np.asarray(points - points.mean(axis=0))


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
    once = np.flatnonzero(shuffled >= 2 * len(again)).astype(np.int64)
    return Design(systems[shuffled], segment[shuffled], judge[shuffled], n_judges, once)


def _draw_perception(
    design: Design, differences: FloatArray, deviations: FloatArray, n_segments: int, seed: int
) -> Perception:
    """Draw what lies behind every entry; a judge's noise is his own (sd up to twice another's)."""
    systems, rng = design.systems, np.random.default_rng(seed)
    root = root_of_covariance(deviations)

    def alike(n: int) -> FloatArray:
        return np.asarray(rng.standard_normal((n, len(root))) @ root.T)

    items = alike(n_segments)
    _, sitting = np.unique(design.segment * design.n_judges + design.judge, return_inverse=True)
    views = alike(int(sitting.max()) + 1)
    noise = np.take_along_axis(alike(len(systems)), systems.astype(np.int64), axis=1)
    carelessness = rng.lognormal(0, 0.25, design.n_judges)[design.judge]
    carelessness /= np.sqrt(np.mean(carelessness**2))
    return Perception(
        mean=task_means(systems, differences),
        item=items[design.segment[:, None], systems],
        view=views[sitting[:, None], systems],
        noise=noise * carelessness[:, None],
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


def _calibrated_ranks(design: Design, figures: Figures, seed: int, rounds: int = 12) -> Ranks:
    """Return rankings with the published ties, agreement and head-to-head table.

    κ = (A - E) / (1 - E) with E = t² + (1-t)²/2 for a share t of ties, so each κ asks for a share
    A of equal judgments. What the last step costs in agreement is added to the aim beforehand. Of
    several rounds, each with draws of its own, the one that misses least is taken.
    """
    between, within = _find_comparable(design)
    by_chance = figures.tie_share**2 + (1 - figures.tie_share) ** 2 / 2
    aim = wanted = by_chance + np.array([figures.inter, figures.intra]) * (1 - by_chance)
    differences, deviations = fit_pairs(figures.beats, figures.ties)
    tried: list[tuple[float, Ranks]] = []
    for again in range(seed, seed + rounds):
        perception = _draw_perception(design, differences, deviations, figures.n_segments, again)
        perception = _solve(perception, "radius", _tie_share, figures.tie_share, 2.0)
        perception = _solve(
            replace(perception, view_share=0.0), "item_share", between.agreement, aim[0], 0.97
        )
        room = 0.98 - perception.item_share
        perception = _solve(perception, "view_share", within.agreement, aim[1], room)
        ranks = _match_pairs(design, perception.ranks(), figures, again)
        missed = wanted - [between.agreement(ranks), within.agreement(ranks)]
        off = np.abs(_surplus(design, ranks, figures)).sum() / figures.n_judgments
        tried.append((float(np.abs(missed).max() + off), ranks))
        aim = aim + missed / 2
    return min(tried, key=lambda one: one[0])[1]


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


def _match_pairs(design: Design, ranks: Ranks, figures: Figures, seed: int = 0) -> Ranks:
    """Change single ranks until every pair of systems has its shares of wins and ties.

    An output of a random task tries another rank, shared or between two; it stays where that brings
    the pairs nearer to their numbers. Tasks that are shown twice stay as they are, and agreement.
    """
    n = len(figures.beats)
    surplus = _surplus(design, ranks, figures).reshape(n, n, 3)
    levels = 2 * ranks.astype(np.int64)
    steps = STEPS_PER_TASK * len(levels)
    _mend(design.systems, design.once, levels, surplus, steps, np.random.default_rng(seed))
    return rank_by_radius(-levels.astype(np.float64), 0.0)


@kernel
def _mend(systems, tasks, levels, surplus, steps, rng):  # type: ignore[no-untyped-def]
    """Move outputs to other levels, even ones where ranks are, while that lessens Σ |surplus|."""
    n_way = systems.shape[1]
    dense = np.empty(n_way, dtype=np.int64)
    for _ in range(steps):
        t, e = tasks[int(rng.random() * len(tasks))], int(rng.random() * n_way)
        level = 1 + int(rng.random() * (2 * n_way + 1))
        for apply in (False, True):
            gain = 0
            for o in range(n_way):
                before = np.sign(levels[t, o] - levels[t, e])
                after = np.sign(levels[t, o] - level)
                if o == e or before == after:
                    continue
                i, j = systems[t, e], systems[t, o]
                side = 1 if i < j else -1
                i, j = min(i, j), max(i, j)
                left, joined = 1 + side * before, 1 + side * after
                gain += 1 if surplus[i, j, left] > 0 else -1
                gain += 1 if surplus[i, j, joined] < 0 else -1
                if apply:
                    surplus[i, j, left] -= 1
                    surplus[i, j, joined] += 1
            if gain < 0:
                break
        else:
            levels[t, e] = level
            for a in range(n_way):
                dense[a] = 2
                for b in range(n_way):
                    first = levels[t, b] < levels[t, a]
                    for c in range(b):
                        first = first and levels[t, c] != levels[t, b]
                    dense[a] += 2 * first
            levels[t] = dense


def _outcomes(design: Design, ranks: Ranks, n: int) -> IntArray:
    """Return how often the first of each pair [i·K + j], i < j, lost, tied and won."""
    first, second = design.first.ravel(), design.second.ravel()
    outcome = np.sign(ranks[:, SECOND] - ranks[:, FIRST]).ravel() * np.sign(second - first)
    pair = np.minimum(first, second) * n + np.maximum(first, second)
    return np.bincount(pair * 3 + outcome + 1, minlength=3 * n * n).reshape(-1, 3)


def _surplus(design: Design, ranks: Ranks, figures: Figures) -> IntArray:
    """Return of how many outcomes each pair has too many: [i·K + j, lost, tied or won by i], i < j.

    Negative where it has too few; every row adds up to 0.
    """
    found = _outcomes(design, ranks, len(figures.beats))
    judged = found.sum(axis=1)
    ties = np.rint(np.where(judged, figures.ties.ravel(), 0) * judged).astype(np.int64)
    shares = np.where(judged, figures.beats.ravel(), 0)
    wins = np.rint(shares * (judged - ties)).astype(np.int64)
    return np.asarray(found - np.stack([judged - ties - wins, ties, wins], axis=1))


def draw(name: str) -> tuple[Design, Ranks]:
    """Draw one sample from what was published of its language pair."""
    pair = SAMPLES[name].pair
    table = published.wmt14_head_to_head(pair)
    inter, intra = np.asarray(published.kappas(pair).loc["wmt14"], dtype=np.float64)
    beats, ties = _shares(table)
    figures = Figures(
        n_judgments=published.wmt14_n_judgments(pair),
        n_segments=HINDI_SEGMENTS if "hi" in pair else SEGMENTS,
        beats=beats,
        ties=ties,
        inter=inter,
        intra=intra,
    )
    return reconstruct(figures, np.random.default_rng([2014, table.table]))


def _shares(table: published.HeadToHead) -> tuple[FloatArray, FloatArray]:
    """Return each pair's share of wins, as printed to its rounding, and share of ties.

    Ties by pair were not printed: those of the file give Table 7's accuracies and Table 9's orders.
    """
    rows = pd.read_csv(FOLDER / "wmt14-ties.csv")
    rows = rows[rows["language_pair"] == table.pair]
    place = {system: k for k, system in enumerate(table.systems)}
    i, j = (rows[column].map(place).to_numpy() for column in ("system", "opponent"))
    beats = np.full((len(place), len(place)), np.nan)
    ties = np.zeros(beats.shape)
    beats[i, j], beats[j, i] = rows["beats"], 1 - rows["beats"]
    ties[i, j] = ties[j, i] = rows["ties"]
    return beats, ties


def main() -> None:
    """Draw every sample and write it."""
    for name in SAMPLES:
        design, ranks = draw(name)
        path = drawn_file(name)
        path.parent.mkdir(exist_ok=True)
        np.savez_compressed(
            path,
            systems=design.systems.astype(np.uint8),
            segment=design.segment.astype(np.uint16),
            judge=design.judge.astype(np.uint16),
            ranks=ranks.astype(np.uint8),
        )
        print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main()
