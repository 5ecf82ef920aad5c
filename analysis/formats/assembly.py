"""From the rankings of one or several files to one campaign and its report."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from analysis.campaign import (
    UNNAMED_JUDGE,
    UNRANKED,
    Campaign,
    FloatArray,
    Ragged,
    distinct,
    smallest,
)
from analysis.campaign.attributes import joined
from analysis.campaign.copies import copied_tasks, copies_by_file
from analysis.formats import budgets
from analysis.formats.described import (
    attributes_of_outputs,
    attributes_of_tasks,
    merge_columns,
    take,
)
from analysis.formats.merging import (
    count_names,
    first_spellings,
    merge,
    merged,
    number_judges,
    report_of,
    require_something,
)
from analysis.formats.oddities import look_over
from analysis.formats.rankings import Codes, Rankings
from analysis.formats.report import Kind, ReadReport, SeveralKindsError
from analysis.formats.same_items import require_other_items
from analysis.formats.score_assembly import assemble_scores
from analysis.formats.scored import Scored
from analysis.formats.shares import shares_of
from analysis.formats.usable import Comparisons, Usable
from analysis.languages import pair_key

Mask = npt.NDArray[np.bool_]


def assemble_campaign(
    parts: Sequence[Rankings | Scored], files: Sequence[str], *, judge_names: bool, title: str
) -> tuple[Campaign, ReadReport]:
    """Put the files of one campaign together: all of them rankings, or all of them scores."""
    _check_kinds(parts, files)
    rankings = [part for part in parts if isinstance(part, Rankings)]
    scored = [part for part in parts if isinstance(part, Scored)]
    if scored:
        return assemble_scores(scored, files, judge_names=judge_names, title=title)
    return assemble_rankings(rankings, files, judge_names=judge_names, title=title)


def _check_kinds(parts: Sequence[Rankings | Scored], files: Sequence[str]) -> None:
    """Refuse files of several kinds: what one person scored and another ranked is not one thing.

    Single votes and rankings of more are one kind: both are ranking tasks.
    """
    kinds: dict[str, list[str]] = {}
    for part, name in zip(parts, files, strict=True):
        kind: Kind = "scores" if isinstance(part, Scored) else part.kind
        kinds.setdefault("rankings" if kind == "votes" else kind, []).append(name or "This file")
    if len(kinds) > 1:
        raise SeveralKindsError(kinds)


def assemble_rankings(
    parts: Sequence[Rankings], files: Sequence[str], *, judge_names: bool, title: str
) -> tuple[Campaign, ReadReport]:
    """Put rankings together; leave out the skipped ones and those that compare nothing."""
    for part, name in zip(parts, files, strict=True):
        _check_budgets(part, name or "This file")
        part.findings.note_respelled()
    if not judge_names:
        parts = number_judges(parts)
    skipped: dict[str, int] = {}
    spellings: dict[str, str] = {}
    kept, shares = [], []
    for part, name in zip(parts, files, strict=True):
        before = Counter(skipped)
        keep = _usable_tasks(part, skipped, spellings)
        part = _take(part, keep)
        shares += shares_of(part, name, spellings, Counter(skipped) - before)
        kept.append(part)
    for part, name in zip(kept, files, strict=True):
        require_something(part, len(part.pair), name or "This file", sum(skipped.values()))
    require_other_items(kept, files)
    campaign = _campaign(kept, spellings, title, files)
    copied = copied_tasks(campaign)
    comparisons = Comparisons.of(campaign)
    where = ", ".join(filter(None, files)) or "This file"
    _check_together(campaign, comparisons, kept, where)
    report = report_of(
        kept,
        files,
        campaign,
        look_over(campaign, comparisons),
        kind=parts[0].kind,
        skipped=skipped,
        duplicates=count_names(campaign.task_pair[copied], campaign.pairs),
        copies=copies_by_file(campaign, np.arange(campaign.n_tasks)) if copied.any() else (),
        incomplete=_count_incomplete(campaign),
        judges_numbered=any(
            part.users is not None and not set(part.users).issuperset(part.judge.names)
            for part in kept
        ),
        shares=tuple(shares),
    )
    return campaign, report


def _check_budgets(part: Rankings, where: str) -> None:
    """Refuse what would need more memory than any campaign, before anything grows."""
    budgets.check_outputs(max(map(len, part.outputs), default=0), where, budgets.MAX_JOINED)
    budgets.check_outputs(int(np.diff(part.start).max(initial=0)), where)
    n_systems = len(set(itertools.chain.from_iterable(part.outputs)))
    budgets.check_systems(n_systems, where, part.systems_in)
    budgets.check_language_pairs(len({pair_key(name) for name in part.pair.names}), where)
    sizes = np.array([len(output) for output in part.outputs] or [0], dtype=np.int64)
    n_pairs = 0
    for _, shown in Ragged(part.start, part.output).stretches():
        n_shown = shown.sizes
        if sizes.max() > 1:
            n_shown = np.bincount(shown.owners, sizes[shown.values], minlength=len(shown))
        budgets.check_outputs(int(n_shown.max(initial=0)), where)
        n_pairs += int((n_shown * (n_shown - 1) / 2).sum())
    names_judges = tuple(part.judge.names) != (UNNAMED_JUDGE,)
    budgets.check_pairs(n_pairs, where, part.findings.n_bytes, names_judges=names_judges)
    budgets.check_rankings(len(part.pair), where, part.findings.n_bytes)


def _check_together(
    campaign: Campaign, comparisons: Comparisons, parts: Sequence[Rankings], where: str
) -> None:
    """Do the same for all files together, and for each language pair."""
    columns = ", ".join(dict.fromkeys(part.systems_in for part in parts))
    budgets.check_systems(len(campaign.systems), where, columns)
    budgets.check_language_pairs(len(campaign.pairs), where)
    of_pair = comparisons.nodes // len(campaign.systems)
    counts = np.bincount(of_pair, minlength=len(campaign.pairs))
    for pair, n in zip(campaign.pairs, counts.tolist(), strict=True):
        budgets.check_systems(n, where, columns, pair)


def _usable_tasks(part: Rankings, skipped: dict[str, int], spellings: dict[str, str]) -> Mask:
    """Count skipped tasks by pair, leave out tasks that compare no two different systems."""
    known: dict[str, int] = {}
    made_by = Ragged.from_lists(
        [[known.setdefault(s, len(known)) for s in output] for output in part.outputs]
    )
    found = Usable.of(part.start, part.output, part.rank, made_by)
    is_ranked = found.is_ranked
    alone, repeated = is_ranked & found.is_alone, is_ranked & found.holds_one_twice
    for name, count in count_names(part.pair.codes[~is_ranked], part.pair.names).items():
        own = spellings.setdefault(pair_key(name), name)
        skipped[own] = skipped.get(own, 0) + count

    part.findings.leave_out(
        "naming a single system",
        part.row[alone],
        lambda row: "one system only, so nothing is compared",
    )
    part.findings.leave_out(
        "naming a system twice in one ranking",
        part.row[repeated],
        lambda row: "one ranking contains a system twice",
    )
    return is_ranked & ~alone & ~repeated


def _take(part: Rankings, keep: Mask) -> Rankings:
    if keep.all():
        return part
    shown = Ragged(part.start, part.output)
    entries = keep[shown.owners]
    return replace(
        part,
        pair=part.pair.take(keep),
        segment=part.segment.take(keep),
        judge=part.judge.take(keep),
        start=Ragged.from_sizes(shown.sizes[keep]).start,
        output=part.output[entries],
        rank=part.rank[entries],
        row=part.row[keep],
        seconds=None if part.seconds is None else part.seconds[keep],
        attributes=take(part.attributes, keep),
        output_attributes={
            name: column[entries] for name, column in part.output_attributes.items()
        },
        texts=None if part.texts is None else part.texts.take(keep),
    )


def _campaign(
    parts: Sequence[Rankings], spellings: dict[str, str], title: str, files: Sequence[str]
) -> Campaign:
    """Lay the parts behind each other under common vocabularies, in order of first appearance."""
    pair_codes, pairs = merge(
        [part.pair.codes for part in parts],
        [[pair_key(name) for name in part.pair.names] for part in parts],
    )
    segment_codes, segments = merged([part.segment for part in parts])
    judge_codes, judges = merged([part.judge for part in parts])
    output_codes, outputs = merge([part.output for part in parts], [part.outputs for part in parts])
    systems: dict[str, int] = {}
    made_by = Ragged.from_lists(
        [[systems.setdefault(s, len(systems)) for s in output] for output in outputs]
    )
    start = _joined_starts([part.start for part in parts])
    first = first_spellings(parts)
    return Campaign(
        pairs=tuple(first[key] for key in pairs),
        systems=tuple(systems),
        judges=tuple(judges),
        segments=tuple(segments),
        task_pair=pair_codes.astype(np.int16 if len(pairs) < 2**15 else np.int32),
        task_segment=smallest(segment_codes),
        task_judge=smallest(judge_codes),
        task_start=smallest(start, np.int32),
        entry_output=smallest(output_codes),
        entry_rank=smallest(np.concatenate([part.rank for part in parts]), np.int8),
        output_start=made_by.start,
        output_system=made_by.values,
        task_seconds=_seconds(parts),
        attributes=(
            *attributes_of_tasks(
                merge_columns([(len(part.pair), part.attributes) for part in parts]),
                segment_codes,
                judge_codes,
            ),
            *attributes_of_outputs(_merged_outputs(parts)),
        ),
        title=title,
        texts=joined([(len(part.pair), part.texts) for part in parts]),
        files=tuple((name, len(part.pair)) for name, part in zip(files, parts, strict=True)),
    )


def _joined_starts(starts: Sequence[Codes]) -> Codes:
    """Return where each task's entries begin when those of all parts lie behind each other."""
    before = np.cumsum([0, *(int(start[-1]) for start in starts)])
    if len(starts) == 1:
        return starts[0]
    size = np.int32 if before[-1] < 2**31 else np.int64
    moved = [start[:-1] + size(first) for start, first in zip(starts, before[:-1], strict=True)]
    return np.concatenate([*moved, before[-1:].astype(size)])


def _merged_outputs(parts: Sequence[Rankings]) -> dict[str, FloatArray]:
    merged = merge_columns([(len(part.output), part.output_attributes) for part in parts])
    return {name: column for name, column in merged.items() if isinstance(column, np.ndarray)}


def _seconds(parts: Sequence[Rankings]) -> npt.NDArray[np.float32] | None:
    if all(part.seconds is None or np.isnan(part.seconds).all() for part in parts):
        return None
    return np.concatenate(
        [
            np.full(len(part.pair), np.nan, dtype=np.float32)
            if part.seconds is None
            else part.seconds
            for part in parts
        ]
    )


def _count_incomplete(campaign: Campaign) -> dict[str, int]:
    entries = np.flatnonzero(campaign.entry_rank == UNRANKED)
    tasks = distinct(np.searchsorted(campaign.task_start, entries, side="right") - 1)
    return count_names(campaign.task_pair[tasks], campaign.pairs)
