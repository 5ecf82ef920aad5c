"""LLM judges: how they vote next to people, and what their votes are worth."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from analysis.errors import PodiumError
from analysis.escaping import as_markdown
from analysis.extras.llm_judges.agreement import MachineAgreement
from analysis.extras.llm_judges.findings import (
    HOW_POWERED,
    WHY_NOT_ALONE,
    agreement_sentence,
    alone_sentence,
    machines_headline,
    order_words,
    powered_headline,
    powered_sentences,
    side_warning,
)
from analysis.extras.llm_judges.statistics import STATISTICS
from analysis.provenance import Provenance
from analysis.wording import thousands
from dashboard import compute
from dashboard.extras.llm_judges.compute import (
    Machine,
    has_machines,
    measured_machines,
    powered_standings,
    scores_of_all_people,
)
from dashboard.extras.llm_judges.figures import machines_figure, powered_figure
from dashboard.extras.llm_judges.tables import (
    measure_columns,
    measured_frame,
    powered_frame,
    shown_measures,
    shown_standings,
    standing_columns,
)
from dashboard.session.view import ViewContext
from dashboard.widgets.questions import choose
from dashboard.widgets.result_card import (
    downloads,
    explain,
    headline,
    note,
    show_figure,
    show_frame,
    show_sentences,
    signature,
)

AMOUNTS = (100, 250, 500, 1000, 2000, 5000, 10_000, 20_000)
USUAL = 1000
LINES = "Lines are 95% intervals; short ones lie within their dots."


is_shown = has_machines


def show(context: ViewContext) -> None:
    """Show what each LLM judge does, then standings with the votes of one."""
    measured, problems = measured_machines(context)
    known = [agreed for _, agreed in measured.values()]
    finding = machines_headline(known)
    if context.judgments.n_judges is None:
        headline(context, "Agreement", finding, of_method=False)
    else:
        st.markdown(f"## LLM judges and human judges\n\n**{as_markdown(finding)}**")
    for problem in problems:
        explain(problem)
    if known:
        _show_measures(context, known, finding)
        _show_standings(context, measured)


def _show_measures(context: ViewContext, known: list[MachineAgreement], finding: str) -> None:
    """Show the figure, the table and the words."""
    figure = compute.drawn(
        context, machines_figure, known, title=_title(known), mode=context.mode
    )  # fmt: skip
    show_figure(figure, key="figure.machines")
    note(f"{LINES} {side_warning(known)}")
    frame = measured_frame(known)
    show_frame(shown_measures(frame), measure_columns())
    made_by = str(Provenance("machine", level=known[0].level) | context.provenance)
    signature(made_by)
    downloads("llm-judges", frame, figure, finding, made_by)
    with st.expander("In words", icon=":material/notes:"):
        show_sentences([agreement_sentence(agreed) for agreed in known])


def _title(known: list[MachineAgreement]) -> str:
    n = known[0].n
    return f"Compared with {thousands(n)} human votes; Cohen's κ left, position bias right"


def _choose_judge_and_score(measured: Iterable[str]) -> tuple[str, str]:
    """Ask whose votes are added, and by which score systems are ranked."""
    name = choose("LLM judge", measured, "machines.judge", bind=None)
    method = st.selectbox(
        "Score", list(STATISTICS), key="machines.method", bind="query-params",
        format_func=_statistic_title, width=260,
    )  # fmt: skip
    return name, str(method)


def _show_standings(
    context: ViewContext, measured: dict[str, tuple[Machine, MachineAgreement]]
) -> None:
    """Show standings by few votes of people and all of one machine."""
    st.markdown("### Few human votes, many LLM votes")
    controls, body = st.container(horizontal=True), st.container()
    with controls:
        name, method = _choose_judge_and_score(measured)
        machine, agreed = measured[name]
        labels, stated = _choose_labels(agreed)
    try:
        result = powered_standings(context, machine, method, labels, stated)
    except PodiumError as error:
        with body:
            explain(error)
        return
    truth = None
    if labels is not None:
        truth = scores_of_all_people(context, machine, method)
    finding = powered_headline(result)
    with body:
        st.markdown(f"**{finding}**")
        figure = compute.drawn(
            context,
            powered_figure,
            result,
            truth,
            score_label=STATISTICS[method].score_label,
            title=f"Scores with {result.powered.level:.0%} intervals"
            + (", in the order by all human votes" if truth is not None else ""),
        )
        show_figure(figure, key="figure.powered")
        sentences = powered_sentences(result)[1:]
        if truth is not None:
            sentences.append(alone_sentence(result, truth))
            sentences.append(order_words(STATISTICS[method].title, context.ranker.title))
        show_sentences([sentence for sentence in sentences if sentence])
        frame = powered_frame(result, truth)
        show_frame(shown_standings(frame), standing_columns())
        signature(result.powered.signature)
        downloads("standings-with-machine", frame, figure, finding, result.powered.signature)
    with st.expander("Method, and why the LLM alone is not enough", icon=":material/help:"):
        show_sentences([HOW_POWERED, WHY_NOT_ALONE])


def _statistic_title(name: str) -> str:
    return STATISTICS[name].title


def _choose_labels(agreed: MachineAgreement) -> tuple[int | None, bool]:
    """Return how many votes of people are drawn, or whether the user states a random share."""
    amounts = [amount for amount in AMOUNTS if amount < agreed.n]
    stated = False
    if not agreed.is_everywhere:
        stated = st.toggle(
            "Random sample", key="machines.stated",
            help=(
                "The human-judged items are a random sample of those that the LLM judged. No "
                "file states that."
            ),
        )  # fmt: skip
        return None, stated
    if not amounts:
        return None, stated
    usual = USUAL if USUAL in amounts else amounts[-1]
    labels = st.select_slider(
        "Number of random human votes", amounts, usual, key="machines.labels",
        format_func=thousands, bind="query-params", width=320,
        help=(
            "Humans judged every item here. Choose fewer votes to see the result that they and "
            "the LLM would have given."
        ),
    )  # fmt: skip
    return int(labels), stated
