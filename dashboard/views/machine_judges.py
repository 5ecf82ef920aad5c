"""Machine judges: how they vote beside people, and what their votes are worth."""

from __future__ import annotations

import streamlit as st

from analysis.errors import PodiumError
from analysis.findings.machines import (
    HOW_POWERED,
    NO_MACHINES,
    WHY_NOT_ALONE,
    agreement_sentence,
    alone_sentence,
    machines_headline,
    powered_headline,
    powered_sentences,
    side_warning,
)
from analysis.machines.agreement import MachineAgreement
from analysis.machines.statistics import STATISTICS
from analysis.provenance import Provenance
from dashboard import compute
from dashboard.compute.machines import Machine
from dashboard.figures.machines import machines_figure, powered_figure
from dashboard.session.view import ViewContext, require_campaign
from dashboard.tables.machines import (
    measure_columns,
    measured_frame,
    powered_frame,
    shown_measures,
    shown_standings,
    standing_columns,
)
from dashboard.typography import as_markdown, thousands
from dashboard.widgets.explain import explain
from dashboard.widgets.result_card import (
    downloads,
    headline,
    note,
    show_figure,
    show_sentences,
    signature,
)

AMOUNTS = (100, 250, 500, 1000, 2000, 5000, 10_000, 20_000)
USUAL = 1000


def show() -> None:
    """Show what each machine does, then standings with the votes of one."""
    context = require_campaign()
    top, body, bottom = st.container(), st.container(), st.container()
    with bottom:
        machines, problems = _choose_machines(context)
    measured: dict[str, tuple[Machine, MachineAgreement]] = {}
    for machine in machines:
        try:
            measured[machine.name] = (machine, compute.machine_agreement(context, machine))
        except PodiumError as error:
            problems.append(error)
    with top:
        known = [agreed for _, agreed in measured.values()]
        finding = machines_headline(known) if known else "No machine judged this campaign yet"
        headline(context, "Machine judges", finding, of_method=False)
    with body:
        for problem in problems:
            explain(problem)
        if known:
            _show_measures(context, known, finding)
            _show_standings(context, measured)
        else:
            note(NO_MACHINES)
            _show_example(context)


def _choose_machines(context: ViewContext) -> tuple[list[Machine], list[PodiumError]]:
    """Return the sample's machines, and those of the user's files and judges."""
    st.markdown("## Votes of machines")
    uploaded = st.file_uploader(
        "Files of machine judges, one for each", accept_multiple_files=True, key="machines.files",
        help="Votes of a machine on the same systems and questions, in any format that Podium "
        "reads. They stay in the memory of this session.",
    )  # fmt: skip
    present = [context.judgments.judges[k] for k in sorted(set(context.judgments.task_judge))]
    named: list[str] = []
    if len(present) > 1:
        named = st.multiselect(
            "Judges of this campaign who are machines", present, key="machines.judges",
            placeholder="choose judges", persist_state="session",
        )  # fmt: skip
    files = [(file.name, file.getvalue()) for file in uploaded]
    own, problems = compute.machines_of_files(files, context, named)
    return [*compute.machines_of_sample(context), *own], problems


def _show_example(context: ViewContext) -> None:
    """Show what would be here, by the sample that brings machines."""
    example = compute.example_with_machines(context)
    known = [
        compute.machine_agreement(example, machine)
        for machine in compute.machines_of_sample(example)
    ]
    st.markdown(f"## Example: {as_markdown(example.label)}")
    _show_measures(example, known, machines_headline(known), is_own=False)


def _show_measures(
    context: ViewContext, known: list[MachineAgreement], finding: str, is_own: bool = True
) -> None:
    """Show the figure, the table and the words; an example's files are not named by the view."""
    figure = compute.drawn(
        context, machines_figure, known, title=_title(known), mode=context.mode
    )  # fmt: skip
    show_figure(figure, key="figure.machines")
    warning = side_warning(known)
    if warning:
        note(warning)
    frame = measured_frame(known)
    st.dataframe(
        shown_measures(frame), hide_index=True, width="stretch", column_config=measure_columns()
    )
    made_by = str(Provenance("machine", level=known[0].level) | context.provenance)
    signature(made_by)
    downloads(
        "machine-judges", frame, figure, finding, made_by, of_view=is_own, presents=is_own
    )  # fmt: skip
    with st.expander("In words", icon=":material/notes:"):
        show_sentences([agreement_sentence(agreed) for agreed in known])


def _title(known: list[MachineAgreement]) -> str:
    n = known[0].n
    return f"Beside {thousands(n)} votes of people; Cohen's κ left, leaning to a side right"


def _show_standings(
    context: ViewContext, measured: dict[str, tuple[Machine, MachineAgreement]]
) -> None:
    """Show standings by few votes of people and all of one machine."""
    st.markdown("## Few votes of people, many of a machine")
    head, controls, body = st.container(), st.container(horizontal=True), st.container()
    with controls:
        name = str(
            st.segmented_control(
                "Machine", list(measured), default=next(iter(measured)), required=True,
                key="machines.judge",
            )
        )  # fmt: skip
        method = str(
            st.selectbox(
                "Score", list(STATISTICS), key="machines.method", bind="query-params",
                format_func=_statistic_title, width=260,
            )
        )  # fmt: skip
        machine, agreed = measured[name]
        labels, stated = _choose_labels(agreed)
    try:
        result = compute.powered_standings(context, machine, method, labels, stated)
    except PodiumError as error:
        with body:
            explain(error)
        return
    truth = None
    if labels is not None:
        truth = compute.scores_of_all_people(context, machine, method)
    finding = powered_headline(result)
    with head:
        st.markdown(f"**{finding}**")
    with body:
        figure = compute.drawn(
            context,
            powered_figure,
            result,
            truth,
            names=context.short_names,
            score_label=STATISTICS[method].score_label,
            title=finding,
            mode=context.mode,
        )
        show_figure(figure, key="figure.powered")
        sentences = powered_sentences(result)[1:]
        if truth is not None:
            sentences.append(alone_sentence(result, truth))
        show_sentences([sentence for sentence in sentences if sentence])
        frame = powered_frame(result)
        st.dataframe(
            shown_standings(frame), hide_index=True, width="stretch",
            column_config=standing_columns(),
        )  # fmt: skip
        signature(result.powered.signature)
        downloads("standings-with-machine", frame, figure, finding, result.powered.signature)
    with st.expander("How this is done, and why not by the machine alone", icon=":material/help:"):
        show_sentences([HOW_POWERED, WHY_NOT_ALONE])


def _statistic_title(name: str) -> str:
    return STATISTICS[name].title


def _choose_labels(agreed: MachineAgreement) -> tuple[int | None, bool]:
    """Return how many votes of people are drawn, or whether the user states a random share."""
    amounts = [amount for amount in AMOUNTS if amount < agreed.n]
    stated = False
    if not agreed.is_everywhere:
        stated = st.toggle(
            "Drawn at random", key="machines.stated",
            help="The items that people judged were drawn at random from those that the machine "
            "judged. No file can tell that.",
        )  # fmt: skip
        return None, stated
    if not amounts:
        return None, stated
    usual = USUAL if USUAL in amounts else amounts[-1]
    labels = st.select_slider(
        "Votes of people, drawn at random", amounts, usual, key="machines.labels",
        format_func=thousands, bind="query-params", width=320,
        help="People judged every item here. Fewer votes show what they would have told together "
        "with the machine's.",
    )  # fmt: skip
    return int(labels), stated
