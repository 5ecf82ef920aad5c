"""Several files put together: judges numbered, vocabularies merged, spellings of pairs united."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from analysis.campaign import Campaign, smallest
from analysis.errors import ReadingError
from analysis.formats.rankings import Codes, Column, Output, Rankings
from analysis.formats.report import Oddity, ReadReport
from analysis.formats.scored import Scored
from analysis.languages import pair_key
from analysis.wording import listed

Part = TypeVar("Part", Rankings, Scored)
Name = TypeVar("Name", str, Output)
_ROLE = re.compile(
    r"(?:annot(?:ator)?|assessor|crowd|evaluator|expert|judge|participant|rater|researcher|turker"
    r"|user|worker)[-_ ]?\d+",
    re.IGNORECASE,
)
"""A user called so is nobody's real name."""
_ROWS_AT_FIRST = (1 << 12, 1 << 18)


def number_judges(parts: Sequence[Part]) -> list[Part]:
    """Call the users of Appraise files judge1, judge2, … by first appearance in all of them.

    Who is numbered already, or named by another file beside, keeps that name: so the batches that
    Podium writes for judge1 come back as that judge's. So does who is called by a role and a
    number, which is nobody's real name.
    """
    named = {name for part in parts if part.users is None for name in part.judge.names}
    users = [list(_users(part)) for part in parts]
    known = [{u for u in own if u in named or _ROLE.fullmatch(u)} for own in users]
    # A number beside names in one file is somebody else; in a file of its own it is a batch's.
    taken = {u for own, kept in zip(users, known, strict=True) if set(own) - kept for u in kept}
    free = (f"judge{n}" for n in itertools.count(1) if f"judge{n}" not in taken)
    everybody = dict.fromkeys(itertools.chain.from_iterable(users))
    keep = set().union(*known)
    numbers = {user: user if user in keep else next(free) for user in everybody}
    return [part if part.users is None else _renamed(part, numbers) for part in parts]


def _users(part: Rankings | Scored) -> dict[str, None]:
    """Return the users of a part, those too whose only scores are checks."""
    checks = part.checks if isinstance(part, Scored) else None
    return dict.fromkeys([*part.users, *(checks.judges if checks else ())] if part.users else ())


def _renamed(part: Part, numbers: Mapping[str, str]) -> Part:
    judge = replace(part.judge, names=[numbers[name] for name in part.judge.names])
    if isinstance(part, Scored) and part.checks is not None:
        judges = tuple(numbers[name] for name in part.checks.judges)
        return replace(part, judge=judge, checks=replace(part.checks, judges=judges))
    return replace(part, judge=judge)


def merge(
    columns: Sequence[Codes], vocabularies: Sequence[Sequence[Name]], *, each_once: bool = False
) -> tuple[Codes, list[Name]]:
    """Return one column under one vocabulary: the names in use, by first appearance.

    ``each_once``: it is known that no vocabulary contains a name twice.
    """
    places: list[Codes]
    each_once = each_once or len(set(vocabularies[0])) == len(vocabularies[0])
    if len(vocabularies) == 1 and each_once:
        names = list(vocabularies[0])
        places = [np.arange(len(names), dtype=np.int32)]
    else:
        known: dict[Name, int] = {}
        places = [
            np.array([known.setdefault(name, len(known)) for name in names], dtype=np.int32)
            for names in vocabularies
        ]
        names = list(known)
    number: Codes = np.full(len(names), -1, dtype=np.int32)
    n_used = 0
    for codes, place in zip(columns, places, strict=True):
        met = place[first_met(codes, len(place))]
        met = met[number[met] < 0] if each_once else pd.unique(met[number[met] < 0])
        number[met] = np.arange(n_used, n_used + len(met))
        n_used += len(met)
    number = smallest(number)
    merged = [_recoded(codes, number[place]) for codes, place in zip(columns, places, strict=True)]
    if n_used < len(names) or not _is_in_order(number):
        order = np.argsort(number, kind="stable")[len(names) - n_used :]
        names = [names[k] for k in order.tolist()]
    return merged[0] if len(merged) == 1 else np.concatenate(merged), names


def merged(columns: Sequence[Column]) -> tuple[Codes, list[str]]:
    """Return the columns of several files as `merge` does."""
    return merge(
        [column.codes for column in columns],
        [column.names for column in columns],
        each_once=all(column.is_clean for column in columns),
    )


def first_met(codes: Codes, n_names: int) -> Codes:
    """Return the codes in use by first appearance; rows after all names were met say no more."""
    for n_rows in (*_ROWS_AT_FIRST, len(codes)):
        met = pd.unique(codes[:n_rows])
        if len(met) == n_names or len(codes) <= n_rows:
            break
    return met


def _recoded(codes: Codes, number: Codes) -> Codes:
    """Return codes under another numbering; the same column where that is the same."""
    return codes if _is_in_order(number) else number[codes]


def _is_in_order(number: Codes) -> bool:
    return np.array_equal(number, np.arange(len(number)))


def count_names(codes: Codes, names: Sequence[str]) -> dict[str, int]:
    counts = np.bincount(codes, minlength=len(names))
    return {names[code]: int(counts[code]) for code in np.flatnonzero(counts).tolist()}


def first_spellings(parts: Sequence[Part]) -> dict[str, str]:
    """Return for every pair's key the spelling that was used first."""
    first: dict[str, str] = {}
    for part in parts:
        for code in first_met(part.pair.codes, len(part.pair.names)).tolist():
            first.setdefault(pair_key(part.pair.names[code]), part.pair.names[code])
    return first


def oddities_by_file(parts: Sequence[Part], files: Sequence[str]) -> list[Oddity]:
    """Return what the readers found odd, once for all files of several that share a sentence."""
    if len(parts) == 1:
        return list(parts[0].findings.oddities)
    found: dict[tuple[str, str], list[tuple[str, Oddity]]] = {}
    for part, name in zip(parts, files, strict=True):
        for oddity in part.findings.oddities:
            found.setdefault((oddity.kind, oddity.sentence), []).append((name, oddity))
    return [
        Oddity(
            kind,
            f"{_whose([name for name, _ in told], len(files))}: {sentence}",
            sum(oddity.count for _, oddity in told),
            told[0][1].places if len(told) == 1 else (),
        )
        for (kind, sentence), told in found.items()
    ]


def _whose(names: Sequence[str], n_files: int) -> str:
    return f"Each of {n_files} files" if len(set(names)) == n_files else listed(names)


def mixed_spellings(parts: Sequence[Part]) -> list[Oddity]:
    spellings: dict[str, list[str]] = {}
    for part in parts:
        for code in np.sort(first_met(part.pair.codes, len(part.pair.names))):
            name = part.pair.names[code]
            names = spellings.setdefault(pair_key(name), [])
            if name not in names:
                names.append(name)
    return [
        Oddity(
            "spellings",
            f"{' and '.join(names)} are one language pair in two spellings; they were joined.",
            len(names),
        )
        for names in spellings.values()
        if len(names) > 1
    ]


def require_something(part: Rankings | Scored, n_kept: int, where: str, n_skipped: int = 0) -> None:
    """Raise for a file of which nothing is left, with the first reason why."""
    if n_kept:
        return
    unit, reasons = part.findings.unit, part.findings.left_out
    if part.n_rows == 0 and not reasons:
        raise ReadingError(where, f"it has a header but no {unit}s", "Make a new export.")
    got = f"every ranking in it was skipped ({n_skipped} of them)"
    if reasons:
        why = f" was left out because of {reasons[0].reason}" if isinstance(part, Scored) else ""
        got = f"none of its {unit}s can be used; the first{why}: {reasons[0].example}"
    raise ReadingError(where, got, "Fix the file and reload it.")


def report_of(
    parts: Sequence[Part],
    files: Sequence[str],
    campaign: Campaign,
    looked_over: Sequence[Oddity],
    **more: Any,
) -> ReadReport:
    """Return what was read of all files, what was left out, and what is odd about it."""
    units = {part.findings.unit for part in parts}
    return ReadReport(
        format=", ".join(dict.fromkeys(part.format for part in parts)),
        format_name=", ".join(dict.fromkeys(part.format_name for part in parts)),
        files=tuple(files),
        n_rows=sum(part.n_rows + part.findings.n_unparsed for part in parts),
        unit=units.pop() if len(units) == 1 else "row",
        n_tasks=campaign.n_tasks,
        left_out=tuple(
            replace(reason, file=name if len(parts) > 1 else "")
            for part, name in zip(parts, files, strict=True)
            for reason in part.findings.left_out
        ),
        oddities=(*oddities_by_file(parts, files), *mixed_spellings(parts), *looked_over),
        **more,
    )
