"""Agreement: do judges agree with each other and with themselves, and which judge stands out?"""

from __future__ import annotations

import streamlit as st

from analysis.findings.judges import judges_finding
from analysis.findings.scored import use_finding, use_sentences
from analysis.judges.history import headline as finding
from analysis.judges.scorers import scorers
from dashboard import compute
from dashboard.registry import sections
from dashboard.session.state import require_campaign
from dashboard.session.view import ViewContext
from dashboard.views.agreement.judge_by_judge import show_judges
from dashboard.views.agreement.judge_pairs import show_judge_pairs
from dashboard.views.agreement.kappa import (
    KAPPA,
    choose_identical,
    show_finding,
    show_other_measures,
    show_pairs,
)
from dashboard.views.agreement.quality import show_quality
from dashboard.views.agreement.ratings import show_scale, show_score_agreement
from dashboard.widgets.result_card import headline, note, show_sentences


def show() -> None:
    """Show agreement, then judge by judge, then what extras know of other judges."""
    context = require_campaign()
    others = [section for section in sections("agreement") if section.is_shown(context)]
    if context.judgments.n_judges is not None:
        _show_people(context)
    elif not others:
        headline(context, "Agreement", "The file does not name its judges", of_method=False)
        note("Upload a file with a column of judges to see their agreement.")
    for section in others:
        section.show(context)


def _show_people(context: ViewContext) -> None:
    has_scores, is_told = context.judgments.scores is not None, False
    if has_scores:
        table = compute.judge_by_judge(context) if len(context.judgments) else None
        said = "" if table is None else judges_finding(table)
        is_told = not show_score_agreement(context, said) and bool(said)
    if not len(context.judgments):
        st.markdown("## Judge by judge")
        found = compute.remember(context, ("scorers",), lambda: scorers(context.judgments))
        note(f"{use_finding(found)}.")
        show_sentences(use_sentences(found))
        show_scale(context, with_table=True)
        show_quality(context)
        return
    kappas = compute.agreement_of_judges(context)
    if kappas.is_known:
        _show_kappa(context)
    elif not has_scores:
        headline(context, "Agreement", finding(kappas), of_method=False)
    st.markdown("## Judge by judge")
    show_judges(context, is_told=is_told)


def _show_kappa(context: ViewContext) -> None:
    """Show κ in words and among published ones; more of it folded away."""
    top = st.container()
    identical = choose_identical(context)
    with top:
        show_finding(context, identical)
    with st.expander("The meaning of kappa", icon=":material/help:"):
        st.markdown(KAPPA)
    several = len(context.campaign.pairs) > 1
    table = "Agreement in every language pair" if several else "Agreement as a table"
    for key, title, show_more in (
        ("pair", table, lambda: show_pairs(context, identical, st.empty())),
        (
            "agreement",
            "Other measures of agreement",
            lambda: show_other_measures(context, identical),
        ),
        ("judges", "Agreement of every two judges", lambda: show_judge_pairs(context)),
    ):
        folded = st.expander(title, key=f"agreement.{key}", bind="query-params")
        with folded:
            if folded.open:
                show_more()
