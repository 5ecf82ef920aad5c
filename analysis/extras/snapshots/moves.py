"""Which systems' scores moved from the first judgments of a campaign to the later ones.

Both parts are ranked by themselves, and scores are taken minus their mean over the systems of both.
Each part has its own segments and judges, so that the test is always one for new ones.
The variance of a change is the sum of the two variances that `analysis.ranking` uses: judges and
segments of both parts make the true one smaller as a rule, not larger. Holm's method is over all
systems.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from analysis.campaign import Judgments, distinct
from analysis.rankers import Ranker
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.mean import Mean
from analysis.ranking.fit_uncertainty import distances_from_the_mean, systems_of_all
from analysis.ranking.significance import step_down
from analysis.ranking.variance import tail

FEWEST_TASKS = 50
"""Tasks of each part; of 12 or 24 tasks standard errors are too small to test a change."""


@dataclass(frozen=True)
class Move:
    """How much a system's score is higher in the second part than in the first."""

    system: str
    change: float
    se: float
    p_adjusted: float


@dataclass(frozen=True)
class Moves:
    """Changes of all systems, the clearest first; ``share`` is the first part's, of one file."""

    systems: tuple[Move, ...]
    share: float | None
    level: float
    method: str

    @property
    def significant(self) -> tuple[Move, ...]:
        """The changes that are significant, all systems taken together."""
        return tuple(move for move in self.systems if move.p_adjusted <= 1 - self.level)


IN_BLOCKS, REPEATED = 1.1, 0.9
"""Blocks per value, at most, of a file that is sorted by it, and values per task, at most, by which
a file can be sorted."""


def sorted_by(judgments: Judgments) -> str:
    """Return by what the file is sorted, so that its order is not one of time; empty if unknown.

    A file is sorted by whatever comes in one block per value. Where each segment has one task, that
    are segments with rising names; votes are not asked, as names of votes rise with time.
    """
    first, of_entry = judgments.task_start[:-1], np.arange(len(judgments.entry_rank))
    best = np.minimum.reduceat(judgments.entry_rank.astype(np.int64) << 32 | of_entry, first)
    keys = {
        "judge": judgments.task_judge,
        "segment": judgments.task_segment,
        "document": judgments.task_document,
        "system": judgments.entry_output[first],
        "winner": judgments.entry_output[best & 0xFFFFFFFF],
    }
    for name, codes in keys.items():
        if codes is None or not 1 < (n := len(distinct(codes))) < REPEATED * len(codes):
            continue
        if 1 + np.count_nonzero(np.diff(codes)) <= IN_BLOCKS * n:
            return name
    if judgments.are_votes:
        return ""
    names = [judgments.segments[k] for k in judgments.task_segment.tolist()]
    return "segment" if sorted(names, key=_natural) == names else ""


def _natural(name: str) -> list[tuple[int, str]]:
    """Return a key by which "s9" is before "s10"."""
    return [(len(part) * part.isdigit(), part) for part in re.split(r"(\d+)", name)]


def moves_between(
    first: Judgments,
    rest: Judgments,
    ranker: Ranker | None,
    common: Collection[str],
    level: float,
    share: float | None = None,
) -> Moves | None:
    """Test how the scores of systems differ between both parts; None for fewer than three systems.

    The parts have no tasks in common. It is None, too, if a part has fewer than `FEWEST_TASKS`.
    Two systems always move by the same amount, so that none of them has a change of its own.
    Without a ranker, or with one whose standard errors have no closed form, the test is by
    Bradley–Terry, or for ratings by the mean.
    """
    if min(first.n_tasks, rest.n_tasks) < FEWEST_TASKS:
        return None
    if ranker is None or not all(ranker.has_derivative(part) for part in (first, rest)):
        ranker = Mean() if rest.scores is not None else BradleyTerry()
    fits = [ranker.fit(part) for part in (first, rest)]
    systems = sorted(systems_of_all(fits) & set(common))
    if len(systems) < 3:
        return None
    scores, variance, freedom = distances_from_the_mean(fits, systems, "new")
    gap, se = scores[1] - scores[0], np.sqrt(variance.sum(axis=0))
    if not (se > 0).all():
        return None
    adjusted = step_down(2 * tail(np.abs(gap) / se, freedom))
    found = [
        Move(system, float(gap[k]), float(se[k]), float(adjusted[k]))
        for k, system in enumerate(systems)
    ]
    found.sort(key=lambda move: (move.p_adjusted, -abs(move.change / move.se)))
    return Moves(tuple(found), share, level, ranker.title)


def moves_since(
    first: Judgments,
    whole: Judgments,
    ranker: Ranker | None,
    common: Collection[str],
    level: float,
) -> Moves | None:
    """Test how scores moved since the first tasks of the whole."""
    rest = whole.take_tasks(np.arange(first.n_tasks, whole.n_tasks))
    share = first.n_tasks / whole.n_tasks
    return moves_between(first, rest, ranker, common, level, share)
