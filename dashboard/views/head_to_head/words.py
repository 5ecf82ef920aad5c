"""Which view of the table of wins is shown, what it shows here, and how to read its cells."""

from __future__ import annotations

from typing import Literal

from analysis.campaign import FloatArray
from analysis.campaign.counts import THIN_PAIR
from analysis.comparing.head_to_head import HeadToHead
from analysis.drawing.matrix import View
from analysis.escaping import as_markdown
from analysis.findings import head_to_head as findings
from analysis.findings.certainty import mark_words
from analysis.findings.standings import own_words
from analysis.ranking.ranking import Ranking
from dashboard.session.view import ViewContext
from dashboard.widgets.questions import choose

Marks = Literal["apart", "two-sided", "one-sided"]

MARKS: dict[Marks, str] = {
    "apart": "{apart}",
    "two-sided": "WMT14's sign test",
    "one-sided": "WMT14's sign test, one-sided",
}
VIEWS: dict[View, str] = {
    "observed": "Observed",
    "predicted": "Predicted",
    "difference": "Difference",
    "counts": "Judgments",
    "significance": "{apart}",
}
OF_RATINGS: dict[View, str] = {
    "observed": "Rated better",
    "counts": "Segments",
    "significance": "{apart}",
}
OF_CHANCES = ("predicted", "difference")
"""What cells can show, of judgments of pairs, and of ratings; what needs a method's chances."""


def _apart_word(context: ViewContext) -> str:
    """Return what pairs of systems are called that differ by the rule in use."""
    return "Separate ranges" if context.certainty.is_official else "Significant"


def choose_marks(context: ViewContext) -> Marks:
    """Ask for the test behind the marks; that of WMT14 needs judgments of pairs."""
    if context.ranker.needs_scores:
        return "apart"
    apart = _apart_word(context)
    rule = (
        "the rank ranges of the two do not overlap"
        if context.certainty.is_official
        else "a test of scores from all judgments, for all pairs together"
    )
    return choose(
        "Marks",
        MARKS,
        "marks",
        default="apart",
        format_func=lambda marks: MARKS[marks].format(apart=apart),
        help=(
            f"“{apart}” means the same on all pages: {rule}. WMT14 used a sign test of each pair "
            "(* p ≤ 0.10, † p ≤ 0.05, ‡ p ≤ 0.01), two-sided or one-sided. "
            f"{as_markdown(findings.SIGN_TEST)}"
        ),
    )


def choose_view(context: ViewContext) -> View:
    """Ask for the numbers in the cells."""
    views, key, apart = VIEWS, "cells", _apart_word(context)
    if context.ranker.needs_scores:
        views, key = OF_RATINGS, "cells.ratings"
    elif not context.ranker.has_chances:
        views, key = {one: VIEWS[one] for one in VIEWS if one not in OF_CHANCES}, "cells.observed"
    labels = {
        one: own_words(context.judgments, words.format(apart=apart)) for one, words in views.items()
    }
    return choose(
        "Cells show",
        views,
        key,
        default="observed",
        format_func=labels.__getitem__,
        label_visibility="collapsed",
    )


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


def reading(
    context: ViewContext, ranking: Ranking, view: View, marks: Marks, extreme: str = ""
) -> str:
    """Say how to read a cell, what its mark is worth, or that predictions are too ``extreme``."""
    of_ratings = context.ranker.needs_scores
    pale = f"paler if decided fewer than {THIN_PAIR} times"
    mark = f"* p ≤ 0.10, † p ≤ 0.05, ‡ p ≤ 0.01: sign test, {marks}. {findings.SIGN_TEST} "
    if marks == "apart":
        mark = mark_words(ranking, of_ratings=of_ratings)
    won = (
        "was rated better on more than half of the segments where the ratings differ"
        if of_ratings
        else "won more than half"
    )
    read = {
        "observed": f"Blue: the row's system {won}. {mark}",
        "predicted": "Percent that the row's system should win by the method, ties aside. "
        + extreme,
        "difference": (
            "Observed minus predicted, in percentage points; blue where the row's system won "
            f"more often than predicted, {pale}. "
        ),
        "counts": "",
        "significance": f"Blue where the row's system is better, orange where it is worse. {mark}",
    }[view]
    return f"{read}Lines separate clusters. Click a cell for the evidence."
