"""Methods and validation: which method to believe, and what studies and papers found."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.extras.validation.experiments import show_experiments
from dashboard.extras.validation.model_selection import show_model_selection
from dashboard.extras.validation.replication.section import show_replications
from dashboard.extras.validation.segments.section import show_segments
from dashboard.session.state import require_campaign
from dashboard.session.view import ViewContext
from dashboard.widgets.questions import choose

STUDIES: dict[str, Callable[[ViewContext, DeltaGenerator], None]] = {
    "Model selection": show_model_selection,
    "Experiments": show_experiments,
    "Replication": show_replications,
    "Segments": show_segments,
}


def show() -> None:
    """Show one study of the judgments at hand, of simulated ones, or of published ones."""
    context = require_campaign()
    head = st.empty()
    STUDIES[choose("Study", STUDIES, "study")](context, head)
