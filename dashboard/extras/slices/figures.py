"""Standings of parts, or without and with adjustment, side by side."""

from __future__ import annotations

from collections.abc import Callable

import plotly.graph_objects as go

from analysis.colors import PALETTE
from analysis.extras.slices.by_slice import BySlice
from analysis.extras.slices.effects import Style
from dashboard.design import Mode
from dashboard.figures.scenes import Estimates, side_by_side_figure

MOST = 30
"""Systems that are drawn without and with adjustment: the best."""


def slices_figure(
    found: BySlice, *, title: str, name: Callable[[str], str], mode: Mode
) -> go.Figure:
    """Draw each system's score in every part with its interval; filled where it differs."""
    differs = {(one.system, part) for one in found.told for part in (one.more, one.less)}
    parts = zip(found.parts, found.scores, found.half, strict=True)
    estimates = [
        Estimates(
            part, PALETTE[mode][k % len(PALETTE[mode])], scores, scores - half, scores + half,
            [(system, part) not in differs for system in found.systems],
        )
        for k, (part, scores, half) in enumerate(parts)
    ]  # fmt: skip
    alt = f"{title}. Scores of {len(found.systems)} systems: {', '.join(found.parts)}."
    return side_by_side_figure(
        found.systems, estimates, title=title, axis="score minus the mean of the part", alt=alt,
        name=name, mode=mode,
    )  # fmt: skip


def style_figure(found: Style, *, title: str, name: Callable[[str], str], mode: Mode) -> go.Figure:
    """Draw each system's ability without and with adjustment."""
    systems, (first, second) = found.systems[:MOST], PALETTE[mode][:2]
    plain, even = found.plain, found.even
    estimates = [
        Estimates("as judged", first, plain, plain - found.plain_half, plain + found.plain_half,
                  [True] * len(plain)),
        Estimates("adjusted", second, even, even - found.half, even + found.half),
    ]  # fmt: skip
    alt = f"{title}. Abilities of {len(systems)} systems: as judged, adjusted."
    return side_by_side_figure(
        systems, estimates, title=title, axis="ability (log-odds) minus the mean", alt=alt,
        name=name, mode=mode,
    )  # fmt: skip
