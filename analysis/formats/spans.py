"""Error spans as annotation tools write them, a list of marked errors beside each output."""

from __future__ import annotations

import array
import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pa_json

from analysis.campaign import ErrorSpans, IntArray, Ragged
from analysis.formats.delimited import encode
from analysis.formats.rankings import Codes, cleaned

FEW = 1 << 20
"""Bytes of lists from which all are read at once."""
LONGEST = 1_000_000
"""Letters above which a list of errors is not read."""

_LAST_POSITION = 2**31 - 1
_BLOCK = 1 << 22
"""Bytes of lists that are read together; a longer list is read alone."""
_NOTHING = pa.array(["", "[]", "None", "null"])
_NO_PLACE = r'(_i": ?)"missing"'
"""How Appraise writes the place of what was left out."""
_ERROR = {
    **dict.fromkeys(("start", "start_i", "end", "end_i"), pa.int64()),
    **dict.fromkeys(("category", "error_type", "severity"), pa.string()),
}
"""The fields of an error that Arrow reads."""


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
    """Return the errors of some fields, whose places are their owners, and the unreadable ones."""
    if texts.nbytes > FEW and (found := _read_at_once(texts)) is not None:
        return found, np.zeros(0, dtype=np.int64)
    return _read_one_by_one(texts)


def _read_one_by_one(texts: pa.ChunkedArray) -> tuple[ErrorSpans, Codes]:
    """Read each different field once."""
    codes, names = pd.factorize(np.array(texts.to_pylist(), dtype=object))
    spans, is_bad = SpanList(), np.zeros(len(names), dtype=bool)
    for owner, text in enumerate(names):
        found = parse_list(text)
        is_bad[owner] = found is None
        spans.add_all(owner, found or ())
    return spread(spans.spans(), len(names), codes), np.flatnonzero(is_bad[codes])


def _read_at_once(texts: pa.ChunkedArray) -> ErrorSpans | None:
    """Let Arrow read all fields; None if a field has more than errors with places and words."""
    is_full = pc.invert(pc.is_in(pc.utf8_trim_whitespace(texts), value_set=_NOTHING))
    full = pc.replace_substring_regex(texts.filter(is_full), _NO_PLACE, r"\1-1")
    lines = pc.binary_join_element_wise('{"all":', full, "}\n", "").combine_chunks()
    letters = lines.buffers()[2] or b""
    try:
        table = pa_json.read_json(
            pa.py_buffer(b'{"all":[{}]}\n' + bytes(letters)),
            read_options=pa_json.ReadOptions(block_size=_BLOCK),
        )
        every = table["all"].combine_chunks()[1:]
        errors = pc.list_flatten(every)
        own = {field.name: field.type for field in errors.type}
    except (pa.ArrowException, UnicodeError, TypeError):
        return None
    is_known = all(of in (pa.null(), _ERROR.get(name)) for name, of in own.items())
    is_whole = table.num_rows == 1 + len(full) and table.column_names == ["all"]
    if not is_whole or not is_known or own.keys() - _ERROR.keys():
        return None
    start, start_i, end, end_i, category, error_type, severity = (
        errors.field(name).cast(of) if name in own else pa.nulls(len(errors), of)
        for name, of in _ERROR.items()
    )
    is_twice = category.null_count < len(category) > error_type.null_count
    if errors.null_count or is_twice:
        return None
    kinds, categories = _words(pc.coalesce(error_type, category), cleaned)
    grades, severities = _words(severity, lambda word: cleaned(word).casefold() or "unknown")
    owners = np.flatnonzero(is_full.to_numpy())[pc.list_parent_indices(every).to_numpy()]
    return ErrorSpans(
        owners, kinds, categories, grades, severities, _places(start_i, start), _places(end_i, end)
    )


def _words(column: pa.Array, spelled: Callable[[str], str]) -> tuple[Codes, tuple[str, ...]]:
    own = encode(pa.chunked_array([column.fill_null("")]))
    codes, names = pd.factorize(np.array([spelled(name) for name in own.names], dtype=object))
    return codes[own.codes], tuple(names)


def _places(*columns: pa.Array) -> IntArray:
    """Return places in a text, of the first column that has one; -1 for what is none."""
    found = pc.coalesce(*columns).fill_null(-1).to_numpy()
    return np.where((found < 0) | (found > _LAST_POSITION), -1, found)


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
