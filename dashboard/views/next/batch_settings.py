"""What a batch of tasks is asked: its size, its goal, and who gets the tasks."""

from __future__ import annotations

import contextlib

import streamlit as st

from analysis.errors import PodiumError
from analysis.findings.batches import goal_title
from analysis.findings.standings import own_words
from analysis.next_campaign.assignment import segment_names, unanswered
from analysis.next_campaign.batch import Task, read_tasks
from analysis.next_campaign.choosing_matches import METHODS, Method, usual_outputs, usual_top
from analysis.ranking.verdict import Verdict
from analysis.wording import count, thousands
from dashboard import compute
from dashboard.session import state
from dashboard.session.view import ViewContext
from dashboard.widgets.questions import choose

GOALS = (
    "Separate the winner, the best systems from the others, or neighbors anywhere, by the tasks "
    "that help most: a pair gets tasks as often as it is likely to be the next to be separated. Or "
    "choose as TrueSkill selects: uncertain systems against similar ones."
)
SENT = "sent out"
MOST_TASKS = 1000
OUTPUTS = (2, 3, 4, 5)


def choose_size(context: ViewContext, verdict: Verdict) -> tuple[int, int, Method, int]:
    """Return how many tasks, their outputs, how they are chosen, and for the top of how many."""
    tops = [1, 0, *range(2, context.judgments.n_systems)]
    goals: dict[str, tuple[Method, int]] = {
        goal_title(method, top): (method, top)
        for method in METHODS
        for top in (tops if method == "uncertainty" else [0])
    }
    usual = goal_title("uncertainty", usual_top(verdict))
    with st.container(horizontal=True, gap="medium"):
        tasks = st.number_input(
            own_words(context.judgments, "Tasks"), min_value=1, max_value=MOST_TASKS, value=50,
            step=10, key="next.tasks", bind="query-params", width=150,
            help="How many to send out now.",
        )  # fmt: skip
        n_way = 2 if context.judgments.are_votes else choose(
            "Outputs per task", OUTPUTS, "next.outputs",
            default=min(usual_outputs(context.judgments), max(OUTPUTS)), width="content",
            help="Five outputs ranked together make ten comparisons.",
        )  # fmt: skip
        goal = st.selectbox(
            "Goal", list(goals), index=list(goals).index(usual), key="next.goal",
            bind="query-params", width=230, help=GOALS,
        )  # fmt: skip
    return int(tasks), int(n_way), *goals[str(goal)]


def choose_hands(
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
