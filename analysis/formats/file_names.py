"""What the name of a file says where the file itself is silent: its language pair."""

from __future__ import annotations

import re

from analysis.formats.rankings import NO_PAIR, Findings
from analysis.formats.report import Oddity
from analysis.languages import is_language

_APART = re.compile(r"(?=(?:^|[^a-z])([a-z]{2,3})-([a-z]{2,3})(?:[^a-z]|$))")
_TOGETHER = re.compile(r"(?:^|[^a-z])([a-z]{2})([a-z]{2})(?=[^a-z]|$)")


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
    findings.oddities.append(
        Oddity("pair-of-name", f"The file itself does not state its language pair; {told}.")
    )
    return pair or NO_PAIR
