"""Several estimates of each system side by side: one row per estimate below the system's name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from analysis.campaign import FloatArray
from analysis.drawing.look import Look, Sizes
from analysis.drawing.row_picture import rows_json
from analysis.drawing.rows import Ghost, Row, Rows
from analysis.wording import fixed
from dashboard.design import Mode
from dashboard.figures.theme import as_figure

SIZES = Sizes(row=20, dense=17, dot=9)


@dataclass(frozen=True)
class Estimates:
    """One estimate per system, with both ends of its interval; ``hollow`` dots step back."""

    label: str
    color: str
    scores: FloatArray
    low: FloatArray
    high: FloatArray
    hollow: Sequence[bool] = ()


def side_by_side_figure(
    systems: Sequence[str],
    estimates: Sequence[Estimates],
    *,
    title: str,
    axis: str,
    alt: str,
    name: Callable[[str], str],
    mode: Mode,
    truth: FloatArray | None = None,
    truth_label: str = "",
) -> go.Figure:
    """Draw a shaded row with each system's name, and below it a row per estimate.

    A gray tick in the rows of a system is its ``truth``, if that is known.
    """
    rows: list[Row] = []
    for k, system in enumerate(systems):
        rows.append(Row(system, name(system), np.nan))
        at = np.nan if truth is None else float(truth[k])
        known = None if np.isnan(at) else Ghost(at, None, f"{truth_label}: {fixed(at, 3)}")
        for one in estimates:
            score, low, high = float(one.scores[k]), float(one.low[k]), float(one.high[k])
            words = f"{fixed(score, 3)}, from {fixed(low, 3)} to {fixed(high, 3)}"
            rows.append(
                Row(
                    one.label, one.label, score, thin=(low, high), words=(name(system), words),
                    hollow=any(one.hollow[k : k + 1]), ghost=known,
                )
            )  # fmt: skip
    heads = range(0, len(rows), 1 + len(estimates))
    axis += "" if truth is None else f"; gray tick: {truth_label}"
    scene = Rows(tuple(rows), axis, alt, bands=tuple((row, row + 1) for row in heads))
    look = Look({one.label: one.color for one in estimates}, mode, SIZES)
    return as_figure(rows_json(scene, look, title=title), mode)
