"""What if ties were ignored, halved or modeled?"""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

from analysis.comparing.comparison import Column, compare
from analysis.comparing.what_if import TIE_POLICIES
from analysis.findings.changes import Answer, describe_several
from analysis.rankers import Ranker
from dashboard import compute
from dashboard.figures.reordering import reordering_figure
from dashboard.session.view import ViewContext
from dashboard.typography import percent
from dashboard.widgets.result_card import headline, result_card


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Show the orders by all policies side by side; the sidebar's method plays no part."""
    found = {label: compute.ranking(view_by(context, ranker)) for label, ranker in TIE_POLICIES}
    finding = describe_several(list(map(Answer.from_ranking, found.values())), context.name)
    with head.container():
        headline(context, "What if", f"However ties are counted: {finding}", of_method=False)
    comparison = compare([Column.from_ranking(r, label) for label, r in found.items()])
    share = context.judgments.n_ties / len(context.judgments)
    result_card(
        context,
        "what-if-ties",
        figure=compute.drawn(
            context,
            reordering_figure,
            comparison,
            title=f"Ties are {percent(share)} of the judgments; five ways to count them",
            names=context.short_names,
            colors=context.colors,
            official=(),
            chosen=None,
            mode=context.mode,
        ),
        frame=comparison.to_frame().reset_index(),
        columns={"place": "Place"},
        words="Bold names begin a cluster. The last three "
        "are Bradley–Terry models: a tie is half a win for each, or likelier the closer two "
        "systems are (Davidson), or a difference below a judge’s threshold (Rao–Kupper).",
        made_by=" & ".join(ranking.signature for ranking in found.values()),
    )


def view_by(context: ViewContext, ranker: Ranker) -> ViewContext:
    """Return the view by a policy's method; the sidebar's own, where it is the one."""
    return context if context.ranker == ranker else context.with_ranker(ranker)
