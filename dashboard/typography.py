"""How numbers and names are written: for reading, and harmless whatever the data hold."""

from __future__ import annotations

from analysis.escaping import as_file_name, as_html, as_markdown
from analysis.wording import (
    EN_DASH,
    capital,
    chance,
    claim_and_rest,
    count,
    fixed,
    language_pair,
    listed,
    percent,
    significant,
    span,
    thousands,
)

__all__ = [
    "EN_DASH",
    "as_file_name",
    "as_html",
    "as_markdown",
    "capital",
    "chance",
    "claim_and_rest",
    "count",
    "duration",
    "fixed",
    "language_pair",
    "listed",
    "percent",
    "significant",
    "span",
    "thousands",
]


def duration(seconds: float) -> str:
    """Write a time that is left or was taken.

    >>> [duration(s) for s in (.4, 41.2, 95, 4000)]
    ['1 s', '41 s', '1 min 35 s', '1 h 6 min']
    """
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
