"""Table over all language pairs of a campaign."""

from __future__ import annotations

from typing import Any

import streamlit as st

from analysis.findings.language_pairs import HEADINGS


def pairs_columns() -> dict[str, Any]:
    """Return how the columns of `pairs_table` are shown."""
    column, counted = st.column_config, ("tiers", "clusters", "systems", "judgments")
    return {
        **{name: column.NumberColumn(HEADINGS[name], width="small") for name in counted},
        "pair": column.TextColumn(HEADINGS["pair"], width=170),
        "first": column.TextColumn(
            HEADINGS["first"],
            width=260,
            help="The winner; else how many could be best, and who they are",
        ),
        "open": column.TextColumn(
            HEADINGS["open"],
            width="small",
            help="Neighbors in the order that are too close to call",
        ),
        "judges": column.TextColumn(
            HEADINGS["judges"],
            alignment="right",
            help="Named if one judge gave most of the judgments: a ranking by one opinion",
        ),
        "kappa": column.NumberColumn(
            HEADINGS["kappa"],
            format="%.2f",
            width="small",
            help="Agreement of different judges beyond chance; identical outputs count once",
        ),
    }
