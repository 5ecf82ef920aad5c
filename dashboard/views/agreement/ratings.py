"""How well judges agree in their ratings, and how each of them uses the scale."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from analysis.findings.scored import (
    CORRELATION,
    CORRELATION_ENDS,
    HARSHNESS,
    MOST_USED,
    PREFERENCES,
    SCORE_MEASURES,
    score_agreement_finding,
    use_finding,
)
from analysis.judges.score_agreement import SCORE_NAMES, ScoreAgreement
from analysis.judges.scorers import scorers
from analysis.provenance import Provenance
from analysis.wording import EN_DASH, count, thousands
from dashboard import compute
from dashboard.figures.judges import MOST_JUDGES, scale_figure
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import downloads, headline, note, result_card, show_frame

WHOLE = ("n", "common")


def show_score_agreement(context: ViewContext, otherwise: str) -> bool:
    """Show how far ratings agree and return True; unknown, the headline is ``otherwise``."""
    found = compute.score_agreement_of_judges(context)
    is_known = any(measure.n for measure in found.by_name().values())
    finding = score_agreement_finding(found)
    headline(context, "Agreement", finding if is_known else otherwise or finding, of_method=False)
    if not is_known:
        note(
            f"{finding}. " * bool(otherwise)
            + "Let two or more judges rate some of the same outputs to measure their agreement."
        )
    else:
        _show_measures(context, found)
    pairs = found.pairs_frame()
    if len(pairs):
        with st.expander("Two judges at a time"):
            show_frame(pairs.round(3), _pair_columns(), height=300, placeholder=EN_DASH)
            downloads("judge-correlations", pairs)
    if len(context.judgments):
        note(PREFERENCES)
    return is_known


def _show_measures(context: ViewContext, found: ScoreAgreement) -> None:
    frame = pd.DataFrame(
        {"measure": SCORE_NAMES[name], **vars(measure)} for name, measure in found.by_name().items()
    )
    drawn = Provenance(unit="segment", runs=found.runs, seed=found.seed, level=found.level)
    result_card(
        context,
        "agreement-scores",
        frame=frame.round(3),
        columns=_columns(),
        formats={"n": lambda number: thousands(int(number))},
        words=SCORE_MEASURES,
        made_by=str(drawn | context.judgments.provenance),
    )


def _columns() -> dict[str, Any]:
    column = st.column_config
    return {
        "measure": column.TextColumn("Measure", width="medium"),
        "value": column.NumberColumn("Value", format="%.3f"),
        "low": column.NumberColumn("from", format="%.3f"),
        "high": column.NumberColumn("to", format="%.3f"),
        "n": column.Column("Outputs with two judges or more"),
    }


def _pair_columns() -> dict[str, Any]:
    column = st.column_config
    return {
        "judge": column.TextColumn("Judge"),
        "other": column.TextColumn("Other judge"),
        "common": column.Column("Outputs of both"),
        "correlation": column.NumberColumn("Correlation (r)", format="%.2f"),
        "low": column.NumberColumn("from", format="%.2f", help=CORRELATION_ENDS),
        "high": column.NumberColumn("to", format="%.2f", help=CORRELATION_ENDS),
    }


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
