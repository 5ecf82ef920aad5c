"""Columns of the tables of agreement."""

from __future__ import annotations

from typing import Any

import streamlit as st


def pair_columns() -> dict[str, Any]:
    """Return the columns of kappas by language pair."""
    column = st.column_config
    return {
        "pair": column.TextColumn("Pair"),
        "who": column.TextColumn("Judges with"),
        "kappa": column.NumberColumn("κ strict", format="%.3f"),
        "low": column.NumberColumn("from", format="%.3f", help="For these judges"),
        "high": column.NumberColumn("to", format="%.3f", help="For these judges"),
        "others_low": column.NumberColumn("new judges: from", format="%.3f", help="For new judges"),
        "others_high": column.NumberColumn("new judges: to", format="%.3f", help="For new judges"),
        "word": column.TextColumn("In a word", help="Landis and Koch 1977"),
        "as_published": column.NumberColumn("κ, the WMT way", format="%.3f"),
        "comparable": column.Column("Compared", help="Pairs of answers to the same question"),
    }


def measure_columns() -> dict[str, Any]:
    """Return the columns of other measures."""
    column = st.column_config
    return {
        "measure": column.TextColumn("Measure"),
        "value": column.NumberColumn("Value", format="%.3f"),
        "low": column.NumberColumn("from", format="%.3f", help="For these judges"),
        "high": column.NumberColumn("to", format="%.3f", help="For these judges"),
        "others_low": column.NumberColumn("new judges: from", format="%.3f", help="For new judges"),
        "others_high": column.NumberColumn("new judges: to", format="%.3f", help="For new judges"),
        "n": column.Column("Items"),
    }


def judge_columns() -> dict[str, Any]:
    """Return the columns of kappas by judge."""
    column = st.column_config
    compared = "Pairs of answers to the same question"
    return {
        "judge": column.TextColumn("Judge"),
        "judgments": column.Column("Judgments"),
        "with_others": column.NumberColumn("κ with the others", format="%.2f"),
        "others_word": column.TextColumn("In a word"),
        "others_compared": column.Column("Compared", help=compared),
        "with_oneself": column.NumberColumn("κ with themselves", format="%.2f"),
        "oneself_word": column.TextColumn("In a word"),
        "oneself_compared": column.Column("Compared", help=compared),
    }
