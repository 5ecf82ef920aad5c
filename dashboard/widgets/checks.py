"""What limits a ranking of these judgments, each with its meaning and its remedy."""

from __future__ import annotations

import numpy as np
import streamlit as st

from analysis.escaping import as_html
from analysis.findings.judges import flagged_judges
from analysis.findings.overview import caution_words, checks_passed, trust_state
from analysis.ranking.comparison_checks import SEVERITIES, Finding
from dashboard import compute
from dashboard.session import state
from dashboard.session.view import ViewContext
from dashboard.widgets.leaving_out import QUESTION
from dashboard.widgets.result_card import show_sentences

AT_ONCE = 4
"""Findings shown before the rest is folded away."""


def show_checks(context: ViewContext) -> None:
    """Fold what limits this ranking under how many checks passed, whose state is visible."""
    found = findings(context)
    passed = checks_passed(
        context.judgments,
        found,
        compute.agreement_to_trust(context),
        by_scores=context.ranker.needs_scores,
        more=[said for said in compute.extra_checks(context) if isinstance(said, str)],
    )
    state = trust_state(passed, found)
    with st.expander(f"Before you trust it: {state}", icon=":material/verified_user:"):
        _show_findings(found, passed)


def show_gravest(context: ViewContext) -> None:
    """Show the gravest problem or warning in a line; copies have a notice with a button."""
    found = compute.gravest_of(context)
    if found is not None and found.kind != "duplicates":
        words = as_html(caution_words(found))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(f'<div class="podium-finding podium-{found.severity}"><p>{words}</p></div>')
            _offer_room(found, "gravest")


def _show_findings(found: tuple[Finding, ...], passed: tuple[str, ...]) -> None:
    """Show the findings, the gravest first, then the checks that found nothing."""
    _show_each(found[:AT_ONCE])
    if len(found) > AT_ONCE:
        with st.expander(f"{len(found) - AT_ONCE} more"):
            _show_each(found[AT_ONCE:])
    if passed:
        st.markdown("**Checks passed**" if found else "**All checks passed**")
        show_sentences(passed)


def _show_each(found: tuple[Finding, ...]) -> None:
    for finding in found:
        st.html(_as_html(finding))
        _offer_room(finding, "check")


def _offer_room(finding: Finding, place: str) -> None:
    """Offer to open the page that shows more of a finding, if there is one."""
    page = state.page(finding.room)
    if page is not None and finding.question:
        st.button(
            f"Open {finding.question}", key=f"{place}.{finding.kind}",
            on_click=_ask, args=(finding.room, finding.question),
        )  # fmt: skip
    elif page is not None:  # which may be unlisted, where only a link leads
        st.page_link(page, label=f"Open {page.title}")


def _ask(room: str, question: str) -> None:
    state.choose_in_callback(QUESTION, question)
    state.want_page(room)


def findings(context: ViewContext) -> tuple[Finding, ...]:
    """Return all that limits this ranking: of the judgments, the method, and the judges."""
    found = [
        *compute.preflight_findings(context),
        *compute.limits_by_method(context),
        *_flagged_judges(context),
    ]
    return tuple(sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)))


def _flagged_judges(context: ViewContext) -> tuple[Finding, ...]:
    """Return a finding where the page Judges flags somebody."""
    if len(np.unique(context.judgments.task_judge)) < 2:
        return ()
    return flagged_judges(compute.judge_by_judge(context))


def _as_html(finding: Finding) -> str:
    return (
        f'<div class="podium-finding podium-{finding.severity}">'
        f"<small>{finding.severity.capitalize()}</small>"
        f"<p><b>{as_html(finding.finding)}</b></p>"
        f"<p>{as_html(finding.meaning)}</p><p>{as_html(finding.remedy)}</p></div>"
    )
