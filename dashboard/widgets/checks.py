"""What limits a ranking of these judgments, each with its meaning and its remedy."""

from __future__ import annotations

import numpy as np
import streamlit as st

from analysis.escaping import as_html
from analysis.findings.flagged_judges import flagged_judges
from analysis.findings.overview import checks_passed, trust_checks
from analysis.ranking.preflight import SEVERITIES, Finding
from dashboard import compute
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import show_sentences

SIGNS = {True: ("✓", "yes"), False: ("✗", "no"), None: ("?", "unknown")}
AT_ONCE = 4
"""Findings shown before the rest is folded away."""


def show_preflight(context: ViewContext) -> None:
    """Show the pre-flight findings, the gravest first, then the checks that found nothing."""
    found = findings(context)
    if found:
        st.html("".join(_as_html(finding) for finding in found[:AT_ONCE]))
    if len(found) > AT_ONCE:
        with st.expander(f"{len(found) - AT_ONCE} more"):
            st.html("".join(_as_html(finding) for finding in found[AT_ONCE:]))
    passed = checks_passed(
        context.judgments,
        found,
        compute.agreement_to_trust(context),
        by_scores=context.ranker.needs_scores,
    )
    if passed:
        st.markdown("**Checks passed**" if found else "**All checks passed**")
        show_sentences(passed)


def show_trust(context: ViewContext) -> None:
    """Show in a line whether the three checks that matter most passed."""
    checks = trust_checks(
        context.judgments,
        compute.preflight_findings(context),
        compute.agreement_to_trust(context),
        by_scores=context.ranker.needs_scores,
    )
    shown = "".join(
        f'<span class="podium-{SIGNS[check.passed][1]}" title="{as_html(check.words)}">'
        f"<b>{SIGNS[check.passed][0]}</b> {as_html(check.title)}: {SIGNS[check.passed][1]}</span>"
        for check in checks
    )
    if checks:
        st.html(f'<p class="podium-trust">{shown}</p>')


def findings(context: ViewContext) -> tuple[Finding, ...]:
    """Return all that limits this ranking: of the judgments, the method, and the judges."""
    found = [
        *compute.preflight_findings(context),
        *compute.heavy_pairs(context),
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
