"""Two systems, picked by keyboard, by a click or by a link, and all that is known between them.

Two systems by their scores, on the segments of both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.campaign import FloatArray
from analysis.comparing.head_to_head import HeadToHead
from analysis.comparing.two_systems import (
    judgments_between,
    shared_ratings,
    texts_behind,
    two_means,
)
from analysis.drawing.matrix import CONFIRMED
from analysis.escaping import as_html
from analysis.findings.head_to_head import pair_sentences
from analysis.findings.scored import two_means_sentences
from analysis.findings.standings import own_words
from analysis.ranking.verdict import Verdict
from analysis.reporting.paper_tables import head_to_head_table
from analysis.wording import count
from dashboard import compute
from dashboard.session import address_bar, state
from dashboard.session.view import ViewContext
from dashboard.tables.names import with_p_values, with_short_names
from dashboard.widgets.result_card import (
    downloads,
    highlighted,
    note,
    show_frame,
    show_sentences,
    signature,
)

MOST_ROWS = 9
"""Rows that a table shows at once; it scrolls to the others."""


def table_height(rows: int) -> int:
    """Return the pixels of a table without empty rows."""
    return 35 * (min(rows, MOST_ROWS) + 1) + 2


def pick_two_systems(
    context: ViewContext, key: str, systems: Sequence[str], usual: tuple[str, str] | None = None
) -> tuple[str, str]:
    """Show two boxes to pick a system and its opponent from; the ``usual`` or first two at first.

    The link keeps their places among the sorted names, so that no name stands in it.
    """
    default = usual or (systems[0], systems[1])
    start = linked_pair(context, key) or default
    left, right = st.columns(2)
    first = left.selectbox(
        "System",
        systems,
        index=list(systems).index(start[0]) if start[0] in systems else 0,
        format_func=context.name,
        key=f"{key}.first",
        persist_state="session",
    )
    others = [name for name in systems if name != first]
    second = right.selectbox(
        "Opponent",
        others,
        index=others.index(start[1]) if start[1] in others else 0,
        format_func=context.name,
        key=f"{key}.second",
        persist_state="session",
    )
    chosen = (str(first), str(second))
    link_pair(context, key, None if chosen == default else chosen)
    return chosen


def pick_by_click(key: str, figure_key: str) -> None:
    """Pick the two systems whose cell was clicked; the callback of a figure's selection."""
    for point in state.selected_points(figure_key):
        first, second = point["customdata"][:2]
        if first != second:
            state.choose_in_callback(f"{key}.first", first)
            state.choose_in_callback(f"{key}.second", second)


def show_two_systems(
    context: ViewContext,
    table: HeadToHead,
    pair: tuple[str, str],
    judged: Sequence[str],
) -> None:
    """Show what is ``judged`` of two systems, their numbers, and the judgments behind them."""
    if table.of_ratings:
        _show_ratings(context, pair, judged)
        return
    first, second = pair
    show_sentences([*judged, *pair_sentences(table, first, second, context.name)])
    frame = compute.remember(
        context,
        ("judgments between", first, second),
        lambda: judgments_between(context.judgments, first, second),
    )
    if not len(frame):
        return
    wanted = st.text_input(
        own_words(context.judgments, "Search these judgments"),
        placeholder="an item, a judge, the preferred system, or tie",
        icon=":material/search:",
        key="search.pair",
    )
    text = wanted.strip().casefold()
    columns = [frame[column].str.casefold() for column in ("judge", "preferred")]
    hit = columns[0].str.contains(text, regex=False) | columns[1].str.contains(text, regex=False)
    shown = frame[hit | (frame["segment"].str.casefold() == text)] if text else frame
    if text:
        note(f"{count(len(shown), own_words(context.judgments, 'judgment'))} found")
    if context.judgments.n_judges is None:
        shown = shown.drop(columns="judge")
    named = with_short_names(shown, context.short_names)
    if context.campaign.texts is None:
        show_judgments(named, item=own_words(context.judgments, "Segment"))
    else:
        _show_with_texts(context, named, first, second)
    downloads("judgments-of-two", frame)


def _show_with_texts(context: ViewContext, shown: pd.DataFrame, first: str, second: str) -> None:
    """Show judgments, and beside the one that is ticked what its judge read."""
    key = "judgments.read"
    chosen = show_judgments(shown, key, own_words(context.judgments, "Segment"))
    note("Tick a row to read its source and both outputs.")
    if not chosen or chosen[0] >= len(shown):
        return
    row = int(str(shown.index[chosen[0]]))
    read = texts_behind(context.judgments, first, second, row)
    if read is None:
        note("The file has no texts of this judgment.")
        return
    places = st.columns(3, gap="large")
    titles = ("Source", context.name(first), context.name(second))
    for place, title, text in zip(
        places, titles, (read.source, read.first, read.second), strict=True
    ):
        place.html(
            f'<p class="podium-text"><b>{as_html(title)}</b></p>'
            f'<p class="podium-text">{as_html(text) or "–"}</p>'
        )


def show_judgments(frame: pd.DataFrame, key: str = "", item: str = "Segment") -> list[int]:
    """Show single judgments in a table that scrolls inside itself; return the row that is ticked.

    Rows can be ticked where there is a ``key``.
    """
    ticks: dict[str, Any] = (
        dict(key=key, on_select="rerun", selection_mode="single-row") if key else {}
    )
    column = st.column_config
    event: Any = show_frame(
        frame,
        {
            "segment": column.TextColumn(item, width="small"),
            "judge": column.TextColumn("Judge"),
            "preferred": column.TextColumn("Preferred"),
            "shown_left": column.TextColumn("Shown first"),
            "to": column.TextColumn("To"),
        },
        **ticks,
        height=table_height(len(frame)),
        placeholder="",
    )
    return list(event["selection"]["rows"]) if key else []


def show_all_pairs(
    context: ViewContext, table: HeadToHead, predicted: FloatArray, verdict: Verdict | None
) -> None:
    """Show one line for every ordered pair of systems."""
    st.markdown("## All pairs")
    frame = table.to_frame(verdict)
    if not table.of_ratings and context.ranker.has_chances:
        frame.insert(3, "predicted", predicted[~np.eye(len(table.systems), dtype=bool)])
    percents = {name: 100 * frame[name] for name in ("share", "predicted") if name in frame}
    judged = {"significant", "separate_ranges", "these_judges"}.intersection(frame)
    marks = {name: np.where(frame[name], CONFIRMED, "") for name in judged}
    shown = frame.assign(**percents, **marks)
    won, *counted = ("Rated better", "Better", "Worse", "Same", "Segments")
    if not table.of_ratings:
        won, *counted = ("Won", "Wins", "Losses", "Ties", "Compared")
    column = st.column_config
    show_frame(
        highlighted(
            context,
            with_p_values(with_short_names(shown, context.short_names)),
        ),
        {
            "row": column.TextColumn("System", width=150),
            "column": column.TextColumn("Opponent", width=150),
            "share": column.NumberColumn(won, format="%.0f%%", help="Ties aside"),
            "predicted": column.NumberColumn("Predicted", format="%.0f%%"),
            "difference": column.NumberColumn("Score difference", format="%+.2f"),
            "significant": column.TextColumn("Significant", width="small"),
            "separate_ranges": column.TextColumn("Separate ranges", width=120),
            "these_judges": column.TextColumn(
                "These judges",
                width="small",
                help=own_words(context.judgments, "Significant for these judges on new segments"),
            ),
            "p_adjusted": column.NumberColumn(
                "Adjusted p", help="Of the two scores, adjusted for all pairs"
            ),
            **{
                name: column.NumberColumn(label, width="small", format="localized")
                for name, label in zip(frame.columns[-4:], counted, strict=True)
            },
        },
        height=table_height(len(shown)),
        placeholder="",
    )
    made_by = context.signature if verdict is None else verdict.signature
    signature(made_by)
    ranking, caption = compute.ranking(context), context.caption("Head to head")
    is_own = verdict is ranking.verdict
    paper = head_to_head_table(ranking, context.short_names) if is_own else None
    downloads("head-to-head", frame, caption=caption, made_by=made_by, paper=paper)


def linked_pair(context: ViewContext, key: str) -> tuple[str, str] | None:
    """Return the two systems that the link names by their places among the sorted names."""
    match = re.fullmatch(r"(\d{1,6})-(\d{1,6})", address_bar.from_link(key, context.campaign))
    names = sorted(context.judgments.systems)
    if match is None or max(int(match[1]), int(match[2])) >= len(names):
        return None
    return names[int(match[1])], names[int(match[2])]


def link_pair(context: ViewContext, key: str, pair: tuple[str, str] | None) -> None:
    """Keep two systems in the link, by their places; None for the default."""
    place = {name: k for k, name in enumerate(sorted(context.judgments.systems))}
    address_bar.put_in_link(key, "" if pair is None else f"{place[pair[0]]}-{place[pair[1]]}")


def _show_ratings(context: ViewContext, pair: tuple[str, str], judged: Sequence[str]) -> None:
    """Say what the ratings of two systems show, and show them, segment by segment."""
    judgments = context.judgments
    of_z = compute.standings(context).is_z
    found = compute.remember(
        context, ("two means", pair, of_z), lambda: two_means(judgments, *pair, of_z=of_z)
    )
    lead, *alone = two_means_sentences(found, context.name)
    show_sentences([lead, *judged, *alone])
    frame = shared_ratings(judgments, *pair, of_z=of_z)
    if not len(frame):
        return
    wanted = st.text_input(
        "Search these segments",
        placeholder="a segment",
        icon=":material/search:",
        key="search.pair",
    )
    shown = frame[frame["segment"].str.contains(wanted.strip(), case=False, regex=False)]
    number, digits = st.column_config.NumberColumn, ".2f" if of_z else ".1f"
    show_frame(
        shown,
        {
            "segment": "Segment",
            "document": "Document",
            "rating": number(context.name(pair[0]), format=f"%{digits}"),
            "opponent_rating": number(context.name(pair[1]), format=f"%{digits}"),
            "difference": number("Difference", format=f"%+{digits}"),
        },
        height=table_height(len(shown)),
    )
    downloads("ratings-of-two", frame)
