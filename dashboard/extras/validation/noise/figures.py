"""Noisy judges: how close each method stays to the gold standard, and what baselines do."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from analysis.comparing.score_table import column_means
from analysis.escaping import as_html
from analysis.extras.validation.noise.noisy_judges import METHODS, NoiseStudy
from analysis.rankers import RANKERS
from analysis.wording import fixed, percent
from dashboard.design import Mode, inks
from dashboard.extras.validation.lines import line_of, lines_figure
from dashboard.figures.theme import finish, in_lines


def noise_figure(study: NoiseStudy, *, title: str, mode: Mode, size: int = -1) -> go.Figure:
    """Draw correlation with the gold standard against the share of noise, at one size.

    Where there is one share, against the number of judgments. Lines are means of the draws, bands
    two standard errors of them.
    """
    by_share = len(study.design.shares) > 1
    values = study.correlation[:, size] if by_share else study.correlation[0]
    means = np.stack([column_means(draws) for draws in values])
    squares = np.stack([column_means(draws**2) for draws in values - means[:, None]])
    reach = 2 * np.sqrt(squares / max(1, study.design.trials - 1))
    x = study.design.shares if by_share else study.design.sizes
    lines = [
        line_of(
            method, RANKERS[method].title, mode, x=x, y=means[:, m].tolist(),
            low=(means - reach)[:, m].tolist(), high=(means + reach)[:, m].tolist(),
        )
        for m, method in enumerate(METHODS)
    ]  # fmt: skip
    axis = "correlation with the gold standard"
    written = "{:.3f}".format
    if not by_share:
        return lines_figure(
            lines, title=title, axis=axis, mode=mode, written=written, tickformat=".2f",
            from_zero=False, log=True,
        )  # fmt: skip
    return lines_figure(
        lines, title=title, axis=axis, mode=mode, written=written, tickformat=".2f",
        from_zero=False, across="noise", written_across=percent,
    )  # fmt: skip


def baselines_figure(
    frame: pd.DataFrame, *, title: str, name: Callable[[str], str], mode: Mode
) -> go.Figure:
    """Draw each baseline's metric score against the correlation that it leads to (Figure 4).

    The dashed line is the mean metric score: the nearest baseline is the one that a metric chooses.
    """
    ink = inks(mode)
    known = frame[frame["metric"].notna() & frame["correlation"].notna()]
    names = [name(system) for system in known["baseline"]]
    figure = go.Figure()
    figure.add_scatter(
        x=known["metric"], y=known["correlation"], mode="markers",
        marker=dict(size=10, color=ink.accent), text=[as_html(one) for one in names],
        hovertemplate="<b>%{text}</b><br>metric %{x:.3g}<br>correlation %{y:.3f}<extra></extra>",
        cliponaxis=False,
    )  # fmt: skip
    figure.add_vline(
        x=float(known["metric"].mean()), line=dict(color=ink.strong_rule, dash="dash", width=1.5)
    )
    figure.update_xaxes(title_text="metric score of the baseline", fixedrange=True)
    figure.update_yaxes(
        title_text="correlation with the gold standard", showgrid=True, fixedrange=True, nticks=6
    )
    parts = [
        f"{one} {fixed(metric, 3)}: {fixed(correlation, 3)}"
        for one, metric, correlation in zip(
            names, known["metric"], known["correlation"], strict=True
        )
    ]
    return finish(
        figure, mode, title=in_lines(title), alt=f"{title}. {'; '.join(parts)}.", height=380,
        margin=dict(l=8, r=24, t=76, b=50),
    )  # fmt: skip
