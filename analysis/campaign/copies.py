"""Which ranking tasks repeat an earlier one exactly, as where a file was saved twice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign.ragged import Ragged
from analysis.campaign.tasks import UNNAMED_JUDGE, RankingTasks


def copied_tasks(campaign: RankingTasks) -> npt.NDArray[np.bool_]:
    """Return which tasks equal an earlier one: pair, judge, segment, what was shown and answered.

    Times are equal too where they are known: a judge who is asked again takes another time. Where
    neither judges nor times are known, or no segments, a repeated answer is no copy.
    """
    nothing = np.zeros(campaign.n_tasks, dtype=bool)
    unnamed = campaign.judges == (UNNAMED_JUDGE,) and campaign.task_seconds is None
    if unnamed or len(campaign.segments) < 2 or not campaign.n_tasks:
        return nothing
    columns: list[npt.NDArray[np.generic]] = [
        campaign.task_pair, campaign.task_segment, campaign.task_judge,
    ]  # fmt: skip
    if campaign.task_seconds is not None:
        columns.append(campaign.task_seconds.view(np.int32))
    shown = Ragged.from_start(campaign.task_start)
    entries: list[npt.NDArray[np.generic]] = [
        campaign.entry_output, campaign.entry_rank, np.arange(len(shown.values)) - shown.start[
            shown.owners
        ],
    ]  # fmt: skip
    if campaign.scores is not None:
        entries.append(campaign.scores.goodness.view(np.int64))
    entry = scramble(entries)
    total = np.zeros(campaign.n_tasks, dtype=np.uint64)
    np.add.at(total, shown.owners, entry)
    task = scramble([*columns, shown.sizes, total])
    return pd.Series(task).duplicated().to_numpy()


def scramble(columns: Sequence[npt.NDArray[np.generic]]) -> npt.NDArray[np.uint64]:
    """Hash rows of whole numbers to 64 bits (the finalizer of SplitMix64 over each column)."""
    h = np.full(len(columns[0]), 0x9E3779B97F4A7C15, dtype=np.uint64)
    for column in columns:
        h ^= column.astype(np.uint64)
        h ^= h >> np.uint64(30)
        h *= np.uint64(0xBF58476D1CE4E5B9)
        h ^= h >> np.uint64(27)
        h *= np.uint64(0x94D049BB133111EB)
        h ^= h >> np.uint64(31)
    return h
