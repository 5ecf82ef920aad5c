"""Methods and validation: which method to believe, and what studies and papers found."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard.registry import sections
from dashboard.session.state import require_campaign
from dashboard.session.view import ViewContext
from dashboard.views.validation.claims import show_claims
from dashboard.views.validation.model_selection import show_model_selection
from dashboard.views.validation.simulations import show_simulations

Study = Callable[[ViewContext], None]


def show() -> None:
    """Show one study of the judgments at hand, of simulated ones, or of published ones."""
    context = require_campaign()
    studies: dict[str, Study] = {
        "Model selection": show_model_selection,
        "Simulations": show_simulations,
        "Claims of the papers": show_claims,
        **{str(section.TITLE): section.show for section in sections("validation")},
    }
    asked = st.segmented_control(
        "Study",
        list(studies),
        default=next(iter(studies)),
        required=True,
        key="study",
        bind="query-params",
    )
    studies[str(asked)](context)
