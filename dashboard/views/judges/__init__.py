"""Judges: who deserves a look, and what the standings would be without them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from analysis.campaign import UNNAMED_JUDGE
from analysis.findings.changes import describe
from analysis.findings.scored import use_finding
from analysis.judges.judges import (
    FLAG_WORDS,
    FLAGS,
    JudgeTable,
    figure_title,
    judges_finding,
    without_kappa,
)
from analysis.judges.scorers import scorers
from dashboard import compute
from dashboard.compute.quick import quick_words, remembered_quick
from dashboard.figures.judges import judges_figure
from dashboard.session import state
from dashboard.session.view import ViewContext, require_campaign
from dashboard.typography import as_markdown, count, listed, thousands
from dashboard.views.judges.quality import show_quality
from dashboard.views.judges.sensitivity import show_sensitivities
from dashboard.views.judges.traits import show_traits
from dashboard.widgets import leaving_out
from dashboard.widgets.asking import is_wanted
from dashboard.widgets.result_card import headline, note, result_card, show_sentences
from dashboard.widgets.score_scale import show_scale

MOST_SENTENCES = 6
WHOLE = ("tasks", "judgments", "inter_comparable", "intra_comparable")
DIAMONDS = "Diamonds are flagged judges; a flag is a reason to look at their work, not a verdict. "
FEW = "Kappa scatters widely where judgments are few. "


def show() -> None:
    """Show every judge's work and what leaving one out would change."""
    context = require_campaign()
    if not len(context.judgments) and context.judgments.scores is not None:
        _show_scorers(context)
        return
    table = compute.judge_by_judge(context)
    headline(context, "Judges", judges_finding(table), of_method=False)
    if table.judges == (UNNAMED_JUDGE,):
        note("Upload a file with a column that names the judges to see their work.")
        return
    usual = compute.agreement_of_judges(context).strict.inter.kappa
    show_sentences(
        [
            f"{name} " + "; ".join(FLAGS[flag] for flag in flags)
            for name, flags in zip(table.judges, table.flags, strict=True)
            if flags
        ][:MOST_SENTENCES]
    )
    is_known, frame = table.has_kappas, _frame(table)
    result_card(
        context,
        "judges",
        figure=compute.drawn(
            context, judges_figure, table, usual, title=figure_title(table), mode=context.mode
        )
        if is_known
        else None,
        frame=frame,
        columns=_columns(table),
        formats={name: lambda number: thousands(int(number)) for name in WHOLE if name in frame},
        words=_words(table) if is_known else f"{figure_title(table)}.",
        made_by=str(compute.judged_pairs(context).provenance),
    )
    _explain_flags(table)
    if context.judgments.scores is not None:
        st.markdown("## Who is harsh, who spreads")
        show_scale(context)
    show_quality(context)
    below: Sequence[str] = ()
    if is_wanted("How sensitive each judge is", len(context.judgments), "judges.models"):
        if context.judgments.scores is None:
            show_traits(context)
        below = show_sensitivities(context)
    st.markdown("## Without a judge")
    _offer_to_leave_out(context, table, below)


def _show_scorers(context: ViewContext) -> None:
    """Show judges by their scores alone, where no preferences follow from them."""
    found = compute.remember(context, ("scorers",), lambda: scorers(context.judgments))
    headline(context, "Judges", use_finding(found), of_method=False)
    show_scale(context)
    show_quality(context)


def _words(table: JudgeTable) -> str:
    """Say what the figure shows, and whom it does not."""
    return (DIAMONDS if any(table.flags) else "") + FEW + without_kappa(table)


def _frame(table: JudgeTable) -> pd.DataFrame:
    """Return the table with flags in words, flagged judges first; no column that is all empty."""
    frame = table.to_frame().drop(columns="flags")
    reasons = [", ".join(FLAG_WORDS[flag] for flag in flags) for flags in table.flags]
    frame.insert(1, "flags", reasons)
    frame = frame.sort_values("flags", key=lambda flags: flags == "", kind="stable")
    shares = ["tie_rate", "accuracy", "left_share"]
    frame[shares] = frame[shares].round(2)
    empty = [] if any(table.flags) else ["flags"]
    empty += [name for name in ("inter_comparable", "intra_comparable") if not frame[name].any()]
    return frame.drop(columns=empty).dropna(axis="columns", how="all").reset_index(drop=True)


def _columns(table: JudgeTable) -> dict[str, Any]:
    column = st.column_config
    return {
        "judge": column.TextColumn("Judge"),
        "flags": column.TextColumn("Reason", width=140, help="Explained below the table"),
        "tasks": column.Column("Tasks"),
        "judgments": column.Column("Judgments", help="Identical outputs count once"),
        "tie_rate": column.NumberColumn("Ties", format="percent"),
        "seconds": column.NumberColumn("Seconds", format="%.0f", help="Median of a task"),
        "inter": column.NumberColumn(
            "κ with others",
            format="%.2f",
            help="Agreement beyond chance; see the page Agreement",
        ),
        "inter_comparable": column.Column("compared"),
        "intra": column.NumberColumn("κ with self", format="%.2f"),
        "intra_comparable": column.Column("compared"),
        "accuracy": column.NumberColumn(
            "Follows the rest",
            format="percent",
            help="Share of decided judgments that follow the order by all other judges",
        ),
        "left_share": column.NumberColumn(
            "Prefers first",
            format="percent",
            help="Share of decided judgments that prefer the output displayed first",
        ),
    }


def _explain_flags(table: JudgeTable) -> None:
    with st.expander("What Podium checks", icon=":material/help:"):
        st.markdown(
            "Podium flags a judge with ten or more ranking tasks who\n\n"
            + "\n".join(
                f"- {as_markdown(words)} (*{FLAG_WORDS[flag]}*)" for flag, words in FLAGS.items()
            )
            + "\n\nThe more judges there are, the more evidence a flag needs. Where all judges are "
            "alike, somebody is flagged in 1 to 3% of campaigns; where honest judges differ in "
            "noise, taste and readiness to tie, in up to 10%."
        )


def _offer_to_leave_out(context: ViewContext, table: JudgeTable, below: Sequence[str]) -> None:
    """Say what the standings would be without some judges, and offer to leave them out."""
    judges = leaving_out.choose_judges(context)
    flagged = [name for name, flags in zip(table.judges, table.flags, strict=True) if flags]
    checked = compute.quality_of_judges(context)
    unsure = [] if checked is None else [name for name in checked.unsure if name in table.judges]
    offers = (
        ("flagged", f"Select {count(len(flagged), 'flagged judge')}", flagged, "flag"),
        ("insensitive", f"Select {count(len(below), 'insensitive judge')}", below, "hearing"),
        (
            "quality",
            f"Select {count(len(unsure), 'judge')} who did not clearly see degraded outputs",
            unsure,
            "fact_check",
        ),
    )
    with st.container(horizontal=True, gap="small"):
        for who, words, names, icon in offers:
            if names and not judges:
                st.button(
                    words,
                    key=f"judges.{who}",
                    icon=f":material/{icon}:",
                    on_click=_choose_judges,
                    args=(list(names),),
                )
    if not judges:
        note("Choose judges to see what the standings would be without them.")
        return
    selection = leaving_out.without(context, (), judges)
    before = remembered_quick(context)
    after = remembered_quick(compute.with_selection(context, selection))
    change = describe(before.answer, after.answer, context.name)
    st.markdown(
        f"Without {as_markdown(listed(judges, leaving_out.MOST_NAMED))}: **{as_markdown(change)}** "
        f"(by {as_markdown(context.ranker.title)})."
    )
    note(quick_words(context))
    leaving_out.offer(context, selection)
    page = state.page("what-if")
    if page is not None:
        st.page_link(page, label="See it in What if", icon=":material/tune:")


def _choose_judges(judges: list[str]) -> None:
    state.choose_in_callback(leaving_out.JUDGES, judges)
    leaving_out.ask_in_what_if()
