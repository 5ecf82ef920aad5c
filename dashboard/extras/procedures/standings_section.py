"""The official ranking of a year beside Podium's own: chosen by name, with what its rule does."""

from __future__ import annotations

import streamlit as st

from analysis.escaping import as_markdown
from analysis.extras.procedures.findings import beside_own, measured_note, official_finding
from analysis.extras.procedures.procedure import ProcedureResult
from analysis.extras.procedures.registry import PROCEDURES
from dashboard import compute
from dashboard.extras.procedures.figures import official_figure
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import note, result_card, show_sentences

TITLES = {procedure.title: procedure for procedure in PROCEDURES.values()}
NONE = "None"


def show(context: ViewContext) -> None:
    """Let the user rank scores by official rules; rankings have no such procedure."""
    if context.judgments.scores is None:
        return
    st.markdown("## By official rules")
    chosen = st.selectbox(
        "Official ranking",
        [NONE, *TITLES],
        key="official",
        bind="query-params",
        help="\n\n".join(
            f"**{as_markdown(title)}**: {as_markdown(procedure.sentence)} "
            f"{as_markdown(measured_note(procedure))}"
            for title, procedure in TITLES.items()
        ),
    )
    if chosen == NONE:
        note("Choose a year to see the same scores by its own rules, next to the ranking above.")
        return
    procedure, seed = TITLES[str(chosen)], context.certainty.seed
    result: ProcedureResult = compute.remember_in_turn(
        context,
        ("official", procedure.name, seed),
        lambda: procedure.rank(context.judgments, seed),
    )
    finding = official_finding(result, context.name)
    st.markdown(f"### {as_markdown(finding)}")
    own = compute.ranking(context)
    figure = compute.drawn(
        context,
        official_figure,
        result,
        own=own.verdict,
        own_title=context.ranker.title,
        names=context.short_names,
        mode=context.mode,
    )
    column = st.column_config
    result_card(
        context,
        f"official-{procedure.name}",
        figure=figure,
        frame=result.to_frame().drop(columns=["score", "se"]),
        columns={
            "system": column.TextColumn("System", width=280),
            "mean": column.NumberColumn("Mean", format="%.3f", help="In the file's own units"),
            "z": column.NumberColumn(
                "Mean z", format="%.3f", help="In standard deviations of a judge's scores"
            ),
            "wins": column.NumberColumn("Wins", help="Systems that this one beats by the rules"),
            "rank_best": column.NumberColumn("Rank range from"),
            "rank_worst": column.NumberColumn("to"),
            "cluster": column.NumberColumn("Cluster", width="small"),
        },
        made_by=result.signature,
        caption=context.caption(procedure.title, of_method=False),
        words=f"{procedure.sentence} {beside_own(result, own.verdict)}",
    )
    show_sentences(
        [
            sentence
            for sentence in (
                procedure.asserts, measured_note(procedure), procedure.note, *result.notes
            )
            if sentence
        ]
    )  # fmt: skip
