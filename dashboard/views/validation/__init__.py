"""Methods and validation: which method to believe, and what studies and papers found."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.registry import sections
from dashboard.session.state import require_campaign
from dashboard.session.view import ViewContext
from dashboard.views.validation.experiments import show_experiments
from dashboard.views.validation.model_selection import show_model_selection
from dashboard.widgets.questions import choose

Study = Callable[[ViewContext, DeltaGenerator], None]


def show() -> None:
    """Show one study of the judgments at hand, of simulated ones, or of published ones."""
    context = require_campaign()
    head = st.empty()
    studies: dict[str, Study] = {
        "Model selection": show_model_selection,
        "Experiments": show_experiments,
        **{str(section.TITLE): section.show for section in sections("validation")},
    }
    studies[choose("Study", studies, "study")](context, head)
