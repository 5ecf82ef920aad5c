"""Files of results instead of judgments: they are refused by what they are.

Tables of differences or p values of every two systems, finished rankings with clusters, and lists
of scores lie beside the judgments in what campaigns publish, and are easily taken for them.
"""

from __future__ import annotations

import re

from analysis.errors import ReadingError
from analysis.formats.content import Content
from analysis.formats.rankings import number

REMEDY = "Use the file of the judgments or scores that it was computed from."
MOST_SYSTEMS = 1000
_RANKED = {"cluster", "clusters", "rank_low", "rank_best", "cluster_start"}
_MADE = {"score", "wins", "rank_high", "rank_worst", "cluster_end", "mean"}
_LINE = re.compile(r"\S+\s+-?\d+(\.\d+)?\s+\(\s*\d+(\.\d+)?\s*,\s*\d+(\.\d+)?\s*\)")
_STARRED = re.compile(r"(-?\d*\.?\d+(e-?\d+)?[*†‡?#]*|-|NA)", re.IGNORECASE)


def refuse_results(content: Content) -> None:
    """Raise for a file of results; anything else passes."""
    header = content.header
    if header is None:
        return
    lines = content.text[:1_000_000].decode(errors="replace").splitlines()[header.line - 1 :]
    for found, what in (
        (_is_matrix(lines), "a number for every two systems, such as a difference or a p-value"),
        (_is_ranking(lines), "a finished ranking of systems"),
        (_is_list(lines), "a list of numbers that names no systems"),
    ):
        if found:
            raise ReadingError(
                content.place,
                f"this file contains {what}, which is a result; the judgments are not in it",
                REMEDY,
            )


def _words(line: str) -> list[str]:
    return [word.strip("\"' ") for word in re.split(r"[\s,;]+", line.strip()) if word]


def _is_matrix(lines: list[str]) -> bool:
    """Return whether the first line has the names that begin the other ones, and those numbers."""
    names, *rows = [_words(line) for line in lines if line.strip()] or [[]]
    if len(names) < 2 or len(rows) < len(names) or len(set(names)) < len(names):
        return False
    begin = rows[: len(names)]
    return all(
        len(row) == len(names) + 1 and row[0] == name and all(map(_STARRED.fullmatch, row[1:]))
        for name, row in zip(names, begin, strict=True)
    )


def _is_ranking(lines: list[str]) -> bool:
    """Return whether there are clusters beside scores, or lines as WMT printed its rankings."""
    names = {name.casefold() for name in _words(lines[0])} if lines else set()
    ranked = [bool(_LINE.fullmatch(line.strip())) for line in lines if not _is_rule(line)]
    is_table = bool(names & _RANKED and names & _MADE) and len(lines) <= MOST_SYSTEMS
    return is_table or (len(ranked) > 1 and all(ranked))


def _is_rule(line: str) -> bool:
    return not line.strip(" +-=*#\t")


def _is_list(lines: list[str]) -> bool:
    """Return whether every line is a number."""
    values = [number(line) for line in lines if line.strip()]
    return len(values) > 1 and not any(value != value for value in values)
