"""What lies behind a comparison of methods: one swap, and the tables of orders and moves."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from analysis.comparing.comparison import Comparison
from analysis.comparing.head_to_head import head_to_head_by
from analysis.findings.comparison import Dispute, moves_frame
from analysis.findings.head_to_head import pair_sentence
from analysis.rankers import RANKERS
from analysis.ranking.ranking import Ranking
from analysis.reporting.paper_tables import reordering_table
from dashboard import compute
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import (
    downloads,
    highlighted,
    show_frame,
    show_sentences,
    signature,
)
from dashboard.widgets.two_systems import show_two_systems

TAU_HELP = (
    "Kendall's tau: 1 if two methods order all systems the same, 0 if their orders are "
    "unrelated, −1 if one is the reverse of the other"
)


def show_details(
    context: ViewContext,
    comparison: Comparison,
    rankings: Sequence[Ranking],
    chosen: Dispute | None,
) -> None:
    """Show the chosen swap's head to head, then the tables."""
    if chosen is not None:
        table = head_to_head_by(compute.standings(context), context.judgments)
        pair = (chosen.upper, chosen.lower)
        judged = [
            pair_sentence(verdict, *pair, RANKERS[ranking.standings.method].title, context.name)
            for ranking in rankings
            if (verdict := ranking.verdict) is not None
        ]
        show_two_systems(context, table, pair, [chosen.sentence(context.name)])
        with st.expander("The two systems by each method"):
            show_sentences(judged)
    with st.expander("Moves, Kendall's tau and the orders as tables"):
        _show_tables(context, comparison, rankings)


def _show_tables(context: ViewContext, comparison: Comparison, rankings: Sequence[Ranking]) -> None:
    """Show how far the methods agree, then their orders, with what made them."""
    column = st.column_config
    first = comparison.methods[0]
    st.markdown("## Similarity of the orders")
    moves = moves_frame(comparison)
    show_frame(
        moves,
        {
            "method": column.TextColumn("Method"),
            "clusters": column.NumberColumn("Clusters"),
            "moves": column.NumberColumn("Moves", help=f"Systems placed differently by {first}"),
            "moves_that_matter": column.NumberColumn(
                "Moves that matter",
                help="Systems that pass another one from which they differ significantly",
            ),
            "tau_with_first": column.NumberColumn(
                "Tau", format="%.3f", help=f"{TAU_HELP}. Relative to {first}."
            ),
        },
    )
    downloads("methods-moves", moves, caption=context.caption("Moves", of_method=False))
    tau = comparison.tau_frame().rename_axis("method").reset_index()
    if len(comparison.methods) > 2:
        st.markdown("Kendall's tau of every two methods", help=TAU_HELP)
        show_frame(
            tau,
            {
                "method": column.TextColumn("Method"),
                **{m: column.NumberColumn(format="%.3f") for m in comparison.methods},
            },
        )
        downloads("methods-tau", tau, caption=context.caption("Kendall's tau", of_method=False))
    st.markdown("## The orders")
    orders = comparison.side_by_side().reset_index()
    place = column.NumberColumn("Place", width="small")
    show_frame(
        highlighted(context, orders.replace(dict(context.short_names))),
        {"place": place},
        placeholder="",
    )
    made_by = " ".join(ranking.signature for ranking in rankings)
    for ranking in rankings:
        signature(ranking.signature)
    titles = {name: RANKERS[name].title for name in comparison.methods if name in RANKERS}
    downloads(
        "methods",
        orders,
        made_by=made_by,
        paper=reordering_table(comparison, context.short_names, titles, context.pair),
    )
