"""From the scores of one or several files to one campaign and its report.

What judges preferred follows from scores: the outputs that one judge scored on one screen make a
ranking task, by score. A task of a single output compares nothing, but its score counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign import (
    Attribute,
    Campaign,
    Checks,
    ErrorSpans,
    FloatArray,
    Ragged,
    Scale,
    Scores,
    rank_scores,
    smallest,
)
from analysis.errors import ReadingError
from analysis.formats import budgets
from analysis.formats.described import (
    Shown,
    attributes_of_shown,
    merge_columns,
    screens_by_difference,
    take,
)
from analysis.formats.merging import (
    first_spellings,
    merge,
    merged,
    number_judges,
    report_of,
    require_something,
)
from analysis.formats.oddities import look_over_scores
from analysis.formats.rankings import Codes, Column, joint
from analysis.formats.report import ReadReport
from analysis.formats.scored import Scored
from analysis.formats.shares import shares_of
from analysis.formats.usable import any_twice
from analysis.languages import pair_key

Mask = npt.NDArray[np.bool_]


def assemble_scores(
    parts: Sequence[Scored], files: Sequence[str], *, judge_names: bool, title: str
) -> tuple[Campaign, ReadReport]:
    """Put scores together; leave out those of no use, and earlier ones that were given again."""
    names = [name or "This file" for name in files]
    parts = [_with_clean_names(part) for part in parts]
    scale = _one_scale(parts, names)
    for part, name in zip(parts, names, strict=True):
        part.findings.note_respelled()
        require_something(part, part.n_rows + len(part.findings.left_out), name)
    if not judge_names:
        parts = number_judges(parts)
    parts = [part.take(_usable(part)) for part in parts]
    for part, name in zip(parts, names, strict=True):
        require_something(part, len(part.value), name)
    parts, columns = _without_earlier(parts)
    campaign = _campaign(parts, columns, scale, title)
    n_bytes = sum(part.findings.n_bytes for part in parts)
    _check_budgets(campaign, ", ".join(filter(None, files)) or "This file", n_bytes)
    report = report_of(
        parts,
        files,
        campaign,
        look_over_scores(campaign),
        kind="scores",
        n_scores=len(columns.value),
        judges_numbered=not judge_names and any(part.users is not None for part in parts),
        shares=tuple(
            share
            for part, name in zip(parts, files, strict=True)
            for share in shares_of(part, name, first_spellings(parts))
        ),
    )
    return campaign, report


def _with_clean_names(part: Scored) -> Scored:
    def clean(column: Column | None) -> Column | None:
        return None if column is None else column.cleaned(part.findings)

    named: dict[str, Any] = {
        name: clean(getattr(part, name)) for name in ("pair", "system", "segment", "judge")
    }
    return replace(part, **named, document=clean(part.document), domain=clean(part.domain))


def _one_scale(parts: Sequence[Scored], names: Sequence[str]) -> Scale:
    """Return the scale of all files; refuse scores that do not mean the same."""
    first, *others = [part.scale for part in parts]
    low, high = first.low, first.high
    for other, name in zip(others, names[1:], strict=True):
        if (other.name, other.higher_is_better) != (first.name, first.higher_is_better):
            raise ReadingError(
                "Files",
                f"{names[0]} contains scores called {_called(first)}, {name} {_called(other)}, "
                "and a mean over both has no meaning",
                "Read files of different scales one at a time.",
            )
        low = min(low, other.low) if not math.isnan(low + other.low) else math.nan
        high = max(high, other.high) if not math.isnan(high + other.high) else math.nan
    return replace(first, low=low, high=high)


def _called(scale: Scale) -> str:
    return f"{scale.name} ({'higher' if scale.higher_is_better else 'lower'} is better)"


def _usable(part: Scored) -> Mask:
    """Leave out what has no system's name, no number, or a number outside the scale."""
    scale, value = part.scale, part.value
    unnamed = part.system.map(lambda name: not name, bool)
    no_number = ~np.isfinite(value)
    outside = (value < scale.low) | (value > scale.high)
    ends = (
        f"{scale.low:g}–{scale.high:g}"
        if not math.isnan(scale.low + scale.high)
        else f"the numbers from {scale.low:g}"
        if math.isnan(scale.high)
        else f"the numbers up to {scale.high:g}"
    )
    for reason, bad, detail in (
        ("a system without a name", unnamed, lambda at: "the system's name is empty"),
        ("a score that is not a number", no_number, lambda at: "the score is not a number"),
        (f"a score outside {ends}", outside, lambda at: f"score {value[at]:g} is outside {ends}"),
    ):
        _leave_out(part, reason, bad, detail)
    return ~(unnamed | no_number | outside)


def _leave_out(part: Scored, reason: str, bad: Mask, detail: Callable[[int], str]) -> None:
    """Report scores by the file's rows; ``detail`` is told of a score by its place."""
    part.findings.leave_out(
        reason, part.row[bad], lambda row: detail(int(np.flatnonzero(part.row == row)[0]))
    )


def _without_earlier(parts: Sequence[Scored]) -> tuple[Sequence[Scored], _Columns]:
    """Leave out scores that the same judge gave again to the same output of the same screen."""
    columns = _Columns.of(parts)
    key = columns.screen.astype(np.int64) * len(columns.systems) + columns.system
    if not any_twice(key):
        return parts, columns
    described = merge_columns([(len(part.value), part.attributes) for part in parts])
    screen = screens_by_difference(columns.screen, columns.system, list(described.values()))
    if screen is not columns.screen:
        ends = np.cumsum([len(part.value) for part in parts])[:-1]
        parts = [
            replace(part, screen=own)
            for part, own in zip(parts, np.split(screen, ends), strict=True)
        ]
        columns = _Columns.of(parts)
        key = columns.screen.astype(np.int64) * len(columns.systems) + columns.system
    earlier = pd.Series(key).duplicated(keep="last").to_numpy()
    kept = []
    bounds = np.cumsum([0, *(len(part.value) for part in parts)])
    for part, first, last in zip(parts, bounds[:-1], bounds[1:], strict=True):
        again = earlier[first:last]
        judge, system = part.judge, part.system

        def detail(at: int, judge: Column = judge, system: Column = system) -> str:
            who, what = judge.names[judge.codes[at]], system.names[system.codes[at]]
            return f"{who} scored {what} on the same segment a second time"

        _leave_out(part, "a later score by the same judge for the same output", again, detail)
        kept.append(part.take(~again))
    return kept, _Columns.of(kept)


@dataclass(frozen=True)
class _Columns:
    """The columns of all files behind each other, each under one vocabulary."""

    pair: Codes
    pairs: Sequence[str]
    system: Codes
    systems: Sequence[str]
    segment: Codes
    segments: Sequence[str]
    judge: Codes
    judges: Sequence[str]
    screen: Codes
    value: FloatArray

    @classmethod
    def of(cls, parts: Sequence[Scored]) -> _Columns:
        pair, pairs = merge(
            [part.pair.codes for part in parts],
            [[pair_key(name) for name in part.pair.names] for part in parts],
        )
        system, systems = merged([part.system for part in parts])
        segment, segments = merged([part.segment for part in parts])
        judge, judges = merged([part.judge for part in parts])
        screen = pd.factorize(joint(pair, segment, judge, _screens(parts)))[0]
        value = np.concatenate([part.value for part in parts])
        return cls(pair, pairs, system, systems, segment, segments, judge, judges, screen, value)


def _screens(parts: Sequence[Scored]) -> Codes:
    """Number screens over all files: those of a file are its own, without any all are 0."""
    found, n = [], 1
    for part in parts:
        if part.screen is None:
            found.append(np.zeros(len(part.value), dtype=np.int64))
        else:
            codes = pd.factorize(part.screen)[0]
            found.append(codes + n)
            n += int(codes.max(initial=-1)) + 1
    return np.concatenate(found)


def _campaign(parts: Sequence[Scored], columns: _Columns, scale: Scale, title: str) -> Campaign:
    """Lay the scores out screen by screen, and rank what stood on each."""
    order = np.argsort(columns.screen, kind="stable")
    start = Ragged.from_sizes(np.bincount(columns.screen)).start
    first = order[start[:-1]]
    scores = _scores(parts, columns, scale, order)
    rank, _ = rank_scores(Ragged(start, scores.goodness))
    spellings = first_spellings(parts)
    seconds = scores.seconds
    return Campaign(
        pairs=tuple(spellings[key] for key in columns.pairs),
        systems=tuple(columns.systems),
        judges=tuple(columns.judges),
        segments=tuple(columns.segments),
        task_pair=smallest(columns.pair[first]),
        task_segment=smallest(columns.segment[first]),
        task_judge=smallest(columns.judge[first]),
        task_start=smallest(start, np.int32),
        entry_output=scores.system,
        entry_rank=smallest(rank, np.int8),
        output_start=np.arange(len(columns.systems) + 1, dtype=np.int32),
        output_system=np.arange(len(columns.systems), dtype=np.int32),
        task_seconds=None
        if seconds is None
        else np.minimum(np.add.reduceat(seconds, start[:-1]), np.finfo(np.float32).max).astype(
            np.float32
        ),
        title=title,
        scores=scores,
        attributes=_attributes(parts, columns, order, first),
        checks=_checks(parts, columns),
    )


def _attributes(
    parts: Sequence[Scored], columns: _Columns, order: Codes, first: Codes
) -> tuple[Attribute, ...]:
    """Return what files say beside the scores, documents and domains too."""
    described = merge_columns(
        [(len(part.value), {**_places(part), **part.attributes}) for part in parts]
    )
    return attributes_of_shown(
        take(described, order),
        Shown(columns.screen[order], columns.system[order]),
        columns.segment[first],
        columns.judge[first],
    )


def _places(part: Scored) -> dict[str, Column]:
    named = {"document": part.document, "domain": part.domain}
    return {name: column for name, column in named.items() if column is not None}


def _checks(parts: Sequence[Scored], columns: _Columns) -> Checks | None:
    """Put checks together under the campaign's names of pairs; judges may have none that counts."""
    found = [(part, part.checks) for part in parts if part.checks is not None]
    if not found:
        return None
    pair, keys = merge(
        [checks.pair for _, checks in found],
        [[pair_key(name) for name in checks.pairs] for _, checks in found],
    )
    judge, judges = merge(
        [checks.judge for _, checks in found], [checks.judges for _, checks in found]
    )
    spellings = {pair_key(name): name for _, checks in found for name in reversed(checks.pairs)}
    spellings |= first_spellings(parts)
    return Checks(
        pairs=tuple(spellings[key] for key in keys),
        judges=tuple(judges),
        pair=smallest(pair),
        judge=smallest(judge),
        kind=np.concatenate([checks.kind for _, checks in found]),
        value=np.concatenate([checks.value for _, checks in found]),
        original=np.concatenate([checks.original for _, checks in found]),
    )


def _scores(parts: Sequence[Scored], columns: _Columns, scale: Scale, order: Codes) -> Scores:
    document, documents = _optional([part.document for part in parts], parts)
    domain, domains = _optional([part.domain for part in parts], parts)
    scores = Scores(
        scale=scale,
        pair=smallest(columns.pair),
        system=smallest(columns.system),
        segment=smallest(columns.segment),
        judge=smallest(columns.judge),
        screen=smallest(columns.screen, np.int32),
        value=columns.value.astype(np.float64),
        document=document,
        documents=documents,
        domain=domain,
        domains=domains,
        seconds=_numbers([part.seconds for part in parts], parts),
        standardized=_numbers([part.standardized for part in parts], parts),
        errors=_errors(parts),
    )
    return scores.take(order)


def _optional(
    columns: Sequence[Column | None], parts: Sequence[Scored]
) -> tuple[Codes | None, tuple[str, ...]]:
    """Return a column that some files may lack; there its name is empty."""
    if all(column is None for column in columns):
        return None, ()
    codes, names = merged(
        [
            column or Column.constant("", len(part.value))
            for column, part in zip(columns, parts, strict=True)
        ]
    )
    return smallest(codes), tuple(names)


def _numbers(columns: Sequence[FloatArray | None], parts: Sequence[Scored]) -> FloatArray | None:
    if all(column is None or np.isnan(column).all() for column in columns):
        return None
    return np.concatenate(
        [
            np.full(len(part.value), np.nan) if column is None else column.astype(np.float64)
            for column, part in zip(columns, parts, strict=True)
        ]
    )


def _errors(parts: Sequence[Scored]) -> ErrorSpans | None:
    """Put errors together, each with the row that it has among all files' scores."""
    bounds = np.cumsum([0, *(len(part.value) for part in parts)])
    found = [
        (part.errors, int(first))
        for part, first in zip(parts, bounds[:-1], strict=True)
        if part.errors is not None
    ]
    if not found:
        return None
    spans = [errors for errors, _ in found]
    category, categories = merge([e.category for e in spans], [e.categories for e in spans])
    severity, severities = merge([e.severity for e in spans], [e.severities for e in spans])
    return ErrorSpans(
        scored=np.concatenate([errors.scored.astype(np.int64) + first for errors, first in found]),
        category=smallest(category),
        categories=tuple(categories),
        severity=smallest(severity),
        severities=tuple(severities),
        start=np.concatenate([errors.start for errors in spans]),
        end=np.concatenate([errors.end for errors in spans]),
    )


def _check_budgets(campaign: Campaign, where: str, n_bytes: int) -> None:
    """Refuse what would need more memory than any campaign."""
    budgets.check_systems(len(campaign.systems), where, "the column of systems")
    budgets.check_language_pairs(len(campaign.pairs), where)
    sizes = campaign.shown.sizes.astype(np.float64)
    budgets.check_screens(int(sizes.max(initial=0)), where)
    budgets.check_pairs(int((sizes * (sizes - 1) / 2).sum()), where, n_bytes)
    assert campaign.scores is not None
    node = campaign.scores.pair.astype(np.int64) * len(campaign.systems) + campaign.scores.system
    met = np.flatnonzero(np.bincount(node))
    counts = np.bincount(met // len(campaign.systems), minlength=len(campaign.pairs))
    for pair, n in zip(campaign.pairs, counts.tolist(), strict=True):
        budgets.check_systems(n, where, "the column of systems", pair)
