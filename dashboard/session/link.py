"""The part of a link that no widget keeps: the selection, by position, so that no name leaks.

``x3.7`` leaves out the systems at places 3 and 7 of the sorted names, ``j2-5`` the judges at 2 to
5, ``o1`` keeps only judge 1, ``s10-200`` takes segments 10 to 200, ``c`` collapses identical
outputs, ``r`` keeps references. The link's fingerprint says whether places mean the same names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from analysis.campaign import Campaign, Selection

VERSION = "1"


def encode(selection: Selection, campaign: Campaign) -> str:
    """Return a selection as a link's text; empty where everything counts."""
    parts = []
    for letter, chosen, names in (
        ("x", selection.exclude_systems, campaign.systems),
        ("j", selection.exclude_judges, campaign.judges),
        ("o", selection.judges, campaign.judges),
    ):
        place = {name: k for k, name in enumerate(sorted(names))}
        places = [place[name] for name in chosen if name in place]
        if places:
            parts.append(letter + _write_places(places))
    if selection.segments is not None:
        parts.append(f"s{selection.segments[0]}-{selection.segments[1]}")
    if selection.identical == "collapsed":
        parts.append("c")
    if selection.references:
        parts.append("r")
    return "_".join(parts)


def decode(text: str, campaign: Campaign) -> Selection:
    """Return the selection of a link; parts that make no sense are left out."""
    found = {part[0]: part[1:] for part in text.split("_") if part}
    segments = re.fullmatch(r"(\d{1,9})-(\d{1,9})", found.get("s", ""))
    return Selection(
        identical="collapsed" if "c" in found else "expanded",
        exclude_systems=_names_at(found.get("x", ""), campaign.systems),
        exclude_judges=_names_at(found.get("j", ""), campaign.judges),
        judges=_names_at(found.get("o", ""), campaign.judges),
        references="r" in found,
        segments=(int(segments[1]), int(segments[2])) if segments else None,
    )


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
