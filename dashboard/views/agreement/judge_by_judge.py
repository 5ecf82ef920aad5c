"""Judge by judge: who deserves a look, and what the result would be without them."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from analysis.campaign import Judgments
from analysis.escaping import as_markdown
from analysis.findings.changes import describe
from analysis.findings.judges import (
    figure_title,
    judge_sentences,
    judges_finding,
    ties_heading,
    without_kappa,
)
from analysis.judges.judge_table import JudgeTable
from analysis.judges.judge_verdicts import QUIET, VERDICT_OF_FLAG, VERDICT_WORDS
from analysis.ranking.preflight import dominant_judge
from analysis.wording import count, listed, percent, thousands
from dashboard import compute
from dashboard.compute.rankings import quick_words, remembered_quick
from dashboard.figures.judges import judges_figure
from dashboard.session import state
from dashboard.session.view import ViewContext
from dashboard.tables.judgments import counted_column
from dashboard.views.agreement.quality import show_quality
from dashboard.views.agreement.ratings import WHOLE as SCALE_WHOLE
from dashboard.views.agreement.ratings import scale_columns, show_scale
from dashboard.widgets import questions
from dashboard.widgets.result_card import note, result_card, show_sentences, warn

MOST_SENTENCES = 8
WHOLE = (*SCALE_WHOLE, "tasks", "judgments", "inter_comparable", "intra_comparable")
DIAMONDS = "Diamonds: judges whose work needs a check. "
HOLLOW = "Hollow: judges who cannot be checked. "
FEW = "Kappa varies widely with few judgments. "


def show_judges(context: ViewContext, *, is_told: bool = False) -> None:
    """Show every judge's work and what leaving one out would change.

    ``is_told`` if the page's headline is the finding already.
    """
    table = compute.judge_by_judge(context)
    if not is_told:
        st.markdown(f"**{as_markdown(judges_finding(table))}**")
    _name_dominant(context)
    usual = compute.agreement_of_judges(context).strict.inter.kappa
    show_sentences(judge_sentences(table)[:MOST_SENTENCES])
    scale = show_scale(context)
    is_known, frame = table.has_kappas, _frame(table)
    if scale is not None:
        frame = _with_scale(frame, scale)
    result_card(
        context,
        "judges",
        figure=compute.drawn(context, judges_figure, table, usual, title=figure_title(table))
        if is_known
        else None,
        frame=frame,
        columns={**scale_columns(), **_columns(compute.judged_pairs(context))},
        formats={name: lambda number: thousands(int(number)) for name in WHOLE if name in frame},
        words=_words(table) if is_known else "",
        made_by=str(compute.judged_pairs(context).provenance),
    )
    _explain_flags(table)
    show_quality(context)
    _offer_to_leave_out(context, table)


def _name_dominant(context: ViewContext) -> None:
    """Name a judge who gave most of the judgments, and offer the result without them."""
    found = dominant_judge(context.judgments)
    if found is None:
        return
    judge, share = found
    warn(f"{judge} gave {percent(share)} of the judgments: check the result without them.")
    st.button(
        "Select this judge",
        key="judges.dominant",
        icon=":material/flag:",
        on_click=_choose_judges,
        args=([judge],),
    )


def _words(table: JudgeTable) -> str:
    """Say what the figure shows, and whom it does not."""
    drawn = zip(table.verdicts, pd.isna(table.inter), strict=True)
    hollow = any(verdict.name == "unknown" and not missing for verdict, missing in drawn)
    return DIAMONDS * bool(table.noticed) + HOLLOW * hollow + FEW + without_kappa(table)


def _frame(table: JudgeTable) -> pd.DataFrame:
    """Return the table, judges to look at first; no column that is all empty."""
    frame = table.to_frame().drop(columns=["flags", "verdict"])
    frame.insert(1, "verdict", [VERDICT_WORDS[verdict.name] for verdict in table.verdicts])
    frame.insert(2, "reason", frame.pop("reason"))
    quiet = [(v.name in QUIET) + (v.name in QUIET and v.name != "low") for v in table.verdicts]
    frame = frame.iloc[sorted(range(len(frame)), key=quiet.__getitem__)]
    shares = ["tie_rate", "accuracy", "left_share"]
    frame[shares] = frame[shares].round(2)
    empty = [name for name in ("inter_comparable", "intra_comparable") if not frame[name].any()]
    return frame.drop(columns=empty).dropna(axis="columns", how="all").reset_index(drop=True)


def _with_scale(frame: pd.DataFrame, scale: pd.DataFrame) -> pd.DataFrame:
    """Put how judges rated before what follows from their ratings; every rater has a row."""
    rated = frame.drop(columns=["tasks", "seconds"], errors="ignore")
    both = rated[["judge", "verdict", "reason"]].merge(scale, on="judge", how="left")
    both = both.merge(rated.drop(columns=["verdict", "reason"]), on="judge", how="left")
    others = scale[~scale["judge"].isin(both["judge"])]
    return both if others.empty else pd.concat([both, others], ignore_index=True)


def _columns(judgments: Judgments) -> dict[str, Any]:
    column = st.column_config
    return {
        "judge": column.TextColumn("Judge"),
        "verdict": column.TextColumn("Check", width=170, help="Explained below the table"),
        "reason": column.TextColumn("Reason", width=520),
        "tasks": column.Column("Tasks"),
        "judgments": counted_column(judgments),
        "tie_rate": column.NumberColumn("Ties", format="percent", help=ties_heading(judgments)),
        "seconds": column.NumberColumn(
            "Seconds", format="%.0f", help="Median of a task or a rating"
        ),
        "inter": column.NumberColumn(
            "κ with others",
            format="%.2f",
            help="Agreement beyond chance; see the page Agreement",
        ),
        "inter_comparable": column.Column("Comparisons with others"),
        "intra": column.NumberColumn("κ with self", format="%.2f"),
        "intra_comparable": column.Column("Own comparisons"),
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
    with st.expander("How Podium checks judges", icon=":material/help:"):
        st.markdown(
            "Podium checks each judge with ten tasks and thirty comparisons with others. The "
            "verdict is the first of these that applies:\n\n"
            + "\n".join(
                f"- *{VERDICT_WORDS[verdict.name]}*: {as_markdown(verdict.reason)}"
                for verdict in VERDICT_OF_FLAG.values()
            )
            + (
                "\n\nThe more judges there are, the more evidence a verdict needs. If all judges "
                "are equally good, one is flagged in 1 to 3% of campaigns; if honest judges "
                "differ in noise, taste and readiness to tie, in up to 10%. *Mostly one rating* "
                "describes ratings and is not such a test."
            )
        )


def _offer_to_leave_out(context: ViewContext, table: JudgeTable) -> None:
    """Say what the standings would be without some judges, and offer to leave them out."""
    judges = questions.choose_judges(context)
    careless = [
        name
        for name, verdict in zip(table.judges, table.verdicts, strict=True)
        if verdict.name not in (*QUIET, "disagrees")
    ]
    but = ", without those who merely disagree"
    offers = (
        ("flagged", f"Select {count(len(table.noticed), 'judge')} to check", table.noticed),
        ("careless", f"Select {count(len(careless), 'judge')}{but}", careless),
    )
    with st.container(horizontal=True, gap="small"):
        for who, words, names in offers:
            if names and not judges and (who == "flagged" or len(names) < len(table.noticed)):
                st.button(
                    words,
                    key=f"judges.{who}",
                    icon=":material/flag:",
                    on_click=_choose_judges,
                    args=(list(names),),
                )
    if not judges:
        note("Choose judges to see the standings without them.")
        return
    selection = questions.without(context, (), judges)
    before = remembered_quick(context)
    after = remembered_quick(compute.with_selection(context, selection))
    change = describe(before.answer, after.answer, context.name)
    st.markdown(
        f"Without {as_markdown(listed(judges, questions.MOST_NAMED))}: **{as_markdown(change)}** "
        f"(by {as_markdown(context.ranker.title)})."
    )
    note(quick_words(context))
    questions.offer(context, selection)
    page = state.page("what-if")
    if page is not None:
        st.page_link(page, label="See it in What if", icon=":material/tune:")


def _choose_judges(judges: list[str]) -> None:
    state.choose_in_callback(questions.JUDGES, judges)
    questions.ask_in_what_if()
