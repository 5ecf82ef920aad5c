"""Which tasks to send out now, and what choosing them does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.campaign import UNNAMED_JUDGE
from analysis.errors import PodiumError
from analysis.escaping import as_markdown
from analysis.findings.batches import batch_headline, batch_words
from analysis.findings.standings import own_words
from analysis.next_campaign.batch import Batch
from analysis.next_campaign.choosing_matches import (
    next_tasks,
)
from dashboard import compute
from dashboard.figures.collect import batch_figure
from dashboard.session.view import ViewContext
from dashboard.views.next.batch_settings import choose_hands, choose_size
from dashboard.views.next.replay import show_replay
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import (
    downloads,
    explain,
    headline,
    note,
    show_figure,
    show_frame,
    signature,
    warn,
)
from dashboard.widgets.uploader import show_uploader

GROWING = (
    "When answers have come, upload all files on Data: the next batch appears here. Stop or "
    "continue asks how often you have looked."
)
BY_PREFERENCES = (
    "This counts which output of a task is rated higher, not by how much. Stop or continue counts "
    "the ratings themselves, so its numbers differ."
)
NOTHING_TO_SEND = "These settings leave no tasks to send out"


def show_batch(context: ViewContext, head: DeltaGenerator) -> None:
    """Show the next batch of tasks."""
    top = st.container()
    bar = top.empty()
    verdict = compute.verdict(context, progress_in(bar, "Resampling", of=context.certainty.runs))
    bar.empty()
    tasks, n_way, method, best = choose_size(context, verdict)
    result = st.container()
    folded = own_words(context.judgments, "Judges, segments, repeated tasks, tasks sent out")
    hands = st.expander(folded, icon=":material/tune:")
    try:
        with hands:
            settings = (tasks, method, n_way, *choose_hands(context))
        batch = compute.remember_in_turn(
            context,
            ("batch", *settings, best, verdict.signature),
            lambda: next_tasks(context.judgments, *settings, verdict=verdict, top=best),
            progress_in(bar, "Choosing tasks"),
        )
        bar.empty()
    except PodiumError as error:
        with head:
            headline(context, "Next", NOTHING_TO_SEND, of_method=False)
            explain(error)
        show_uploader()
        return
    order = verdict.order
    compared = batch.pair_counts(tuple(context.judgments.systems[k] for k in order))
    with head:
        headline(context, "Next", batch_headline(batch, compared, context.name))
        st.markdown(batch_words(batch, compared))
        if context.ranker.needs_scores:
            note(BY_PREFERENCES)
    with result:
        _show_batch(context, batch, compared)
    note(GROWING)
    show_replay(context, method)


def _show_batch(context: ViewContext, batch: Batch, compared: pd.DataFrame) -> None:
    title = "Comparisons of each pair in this batch"
    figure = compute.drawn(context, batch_figure, compared, title=title)
    show_figure(figure, "figure.next-tasks")
    note("In standings order, systems without comparisons left out if there are many. Gray: none.")
    if batch.warning:
        warn(own_words(context.judgments, batch.warning))
    frame = _preview(batch, context)
    show_frame(frame, height=min(38 + 35 * len(frame), 388))
    signature(batch.signature)
    with st.container(horizontal=True, gap="small"):
        name = partial(context.file_name, "next-tasks")
        _offer(batch.to_csv, "CSV to fill in", name("csv"), "text/csv")
        if not context.judgments.are_votes:
            _offer(batch.to_xml, "Appraise XML to fill in", name("xml"), "application/xml")
    table = compared.reset_index(names="system")
    downloads("next-tasks-pairs", table, figure, "Comparisons in the next batch.", batch.signature)


def _preview(batch: Batch, context: ViewContext) -> pd.DataFrame:
    """Return one line per task, short names for reading, without ranks and unknown judges."""
    frame = batch.to_frame().filter(regex=r"^(segmentId|judgeId|system\d+Id)$")
    systems = frame.filter(like="system")
    frame[systems.columns] = systems.map(context.name)
    if set(frame["judgeId"]) == {UNNAMED_JUDGE}:
        frame = frame.drop(columns="judgeId")
    frame.columns = [own_words(context.judgments, _title(name)) for name in frame.columns]
    if any(task.repeats for task in batch.tasks):
        frame["repeated"] = ["yes" if task.repeats else "" for task in batch.tasks]
    return frame


def _title(column: str) -> str:
    return column.removesuffix("Id").replace("system", "output ")


def _offer(make: Callable[[], bytes], label: str, file_name: str, mime: str) -> None:
    """Offer the batch as a file; say why where a name would not come back from it."""
    try:
        content = make()
    except PodiumError as error:
        st.caption(as_markdown(str(error)))
        return
    st.download_button(
        label, compute.fetched(lambda: content, mime, file_name), file_name, mime,
        key=f"download.{label}",
        on_click="ignore", icon=":material/download:",
    )  # fmt: skip
