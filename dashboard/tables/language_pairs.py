"""Table over all language pairs of a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from analysis.comparing.language_pairs import PairResult
from analysis.findings.language_pairs import what_is_open_in, who_leads, whole_frame
from analysis.wording import language_pair


def pairs_table(results: Sequence[PairResult]) -> pd.DataFrame:
    """Return a line per pair as the page shows it."""
    frame = whole_frame(results)
    return pd.DataFrame(
        {
            "pair": [language_pair(result.pair) for result in results],
            "first": [who_leads(result) for result in results],
            "tiers": frame["tiers"],
            "clusters": frame["clusters"],
            "open": [result.problem or what_is_open_in(result) for result in results],
            "systems": frame["systems"],
            "judgments": frame["judgments"],
            "judges": frame["judges"],
            "kappa": frame["kappa"],
        }
    )


def pairs_columns() -> dict[str, Any]:
    """Return how the columns of `pairs_table` are shown."""
    column = st.column_config
    return {
        "pair": column.TextColumn("Language pair", width=170),
        "first": column.TextColumn(
            "Winner",
            width=260,
            help="The winner; else how many could be best, and who they are",
        ),
        "tiers": column.NumberColumn("Tiers, at least", width="small"),
        "clusters": column.NumberColumn("Clusters", width="small"),
        "open": column.TextColumn(
            "Open", width="small", help="Neighbors in the order that are too close to call"
        ),
        "systems": column.NumberColumn("Systems", width="small"),
        "judgments": column.NumberColumn("Judgments", width="small"),
        "judges": column.NumberColumn("Judges", width="small"),
        "kappa": column.NumberColumn(
            "κ, strict",
            format="%.2f",
            width="small",
            help="Agreement of different judges beyond chance; identical outputs count once",
        ),
    }
