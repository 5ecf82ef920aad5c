"""Quality control: who scores degraded outputs lower, and how far scores repeat."""

from __future__ import annotations

from typing import Any

import streamlit as st

from analysis.findings.judges import (
    DIFFERENCE,
    P_VALUE,
    SECONDS,
    SHARE,
    quality_finding,
    quality_sentences,
)
from analysis.judges.judge_verdicts import QualityControl
from analysis.wording import p_number, thousands
from dashboard import compute
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import result_card, show_sentences

COUNTS = ("degraded", "below", "tied", "repeated")


def show_quality(context: ViewContext) -> None:
    """Show what the campaign's checks say of its judges; nothing where it has none."""
    found = compute.quality_of_judges(context)
    if found is None:
        return
    with st.expander("Do judges see outputs that were made worse?"):
        _show_checks(context, found)


def _show_checks(context: ViewContext, found: QualityControl) -> None:
    show_sentences(quality_sentences(found))
    frame = found.to_frame().drop(columns="shift").dropna(axis="columns", how="all")
    shares = [name for name in ("share", "low", "high") if name in frame]
    frame[shares] = frame[shares].round(3)
    result_card(
        context,
        "judges-quality",
        frame=frame,
        columns={name: shown for name, shown in _columns().items() if name in frame},
        formats={
            **{name: lambda number: thousands(int(number)) for name in COUNTS},
            **({"p": p_number} if "p" in frame else {}),
        },
        words=f"{quality_finding(found)}.",
        made_by=str(context.judgments.provenance),
    )


def _columns() -> dict[str, Any]:
    column = st.column_config
    return {
        "judge": column.TextColumn("Judge"),
        "degraded": column.Column("Degraded"),
        "below": column.Column("Lower"),
        "tied": column.Column("Same"),
        "share": column.ProgressColumn(
            "Share lower", format="percent", min_value=0, max_value=1, help=SHARE
        ),
        "low": column.NumberColumn("from", format="percent"),
        "high": column.NumberColumn("to", format="percent"),
        "p": column.NumberColumn("p", help=P_VALUE),
        "repeated": column.Column("Twice"),
        "difference": column.NumberColumn("Difference", format="%.1f", help=DIFFERENCE),
        "seconds": column.NumberColumn("Seconds", format="%.0f", help=SECONDS),
    }
