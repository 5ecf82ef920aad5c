"""Write a campaign in the formats that Podium reads; what is read back is the same campaign.

"The same" means an equal fingerprint. `losses` tells beforehand what a format does not hold; what
it would change or confuse is refused with an error. Outputs that several systems made alike are
written ``a+b`` in both WMT formats. Names are written as they are, also those that begin like a
spreadsheet's formula: these files are data, and are read as text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd

from analysis.campaign import UNRANKED, Campaign, Identical, IntArray
from analysis.errors import PodiumError
from analysis.formats.rankings import NO_PAIR, pair_name, split_name
from analysis.formats.report import counted

Format = Literal["wmt-2way", "wmt-5way", "arena"]

_UNWRITABLE = re.compile(r"[\x00-\x1f\ud800-\udfff]")


def write(campaign: Campaign, to: Format, *, identical: Identical = "collapsed") -> bytes:
    """Return the campaign as a CSV file in UTF-8.

    ``identical`` says whether systems with identical output stand as one (``a+b``) or each for
    itself; arena votes know single systems only, so there it must be ``expanded`` where the
    campaign has such outputs. Rankings of more than five outputs get as many columns as they need.
    """
    tasks = _Tasks(_expanded(campaign) if identical == "expanded" else campaign)
    _check(tasks, to)
    table = {"wmt-2way": _two_way, "wmt-5way": _five_way, "arena": _arena}[to](tasks)
    if table.empty:
        raise PodiumError(
            "Campaign", "holds no pair of outputs that this format could hold", "Write wmt-5way."
        )
    return table.to_csv(index=False, lineterminator="\n").encode()


def losses(
    campaign: Campaign, to: Format, *, identical: Identical = "collapsed"
) -> tuple[str, ...]:
    """Return in plain words what the format does not hold of this campaign."""
    tasks = _Tasks(_expanded(campaign) if identical == "expanded" else campaign)
    sizes = np.diff(tasks.campaign.task_start)
    found = []
    if identical == "expanded" and len(tasks.campaign.entry_rank) > len(campaign.entry_rank):
        found.append("Which outputs were identical: they come back as ties.")
    alone = int(np.count_nonzero(sizes < 2))
    if alone and to != "wmt-5way":
        found.append(f"{counted(alone, 'ranking', verb='')} of a single output.")
    together = int(np.count_nonzero(sizes > 2))
    if to == "arena" and together:
        found.append(
            f"Which pairs were ranked together, in {counted(together, 'ranking', verb='')}."
        )
    unranked = int(np.count_nonzero(tasks.campaign.entry_rank == UNRANKED))
    if to == "arena" and unranked:
        found.append(f"{counted(unranked, 'output', verb='')} without a rank.")
    if campaign.task_seconds is not None:
        found.append("How long each ranking took.")
    return tuple(found)


@dataclass(frozen=True)
class _Tasks:
    """A campaign with the names its files use."""

    campaign: Campaign

    @property
    def output_names(self) -> list[str]:
        campaign = self.campaign
        return ["+".join(campaign.systems[s] for s in g) for g in campaign.output_groups()]

    def pairs_of_entries(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return task, first and second entry of all pairs in displayed order."""
        start = self.campaign.task_start.astype(np.int64)
        sizes = np.diff(start)
        n_entries = int(start[-1])
        followers = np.repeat(start[1:], sizes) - np.arange(n_entries) - 1
        first = np.repeat(np.arange(n_entries), followers)
        pair_start = np.cumsum(followers) - followers
        second = np.arange(len(first)) - np.repeat(pair_start, followers) + first + 1
        return np.repeat(np.arange(len(sizes)), sizes)[first], first, second


def _expanded(campaign: Campaign) -> Campaign:
    """Replace every output by its systems, one entry each."""
    sizes = np.diff(campaign.output_start)[campaign.entry_output]
    ends = np.cumsum(sizes)
    within = np.arange(sizes.sum()) - np.repeat(ends - sizes, sizes)
    member = np.repeat(campaign.output_start[campaign.entry_output], sizes) + within
    return replace(
        campaign,
        task_start=np.concatenate([[0], ends])[campaign.task_start],
        entry_output=campaign.output_system[member],
        entry_rank=np.repeat(campaign.entry_rank, sizes),
        output_start=np.arange(len(campaign.systems) + 1),
        output_system=np.arange(len(campaign.systems)),
    )


def _check(tasks: _Tasks, to: Format) -> None:
    """Refuse what would come back as something else."""
    campaign = tasks.campaign
    for what, names in (
        ("System", campaign.systems),
        ("Judge", campaign.judges),
        ("Segment", campaign.segments),
        ("Language pair", campaign.pairs),
    ):
        for name in names:
            if _UNWRITABLE.search(name):
                raise PodiumError(
                    f"{what} {name!r}", "has a line break or control character", "Rename it."
                )
    _check_names(campaign, to)
    _check_ranks(campaign, to)


def _check_names(campaign: Campaign, to: Format) -> None:
    for group in campaign.output_groups():
        names = tuple(campaign.systems[s] for s in group)
        joined = "+".join(names)
        if not all(names):
            raise PodiumError("System", "one has an empty name", "Rename it.")
        if to == "arena" and len(names) > 1:
            raise PodiumError(
                f"Output of {joined}",
                "an arena vote is between two systems, not between groups of them",
                "Write systems with identical output each for itself (expanded).",
            )
        if to != "arena" and split_name(joined) != names:
            raise PodiumError(
                f"System {joined}",
                "in this format + joins systems with identical output, so the name would come "
                "back as another",
                "Rename it without +, or write arena votes.",
            )
    for pair in campaign.pairs:
        source, _, target = pair.partition("-")
        if to != "arena" and pair_name(source, target) != pair:
            raise PodiumError(f"Language pair {pair!r}", "has an empty end", "Rename it.")


def _check_ranks(campaign: Campaign, to: Format) -> None:
    sizes = np.diff(campaign.task_start)
    task = np.repeat(np.arange(campaign.n_tasks), sizes)
    if to != "arena":
        bound = np.maximum(5, sizes if to == "wmt-2way" else sizes.max(initial=0))
        bad = np.flatnonzero(campaign.entry_rank > np.broadcast_to(bound, sizes.shape)[task])
        if len(bad):
            raise PodiumError(
                f"Ranking {task[bad[0]] + 1}",
                f"rank {campaign.entry_rank[bad[0]]} among {sizes[task[bad[0]]]} outputs",
                "The format holds ranks up to 5, or up to the number of outputs.",
            )
    groups = campaign.output_groups()
    key = np.unique(task.astype(np.int64) * len(groups) + campaign.entry_output, return_counts=True)
    shared = key[0][key[1] > 1].tolist()
    if any(len(group) > 1 for group in groups):
        shared += [t * len(groups) for t in _tasks_sharing_a_system(campaign, groups)]
    if shared:
        raise PodiumError(
            f"Ranking {min(shared) // len(groups) + 1}",
            "a system stands twice in it",
            "No format can hold that; leave the ranking out.",
        )


def _tasks_sharing_a_system(campaign: Campaign, groups: Sequence[tuple[int, ...]]) -> list[int]:
    start, output = campaign.task_start.tolist(), campaign.entry_output.tolist()
    found = []
    for t in range(campaign.n_tasks):
        systems = [s for o in output[start[t] : start[t + 1]] for s in groups[o]]
        if len(set(systems)) < len(systems):
            found.append(t)
    return found


def _named(codes: IntArray, names: Sequence[str]) -> pd.Categorical[str]:
    return pd.Categorical.from_codes(codes.astype(np.int64), pd.Index(list(names), dtype="str"))


def _rank_text(ranks: IntArray) -> IntArray:
    return np.where(ranks == UNRANKED, -1, ranks)


def _task_columns(campaign: Campaign, task: IntArray) -> dict[str, object]:
    """Return the columns that both WMT formats begin with."""
    ends = [pair.partition("-") for pair in campaign.pairs]
    code = campaign.task_pair[task]
    segment = _named(campaign.task_segment[task], campaign.segments)
    return {
        "srclang": np.array([source for source, _, _ in ends], dtype=object)[code],
        "trglang": np.array([target for _, _, target in ends], dtype=object)[code],
        "srcIndex": segment,
        "segmentId": segment,
    }


def _two_way(tasks: _Tasks) -> pd.DataFrame:
    campaign = tasks.campaign
    task, first, second = tasks.pairs_of_entries()
    names = tasks.output_names
    return pd.DataFrame(
        {
            **_task_columns(campaign, task),
            "judgeID": _named(campaign.task_judge[task], campaign.judges),
            "system1Id": _named(campaign.entry_output[first], names),
            "system1rank": _rank_text(campaign.entry_rank[first]),
            "system2Id": _named(campaign.entry_output[second], names),
            "system2rank": _rank_text(campaign.entry_rank[second]),
            "rankingID": task + 1,
        }
    )


def _five_way(tasks: _Tasks) -> pd.DataFrame:
    campaign = tasks.campaign
    sizes = np.diff(campaign.task_start)
    all_tasks = np.arange(campaign.n_tasks)
    columns = _task_columns(campaign, all_tasks)
    columns = {
        "srclang": columns["srclang"],
        "trglang": columns["trglang"],
        "srcIndex": columns["srcIndex"],
        "documentId": -1,
        "segmentId": columns["segmentId"],
        "judgeId": _named(campaign.task_judge, campaign.judges),
    }
    names = np.array([*tasks.output_names, ""], dtype=object)
    ranks: dict[str, object] = {}
    for k in range(max(5, int(sizes.max(initial=0)))):
        there = sizes > k
        entry = np.minimum(campaign.task_start[:-1] + k, len(campaign.entry_rank) - 1)
        output = np.where(there, campaign.entry_output[entry], len(names) - 1)
        columns[f"system{k + 1}Number"] = -1
        columns[f"system{k + 1}Id"] = names[output]
        rank = _rank_text(campaign.entry_rank[entry])
        ranks[f"system{k + 1}rank"] = np.where(there, rank.astype(str), "")
    return pd.DataFrame({**columns, **ranks})


def _arena(tasks: _Tasks) -> pd.DataFrame:
    campaign = tasks.campaign
    task, first, second = tasks.pairs_of_entries()
    left_rank, right_rank = campaign.entry_rank[first], campaign.entry_rank[second]
    ranked = (left_rank != UNRANKED) & (right_rank != UNRANKED)
    task, first, second = task[ranked], first[ranked], second[ranked]
    better = np.sign(campaign.entry_rank[second].astype(np.int16) - campaign.entry_rank[first])
    names = tasks.output_names
    table = pd.DataFrame(
        {
            "model_a": _named(campaign.entry_output[first], names),
            "model_b": _named(campaign.entry_output[second], names),
            "winner": _named(1 - better, ("model_a", "tie", "model_b")),
            "judge": _named(campaign.task_judge[task], campaign.judges),
            "question_id": _named(campaign.task_segment[task], campaign.segments),
        }
    )
    if campaign.pairs != (NO_PAIR,):
        table["language"] = _named(campaign.task_pair[task], campaign.pairs)
    return table
