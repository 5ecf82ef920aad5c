"""Agreement of scores: α, ICC, and the correlation of every two judges."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from analysis.findings.scored import (
    CORRELATION_ENDS,
    PREFERENCES,
    SCORE_MEASURES,
    score_agreement_finding,
)
from analysis.judges.score_agreement import SCORE_NAMES, ScoreAgreement
from analysis.provenance import Provenance
from analysis.wording import EN_DASH, thousands
from dashboard import compute
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import downloads, headline, note, result_card, show_frame


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
