"""Table over all language pairs of a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st


def pairs_columns(table: pd.DataFrame, headings: Mapping[str, str]) -> dict[str, Any]:
    """Return how the columns of `pairs_table` are shown; without tiers, names have more room."""
    column = st.column_config
    counted = {"tiers": 98, "clusters": 62, "systems": 62, "judgments": 78}
    return {
        **{
            name: column.NumberColumn(headings[name], width=width)
            for name, width in counted.items()
        },
        "pair": column.TextColumn(headings["pair"], width=122),
        "first": column.TextColumn(
            headings["first"],
            width=285 if "tiers" in table else 380,
            help="The winner; else how many could be best, and who they are",
        ),
        "open": column.TextColumn(
            headings["open"],
            width=92,
            help="Neighbors in the order that are too close to call",
        ),
        "judges": column.TextColumn(
            headings["judges"],
            alignment="right",
            width=104,
            help="Named if one judge gave most of the judgments: a ranking by one opinion",
        ),
        "kappa": column.NumberColumn(
            headings["kappa"],
            format="%.2f",
            width=58,
            help="Agreement of different judges beyond chance; identical outputs count once",
        ),
    }
