"""The fewest judgments that turn two neighbors, with those judgments."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from analysis.comparing.fewest import DEEDS, Deed, Fewest, fewest, smooth_fit
from analysis.comparing.stability import Stability, Statement
from analysis.findings.stability import statement_words
from analysis.ranking.quick import STAND_IN
from dashboard import compute
from dashboard.session.view import ViewContext
from dashboard.typography import count, percent
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import downloads, note, signature

PAIR, DEED = "handful", "handful.deed"
TABLE_HEIGHT = 300
TITLES: dict[Deed, str] = {"drop": "Left out", "turn": "Turned round"}


def show_handful(context: ViewContext, stable: Stability) -> None:
    """Show how few judgments turn each two neighbors, and those of one pair."""
    st.markdown("## The fewest judgments that turn it")
    pairs = [stable.statements[k] for k in stable.neighbors]
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    chosen = left.selectbox(
        "Two neighbors",
        pairs,
        format_func=lambda pair: statement_words(pair, context.name),
        key=PAIR,
        persist_state="session",
    )
    deed = right.segmented_control(
        "Judgments are",
        list(DEEDS),
        default="drop",
        required=True,
        format_func=lambda known: TITLES[known],
        key=DEED,
        bind="query-params",
    )
    _show_judgments(context, chosen or pairs[0], deed)
    _show_all(context, pairs)


def fewest_of(context: ViewContext, above: str, below: str, deed: Deed) -> Fewest:
    """Return the fewest judgments for two systems, found once."""
    return compute.remember(
        context,
        ("fewest", context.ranker.as_fitted(), context.certainty.seed, above, below, deed),
        lambda: fewest(smooth_fit(compute.fit(context)), above, below, deed),
    )


def _show_judgments(context: ViewContext, pair: Statement, deed: Deed) -> None:
    (above,), (below,) = pair.above, pair.below
    found = fewest_of(context, above, below, deed)
    a, b = context.name(above), context.name(below)
    if found.n is None:
        note(f"No judgments {DEEDS[deed]} put {b} above {a}.")
        return
    if not found.n:
        note(f"{STAND_IN.title}, which stands in here, has {b} above {a} as it is.")
        return
    note(
        f"{count(found.n, 'judgment')} {DEEDS[deed]} put {b} above {a}, "
        f"{percent(found.share)} of all. Others between the same systems that ended alike would "
        "do as well."
    )
    frame = found.to_frame()
    column = st.column_config
    st.dataframe(
        frame,
        hide_index=True,
        width="stretch",
        height=min(TABLE_HEIGHT, 36 * (len(frame) + 1) + 2),
        placeholder="",
        column_config={
            "segment": column.TextColumn("Segment", width="small"),
            "judge": column.TextColumn("Judge"),
            "preferred": column.TextColumn("Preferred"),
            "to": column.TextColumn("To"),
        },
    )
    downloads("fewest-judgments", frame)


def _show_all(context: ViewContext, pairs: list[Statement]) -> None:
    """Show both numbers of every two neighbors."""
    slot = st.empty()
    progress = progress_in(slot, "Looking for the fewest judgments", unit="neighbors")
    rows = []
    for done, pair in enumerate(pairs, start=1):
        (above,), (below,) = pair.above, pair.below
        found = {deed: fewest_of(context, above, below, deed) for deed in DEEDS}
        rows.append((above, below, found["drop"].n, found["turn"].n, found["drop"].share))
        progress(done, len(pairs))
    slot.empty()
    frame = pd.DataFrame(rows, columns=["above", "below", "drops", "flips", "share"])
    frame[["drops", "flips"]] = frame[["drops", "flips"]].astype("Int64")
    column = st.column_config
    st.dataframe(
        frame.assign(share=100 * frame["share"]),
        hide_index=True,
        width="stretch",
        placeholder="",
        column_config={
            "above": column.TextColumn("Above"),
            "below": column.TextColumn("Below"),
            "drops": column.NumberColumn("Left out", help="So many judgments left out turn it"),
            "flips": column.NumberColumn("Turned round", help="So many judgments turned round"),
            "share": column.NumberColumn("Left out, of all", format="%.2f%%"),
        },
    )
    by = smooth_fit(compute.fit(context)).ranker
    words = "At most so many: found by how far each judgment moves the lead, and fitted again."
    if by.name == STAND_IN.name != context.ranker.name:
        words += f" By {by.title}, as {context.ranker.title} has no derivative."
    note(words)
    made_by = f"fewest|{by.provenance | context.provenance}"
    signature(made_by)
    downloads("fewest", frame, made_by=made_by)
