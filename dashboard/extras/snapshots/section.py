"""Before and after: what moved between two states of a campaign, and what of it may be noise."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.comparing.what_if import task_shares
from analysis.drawing.answers import boundaries_gone, sides_off
from analysis.drawing.rows import far_off_words
from analysis.errors import PodiumError
from analysis.extras.snapshots.findings import meaning, states_headline, states_sentences
from analysis.extras.snapshots.snapshots import States, compare_states, verdict_of
from analysis.findings.changes import changes_frame
from analysis.findings.head_to_head import differ
from analysis.findings.standings import own_words
from analysis.provenance import Provenance
from analysis.wording import listed, percent
from dashboard import compute
from dashboard.compute.uploads import of_file
from dashboard.figures.scenes import answer_figure
from dashboard.session.view import ViewContext
from dashboard.tables.names import place_columns, place_formats, with_p_values, with_short_names
from dashboard.widgets.progress import progress_in
from dashboard.widgets.questions import choose, choose_axis, choose_part
from dashboard.widgets.result_card import (
    downloads,
    explain,
    headline,
    note,
    result_card,
    show_frame,
    show_sentences,
)

CHANGES = {
    "change": st.column_config.TextColumn("Change", width="large"),
    "upper": st.column_config.TextColumn("Above now"),
    "lower": st.column_config.TextColumn("Below now"),
    "adjusted_p_before": st.column_config.NumberColumn(
        "Adjusted p, before", help="Of the difference, adjusted for all pairs"
    ),
    "adjusted_p_after": st.column_config.NumberColumn("now"),
}


def changed_pairs(states: States) -> pd.DataFrame:
    """Return the pairs that changed, the kind of change in words after their names."""
    frame, words = states.to_frame(), meaning(states)
    frame.insert(2, "change", [words[str(kind)] for kind in frame.pop("change")])
    return frame


EARLY, JUDGES, FILE = "The first part of the tasks", "Without some judges", "Another file"
HALF = 0.5
HELP = (
    "The snapshot that the campaign in the sidebar is compared with. The first part follows the "
    "order of the file."
)


TITLE = "Before and after"


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Compare the view with an earlier or another snapshot of it."""
    controls = st.container()
    with controls:
        named = () if context.judgments.n_judges is None else (JUDGES,)
        asked = (EARLY, *named, FILE)
        shown = {one: own_words(context.judgments, one, context.ranker.name) for one in asked}
        question = choose("Compare with", asked, "state", format_func=shown.__getitem__, help=HELP)
        try:
            before, words = _before(context, question)
        except PodiumError as error:
            before, words = None, ""
            explain(error)
    if before is None:
        with head.container():
            headline(context, "What if", "Choose a snapshot to compare with")
        return
    now = context
    if before.part == "first":
        now = compute.with_share(context, before.share, "rest")
    try:
        states = _compare(before, now)
    except PodiumError as error:
        with head.container():
            headline(context, "What if", "These two snapshots cannot be compared")
        explain(error)
        return
    _show(now, before, states, words, head)


def _before(now: ViewContext, question: str) -> tuple[ViewContext | None, str]:
    """Return the state to compare with and what it is; none until the user has chosen one."""
    if question == EARLY:
        shares = [share for share in task_shares(now.judgments) if share < 1]
        if not shares:
            few = "There are too few ranking tasks to compare with a part of them."
            note(own_words(now.judgments, few, now.ranker.name))
            return None, ""
        label = own_words(now.judgments, "Share of the ranking tasks", now.ranker.name)
        share = st.select_slider(
            label, shares, HALF if HALF in shares else shares[-1],
            format_func=percent, key="state.share", bind="query-params",
        )  # fmt: skip
        return compute.with_share(now, share, "first"), f"the first {percent(share)}"
    if question == JUDGES:
        present = sorted({now.judgments.judges[k] for k in set(now.judgments.task_judge.tolist())})
        judges = st.multiselect(
            "Leave out judges", present, key="state.judges", placeholder="choose judges",
            persist_state="session",
        )  # fmt: skip
        if not judges:
            return None, ""
        selection = dataclasses.replace(
            now.selection, exclude_judges=(*now.selection.exclude_judges, *judges)
        )
        return compute.with_selection(now, selection), f"without {listed(judges, 3)}"
    given = st.file_uploader(
        "An earlier snapshot, or another campaign with some of its systems", key="state.file",
        help="It stays in the memory of this session, next to your campaign.",
    )  # fmt: skip
    if given is None:
        return None, ""
    return of_file(now, given.name, given.getvalue()), given.name


def _compare(before: ViewContext, now: ViewContext) -> States:
    with st.container(key="progress"):
        bar = st.empty()
    was, is_ = (
        compute.ranking(one, progress_in(bar, "Resampling", of=one.certainty.runs))
        for one in (before, now)
    )
    bar.empty()
    return compute.remember(
        now,
        ("states", before.data_key, now.ranker, now.certainty),
        lambda: compare_states(
            was, is_, now.ranker, before.share if before.part == "first" else None
        ),
    )


def _show(
    now: ViewContext, before: ViewContext, states: States, words: str, head: DeltaGenerator
) -> None:
    names = {**before.short_names, **now.short_names}
    finding = states_headline(states, lambda system: names.get(system, system))
    with head.container():
        headline(now, "What if", finding)
    was, is_ = states.answers()
    made_by = f"{states.before.signature} & {states.after.signature}"
    this = "Now"
    if before.part == "first":
        this, share = "The rest", f"{before.share:g}"
        first, rest = (Provenance(extra=(("tasks", f"{of} {share}"),)) for of in ("first", "after"))
        made_by = f"{states.before.provenance | first} & {states.after.provenance | rest}"
    show_sentences(states_sentences(states, lambda system: names.get(system, system)))
    rows = choose_part(len(is_.names))
    off = list(sides_off(is_, rows))
    whole = choose_axis(off)
    dotted = " and dotted" * bool(boundaries_gone(was, is_, rows))
    far = "" if whole else far_off_words([names.get(system, system) for system in off])
    result_card(
        now,
        "before-and-after",
        figure=answer_figure(
            was,
            is_,
            names=names,
            colors=now.colors,
            score_label=now.ranker.score_label,
            mode=now.mode,
            title=f"{this} in color, {words} in gray behind",
            rows=rows,
            cut=not whole,
        ),
        frame=changes_frame(was, is_),
        columns=place_columns(was, is_),
        formats=place_formats(is_),
        words=f"{far}Bands: {is_.part}s. Gray{dotted}: the other snapshot.",
        made_by=made_by,
        caption=now.caption(f"{finding}, against {words}"),
    )
    _show_pairs(states, names, made_by)


def _show_pairs(states: States, names: Mapping[str, str], made_by: str) -> None:
    """Show every pair of which the states say different things."""
    st.markdown("## Pairs that changed")
    if not states.changes:
        differs = differ(verdict_of(states.after), 1)
        note(f"No pair of systems changed places, and none {differs} in only one snapshot.")
        return
    show_frame(with_p_values(with_short_names(changed_pairs(states), names)), CHANGES)
    downloads("changed-pairs", states.to_frame(), caption="Pairs that changed.", made_by=made_by)
