"""What if near scores of one screen counted as ties?"""

from __future__ import annotations

import dataclasses

from streamlit.delta_generator import DeltaGenerator

from analysis.comparing.what_if import margins
from analysis.provenance import Provenance
from analysis.wording import percent
from dashboard import compute
from dashboard.compute.contexts import with_selection
from dashboard.session.view import ViewContext
from dashboard.views.what_if.answer import show_change, slider


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask for the margin of a method for pairs; means do not depend on ties."""
    now = context.selection.tie_margin
    grid = compute.remember(context, ("margins",), lambda: margins(context.judgments))
    margin = slider(
        "Tie threshold: the smallest difference of two scores of one screen, in points",
        grid,
        now,
        key="what.margin",
        help=(
            "Scores of one judge and segment that differ by at most this are a tie. If ties are "
            "not transitive (70 ties 74, 74 ties 78, 78 beats 70), the screen is split into "
            "pairs."
        ),
    )
    changed = dataclasses.replace(context.selection, tie_margin=margin)
    view = context if margin == now else with_selection(context, changed)
    ties = percent(view.judgments.tie_share)
    show_change(
        context,
        view,
        head,
        "margin",
        f"With a tie threshold of {margin:g}",
        title=(
            f"With a tie threshold of {margin:g} points, {ties} of the pairwise judgments are ties"
        ),
        extra=Provenance(),
    )
