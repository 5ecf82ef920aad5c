"""What if small differences did not matter: which systems are practically equal?"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.escaping import as_markdown
from analysis.findings.head_to_head import cheapest_sentence, equality_headline
from analysis.findings.result import winner_words
from analysis.ranking.equivalence import cheapest_not_worse, costs_of, equal_within
from analysis.ranking.verdict import Verdict
from analysis.wording import as_score, p_number
from dashboard import compute
from dashboard.session.view import ViewContext
from dashboard.widgets.progress import progress_in
from dashboard.widgets.questions import ask_margin, usual_margin
from dashboard.widgets.result_card import headline, note, result_card
from dashboard.widgets.settings_form import offer_recommended

VERDICTS = {
    "equal": "practically equal", "open": "not separated", "better": "significantly better",
}  # fmt: skip
"""Verdicts in words, what answers the question first."""


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask for the margin; show which pairs differ, are practically equal or not separated."""
    bar = st.empty()
    verdict = compute.verdict(context, progress_in(bar, "Resampling", of=context.certainty.runs))
    bar.empty()
    if verdict.is_official:
        with head.container():
            headline(
                context, "What if", "Practical equality is not defined by the official procedure"
            )
        offer_recommended(context, "Practical equality")
        return
    usual = usual_margin(verdict)
    margin = ask_margin(context, usual)
    whence = ", a twentieth of the distance from best to worst" if margin == usual else ""
    frame = equal_within(verdict, margin).sort_values(
        "verdict", key=lambda column: column.map(list(VERDICTS).index), kind="stable"
    )
    with head.container():
        headline(context, "What if", equality_headline(frame, margin))
        note(winner_words(verdict, context.name))
    _show_costs(context, verdict, margin)
    number = st.column_config.NumberColumn
    shown = ["a", "b", "difference", "ci_low", "ci_high", "p_adjusted", "verdict"]
    result_card(
        context,
        "what-if-equal",
        frame=frame[shown],
        formats=dict.fromkeys(("difference", "ci_low", "ci_high"), as_score(verdict.scores))
        | {"p_adjusted": p_number, "verdict": lambda verdict: VERDICTS[str(verdict)]},
        columns={
            "a": "System",
            "b": "Opponent",
            "difference": number("Difference"),
            "ci_low": number(f"{verdict.level:.0%} CI from"),
            "ci_high": number("to"),
            "p_adjusted": "Adjusted p",
            "verdict": "Verdict",
        },
        words=f"Practically equal: the {verdict.level:.0%} CI lies within ±{margin:.3g}{whence}. "
        "Intervals are valid for all pairs together; the test (Holm) can settle a pair "
        "whose interval just contains 0.",
        made_by=f"{verdict.signature}|equal-within:{margin:.3g}",
    )


def _show_costs(context: ViewContext, verdict: Verdict, margin: float) -> None:
    """Name the cheapest system that is good enough, where the data have what systems cost."""
    known = [
        one.name
        for one in context.campaign.attributes
        if one.about == "system" and one.is_number
    ]  # fmt: skip
    if not known:
        return
    column = st.selectbox("Costs per system", known, key="equal.cost", width=320)
    costs = costs_of(context.judgments, str(column))
    best = cheapest_not_worse(verdict, margin, costs)
    st.markdown(as_markdown(cheapest_sentence(best, margin, context.name)))
