"""The names above the columns of delimited text: which lines they are on, what separates them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.errors import ReadingError
from analysis.formats.rankings import number

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}

_BEGINNING = 1 << 20
"""Bytes in which the header and the first rows are looked for."""
_MOST_LINES = 50
"""Lines of one header; more are a quotation mark gone astray."""
_ONLY_ANSWER = re.compile(r"(open-ended )?response", re.IGNORECASE)


@dataclass(frozen=True)
class Header:
    """The names of a table's columns, and how the file separates them.

    ``line`` is the last line of the header; ``n_lines`` is how many lines lie before the first row,
    blank ones at the start aside. ``quoted``: fields may be in quotation marks. If a file has no
    header, ``is_row`` says that the first line is a row, and the names are a reader's own.
    """

    names: tuple[str, ...]
    separator: str
    line: int
    quoted: bool = True
    is_row: bool = False
    n_lines: int = 1

    @property
    def keys(self) -> tuple[str, ...]:
        """The names as readers look for them."""
        return tuple(name.strip().casefold() for name in self.names)


def read_header(text: bytes, where: str) -> Header:
    """Find the header and the separator that cuts it into most columns.

    Lines that begin with # are comments, but for the last one if it has as many fields as the line
    after it. Last names that have no field in the rows are left out: a comment, or the columns that
    a crowd platform leaves to be filled in.
    """
    begins = len(text) - len(text.lstrip(b"\n \t"))
    if begins == len(text):
        raise ReadingError(where, "the file is empty but for blank lines", "Make a new export.")
    lines = text[begins : begins + _BEGINNING].decode(errors="replace").split("\n")
    first = next((k for k, line in enumerate(lines) if line.strip() and line[0] != "#"), 0)
    if first and _n_fields(lines[first - 1]) == _n_fields(lines[first]) > 1:
        first -= 1
    separator = " " if _is_spaced(lines[first : first + 4]) else _separator(lines[first])
    rows = _rows(lines[first:], separator)
    names, n_lines = next(rows, ([], 1))
    following = [row for row, _ in zip((row for row, _ in rows), range(3), strict=False)]
    if names:
        names[0] = names[0].removeprefix("#").lstrip() or names[0]
    lengths = {len(row) for row in following}
    if len(lengths) == 1 and (len(following) > 1 or names[-1].startswith("#")):
        names = names[: max(lengths.pop(), 2)]
    names, more = _of_several_rows(names, following)
    n_lines += first + more
    return Header(tuple(names), separator, text.count(b"\n", 0, begins) + n_lines, n_lines=n_lines)


def _separator(line: str) -> str:
    return max(SEPARATORS, key=lambda s: len(_fields(line, s)))


def _is_spaced(lines: Sequence[str]) -> bool:
    """Return whether lines of equally many words, with nothing else between them, are a table."""
    first, *rest = [line.strip().split(" ") for line in lines if line.strip()] or [[]]
    is_plain = all(word.isidentifier() for word in first) and len({*first}) == len(first) > 2
    return is_plain and len(rest) > 1 and {*map(len, rest)} == {len(first)}


def _fields(line: str, separator: str) -> list[str]:
    """Return the fields of one line; one that the csv module refuses is cut at each separator."""
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return line.split(separator)


def _n_fields(line: str) -> int:
    return len(_fields(line, _separator(line)))


def _rows(lines: Sequence[str], separator: str) -> Iterator[tuple[list[str], int]]:
    """Yield rows and how many lines each takes; a first row of many lines is taken as one line."""
    reader = csv.reader(io.StringIO("\n".join(lines)), delimiter=separator)
    before = 0
    try:
        for row in reader:
            if not before and reader.line_num > _MOST_LINES:
                break
            yield row, reader.line_num - before
            before = reader.line_num
        else:
            return
    except csv.Error:
        if before:
            return
    for line in lines:
        yield _fields(line, separator), 1


def _of_several_rows(names: list[str], rows: list[list[str]]) -> tuple[list[str], int]:
    """Return the names of a header of two or three rows, and how many rows follow the first.

    Surveys write a question above all of its answers, and each answer below it. Another kind has
    short names, the questions below these, and a row of identifiers.
    """
    if len(rows) > 1 and any(field.startswith('{"ImportId"') for field in rows[1]):
        parts = [text.rpartition(" - ")[2] if " - " in text else "" for text in rows[0]]
        return [
            f"{name}: {' '.join(part.split())}" if part else name
            for name, part in zip(names, [*parts, *[""] * len(names)], strict=False)
        ], 2
    unnamed = [k for k, name in enumerate(names) if not name.strip()]
    if len(unnamed) < 2 or not rows or len(rows[0]) != len(names):
        return names, 0
    below = rows[0]
    answers = [below[k] for k in unnamed]
    named = [below[k] for k in range(len(names)) if k not in unnamed]
    of_survey = any(not text.strip() or _ONLY_ANSWER.fullmatch(text.strip()) for text in named)
    if not of_survey or any(not t.strip() or number(t) == number(t) for t in answers):
        return names, 0
    joined, question = [], ""
    for name, answer in zip(names, below, strict=True):
        question = name.strip() or question
        alone = not answer.strip() or _ONLY_ANSWER.fullmatch(answer.strip())
        joined.append(question if alone else f"{question}: {' '.join(answer.split())}")
    return joined, 1
