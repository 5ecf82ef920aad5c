"""Names that rows do not give: a pair's from the name of the file, a segment's from its text."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from analysis.formats.rankings import NO_PAIR, Findings
from analysis.languages import is_language

_APART = re.compile(r"(?=(?:^|[^a-z])([a-z]{2,3})-([a-z]{2,3})(?:[^a-z]|$))")
_TOGETHER = re.compile(r"(?:^|[^a-z])([a-z]{2})([a-z]{2})(?=[^a-z]|$)")
LONGEST_NAME = 80
"""Letters of a text that names a segment; a longer one is cut, and ends in a mark of its own."""

_ENDINGS = (
    *(".bz2", ".csv", ".gz", ".json", ".jsonl", ".ndjson", ".ods", ".parquet", ".tsv", ".txt"),
    *(".xls", ".xlsm", ".xlsx", ".xml", ".xz", ".zip", ".zst"),
)


def without_endings(file: str) -> str:
    """Return a file's name without its folder and what tells the format.

    >>> without_endings("judges/gpt-3.5-turbo.json.gz"), without_endings("v1.2.CSV")
    ('gpt-3.5-turbo', 'v1.2')
    """
    name = Path(file).name
    while (ending := Path(name).suffix).casefold() in _ENDINGS:
        name = name.removesuffix(ending)
    return name or file


def pair_in(name: str) -> str:
    """Return the last language pair that a file's name holds; nothing where it holds none.

    >>> pair_in("ad-seg-scores-cs-en.csv.gz"), pair_in("mqm_ted_ende.tsv"), pair_in("scores.csv")
    ('cs-en', 'en-de', '')
    """
    for pattern in (_APART, _TOGETHER):
        found = [m.groups() for m in pattern.finditer(name.casefold()[-200:])]
        known = [ends for ends in found if all(map(is_language, ends)) and len(set(ends)) == 2]
        if known:
            return "-".join(known[-1])
    return ""


def pair_of_file(findings: Findings) -> str:
    """Return the pair that the name of the file under ``findings`` tells, and say so."""
    pair = pair_in(findings.file)
    told = f"it was taken from the file's name: {pair}" if pair else "nor does its name"
    findings.note("pair-of-name", f"The file itself does not state its language pair; {told}.")
    return pair or NO_PAIR


def named_by_text(text: str) -> str:
    """Return the name of a segment that only its text tells: the same for the same text.

    >>> named_by_text("Why is the sky blue?"), len(named_by_text("x" * 500))
    ('Why is the sky blue?', 80)
    """
    text = " ".join(text[:100_000].split())
    if len(text) <= LONGEST_NAME:
        return text
    mark = hashlib.sha256(text.encode(errors="replace")).hexdigest()[:6]
    return f"{text[: LONGEST_NAME - 8]}… {mark}"
