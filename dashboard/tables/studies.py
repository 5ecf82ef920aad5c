"""Tables of simulated studies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from analysis.wording import thousands

_SHARES = (
    "error",
    "standard_error",
    "violations",
    "violations_error",
    "cluster_violations",
    "observed",
    "simulated",
    "share",
)
FORMATS: dict[str, Callable[[float], str]] = {
    "judgments": lambda n: thousands(int(n)),
    "needed": lambda n: thousands(round(n)) if n == n else "more than 1,000,000",
    **dict.fromkeys(("size", "clusters"), "{:.2f}".format),
    **dict.fromkeys(_SHARES, "{:.1%}".format),
}
"""How the columns of a study are written on the page."""


def errors_columns() -> dict[str, Any]:
    """Return how the columns of a study of ranking errors are shown."""
    return {
        "method": "Method",
        "judgments": "Judgments",
        "error": _share("Wrong order", "Share of the system pairs in the wrong order"),
        "standard_error": _share("Standard error"),
    }


def ranges_columns() -> dict[str, Any]:
    """Return how the columns of a study of rank ranges are shown."""
    return {
        "method": "Ranges by",
        "judgments": "Judgments",
        "size": "Ranks in a range",
        "violations": _share("Missed ranks", "True ranks outside the range"),
        "clusters": "Clusters",
        "cluster_violations": _share("Missed clusters", "Systems whose cluster is violated"),
        "violations_error": _share("Standard error", "Of the missed ranks"),
    }


def needed_columns() -> dict[str, Any]:
    """Return how the columns of a study of the judgments needed are shown."""
    return {
        "n": "Systems",
        "sd": "Spread",
        "share": _share("Pairs that differ significantly"),
        "needed": "Judgments needed",
    }


def spread_columns() -> dict[str, Any]:
    """Return how the columns of a fitted spread are shown."""
    return {
        "judgments": "Judgments",
        "observed": _share("Separated here"),
        "simulated": _share("Separated in the best simulation"),
    }


def _share(title: str, words: str | None = None) -> Any:
    return st.column_config.NumberColumn(title, help=words)
