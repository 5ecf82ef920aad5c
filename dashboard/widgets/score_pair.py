"""Two systems by their scores, on the segments of both."""

from __future__ import annotations

from analysis.comparing.two_means import two_means
from analysis.findings.scored import two_means_sentences
from dashboard import compute
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import show_sentences


def show_two_means(context: ViewContext, pair: tuple[str, str]) -> None:
    """Say what the scores of two systems show; nothing where judges ranked."""
    judgments = context.judgments
    if judgments.scores is None:
        return
    found = compute.remember(context, ("two means", pair), lambda: two_means(judgments, *pair))
    show_sentences(two_means_sentences(found, context.name))
