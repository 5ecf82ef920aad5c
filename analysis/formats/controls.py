"""Rows that test the judge, not a system: they never count as judgments.

Campaigns mix in outputs made worse on purpose, repeated outputs, references and practice items.
A column says which rows these are: ``Type`` with TGT, CHK, BAD and REF, ``is_attention_check``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from analysis.formats.rankings import Column, Findings

_NAMED = re.compile(
    r"(item|row|segment|trial|question|hit|unit)?[ _.-]?(type|kind|status)|"
    r"(is|was)?[ _.-]*(golden|gold|control|catch|attention|attn|tutorial|practice|training|dummy|"
    r"bad[ _.-]?ref|repeat|duplicate)s?([ _.-]?(check|item|question|trial|row|unit|test))?",
    re.IGNORECASE,
)
"""Names of columns that may say so."""
_YES = {"true", "1", "yes", "1.0", "t", "y"}
_NO = {"false", "0", "no", "0.0", "f", "n", ""}
_ROWS = re.compile(
    r"chk|check|bad|ref|reference|repeat(ed)?|tutorial|practice|training|attention|attn|dummy|"
    r"gold(en)?|catch|quality|qc|spam|"
    r"(attention|attn|gold|control|catch|practice|quality|dummy|bad|tutorial)"
    r"[ _.-]?(check|control|question|trial|item|ref|reference|test)s?",
    re.IGNORECASE,
)
_ONLY_CONTROLS = re.compile(
    r"chk|spam|attention[ _.-]?check|tutorial|practice|catch([ _.-]?trial)?|dummy", re.IGNORECASE
)
"""Words that are not those of other kinds of rows."""
_COUNTS = re.compile(r"tgt|target|test|real|main|normal|regular|task|item|experimental|study|src",
                     re.IGNORECASE)  # fmt: skip


def control_words(name: str, words: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a column that mark rows that must not count; none for other columns.

    >>> control_words("Type", ["TGT", "CHK", "BAD"]), control_words("type", ["news", "blog"])
    (('CHK', 'BAD'), ())
    >>> control_words("_golden", ["false", "true"]), control_words("bad", ["1", "2", "3"])
    (('true',), ())
    """
    if not _NAMED.fullmatch(name.strip().strip("_").rpartition(".")[2]):
        return ()
    folded = {word.strip().casefold() for word in words}
    if folded <= _YES | _NO:
        is_of_type = re.search("type|kind|status", name, re.IGNORECASE)
        return () if is_of_type else tuple(w for w in words if w.strip().casefold() in _YES)
    found = tuple(word for word in words if _ROWS.fullmatch(word.strip()))
    others = [word for word in words if word.strip() and word not in found]
    sure = all(_COUNTS.fullmatch(word.strip()) for word in others)
    sure = sure or len(found) > 1 or any(_ONLY_CONTROLS.fullmatch(word.strip()) for word in found)
    return found if found and others and sure else ()


def leave_out_controls(columns: Mapping[str, Column], findings: Findings, n: int) -> np.ndarray:
    """Report the rows that are controls; return which rows count."""
    counts = np.ones(n, dtype=bool)
    for name, column in columns.items():
        words = frozenset(control_words(name, column.names))
        if words:
            counts &= leave_out_words(name, column, words, findings)
    return counts


def leave_out_words(
    name: str, column: Column, words: frozenset[str], findings: Findings
) -> np.ndarray:
    """Report the rows where a column has one of some words; return the others."""
    is_control = column.map(lambda word: word in words, bool)
    findings.leave_out(
        "being a control of the judge, not a judgment",
        np.flatnonzero(is_control),
        lambda row: f"{name} is {column.names[column.codes[row]][:40]!r}",
    )
    return ~is_control
