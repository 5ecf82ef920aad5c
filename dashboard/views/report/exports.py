"""Tables and figures of a view, gathered for downloading in one place."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from analysis.comparing.head_to_head import head_to_head
from analysis.findings.standings import neighbors
from analysis.judges.agreement import Agreement
from analysis.ranking.ranking import Ranking
from dashboard import compute
from dashboard.figures.counts import counts_figure
from dashboard.figures.standings import standings_figure
from dashboard.session import state
from dashboard.session.view import ViewContext
from dashboard.tables.judges import judge_table
from dashboard.tables.standings import standings_table
from dashboard.typography import as_markdown
from dashboard.widgets.result_card import downloads

ELSEWHERE = (
    "head-to-head",
    "methods",
    "what-if",
    "agreement",
    "judges",
    "stability",
    "model-selection",
    "plan",
    "collect-next",
)
"""Pages whose own figures and tables are downloaded there."""


@dataclass(frozen=True, eq=False)
class Export:
    """One table, perhaps with its figure; ``name`` is the file's."""

    name: str
    title: str
    line: str
    frame: pd.DataFrame
    figure: go.Figure | None = None


def exports(context: ViewContext, ranking: Ranking) -> tuple[Export, ...]:
    """Return what this view has to download."""
    judgments = context.judgments
    in_order = [ranking.systems[k] for k in ranking.order]
    compared = judgments.counts.compared[ranking.order][:, ranking.order]
    table = head_to_head(judgments.counts, judgments.systems, ranking.order)
    found = [
        Export(
            "standings",
            "Standings",
            "clusters, scores, intervals, rank ranges",
            standings_table(ranking),
            standings_figure(
                ranking,
                names=context.short_names,
                colors=context.colors,
                score_label=context.ranker.score_label,
                mode="light",
            ),
        ),
        Export(
            "head-to-head",
            "Head to head",
            "wins, ties, share and sign test of each pair of systems",
            table.to_frame(),
        ),
        Export(
            "win-shares",
            "Win shares",
            "a square table: the row's share of wins against the column",
            table.to_wide().reset_index(names="system"),
        ),
        Export(
            "judgments-per-pair",
            "Judgments of each pair of systems",
            "how often they met",
            pd.DataFrame(compared, columns=in_order, dtype=int).assign(system=in_order)[
                ["system", *in_order]
            ],
            counts_figure(compared, in_order, names=context.short_names, mode="light"),
        ),
        Export(
            "judges", "Judges", "tasks, judgments, share of ties and time", judge_table(judgments)
        ),
    ]
    if ranking.ranges is not None:
        found.insert(1, _neighbors(ranking))
    agreement = compute.agreement_or_none(context)
    if agreement is not None:
        found.append(_agreement(agreement))
    return tuple(found)


def show_exports(context: ViewContext, ranking: Ranking) -> None:
    """Show every table and figure in a row of its own with its downloads."""
    for export in exports(context, ranking):
        words, buttons = st.columns([5, 4], vertical_alignment="center")
        words.markdown(f"**{as_markdown(export.title)}** · {as_markdown(export.line)}")
        with buttons:
            downloads(
                f"report-{export.name}",
                export.frame,
                export.figure,
                f"{export.title}, {context.pair_title}, {context.ranker.title}.",
                ranking.signature,
            )
    pages = [page for page in map(state.page, ELSEWHERE) if page is not None]
    if pages:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown("Other pages have downloads of their own:", width="content")
            for page in pages:
                st.page_link(page, width="content")


def _neighbors(ranking: Ranking) -> Export:
    rows = [
        (pair.upper, pair.lower, pair.difference, pair.p, pair.apart) for pair in neighbors(ranking)
    ]
    line = "how far each system is from the next one, and whether they are told apart"
    frame = pd.DataFrame(rows, columns=["upper", "lower", "difference", "adjusted_p", "told_apart"])
    return Export("neighbors", "Neighbors", line, frame)


def _agreement(agreement: Agreement) -> Export:
    once = ", identical outputs once" if agreement.identical == "collapsed" else ""
    line = f"of judges with each other and with themselves, strict and as published{once}"
    frame = pd.DataFrame(agreement.rows()).rename(columns={"definition": "counted"})
    return Export("agreement", "Agreement", line, frame)
