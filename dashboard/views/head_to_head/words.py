"""What a view of the table of wins shows here, and how to read its cells."""

from __future__ import annotations

from typing import Literal

from analysis.campaign import FloatArray
from analysis.campaign.counts import THIN_PAIR
from analysis.comparing.head_to_head import HeadToHead
from analysis.drawing.matrix import View
from analysis.findings import head_to_head as findings
from analysis.findings.certainty import mark_words
from analysis.ranking.ranking import Ranking
from dashboard.session.view import ViewContext

Marks = Literal["apart", "two-sided", "one-sided"]


def first_view(context: ViewContext) -> View:
    """Return what cells show at first: shares of wins, unless ratings are ranked and pairs are few.

    Shares of few judgments mislead there, since ratings rank the systems.
    """
    of_ratings = context.ranker.needs_scores and context.judgments.counts.are_thin
    return "significance" if of_ratings else "observed"


def title(
    context: ViewContext,
    ranking: Ranking,
    table: HeadToHead,
    predicted: FloatArray,
    view: View,
    marks: Marks,
) -> str:
    """Say what this view shows here."""
    name, method, verdict = context.name, context.ranker.title, ranking.verdict
    if view == "observed":
        return findings.observed_title(table, verdict, name)
    if view == "predicted":
        return findings.predicted_title(table, predicted, method, name)
    if view == "difference":
        return findings.difference_title(table, predicted, method, name)
    if view == "counts":
        return findings.counts_title(table, name)
    return (
        findings.apart_title(table, verdict)
        if marks == "apart"
        else findings.sign_test_title(table)
    )


def reading(context: ViewContext, ranking: Ranking, view: View, marks: Marks) -> str:
    """Say how to read a cell, and how sure its mark is."""
    pale = f"paler if decided fewer than {THIN_PAIR} times"
    mark = f"* p ≤ 0.10, † p ≤ 0.05, ‡ p ≤ 0.01: sign test, {marks}. {findings.SIGN_TEST} "
    if marks == "apart":
        mark = mark_words(ranking)
    read = {
        "observed": f"Blue: the row's system won more than half. {mark}",
        "predicted": "Percent that the row's system should win by the method, ties aside. "
        + _lifted_words(context),
        "difference": (
            "Observed minus predicted, in percentage points; blue where the row's system won "
            f"more often than predicted, {pale}. "
        )
        + _lifted_words(context),
        "counts": "How often the two were compared, ties included. ",
        "significance": (
            "Blue where the row's system is better, orange where it is worse; a dot if not "
            f"significant. {mark}"
        ),
    }[view]
    gray = "where nothing can be said" if view == "significance" else "where nothing was decided"
    return f"{read}Lines separate clusters; gray {gray}. Click a cell for the evidence."


def _lifted_words(context: ViewContext) -> str:
    if context.ranker.has_chances:
        return ""
    return (
        f"{context.ranker.title} has no probabilities. Podium uses only the order of two systems, "
        "so all pairs have one percentage. "
    )
