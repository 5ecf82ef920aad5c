"""What if the mean went over other things: z by judge, documents, domains?"""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

from analysis.comparing.comparison import Column, compare
from analysis.findings.changes import Answer, describe_several
from analysis.rankers.mean import Mean, possible_means
from dashboard import compute
from dashboard.figures.scenes import reordering_figure
from dashboard.session.view import ViewContext
from dashboard.views.what_if.ties import view_by
from dashboard.widgets.result_card import headline, result_card

WORDS = (
    "Bold: first system of a cluster. Standardized ratings are in standard deviations from the "
    "judge's mean, so that harsh and lenient judges are comparable. Over documents or domains, "
    "each has the same weight, regardless of its segments."
)


def _left_out(systems: tuple[str, ...]) -> str:
    """Say which systems some mean does not have, so that they stand in no column."""
    return f" Not ranked by all: {', '.join(systems)}." if systems else ""


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Show the orders by all means side by side; the sidebar's method plays no part."""
    means: dict[str, Mean] = possible_means(context.judgments)
    found = {label: compute.ranking(view_by(context, mean)) for label, mean in means.items()}
    finding = describe_several(list(map(Answer.from_ranking, found.values())), context.name)
    with head.container():
        headline(context, "What if", f"All ways of averaging: {finding}", of_method=False)
    comparison = compare([Column.from_ranking(r, label) for label, r in found.items()])
    result_card(
        context,
        "what-if-averages",
        figure=compute.drawn(
            context,
            reordering_figure,
            comparison,
            title="The order by each way of averaging",
            names=context.short_names,
            colors=context.colors,
            official=(),
            chosen=None,
            mode=context.mode,
        ),
        frame=comparison.side_by_side().reset_index(),
        columns={"place": "Place"},
        words=WORDS + _left_out(comparison.left_out),
        made_by=" & ".join(ranking.signature for ranking in found.values()),
    )
