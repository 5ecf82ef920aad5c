"""Answers that stand in a column each, of which one is ticked: ``quality.1`` to ``quality.5``."""

from __future__ import annotations

import re
from collections import defaultdict

import numpy as np

from analysis.formats.mapping.guess.looks import Looks
from analysis.formats.mapping.prepared import TICKS
from analysis.formats.mapping.profile import Named

_STEM = re.compile(r"(.+?)(?:[.\s_/|-]|:+)[^.\s_/|:-]+")
_EMPTY = frozenset({"", "false", "0", "off", "no", "unchecked"})
_MOST_BOTH = 0.02
"""Share of the rows that may have none or two ticks."""


def ticked_columns(looks: Looks) -> Named:
    """Return groups of columns of which nearly each row has one ticked, by what they share."""
    found: dict[str, list[str]] = defaultdict(list)
    for column in looks.columns:
        match = _STEM.fullmatch(column)
        known = {text.strip().casefold() for text in looks.known(column)}
        if match and known and known <= TICKS | _EMPTY and known & TICKS:
            found[match[1]].append(column)
    return tuple(
        (stem, tuple(columns))
        for stem, columns in found.items()
        if len(columns) > 1 and stem not in looks.columns and _one_each(looks, columns)
    )


def _one_each(looks: Looks, columns: list[str]) -> bool:
    ticks = np.zeros(looks.n, dtype=int)
    for column in columns:
        texts = looks.table.values[column]
        ticks += [text.strip().casefold() in TICKS for text in texts]
    return bool((ticks != 1).mean() <= _MOST_BOTH)
