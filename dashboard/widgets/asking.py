"""Whether something that takes long is wanted: asked where there are many judgments."""

from __future__ import annotations

import streamlit as st

from analysis.wording import thousands

AT_ONCE = 1_000_000
"""Judgments to which a model with traits of its own for each judge is fitted without asking."""


def is_wanted(what: str, n_judgments: int, key: str) -> bool:
    """Return whether a model is to be fitted, asking where there are many judgments."""
    return n_judgments <= AT_ONCE or st.toggle(
        f"{what}, from all {thousands(n_judgments)} judgments",
        key=key,
        bind="query-params",
        help="With so many judgments this takes minutes. Finished work is kept.",
    )
