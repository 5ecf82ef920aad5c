"""Error spans as annotation tools write them, a list of marked errors beside each output."""

from __future__ import annotations

import array
import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from analysis.campaign import ErrorSpans, Ragged
from analysis.formats.alike import Alike
from analysis.formats.rankings import Codes, cleaned

FEW = 1 << 20
"""Letters up to which equal lists only are read once: that needs no compiled code."""
LONGEST = 1_000_000
"""Letters above which a list of errors is not read."""

_LAST_POSITION = 2**31 - 1


class SpanList:
    """Errors as they are met, a row each, under vocabularies that grow."""

    def __init__(self) -> None:
        self._categories: dict[str, int] = {}
        self._severities: dict[str, int] = {}
        self._columns = tuple(array.array("i") for _ in range(5))

    def add(self, owner: int, category: str, severity: str, start: Any, end: Any) -> None:
        """Add an error of the output ``owner``."""
        severity = cleaned(severity).casefold() or "unknown"
        error = (
            owner,
            self._categories.setdefault(cleaned(category), len(self._categories)),
            self._severities.setdefault(severity, len(self._severities)),
            _position(start),
            _position(end),
        )
        for column, value in zip(self._columns, error, strict=True):
            column.append(value)

    def add_all(self, owner: int, errors: Iterable[Any]) -> None:
        """Add errors that are records, in the words of Appraise, Pearmut or mt-metrics-eval."""
        for error in errors:
            if isinstance(error, dict):
                category = error.get("error_type", error.get("category"))
                start = error.get("start_i", error.get("start"))
                end = error.get("end_i", error.get("end"))
                severity = error.get("severity")
                self.add(owner, _joined(category), str(severity) if severity else "", start, end)

    def spans(self) -> ErrorSpans:
        """Return all of them in columns, ordered by output."""
        columns = [np.frombuffer(column, dtype=np.int32) for column in self._columns]
        order = np.argsort(columns[0], kind="stable")
        owner, category, severity, start, end = (column[order] for column in columns)
        return ErrorSpans(
            owner, category, tuple(self._categories), severity, tuple(self._severities), start, end
        )


def _joined(category: object) -> str:
    """Return a category with its kind: Accuracy/Mistranslation."""
    if isinstance(category, list):
        return "/".join(str(part) for part in category if part)
    return str(category) if category else ""


def _position(value: Any) -> int:
    """Return a place in a text, -1 for what is none ("missing")."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return -1
    return int(value) if 0 <= value <= _LAST_POSITION else -1


def parse_list(text: str) -> list[Any] | None:
    """Return the errors of one field: JSON, or as Python prints a record; None for neither.

    >>> parse_list('[]'), parse_list("{'start_i': 0, 'error_type': None}"), parse_list("x")
    ([], [{'start_i': 0, 'error_type': None}], None)
    """
    text = text.strip()
    if text in ("", "[]", "None", "null"):
        return []
    if len(text) > LONGEST:
        return None
    for attempt in (text, text.replace("'", '"').replace("None", "null")):
        try:
            found = json.loads(attempt)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return [found]
        return found if isinstance(found, list) else None
    return None


def read_lists(texts: pa.ChunkedArray) -> tuple[ErrorSpans, Codes]:
    """Return the errors of some fields, whose places are their owners, and the unreadable ones.

    In a large file each list is read once for all that differ in their numbers only.
    """
    found = _read_alike(Alike.but_for_numbers(texts)) if texts.nbytes > FEW else None
    return found or _read_alike(Alike.equal(texts))  # type: ignore[return-value]


def _read_alike(fields: Alike) -> tuple[ErrorSpans, Codes] | None:
    """Read one field of each kind for all; None where a number would be more than a position."""
    spans, is_bad = SpanList(), np.zeros(len(fields.examples), dtype=bool)
    for kind, text in enumerate(fields.examples):
        found = parse_list(text)
        if found is None:
            is_bad[kind] = True
        elif fields.is_numbered[kind] and not all(map(_is_of_words, found)):
            return None
        else:
            spans.add_all(kind, found)
    each = spread(spans.spans(), len(fields.examples), fields.kind)
    is_numbered = fields.is_numbered[fields.kind[each.scored]]
    for place in (each.start, each.end):
        known = np.flatnonzero(is_numbered & (place >= 0))
        place[known] = fields.numbers[fields.first[each.scored[known]] + place[known]]
    return each, np.flatnonzero(is_bad[fields.kind])


def _is_of_words(error: object) -> bool:
    """Return whether no number tells what kind of error it is, or how severe."""
    if not isinstance(error, dict):
        return True
    category = error.get("error_type", error.get("category"))
    words = [*(category if isinstance(category, list) else [category]), error.get("severity")]
    return all(word is None or isinstance(word, str) for word in words)


def spread(spans: ErrorSpans, n_owners: int, rows: Codes) -> ErrorSpans:
    """Return the errors of rows, each of which has those of one owner: ``rows`` says which."""
    of_owner = Ragged.from_sizes(np.bincount(spans.scored, minlength=n_owners))
    found = of_owner.take(rows)
    return replace(
        spans,
        scored=found.owners,
        category=spans.category[found.values],
        severity=spans.severity[found.values],
        start=spans.start[found.values],
        end=spans.end[found.values],
    )
