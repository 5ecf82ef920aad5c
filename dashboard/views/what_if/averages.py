"""What if the mean went over other things: z by judge, documents, domains?"""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

from analysis.rankers.mean import Mean, possible_means
from analysis.wording import thousands
from dashboard.session.view import ViewContext
from dashboard.views.what_if.ties import show_ways, view_by
from dashboard.widgets.result_card import note

WORDS = (
    "Bold: first system of a cluster. Standardized ratings are in standard deviations from the "
    "judge's mean, so that harsh and lenient judges are comparable. Over documents or domains, "
    "each has the same weight, regardless of its segments."
)


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Show the orders by all means side by side; the sidebar's method plays no part."""
    means: dict[str, Mean] = possible_means(context.judgments)
    views = {label: view_by(context, mean) for label, mean in means.items()}
    title = "The order by each way of averaging"
    show_ways(context, head, "averages", views, "way of averaging", title, WORDS)
    if n := len(context.judgments):
        note(
            f"Expected Wins, TrueSkill and other methods for pairs use only the {thousands(n)} "
            "pairwise judgments that follow from these ratings. To compare them, choose one in "
            "the sidebar."
        )
