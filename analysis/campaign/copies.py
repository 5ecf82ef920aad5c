"""Which ranking tasks repeat an earlier one exactly, as where a file was saved twice.

Tasks are compared by language pair, judge, segment, what was shown and what was answered. Times are
equal, too, if they are known: a judge who is asked again takes another time. If the judge or the
segment of an answer is unknown, a repeated answer is not a copy.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign.file_copies import FileCopies
from analysis.campaign.ragged import IntArray
from analysis.campaign.tasks import UNNAMED_JUDGE, RankingTasks


def copied_tasks(campaign: RankingTasks, tasks: IntArray | None = None) -> npt.NDArray[np.bool_]:
    """Return which of some tasks, or of all, equal an earlier one of them."""
    marks = _marks(campaign)
    if marks is None:
        return np.zeros(campaign.n_tasks if tasks is None else len(tasks), dtype=bool)
    return pd.Series(marks if tasks is None else marks[tasks]).duplicated().to_numpy()


def copies_by_file(campaign: RankingTasks, tasks: IntArray) -> tuple[FileCopies, ...]:
    """Return the files of which tasks are copies, those wholly contained in others first.

    The numbers of all files together are that of `copied_tasks`. Nothing is known of one file.
    """
    marks, files = _marks(campaign), [name for name, _ in campaign.files]
    if marks is None or len(files) < 2:
        return ()
    file = np.repeat(np.arange(len(files)), [n for _, n in campaign.files])[tasks]
    frame = pd.DataFrame({"mark": marks[tasks], "file": file})
    is_shared = frame.groupby("mark")["file"].transform("nunique") > 1
    frame["last"] = is_shared.groupby(frame["file"]).transform("all")
    frame = frame.sort_values(["last", "file"], kind="stable")
    frame["first"] = frame.groupby("mark")["file"].transform("first")
    frame["again"] = frame.duplicated("mark")
    found = []
    for k, own in frame.groupby("file"):
        copies = own[own["again"]]
        others = sorted({*copies["first"]} - {k})
        elsewhere = int((copies["first"] != k).sum())
        other = files[others[0]] if len(others) == 1 else ""
        within, name = len(copies) - elsewhere, files[int(str(k))]
        found.append(FileCopies(name, len(own), within, elsewhere, other))
    found.sort(key=lambda one: not one.is_contained)
    return tuple(one for one in found if one.within or one.elsewhere)


def _marks(campaign: RankingTasks) -> npt.NDArray[np.uint64] | None:
    """Return a number for each task, the same for equal ones; None where none is a copy."""
    unnamed = campaign.judges == (UNNAMED_JUDGE,) and campaign.task_seconds is None
    if unnamed or len(campaign.segments) < 2 or not campaign.n_tasks:
        return None
    columns: list[npt.NDArray[np.generic]] = [
        campaign.task_pair, campaign.task_segment, campaign.task_judge,
    ]  # fmt: skip
    if campaign.task_seconds is not None:
        columns.append(campaign.task_seconds.view(np.int32))
    elif UNNAMED_JUDGE in campaign.judges:
        is_unnamed = campaign.task_judge == campaign.judges.index(UNNAMED_JUDGE)
        columns.append(np.where(is_unnamed, np.arange(campaign.n_tasks), -1))
    found = np.empty(campaign.n_tasks, dtype=np.uint64)
    for tasks, shown in campaign.shown.stretches():
        entries = slice(*campaign.task_start[[tasks.start, tasks.stop]])
        answers: list[npt.NDArray[np.generic]] = [
            shown.values, campaign.entry_rank[entries], shown.places,
        ]  # fmt: skip
        if campaign.scores is not None:
            answers.append(campaign.scores.goodness[entries].view(np.int64))
        total = np.zeros(len(shown), dtype=np.uint64)
        np.add.at(total, shown.owners, scramble(answers))
        found[tasks] = scramble([*(column[tasks] for column in columns), shown.sizes, total])
    return found


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
