"""What if more, or less, evidence were asked for before two systems are told apart?"""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

from analysis.comparing.what_if import LEVELS, sweep_levels
from dashboard import compute
from dashboard.figures.what_if import Curve, Curves
from dashboard.session.view import ViewContext
from dashboard.typography import percent
from dashboard.views.what_if.answer import show_change, slider


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask for the level at which systems are told apart; before is the sidebar's."""
    now = context.certainty.level
    level = slider(
        "Level: how sure all pairs told apart must be, together",
        LEVELS,
        now,
        key="what.level",
        shown=percent,
        help="At 95%, one campaign in twenty tells some pair of systems apart wrongly. A higher "
        "level asks for more evidence and tells fewer systems apart. WMT14 published "
        "English–German at 90%.",
    )
    view = context if level == now else context.with_level(level)
    show_change(
        context,
        view,
        head,
        "level",
        f"At a level of {percent(level)}",
        title=f"Intervals and clusters at a level of {percent(level)}",
        curves=lambda: _curves(context, level),
    )


def _curves(context: ViewContext, level: float) -> Curves:
    now = context.certainty.level
    sweep = compute.remember(
        context,
        ("levels", context.ranker, context.certainty),
        lambda: sweep_levels([compute.ranking(context.with_level(one)) for one in LEVELS]),
    )
    return Curves(
        sweep.levels,
        "level",
        (
            Curve("Clusters", sweep.clusters, is_count=True),
            Curve("Ranks in a range, on average", sweep.width),
        ),
        level,
        ((now, "sidebar"),) if level != now else (),
        x_is_share=True,
    )
