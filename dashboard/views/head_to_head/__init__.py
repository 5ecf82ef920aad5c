"""Head to head: who beat whom how often, and the judgments behind every cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.campaign import FloatArray
from analysis.comparing.head_to_head import HeadToHead, head_to_head_by
from analysis.drawing.matrix import View, clusters_in_order
from analysis.errors import PodiumError
from analysis.findings import head_to_head as findings
from analysis.findings.head_to_head import equality_sentence
from analysis.findings.result import winner_words
from analysis.findings.standings import own_words
from analysis.ranking.ranking import Ranking
from analysis.ranking.significance import Sides
from analysis.ranking.verdict import FEW_JUDGES, Verdict
from dashboard import compute
from dashboard.figures.scenes import head_to_head_figure
from dashboard.session.state import require_campaign
from dashboard.session.view import ViewContext
from dashboard.views.head_to_head.words import Marks, choose_marks, choose_view, reading, title
from dashboard.widgets.questions import ask_margin, choose_part
from dashboard.widgets.result_card import downloads, headline, note, show_figure, show_ranking
from dashboard.widgets.two_systems import (
    pick_by_click,
    pick_two_systems,
    show_all_pairs,
    show_two_systems,
)

CELL, FIGURE = "cell", "figure.head-to-head"


def show() -> None:
    """Show the table of wins between every two systems."""
    context = require_campaign()
    standings = compute.standings(context)
    if context.judgments.n_systems < 2:
        raise PodiumError("Head to head", "there is only one system", "Exclude fewer systems.")
    top = st.container()
    st.markdown("## Two systems")
    met = _table(context, standings.order, "apart")
    first, second = (met.systems[k] for k in met.first_pair)
    pair = pick_two_systems(context, CELL, standings.ranked_systems, (first, second))
    behind = st.container()
    all_pairs = st.container()
    with st.expander("Options", icon=":material/tune:"):
        margin = 0.0 if context.certainty.is_official else ask_margin(context)
        marks = choose_marks(context)
    with top:
        head = st.empty()
        view = choose_view(context)
        rows = choose_part(len(standings.order))
        look = _Look(view, marks, rows, _asks_for_these_judges(context))
        ranking = show_ranking(
            context, lambda ranking, final: _render(context, ranking, final, look, pair, head)
        )
    table = _table(context, ranking.order, marks)
    verdict = _verdict(context, ranking, look)
    with behind:
        judged = _judged(context, table, verdict, marks, pair)
        if margin and verdict is not None:
            judged.append(equality_sentence(verdict, *pair, margin, context.name))
        show_two_systems(context, table, pair, judged)
    with all_pairs:
        show_all_pairs(context, table, _predicted(context, table), verdict)


@dataclass(frozen=True)
class _Look:
    """What the cells hold, what marks mean and for which judges, and which systems are shown."""

    view: View
    marks: Marks
    rows: slice
    these: bool = False


def _asks_for_these_judges(context: ViewContext) -> bool:
    """Offer the scope of these judges where they are few: other judges then settle little."""
    n = len(set(context.judgments.task_judge.tolist()))
    if context.certainty.is_official or context.certainty.scope != "new":
        return False
    return 1 < n < FEW_JUDGES and st.toggle(
        own_words(context.judgments, f"Significant for these {n} judges, on new segments"),
        key="these-judges",
        bind="query-params",
        persist_state="session",
        help="With so few judges, little is significant for new judges. This shows the result for "
        "these judges only.",
    )


def _verdict(context: ViewContext, ranking: Ranking, look: _Look) -> Verdict | None:
    """Return the verdict for new judges, or that for these few."""
    few = compute.few_judges_of(context, ranking.verdict) if look.these else None
    return ranking.verdict if few is None else few.for_these


def _judged(
    context: ViewContext,
    table: HeadToHead,
    verdict: Verdict | None,
    marks: Marks,
    pair: tuple[str, str],
) -> list[str]:
    """Say whether two systems differ significantly, and what was printed where that is wanted."""
    sentences = []
    if verdict is not None:
        title = context.ranker.title
        sentences.append(findings.pair_sentence(verdict, *pair, title, context.name))
    if marks != "apart" and (printed := findings.sign_test_sentence(table, *pair, context.name)):
        sentences.append(printed)
    return sentences


def _table(context: ViewContext, order: Any, marks: Marks) -> HeadToHead:
    sides: Sides = 1 if marks == "one-sided" else 2
    return compute.remember(
        context,
        ("head to head", context.ranker, tuple(int(k) for k in order), sides),
        lambda: head_to_head_by(compute.standings(context), context.judgments, order, sides),
    )


def _predicted(context: ViewContext, table: HeadToHead) -> FloatArray:
    """Return what the chosen method expects."""
    seed = context.certainty.seed
    preferences = compute.remember(
        context,
        ("preferences", context.ranker, seed),
        lambda: compute.fit(context).preferences(),
    )
    return table.predicted(preferences)


def _render(
    context: ViewContext,
    ranking: Ranking,
    final: bool,
    look: _Look,
    pair: tuple[str, str],
    head: DeltaGenerator,
) -> None:
    view, marks = look.view, look.marks
    table = _table(context, ranking.order, marks)
    predicted = _predicted(context, table)
    shown = _table(context, ranking.order[look.rows], marks)
    verdict = _verdict(context, ranking, look)
    with head.container():
        headline(context, "Head to head", findings.finding(table, verdict, context.name))
        note(winner_words(verdict, context.name))
    figure = compute.drawn(
        context, head_to_head_figure, shown, _predicted(context, shown), view,
        verdict=verdict, chosen=pair, printed=marks != "apart",
        title=title(context, ranking, table, predicted, view, marks),
        clusters=clusters_in_order(ranking.clusters, ranking.order[look.rows]),
    )  # fmt: skip
    clicks: dict[str, Any] = {}
    if final:
        clicks = dict(
            on_select=lambda: pick_by_click(CELL, FIGURE), selection_mode="points", key=FIGURE
        )
    show_figure(figure, **clicks)
    note(reading(context, ranking, view, marks, findings.extreme_words(table, predicted)))
    if final:
        downloads("head-to-head-figure", figure=figure)
