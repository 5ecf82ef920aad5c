"""Tables and figures of a view, gathered for downloading in one place."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from analysis.comparing.head_to_head import head_to_head_by
from analysis.drawing.matrix import clusters_in_order
from analysis.escaping import as_markdown
from analysis.findings.head_to_head import observed_title
from analysis.findings.standings import own_words
from analysis.ranking.ranking import Ranking
from analysis.reporting.pair_tables import pair_tables
from analysis.reporting.paper_tables import ranking_caption
from dashboard import compute
from dashboard.compute.contexts import colors_of
from dashboard.figures.scenes import counts_figure, head_to_head_figure, standings_figure
from dashboard.session.view import ViewContext
from dashboard.views.share.papers import paper_table
from dashboard.widgets.result_card import downloads


def show_exports(context: ViewContext, ranking: Ranking) -> None:
    """Show every table in a row of its own with its downloads, some with a figure."""
    figures = _figures(context, ranking)
    papers = {"standings": "Ranking", "head-to-head": "Head to head", "agreement": "Agreement"}
    for table in pair_tables(ranking, compute.agreement_or_none(context)):
        words, buttons = st.columns([5, 4], vertical_alignment="center")
        said = f"**{as_markdown(table.title)}** · {as_markdown(table.line)}"
        words.markdown(own_words(context.judgments, said))
        with buttons:
            downloads(
                f"report-{table.name}",
                table.frame,
                figures.get(table.name),
                ranking_caption(ranking, context.ranker.title, compute.caution(context, ranking))
                if table.name == "standings"
                else context.caption(table.title),
                ranking.signature,
                paper=paper_table(context, ranking, papers.get(table.name, "")),
                presents=False,
            )


def _figures(context: ViewContext, ranking: Ranking) -> dict[str, go.Figure]:
    """Return the figures that stand beside tables, by the table's name."""
    order = ranking.order
    systems = [ranking.systems[k] for k in order]
    compared = context.judgments.counts.compared[order][:, order]
    met = head_to_head_by(ranking.standings, context.judgments, order)
    return {
        "head-to-head": compute.drawn(
            context,
            head_to_head_figure,
            met,
            None,
            "observed",
            verdict=ranking.verdict,
            title=observed_title(met, ranking.verdict, context.name),
            clusters=clusters_in_order(ranking.clusters, order),
            chosen=None,
            mode="light",
        ),
        "standings": compute.drawn(
            context,
            standings_figure,
            ranking,
            colors=colors_of(context.judgments, "light"),
            mode="light",
        ),
        "judgments-per-pair": compute.drawn(
            context, counts_figure, compared, systems, mode="light"
        ),
    }
