"""The judge filter: whose tasks count, by the judges' names and by a limit of each one's share."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Sequence

import numpy as np

from analysis.campaign.ragged import IntArray
from analysis.campaign.selection import Mask, Selection
from analysis.campaign.tasks import RankingTasks
from analysis.errors import PodiumError, control, unknown


def judge_mask(campaign: RankingTasks, selection: Selection) -> Mask:
    """Return the tasks of the judges who count."""
    everybody = frozenset(campaign.judges)
    only = _named(control("--judges", "Judges"), selection.judges, campaign.judges, everybody)
    left_out = control("--exclude-judges", "Judges to leave out")
    without = _named(left_out, selection.exclude_judges, campaign.judges, everybody)
    kept = np.array(
        [
            (not selection.judges or judge in only) and judge not in without
            for judge in campaign.judges
        ],
        dtype=bool,
    )
    if len(kept) and not kept.any():
        raise PodiumError(
            "Judges",
            f"the choice leaves none of the {len(campaign.judges)} judges",
            f"Names look like {', '.join(campaign.judges[:3])}; * matches any letters.",
        )
    return kept[campaign.task_judge]


def share_mask(campaign: RankingTasks, counted: Mask, percent: float) -> Mask:
    """Return the tasks that are left if no judge may have more than a share of those ``counted``.

    The judges who have more keep the same number of tasks each, drawn at random, always the same.
    """
    if not 0 < percent < np.inf:
        raise PodiumError("Share of a judge", f"{percent:g} is not above 0", "Use 20 for 20%.")
    tasks: IntArray = np.flatnonzero(counted)
    tasks = tasks[np.random.default_rng(0).permutation(len(tasks))]
    judge = campaign.task_judge[tasks]
    sizes = np.bincount(judge)
    most = most_per_judge(sizes[sizes > 0], percent / 100)
    order = np.argsort(judge, kind="stable")
    place = np.empty(len(tasks), dtype=np.int64)  # of each task among those of its judge
    place[order] = np.arange(len(tasks)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    kept = np.zeros(len(counted), dtype=bool)
    kept[tasks[place < most]] = True
    return kept


def most_per_judge(sizes: IntArray, share: float) -> int:
    """Return the largest number m of tasks such that none of min(size, m) is above the share.

    >>> most_per_judge(np.array([60, 10, 10, 10]), .5)
    30
    """
    if len(sizes) * share < 1 - 1e-9:
        raise PodiumError(
            "Share of a judge",
            f"{len(sizes)} judges cannot all have at most {share:.0%} of the tasks",
            f"Use {int(np.ceil(100 / max(len(sizes), 1)))}% or more, or no limit.",
        )
    falling = np.sort(sizes)[::-1]
    for limited, size in enumerate(falling):
        most = share * falling[limited:].sum() / (1 - share * limited)
        if size <= most + 1e-9:
            return max(int(most + 1e-9), 1)
    return int(falling[-1])


def _named(
    where: str, patterns: Iterable[str], judges: Sequence[str], everybody: frozenset[str]
) -> frozenset[str]:
    """Return the judges that names or patterns mean; a full name is not read as a pattern."""
    found: set[str] = set()
    for pattern in patterns:
        meant = {pattern} & everybody or {j for j in judges if fnmatch.fnmatchcase(j, pattern)}
        if not meant:
            raise unknown(where, pattern, judges)
        found |= meant
    return frozenset(found)
