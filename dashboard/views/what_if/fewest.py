"""The fewest judgments that turn two neighbors, with those judgments."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from analysis.comparing.fewest import ALTERATIONS, Alteration, smooth_fit
from analysis.comparing.stability import Stability, Statement
from analysis.findings.stability import fewest_words, statement_words
from analysis.findings.standings import own_words
from analysis.ranking.ranking import STAND_IN
from dashboard import compute
from dashboard.compute.results import fewest_of
from dashboard.session.view import ViewContext
from dashboard.widgets.progress import progress_in
from dashboard.widgets.questions import MANY, choose
from dashboard.widgets.result_card import downloads, note, show_frame, signature
from dashboard.widgets.two_systems import show_judgments

PAIR, ALTERATION = "handful", "handful.deed"
TITLES: dict[Alteration, str] = {"drop": "Left out", "turn": "Reversed"}


def show_fewest(context: ViewContext, stable: Stability) -> None:
    """Show how few judgments turn each two neighbors, and those of one pair."""
    pairs = [stable.statements[k] for k in stable.neighbors]
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    chosen = left.selectbox(
        "Adjacent systems",
        pairs,
        format_func=lambda pair: statement_words(pair, context.name),
        key=PAIR,
        persist_state="session",
    )
    with right:
        label = own_words(context.judgments, "Judgments are")
        alteration = choose(label, ALTERATIONS, ALTERATION, format_func=lambda known: TITLES[known])
    _show_judgments(context, chosen or pairs[0], alteration)
    if len(pairs) < MANY or st.toggle(
        f"Compute all {len(pairs)} adjacent pairs",
        key="handful.all",
        bind="query-params",
        help="With so many systems this takes minutes. Finished work is kept.",
    ):
        _show_all(context, pairs)


def _show_judgments(context: ViewContext, pair: Statement, alteration: Alteration) -> None:
    (above,), (below,) = pair.above, pair.below
    found = fewest_of(context, above, below, alteration)
    note(fewest_words(found, context.name, own_words(context.judgments, "judgment")))
    if not found.n:
        return
    frame = found.to_frame()
    show_judgments(frame)
    downloads("fewest-judgments", frame)


def _show_all(context: ViewContext, pairs: list[Statement]) -> None:
    """Show both numbers of every two neighbors."""
    slot = st.empty()
    progress = progress_in(slot, "Searching for the fewest judgments", unit="neighbors")
    rows = []
    for done, pair in enumerate(pairs, start=1):
        (above,), (below,) = pair.above, pair.below
        found = {
            alteration: fewest_of(context, above, below, alteration) for alteration in ALTERATIONS
        }
        rows.append((above, below, found["drop"].n, found["turn"].n, found["drop"].share))
        progress(done, len(pairs))
    slot.empty()
    frame = pd.DataFrame(rows, columns=["above", "below", "drops", "flips", "share"])
    frame[["drops", "flips"]] = frame[["drops", "flips"]].astype("Int64")
    column = st.column_config
    show_frame(
        frame.assign(share=100 * frame["share"]),
        {
            "above": column.TextColumn("Above"),
            "below": column.TextColumn("Below"),
            "drops": column.NumberColumn("Left out", help="Judgments to leave out to swap the two"),
            "flips": column.NumberColumn("Reversed", help="Judgments to reverse to swap the two"),
            "share": column.NumberColumn("Left out, of all", format="%.2f%%"),
        },
        placeholder="",
    )
    by = smooth_fit(compute.fit(context)).ranker
    words = (
        "Upper bounds: Podium chooses the judgments with the largest effect on the lead, and "
        "refits."
    )
    if by.name == STAND_IN.name != context.ranker.name:
        words += f" It uses {by.title}, because {context.ranker.title} has no derivative."
    note(words)
    made_by = f"fewest|{by.provenance | context.provenance}"
    signature(made_by)
    downloads("fewest", frame, made_by=made_by)
