"""The tables of a comparison of methods: orders, moves, Kendall's tau."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from analysis.comparing.comparison import Comparison
from analysis.findings.comparison import moves_frame
from analysis.ranking.ranking import Ranking
from dashboard.session.view import ViewContext
from dashboard.widgets.result_card import downloads, highlighted, signature

TAU_HELP = (
    "Kendall's tau: 1 where two methods order all systems alike, 0 where their orders are "
    "unrelated, −1 where one is the reverse of the other"
)


def show_comparison_tables(
    context: ViewContext, comparison: Comparison, rankings: Sequence[Ranking]
) -> None:
    """Show how far the methods agree, then their orders, with what made them."""
    column = st.column_config
    first = comparison.methods[0]
    st.markdown("## How similar the orders are")
    moves = moves_frame(comparison)
    st.dataframe(
        moves,
        hide_index=True,
        width="stretch",
        column_config={
            "method": column.TextColumn("Method"),
            "clusters": column.NumberColumn("Clusters"),
            "moves": column.NumberColumn("Moves", help=f"Systems placed differently by {first}"),
            "moves_that_matter": column.NumberColumn(
                "Moves that matter",
                help="Systems that pass another one from which they differ significantly",
            ),
            "tau_with_first": column.NumberColumn(
                "Tau", format="%.3f", help=f"{TAU_HELP}. Against {first}."
            ),
        },
    )
    downloads("methods-moves", moves, caption=f"Moves, {context.pair_title}.")
    tau = comparison.tau_frame().rename_axis("method").reset_index()
    if len(comparison.methods) > 2:
        st.markdown("Kendall's tau between every two methods", help=TAU_HELP)
        st.dataframe(
            tau,
            hide_index=True,
            width="stretch",
            column_config={
                "method": column.TextColumn("Method"),
                **{m: column.NumberColumn(format="%.3f") for m in comparison.methods},
            },
        )
        downloads("methods-tau", tau, caption=f"Kendall's tau, {context.pair_title}.")
    st.markdown("## The orders")
    orders = comparison.side_by_side().reset_index()
    place = column.NumberColumn("Place", width="small")
    st.dataframe(
        highlighted(context, orders.replace(dict(context.short_names))),
        hide_index=True,
        width="stretch",
        placeholder="",
        column_config={"place": place},
    )
    made_by = " ".join(ranking.signature for ranking in rankings)
    for ranking in rankings:
        signature(ranking.signature)
    downloads("methods", orders, caption=f"Orders, {context.pair_title}.", made_by=made_by)
