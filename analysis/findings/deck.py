"""What the slides of a meeting say, one message each."""

from __future__ import annotations

from analysis.campaign import Judgments
from analysis.findings.changes import Answer
from analysis.findings.evidence import evidence, evidence_size
from analysis.wording import count, percent


def data_title(judgments: Judgments) -> str:
    """Say what there is to go on: "12 345 judgments by 30 judges compare 7 systems"."""
    by = "" if judgments.n_judges is None else f" by {count(judgments.n_judges, 'judge')}"
    verb = "compares" if evidence_size(judgments) == 1 else "compare"
    return f"{evidence(judgments)}{by} {verb} {count(judgments.n_systems, 'system')}"


def radius_title(radius: float, after: Answer) -> str:
    """Say how many tie groups a radius leaves."""
    n = after.n_levels or 0
    gaps = f"gaps up to {radius:g}" if radius else "only equal scores"
    return f"If {gaps} count as ties, there {'is' if n == 1 else 'are'} {count(n, after.part)}"


def radius_line(before: Answer, after: Answer, right: float, ties: float) -> str:
    """Say what changes against the tuned radius, and how well the radius predicts."""
    same = before.n_levels == after.n_levels
    change = (
        "" if same else f"{count(before.n_levels or 0, before.part)} at the radius that fits best. "
    )
    return (
        f"{change}Predicts {percent(right)} of these judgments correctly, {percent(ties)} as ties."
    )
