"""What if ties were ignored, halved or modeled?"""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

from analysis.comparing.comparison import Column, compare
from analysis.comparing.what_if import TIE_POLICIES
from analysis.findings.changes import Answer, describe_several
from analysis.ranking.quick import QUICK_RUNS
from dashboard.compute.quick import remembered_quick
from dashboard.figures.reordering import reordering_figure
from dashboard.session.view import ViewContext
from dashboard.typography import percent
from dashboard.widgets.result_card import headline, result_card


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Show the orders by all policies side by side; the sidebar's method plays no part."""
    found = {label: remembered_quick(context.with_ranker(ranker)) for label, ranker in TIE_POLICIES}
    finding = describe_several([quick.answer for quick in found.values()], context.name)
    with head.container():
        headline(context, "What if", f"However ties are counted: {finding}", of_method=False)
    comparison = compare([_column(label, quick.answer) for label, quick in found.items()])
    share = context.judgments.n_ties / len(context.judgments)
    result_card(
        context,
        "what-if-ties",
        figure=reordering_figure(
            comparison,
            title=f"Ties are {percent(share)} of the judgments; five ways to count them",
            names=context.short_names,
            colors=context.colors,
            official=(),
            chosen=None,
            mode=context.mode,
        ),
        frame=comparison.to_frame().reset_index(),
        words=f"Bold names begin a cluster ({QUICK_RUNS} quick resamples a method). The last three "
        "are Bradley–Terry models: a tie is half a win for each, or likelier the closer two "
        "systems are (Davidson), or a difference below a judge’s threshold (Rao–Kupper).",
        made_by=" & ".join(quick.signature for quick in found.values()),
    )


def _column(label: str, answer: Answer) -> Column:
    return Column(label, answer.systems, answer.order, answer.clusters, answer.scores)
