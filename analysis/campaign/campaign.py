"""A campaign: its ranking tasks, and how judgments follow from them and a user's choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from analysis.campaign.copies import copied_tasks
from analysis.campaign.counts import UNRANKED
from analysis.campaign.judgments import Incomplete, Judgments
from analysis.campaign.margin import rank_scores, rank_with_margin
from analysis.campaign.ragged import IntArray, Ragged, distinct, smallest
from analysis.campaign.scores import Scores
from analysis.campaign.selection import (
    DEFAULT_SELECTION,
    Identical,
    Mask,
    Selection,
    both_bad_mask,
    segment_mask,
    systems_left_out,
)
from analysis.campaign.slices import judge_mask, share_mask, slice_masks
from analysis.campaign.tasks import RankingTasks
from analysis.errors import PodiumError, unknown
from analysis.wording import count, listed


@dataclass(frozen=True, eq=False)
class Campaign(RankingTasks):
    """All ranking tasks of a campaign, for any number of language pairs; columns as declared.

    A campaign judged by several criteria is that of one ``criterion``; ``criteria`` are the
    campaigns of all of them by name.
    """

    criteria: tuple[tuple[str, Campaign], ...] = ()

    def __repr__(self) -> str:
        size = f"{count(len(self.systems), 'system')}, {count(self.n_tasks, 'ranking task')}"
        named = listed([pair for pair in self.pairs if pair not in ("", "-")], most=3)
        return f"Campaign: {size}" + (f", {named}" if named else "")

    def of_criterion(self, name: str) -> Campaign:
        """Return the campaign of a criterion by its name in any case."""
        for known, own in self.criteria:
            if known.casefold() == name.strip().casefold():
                return replace(own, criterion=known, criteria=self.criteria)
        if not self.criteria:
            raise PodiumError("Criterion", "the campaign has a single one", "Leave it out.")
        raise unknown("Criterion", name, [known for known, _ in self.criteria])

    def with_scores(self, scores: Scores) -> Campaign:
        """Return the campaign with other scores of the same rows, and the ranks that follow."""
        rank, _ = rank_scores(Ragged(self.task_start, scores.goodness))
        return replace(self, scores=scores, entry_rank=smallest(rank, np.int8))

    def judgments(
        self,
        pair: str | None = None,
        selection: Selection = DEFAULT_SELECTION,
        incomplete: Incomplete = "drop-task",
    ) -> Judgments:
        """Return one language pair's judgments after a user's choices, as pairs.

        ``incomplete`` says what an output without a rank costs: the whole task (as the published
        ranking code does) or only the pairs it is in (as the published agreement code does).
        """
        return derive_judgments(self, self.find_pair(pair), selection, incomplete)


def derive_judgments(
    campaign: RankingTasks, pair: str, selection: Selection, incomplete: Incomplete
) -> Judgments:
    """Select tasks and systems; tasks of which fewer than two outputs are left do not count.

    Of scores a single one counts: nothing is compared by it, but it is part of a mean.
    """
    _check_margin(campaign, selection)
    in_pair = campaign.task_pair == campaign.pairs.index(pair)
    names = _systems_shown(campaign, in_pair)
    in_slice, systems_of_slice, outputs_of_slice = slice_masks(campaign, selection)
    left_out = systems_left_out(sorted(names.values()), selection)
    left_out += sorted(name for s, name in names.items() if not systems_of_slice[s])
    kept = sorted((s for s, name in names.items() if name not in left_out), key=names.__getitem__)
    made_by = _made_by(campaign, kept)
    counted = _counted_tasks(campaign, in_pair & in_slice, selection)
    systems = tuple(names[s] for s in kept)
    if outputs_of_slice is None and _counts_as_it_stands(campaign, counted, made_by):
        return _everything(campaign, pair, selection, systems, made_by)
    tasks: IntArray = np.flatnonzero(counted)
    if selection.slices and not len(tasks):
        raise _empty_slice(pair, selection)
    tasks, entries, n_incomplete = _entries(campaign, tasks, incomplete, made_by, outputs_of_slice)
    scored = None if campaign.scores is None else entries.values
    output, rank = campaign.entry_output[entries.values], campaign.entry_rank[entries.values]
    shown, groups = _coded(Ragged(entries.start, output), made_by, len(kept), selection.identical)
    if len(shown.values) != len(rank):
        rank = np.repeat(rank, made_by.sizes[output])
    counts = np.flatnonzero(shown.sizes > (1 if scored is None else 0))
    if len(counts) < len(tasks):
        tasks, positions = tasks[counts], Ragged.from_start(shown.start).take(counts)
        rank = rank[positions.values]
        shown = Ragged(positions.start, shown.values[positions.values])
        scored = None if scored is None else scored[positions.values]
    if campaign.scores is not None and scored is not None and selection.tie_margin:
        goodness = Ragged(shown.start, campaign.scores.goodness[scored])
        ranked = rank_with_margin(goodness, selection.tie_margin)
        tasks, rank = tasks[ranked.task], ranked.rank
        shown = Ragged(ranked.start, shown.values[ranked.entry])
        scored = np.where(ranked.is_first, scored[ranked.entry], -1)
    return Judgments(
        campaign=campaign,
        pair=pair,
        selection=selection,
        systems=systems,
        groups=groups,
        tasks=smallest(tasks, np.int32),
        task_start=smallest(shown.start, np.int32),
        entry_output=smallest(shown.values),
        entry_rank=rank,
        incomplete_tasks=n_incomplete,
        left_out=tuple(dict.fromkeys(left_out)),
        entry_score=None if scored is None else smallest(scored, np.int32),
    )


def _systems_shown(campaign: RankingTasks, in_pair: Mask) -> dict[int, str]:
    """Return the numbers and names of the systems whose outputs the chosen tasks show."""
    shown_there = campaign.entry_output
    if not in_pair.all():
        shown_there = shown_there[np.repeat(in_pair, np.diff(campaign.task_start))]
    is_shown = np.zeros(len(campaign.made_by), dtype=bool)
    is_shown[shown_there] = True
    outputs = np.flatnonzero(is_shown)
    return {int(s): campaign.systems[s] for s in distinct(campaign.made_by.take(outputs).values)}


def _made_by(campaign: RankingTasks, kept: Sequence[int]) -> Ragged:
    """Return the systems of each output, numbered in the order of those kept; the others go."""
    code_of = np.full(len(campaign.systems), -1, dtype=np.int32)
    code_of[kept] = np.arange(len(kept))
    codes = code_of[campaign.output_system]
    return Ragged(campaign.output_start, codes).keep(codes >= 0)


def _counted_tasks(campaign: RankingTasks, candidates: Mask, selection: Selection) -> Mask:
    """Return which of some tasks count by their judge, their segment and the user's choices."""
    counted = candidates & judge_mask(campaign, selection) & segment_mask(campaign, selection)
    if selection.copies == "dropped":
        counted &= ~copied_tasks(campaign)
    if selection.both_bad == "dropped" and (bad := both_bad_mask(campaign)) is not None:
        counted &= ~bad
    if selection.judge_share:
        counted = share_mask(campaign, counted, selection.judge_share)
    return counted


def _entries(
    campaign: RankingTasks,
    tasks: IntArray,
    incomplete: Incomplete,
    made_by: Ragged,
    outputs_of_slice: Mask | None,
) -> tuple[IntArray, Ragged, int]:
    """Return the tasks that count, their ranked outputs, and how many tasks have unranked ones."""
    entries = Ragged.from_start(campaign.task_start).take(tasks)
    is_ranked = campaign.entry_rank[entries.values] != UNRANKED
    unranked_tasks = distinct(entries.owners[~is_ranked])
    if incomplete == "drop-task" and len(unranked_tasks):
        whole = np.delete(np.arange(len(tasks)), unranked_tasks)
        tasks, entries = tasks[whole], entries.take(whole)
        is_ranked = np.ones(len(entries.values), dtype=bool)
    is_counted = is_ranked & (made_by.sizes > 0)[campaign.entry_output[entries.values]]
    if outputs_of_slice is not None:
        is_counted &= outputs_of_slice[entries.values]
    return tasks, entries.keep(is_counted), len(unranked_tasks)


def _everything(
    campaign: RankingTasks,
    pair: str,
    selection: Selection,
    systems: tuple[str, ...],
    made_by: Ragged,
) -> Judgments:
    """Return the judgments of a campaign that counts whole, with each output one system's."""
    return Judgments(
        campaign=campaign,
        pair=pair,
        selection=selection,
        systems=systems,
        groups=(),
        tasks=np.arange(campaign.n_tasks, dtype=np.int32),
        task_start=smallest(campaign.task_start, np.int32),
        entry_output=smallest(made_by.values)[campaign.entry_output],
        entry_rank=campaign.entry_rank,
    )


def _empty_slice(pair: str, selection: Selection) -> PodiumError:
    return PodiumError(
        "Slice",
        f"no judgments of {pair} have {' and '.join(selection.slices)}",
        "Choose another part, or use all judgments.",
    )


def _counts_as_it_stands(campaign: RankingTasks, counted: Mask, made_by: Ragged) -> bool:
    """Return whether every ranking counts whole, and each output is one system's: as of votes."""
    return bool(
        campaign.scores is None
        and counted.all()
        and (made_by.sizes == 1).all()
        and (campaign.entry_rank != UNRANKED).all()
        and campaign.shown.sizes.min(initial=2) > 1
    )


def _check_margin(campaign: RankingTasks, selection: Selection) -> None:
    margin = selection.tie_margin
    if not 0 <= margin < np.inf:
        raise PodiumError(
            ("Tie threshold of scores"), f"{margin:g} is not 0 or more", "Use points of the scale."
        )
    if margin and campaign.scores is None:
        raise PodiumError(
            "Tie threshold of scores",
            "this campaign contains no scores, and only scores differ by points",
            "Leave it out; a ranking states its ties itself.",
        )


def _coded(
    shown: Ragged, made_by: Ragged, n_systems: int, identical: Identical
) -> tuple[Ragged, tuple[tuple[int, ...], ...]]:
    """Replace each output by its systems, or by one code: a system's, or one past them for several.

    Several systems' outputs are numbered as they first come.
    """
    if identical == "expanded":
        return shown.join(made_by)[0], ()
    codes = np.full(len(made_by), -1, dtype=np.int32)
    used = distinct(shown.values)
    alone = used[made_by.sizes[used] == 1]
    codes[alone] = made_by.take(alone).values
    groups: dict[tuple[int, ...], int] = {}
    several = used[made_by.sizes[used] > 1]
    for output, members in zip(several, made_by.take(several).to_lists(), strict=True):
        codes[output] = n_systems + groups.setdefault(tuple(members), len(groups))
    return Ragged(shown.start, codes[shown.values]), tuple(groups)


def tabulate_tasks(
    pair: str,
    system_names: tuple[str, ...],
    systems: IntArray,
    segment: IntArray,
    judge: IntArray,
    ranks: npt.NDArray[np.int8],
    title: str,
    simulated_from: str,
) -> Campaign:
    """Make a campaign of tasks of one size: systems[T, n] and ranks[T, n], segment[T], judge[T]."""
    used_segments, segment = np.unique(segment, return_inverse=True)
    used_judges, judge = np.unique(judge, return_inverse=True)
    n_tasks, n_way = systems.shape
    return Campaign(
        pairs=(pair,),
        systems=system_names,
        judges=tuple(f"judge{number + 1:02d}" for number in used_judges),
        segments=tuple(str(number + 1) for number in used_segments),
        task_pair=np.zeros(n_tasks, dtype=np.int16),
        task_segment=segment.astype(np.int32),
        task_judge=judge.astype(np.int32),
        task_start=np.arange(n_tasks + 1, dtype=np.int64) * n_way,
        entry_output=systems.astype(np.int32).ravel(),
        entry_rank=ranks.ravel(),
        output_start=np.arange(len(system_names) + 1, dtype=np.int64),
        output_system=np.arange(len(system_names), dtype=np.int32),
        title=title,
        simulated_from=simulated_from,
    )
