"""How judges used the scale: distributions, and who is harsh."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from analysis.findings.scored import (
    CORRELATION,
    HARSHNESS,
    MOST_USED,
    use_finding,
)
from analysis.judges.scorers import scorers
from analysis.wording import count, thousands
from dashboard import compute
from dashboard.figures.judges import MOST_JUDGES, scale_figure
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import result_card

WHOLE = ("n", "common")


def show_scale(context: ViewContext, *, with_table: bool = False) -> pd.DataFrame | None:
    """Show the distribution of every judge's ratings; return the table, None if judges ranked."""
    scores = context.judgments.scores
    if scores is None:
        return None
    found = compute.remember(context, ("scorers",), lambda: scorers(context.judgments))
    frame = found.to_frame().dropna(axis="columns", how="all")
    frame = frame.round(dict.fromkeys(("mean", "deviation", "harshness"), 2)).round(3)
    shown = count(min(len(found.judges), MOST_JUDGES), "judge")
    result_card(
        context,
        "judges-scale",
        figure=compute.drawn(
            context, scale_figure, found, scale=scores.scale.name,
            title=use_finding(found),
        ),
        frame=frame if with_table else None,
        columns={name: column for name, column in scale_columns().items() if name in frame},
        formats={name: lambda number: thousands(int(number)) for name in WHOLE},
        words=(
            "Boxes span the middle half of a judge's ratings, whiskers reach from 5% to 95%, "
            f"diamonds are means; {shown} with most ratings, the highest mean first."
        ),
        made_by=str(context.judgments.provenance),
    )  # fmt: skip
    return frame


def scale_columns() -> dict[str, Any]:
    """Return how the columns of a table of raters are shown."""
    column = st.column_config
    return {
        "judge": column.TextColumn("Judge"),
        "n": column.Column("Ratings"),
        "mean": column.NumberColumn("Mean", format="%.2f"),
        "deviation": column.NumberColumn("Standard deviation", format="%.2f"),
        "harshness": column.NumberColumn(
            ("Severity vs. other judges"), format="%.2f", help=HARSHNESS
        ),
        "correlation": column.NumberColumn("r with others", format="%.2f", help=CORRELATION),
        "common": column.Column("Outputs also rated by others"),
        "favorite": column.NumberColumn("Most frequent rating", format="%g"),
        "most_used": column.ProgressColumn(
            "Its share", format="percent", min_value=0, max_value=1, help=MOST_USED
        ),
        "seconds": column.NumberColumn("Median time (s)", format="%.0f"),
    }
