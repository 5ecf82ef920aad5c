"""Which tasks to send out now, and what choosing them does."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial
from typing import cast

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.errors import PodiumError
from analysis.escaping import as_html, as_markdown
from analysis.findings.batches import CHOSEN, batch_headline, batch_title, batch_words
from analysis.findings.standings import own_words
from analysis.next_campaign.assignment import segment_names, unanswered
from analysis.next_campaign.batches import Batch, Task, read_tasks
from analysis.next_campaign.elicitation import METHODS, Method, next_tasks, usual_outputs
from analysis.ranking.verdict import Verdict
from analysis.wording import capital, count, thousands
from dashboard import compute
from dashboard.figures.collect import batch_figure, shows_asked_alone
from dashboard.session import state
from dashboard.session.view import ViewContext
from dashboard.views.next.growing import show_growing
from dashboard.views.next.replay import show_replay
from dashboard.widgets.explain import explain
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import downloads, headline, note, show_figure, signature
from dashboard.widgets.uploads import show_uploader

METHOD_TITLES = {method: capital(words) for method, words in CHOSEN.items()}
NOTHING_TO_SEND = "These settings leave no tasks to send out"
SENT = "sent out"
MOST_TASKS = 1000
OUTPUTS = (2, 3, 4, 5)


def show_batch(context: ViewContext, head: DeltaGenerator) -> None:
    """Show the next batch of tasks."""
    top = st.container()
    bar = top.empty()
    verdict = compute.verdict(context, progress_in(bar, "Resampling", of=context.certainty.runs))
    bar.empty()
    tasks, n_way, method = _choose_size(context)
    result = st.container()
    hands = st.expander("Judges, segments, repeated tasks, tasks sent out", icon=":material/tune:")
    try:
        with hands:
            settings = (tasks, method, n_way, *_choose_hands(context))
        batch = compute.remember_in_turn(
            context,
            ("batch", *settings, verdict.signature),
            lambda: next_tasks(context.judgments, *settings, verdict=verdict),
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
        of_votes = context.judgments.are_votes and int(n_way) == 2
        sentence = batch_headline(batch, compared, context.name, of_votes)
        headline(context, "Next", sentence)
        st.markdown(batch_words(batch, compared))
    with result:
        _show_batch(context, batch, compared, verdict)
    show_growing()
    show_replay(context, method)


def _choose_size(context: ViewContext) -> tuple[int, int, Method]:
    with st.container(horizontal=True, gap="medium"):
        tasks = st.number_input(
            own_words(context.judgments, "Tasks"), min_value=1, max_value=MOST_TASKS, value=50,
            step=10, key="next.tasks", bind="query-params", width=150,
            help="How many to send out now.",
        )  # fmt: skip
        n_way = 2 if context.judgments.are_votes else st.segmented_control(
            "Outputs per task", OUTPUTS,
            default=min(usual_outputs(context.judgments), max(OUTPUTS)),
            required=True, key="next.outputs", bind="query-params", width="content",
            help="Five outputs ranked together make ten comparisons.",
        )  # fmt: skip
        method = st.segmented_control(
            "Systems", list(METHOD_TITLES), default="uncertainty", required=True,
            key="next.method", bind="query-params", width="content",
            format_func=lambda name: METHOD_TITLES[cast(Method, name)],
            help="\n".join(
                f"- **{METHOD_TITLES[name]}**: {words}" for name, words in METHODS.items()
            ),
        )  # fmt: skip
    return int(tasks), int(n_way), method


def _choose_hands(
    context: ViewContext,
) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None, int, float, tuple[Task, ...]]:
    """Return segments and judges (None: those so far), seed, share of repeated tasks, tasks out."""
    # The link holds no names, neither of judges nor of segments.
    judges = st.multiselect(
        "Judges", context.judgments.judges, key="next.judges", accept_new_options=True,
        placeholder="all judges so far; type a name to add a judge", persist_state="session",
        help="The least busy judge gets each task. A judge sees no output twice, and no segment "
        "twice while others are left.",
    )  # fmt: skip
    segments = st.text_input(
        "Segments", placeholder="all segments so far; or names with commas: 1-3003, intro",
        key="next.segments", persist_state="session",
    )  # fmt: skip
    repeats = st.select_slider(
        "Repeat tasks of the same judge", (0.0, 0.05, 0.1, 0.2), format_func=lambda x: f"{x:.0%}",
        key="next.repeats", bind="query-params",
        help=(
            "A judge gets these tasks twice, with the outputs in a new order. They measure "
            "intra-judge agreement and replace new tasks."
        ),
    )  # fmt: skip
    batches = st.file_uploader(
        "Tasks sent out (the CSV files of earlier batches)", type="csv", key="next.sent",
        max_upload_size=10,
        accept_multiple_files=True,
        help=(
            "Podium treats unanswered tasks as seen by their judges and as asked: no judge gets "
            "them twice, and this batch avoids their questions."
        ),
    )  # fmt: skip
    files = [(file.name, file.getvalue()) for file in batches]
    for name, content in files:
        read_tasks(content, name, context.judgments.pair)  # refuses a file of something else
    if files:
        state.hold(SENT, files)
    elif state.held(SENT):
        st.button(
            "Forget the tasks sent out", key="next.forget", icon=":material/close:",
            on_click=state.hold, args=(SENT,),
        )  # fmt: skip
    sent = tuple(_sent_in(context))
    if sent:
        still_out = compute.remember(
            context, ("still out", sent), lambda: len(unanswered(context.judgments, sent))
        )
        st.caption(f"{count(still_out, 'task')} of {thousands(len(sent))} not answered yet.")
    named = tuple(segment_names(str(segments or "")))
    seed = context.certainty.seed
    return named or None, tuple(judges) or None, seed, float(repeats), sent


def _sent_in(context: ViewContext) -> list[Task]:
    """Return the tasks sent out that are of this campaign, by their pair and systems."""
    sent, systems = [], set(context.campaign.systems)
    for name, content in state.held(SENT):
        with contextlib.suppress(PodiumError):
            tasks = read_tasks(content, name, context.judgments.pair)
            sent += [task for task in tasks if systems.issuperset(task.systems)]
    return sent


def _show_batch(
    context: ViewContext, batch: Batch, compared: pd.DataFrame, verdict: Verdict
) -> None:
    title = batch_title(compared, verdict)
    figure = compute.drawn(
        context, batch_figure, compared, names=context.short_names, title=title, mode=context.mode
    )
    show_figure(figure, "figure.next-tasks")
    note(
        "Number of comparisons of each pair in the next batch, in standings order. Gray: none."
        + " Systems that the batch does not compare are left out." * shows_asked_alone(compared)
    )
    if batch.warning:
        st.html(f'<div class="podium-finding podium-warning"><p>{as_html(batch.warning)}</p></div>')
    frame = _preview(batch, context.name)
    st.dataframe(frame, hide_index=True, width="stretch", height=min(38 + 35 * len(frame), 388))
    signature(batch.signature)
    with st.container(horizontal=True, gap="small"):
        name = partial(context.file_name, "next-tasks")
        _offer(batch.to_csv, "CSV to fill in", name("csv"), "text/csv")
        if not context.judgments.are_votes:
            _offer(batch.to_xml, "Appraise XML to fill in", name("xml"), "application/xml")
    table = compared.reset_index(names="system")
    downloads("next-tasks-pairs", table, figure, "Comparisons in the next batch.", batch.signature)


def _preview(batch: Batch, name: Callable[[str], str]) -> pd.DataFrame:
    """Return one line per task, short names for reading, without the ranks that are to be given."""
    frame = batch.to_frame().filter(regex=r"^(segmentId|judgeId|system\d+Id)$")
    systems = frame.filter(like="system")
    frame[systems.columns] = systems.map(name)
    frame.columns = [_title(name) for name in frame.columns]
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
