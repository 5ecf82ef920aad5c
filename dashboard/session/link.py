"""The part of a link that no widget keeps: the selection, by position, so that no name leaks.

``x3.7`` leaves out the systems at places 3 and 7 of the sorted names, ``j2-5`` the judges at 2 to
5, ``o1`` keeps only judge 1, ``s10-200`` takes segments 10 to 200, ``a0.2`` the part where the
first attribute has its third word, ``a1~10~50`` that where the second one's numbers lie from 10 to
50, ``c`` collapses identical outputs, ``m2.5`` makes a tie of scores up to 2.5 points apart, ``r``
keeps references. The link's fingerprint says whether places mean the same names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import inf
from typing import Any

from analysis.campaign import SELECTION_FIELDS, Campaign, Selection
from analysis.campaign.slices import attribute_of, ends_of, sliced
from analysis.errors import PodiumError
from analysis.formats.rankings import number

VERSION = "1"


def encode(selection: Selection, campaign: Campaign) -> str:
    """Return a selection as a link's text; empty where everything counts."""
    parts = []
    for chosen in SELECTION_FIELDS:
        value = getattr(selection, chosen.name)
        if value == chosen.default:
            continue
        if chosen.kind == "switch":
            parts.append(chosen.letter)
        elif chosen.kind == "range":
            parts.append(f"{chosen.letter}{value[0]}-{value[1]}")
        elif chosen.kind == "number":
            parts.append(chosen.letter + chosen.words(value)[0])
        elif chosen.kind == "slices":
            parts.append(chosen.letter + "!".join(_write_slice(campaign, one) for one in value))
        else:
            place = {name: k for k, name in enumerate(sorted(chosen.names(campaign)))}
            places = [place[name] for name in value if name in place]
            if places:
                parts.append(chosen.letter + _write_places(places))
    return "_".join(parts)


def decode(text: str, campaign: Campaign) -> Selection:
    """Return the selection of a link; parts that make no sense are left out."""
    found = {part[0]: part[1:] for part in text.split("_") if part}
    values: dict[str, Any] = {}
    for chosen in SELECTION_FIELDS:
        if chosen.letter not in found:
            continue
        written = found[chosen.letter]
        if chosen.kind == "switch":
            values[chosen.name] = chosen.on
        elif chosen.kind == "range":
            ends = re.fullmatch(r"(\d{1,15})-(\d{1,15})", written)
            values[chosen.name] = (int(ends[1]), int(ends[2])) if ends else chosen.default
        elif chosen.kind == "number":
            points = number(written)
            values[chosen.name] = points if points >= 0 else chosen.default
        elif chosen.kind == "slices":
            slices = (_read_slice(campaign, one) for one in written.split("!"))
            values[chosen.name] = tuple(filter(None, slices))
        else:
            values[chosen.name] = _names_at(written, chosen.names(campaign))
    return Selection(**values)


def _write_slice(campaign: Campaign, words: str) -> str:
    try:
        attribute, value = attribute_of(campaign, words)
        names = [one.name for one in campaign.attributes]
        if attribute.is_number:
            ends = ("" if abs(end) == inf else f"{end:.15g}" for end in ends_of(words, value))
            return "~".join((str(names.index(attribute.name)), *ends))
        place = sorted(attribute.names).index(value)
    except (PodiumError, ValueError):
        return ""
    return f"{names.index(attribute.name)}.{place}"


def _read_slice(campaign: Campaign, written: str) -> str:
    """Return a slice in words; nothing for one that makes no sense."""
    match = re.fullmatch(r"(\d{1,3})(?:\.(\d{1,6})|~([^~]{0,25})~([^~]{0,25}))", written)
    if match is None or int(match[1]) >= len(campaign.attributes):
        return ""
    attribute = campaign.attributes[int(match[1])]
    if attribute.is_number:
        low, high = (
            number(match[k]) if match[k] else default for k, default in ((3, -inf), (4, inf))
        )
        return sliced(attribute.name, low, high) if match[2] is None and low <= high else ""
    names = sorted(attribute.names)
    if match[2] is None or int(match[2]) >= len(names):
        return ""
    return f"{attribute.name}={names[int(match[2])]}"


def _write_places(places: Iterable[int]) -> str:
    """Write places in order, runs of them as ranges: 0, 1, 2, 5 becomes 0-2.5."""
    runs: list[list[int]] = []
    for place in sorted(set(places)):
        if runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return ".".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _names_at(text: str, names: Sequence[str]) -> tuple[str, ...]:
    ordered = sorted(names)
    chosen = []
    for part in text.split("."):
        match = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", part)
        if match:
            chosen += ordered[int(match[1]) : int(match[2] or match[1]) + 1]
    return tuple(dict.fromkeys(chosen))
