"""Where scores of metrics come from: a section of Data, kept for this session and campaign."""

from __future__ import annotations

import streamlit as st

from analysis.extras.metrics.reading import MEANING
from analysis.shipped import DATA
from dashboard.compute.contexts import is_example
from dashboard.session import state
from dashboard.session.view import ViewContext

LABEL = "metrics"
EXAMPLE = DATA / "examples" / "metrics" / "metrics.csv"
MOST_MEGABYTES = 200


def show(context: ViewContext) -> None:
    """Ask for scores of metrics."""
    given = st.file_uploader(
        "Scores of automatic metrics",
        max_upload_size=MOST_MEGABYTES,
        key="metrics.file",
        help=MEANING,
    )
    if given is not None:
        state.hold(_key(context))
        state.hold(_key(context), [(given.name, given.getvalue())])
        if (page := state.page("metrics")) is not None:
            st.page_link(page, label="See the metrics", icon=":material/query_stats:")


def is_shown(context: ViewContext) -> bool:
    """Return whether there are scores of metrics to show."""
    return bool(state.held(_key(context))) or is_example(context.campaign)


def file_of(context: ViewContext) -> tuple[str, bytes] | None:
    """Return name and content of the file of metrics; of the example its own."""
    held = state.held(_key(context))
    if held:
        name, data = held[-1]
        return str(name), bytes(data)
    return (EXAMPLE.name, EXAMPLE.read_bytes()) if is_example(context.campaign) else None


def _key(context: ViewContext) -> str:
    return f"metrics.{context.campaign.fingerprint}"
