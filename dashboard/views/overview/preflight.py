"""What limits a ranking of these judgments, each with its meaning and its remedy."""

from __future__ import annotations

import streamlit as st

from analysis.ranking.preflight import Finding
from dashboard import compute
from dashboard.session.view import ViewContext
from dashboard.typography import as_html

AT_ONCE = 4
"""Findings shown before the rest is folded away."""


def show_preflight(context: ViewContext) -> None:
    """Show the pre-flight findings, the gravest first."""
    found = compute.preflight_findings(context)
    if not found:
        st.markdown(
            "Nothing stands against a ranking: all systems are connected, each has enough "
            "judgments, and no judge, copy or segment weighs too much."
        )
        return
    st.html("".join(_as_html(finding) for finding in found[:AT_ONCE]))
    if len(found) > AT_ONCE:
        with st.expander(f"{len(found) - AT_ONCE} more"):
            st.html("".join(_as_html(finding) for finding in found[AT_ONCE:]))


def _as_html(finding: Finding) -> str:
    return (
        f'<div class="podium-finding podium-{finding.severity}">'
        f"<small>{finding.severity.capitalize()}</small>"
        f"<p><b>{as_html(finding.finding)}</b></p>"
        f"<p>{as_html(finding.meaning)}</p><p>{as_html(finding.remedy)}</p></div>"
    )
