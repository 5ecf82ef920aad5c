"""Data: what was read, what is odd, and what of it counts."""

from __future__ import annotations

from typing import Any

import streamlit as st

from analysis.escaping import as_markdown
from analysis.findings.scored import scores_sentence
from analysis.findings.standings import evidence_noun, own_words
from analysis.formats.shares import shares_frame
from analysis.provenance import Provenance
from analysis.reporting.pair_tables import both_bad_frame
from analysis.wording import capital, count, thousands
from dashboard import compute
from dashboard.compute.contexts import is_example
from dashboard.figures.scenes import compared_range, counts_figure
from dashboard.registry import sections
from dashboard.session import state
from dashboard.session.state import require_campaign
from dashboard.session.view import ViewContext
from dashboard.tables.judgments import SHARES, judgment_table, score_table
from dashboard.tables.names import with_short_names
from dashboard.views.data.filters import show_filters
from dashboard.widgets.facts import campaign_facts
from dashboard.widgets.notices import show_notices
from dashboard.widgets.questions import choose_part
from dashboard.widgets.result_card import (
    downloads,
    headline,
    highlighted,
    note,
    result_card,
    show_frame,
    show_sentences,
)
from dashboard.widgets.uploader import open_session, show_uploader

MOST_ROWS = 20_000


def show() -> None:
    """Show the campaign's data."""
    context = require_campaign()
    headline(context, "Data", _sentence(context), of_method=False)
    campaign_facts(context)
    show_notices(context)
    left, right = st.columns(2, gap="large")
    below = st.container()
    with left:
        st.markdown("## Your own files")
        show_uploader(below)
    with right:
        st.markdown("## What was read")
        _show_report(context)
    is_open = bool(state.held(state.PANEL_OF_DATA))
    brought = list(sections("data"))
    title = ", ".join(["Session", *(section.LABEL for section in brought)])
    with st.expander(title, is_open, icon=":material/attach_file:"):
        open_session()
        for section in brought:
            section.show(context)
    st.markdown("## Filters")
    show_filters(context)
    if context.ranker.needs_scores or not len(context.judgments):
        _show_scores(context)
        return
    st.markdown(own_words(context.judgments, "## Judgments of each pair of systems"))
    _show_counts(context)
    _show_both_bad(context)
    st.markdown(own_words(context.judgments, "## The judgments themselves"))
    _show_judgments(context)


def _sentence(context: ViewContext) -> str:
    judgments = context.judgments
    if judgments.scores is not None:
        return scores_sentence(judgments)
    low, high = compared_range(judgments.counts.compared)
    times = thousands(low) if low == high else f"{thousands(low)} to {thousands(high)}"
    met = f"every pair of systems was compared {times} time{'s' * (high != 1)}"
    if low == 0:
        met = "some pairs of systems never met"
    if judgments.are_votes:
        return f"{count(len(judgments), 'vote')}; {met}"
    tasks = count(judgments.n_tasks, "ranking task")
    return f"{count(len(judgments), 'judgment')} from {tasks}; {met}"


def _show_report(context: ViewContext) -> None:
    st.markdown(f"**{as_markdown(context.label)}**")
    if is_example(context.campaign):
        st.markdown("This example is made up. It has metrics and other scores.")
        return
    if context.report is None:
        drawn = (
            "Podium simulates its judgments so that the published head-to-head table, agreement "
            "and ties are reproduced. The systems are real; the single judgments are not."
        )
        real = "Its systems and its judgments are real, as they were published."
        st.markdown(f"This sample needs no download. {drawn if context.is_drawn else real}")
        return
    show_sentences(context.report.sentences())
    with st.expander("Numbers by file and language pair, to check against your own"):
        counts = ("judgments", "judges", "systems", "skipped", "left_out")
        hidden = {"file"} if len(context.report.files) == 1 else set()
        if context.judgments.n_judges is None:
            hidden.add("judges")
        noun = evidence_noun(context.judgments)
        named = {"judgments": f"{capital(noun)}s"} if noun != "judgment" else {}
        numbers: dict[str, Any] = dict.fromkeys(counts, thousands)
        show_frame(
            shares_frame(context.report.shares).style.format(numbers),
            SHARES | named,
            column_order=[name for name in SHARES if name not in hidden],
        )


def _show_counts(context: ViewContext) -> None:
    order = compute.standings(context).order
    order = order[choose_part(len(order))]
    systems = [context.judgments.systems[k] for k in order]
    compared = context.judgments.counts.compared[order][:, order]
    figure = compute.drawn(context, counts_figure, compared, systems)
    result_card(
        context,
        "judgments-per-pair",
        figure=figure,
        words="Systems are in standings order."
        + " Gray: never compared." * bool((compared == 0).sum() > len(systems)),
        made_by=str(Provenance(pair=context.pair, data=context.campaign.fingerprint)),
    )


def _show_both_bad(context: ViewContext) -> None:
    """Show how often judges found both outputs bad, where their votes tell that from a tie."""
    frame = both_bad_frame(context.judgments)
    if frame is None:
        return
    st.markdown("## “Both bad” votes")
    note("Rankings count such a vote as a tie, unless a filter drops it.")
    numbers: dict[str, Any] = {"votes": thousands, "both_bad": thousands, "share": "{:.0%}"}
    st.dataframe(
        highlighted(context, with_short_names(frame, context.short_names).style.format(numbers)),
        hide_index=True,
        column_config={
            "system": "System",
            "votes": "Votes",
            "both_bad": "Both bad",
            "share": "Share of its votes",
        },
    )
    downloads("both-bad", frame)


def _show_scores(context: ViewContext) -> None:
    """Show the scores one by one, where they rank the systems."""
    frame = compute.remember(context, ("scores",), lambda: score_table(context.judgments))
    if not frame.empty:
        st.markdown("## The scores themselves")
        show_frame(frame[:MOST_ROWS], height=380)
        downloads("scores", frame)


def _show_judgments(context: ViewContext) -> None:
    wanted = st.text_input(
        "Search",
        placeholder=own_words(context.judgments, "a system, a judge or a segment"),
        icon=":material/search:",
        key="search",
    )
    frame, found = judgment_table(context.judgments, wanted, MOST_ROWS)
    note(
        f"{count(found, own_words(context.judgments, 'judgment'))} found"
        + (f", the first {thousands(MOST_ROWS)} shown; the CSV has all" * (found > MOST_ROWS))
    )
    judgments = context.judgments
    shown = frame if judgments.n_judges is not None else frame.drop(columns="judge")
    named = {str(name): own_words(judgments, capital(str(name))) for name in shown.columns}
    heads: dict[str, Any] = dict(named)
    show_frame(
        with_short_names(shown, context.short_names),
        heads | {"segment": st.column_config.TextColumn(named["segment"], width="small")},
        height=380,
    )
    downloads("judgments", lambda: judgment_table(judgments, wanted, len(judgments))[0])
