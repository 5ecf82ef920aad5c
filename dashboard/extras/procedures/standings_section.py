"""The official ranking of a year beside Podium's own: chosen by name, with what its rule does."""

from __future__ import annotations

from typing import Any

import streamlit as st

from analysis.escaping import as_markdown
from analysis.extras.procedures.findings import beside_own, measured_note, official_finding
from analysis.extras.procedures.procedure import ProcedureResult
from analysis.extras.procedures.registry import PROCEDURES, WMT22_APPRAISE, WMT24_ESA
from dashboard import compute
from dashboard.extras.procedures.figures import official_figure
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import note, result_card, show_sentences

TITLES = {procedure.title: procedure for procedure in PROCEDURES.values()}
NONE = "None"


USUAL = {"ESA score": WMT24_ESA.title, "DA+SQM score": WMT22_APPRAISE.title}
"""Whose rules are shown first, by the name of the scale."""


def _choose(scale: str) -> str:
    """Ask whose rules rank the scores; at first, those of the campaign that had such a scale."""
    explained = (
        f"**{as_markdown(title)}**: {as_markdown(procedure.sentence)} "
        f"{as_markdown(measured_note(procedure))}"
        for title, procedure in TITLES.items()
    )
    titles = [NONE, *TITLES]
    return str(
        st.selectbox(
            "Official ranking",
            titles,
            index=titles.index(USUAL.get(scale, NONE)),
            key="official",
            bind="query-params",
            help="\n\n".join(explained),
        )
    )


def _columns() -> dict[str, Any]:
    column = st.column_config
    return {
        "system": column.TextColumn("System", width=280),
        "mean": column.NumberColumn("Mean", format="%.3f", help="In the file's own units"),
        "z": column.NumberColumn(
            "Mean z", format="%.3f", help="In standard deviations of a judge's scores"
        ),
        "wins": column.NumberColumn("Wins", help="Systems that this one beats by the rules"),
        "rank_best": column.NumberColumn("Rank range from"),
        "rank_worst": column.NumberColumn("to"),
        "cluster": column.NumberColumn("Cluster", width="small"),
    }


def show(context: ViewContext) -> None:
    """Let the user rank scores by official rules; rankings have no such procedure."""
    if context.judgments.scores is None:
        return
    st.markdown("## By official rules")
    chosen = _choose(context.judgments.scores.scale.name)
    if chosen == NONE:
        note("Choose a year to see the same scores by its own rules, next to the ranking above.")
        return
    procedure, seed = TITLES[chosen], context.certainty.seed
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
    result_card(
        context,
        f"official-{procedure.name}",
        figure=figure,
        frame=result.to_frame().drop(columns=["score", "se"]),
        columns=_columns(),
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
