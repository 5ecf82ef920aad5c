"""TREC's two kinds of files: judgments of relevance (four fields) and runs (six fields)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from analysis.errors import ReadingError
from analysis.extras.scores.retrieval import Relevance, Run
from analysis.formats.rankings import number
from analysis.wording import listed

FIELDS = {4: "query, 0, document, relevance", 6: "query, Q0, document, rank, score, name"}
_VALUE = {4: 3, 6: 4}
MOST = 1_000_000
"""A grade of relevance beyond which it is none; the evaluation holds them in 64 bits."""
"""Which field holds the relevance or the score."""


def is_trec(text: bytes) -> bool:
    """Return whether the first line has a number where one of the two has it.

    >>> is_trec(b"q1 0 doc7 1"), is_trec(b"q1 Q0 doc7 1 12.5 mine"), is_trec(b"gold,a,b,c")
    (True, True, False)
    """
    fields = text.lstrip().partition(b"\n")[0].decode(errors="replace").split()
    return len(fields) in FIELDS and number(fields[_VALUE[len(fields)]]) == number(
        fields[_VALUE[len(fields)]]
    )


def read(contents: Sequence[tuple[str, bytes]]) -> tuple[Relevance, dict[str, Run]]:
    """Read files, as (name, text); what each is, its first line tells."""
    relevance: dict[str, dict[str, int]] = defaultdict(dict)
    runs: dict[str, Run] = {}
    for where, text in contents:
        rows = [(k, line.split()) for k, line in enumerate(text.decode().splitlines(), start=1)]
        rows = [(k, row) for k, row in rows if row]
        n_fields = len(rows[0][1])
        run: dict[str, dict[str, float]] = defaultdict(dict)
        for k, row in rows:
            value = _value(f"{where}, line {k}", row, n_fields)
            if n_fields == 6:
                run[row[0]][row[2]] = value
            else:
                relevance[row[0]][row[2]] = int(value)
        if n_fields == 6:
            name = rows[0][1][5]
            runs[name if name not in runs else f"{name} ({where})"] = run
    if not relevance or not runs:
        raise ReadingError(
            listed([where for where, _ in contents]),
            "search needs judgments of relevance and at least one run",
            f"Give both: {FIELDS[4]}; {FIELDS[6]}.",
        )
    return relevance, runs


def _value(where: str, row: Sequence[str], n_fields: int) -> float:
    if len(row) != n_fields:
        raise ReadingError(
            where,
            f"it has {len(row)} fields, the first line {n_fields}",
            f"Give {FIELDS[n_fields]}.",
        )
    text = row[_VALUE[n_fields]]
    value = number(text)
    if value != value or (n_fields == 4 and not (abs(value) <= MOST and value == int(value))):
        kind = "score" if n_fields == 6 else f"whole number up to {MOST}"
        raise ReadingError(where, f"{text!r} is not a {kind}", f"Give {FIELDS[n_fields]}.")
    return value
