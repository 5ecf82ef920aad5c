"""What if more, or less, evidence were asked for before two systems are told apart?"""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

from analysis.comparing.what_if import LEVELS, sweep_levels
from analysis.findings.changes import Answer
from analysis.rankers import CountRanker
from analysis.rankers.standings import Standings
from analysis.ranking.quick import quick_replicates
from analysis.ranking.ranking import assemble
from analysis.ranking.replicates import Replicates
from dashboard import compute
from dashboard.compute.quick import quick_words
from dashboard.figures.what_if import Curve, Curves
from dashboard.session.view import ViewContext
from dashboard.typography import percent, thousands
from dashboard.views.what_if.answer import show_answer, slider


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask for the level of rank ranges and clusters; before is the sidebar's."""
    now = context.resampling.level
    level = slider(
        "Level: share of the resamples that rank ranges and intervals hold",
        LEVELS,
        now,
        key="what.level",
        shown=percent,
        help="A line is drawn between systems where their rank ranges at this level do not "
        "overlap. A higher level asks for more evidence and draws fewer lines. 95% is usual; "
        "WMT14 published English–German at 90%.",
    )
    exact = compute.is_resampled(context) or isinstance(context.ranker, CountRanker)
    standings, runs = _runs(context, exact)
    sweep = compute.remember(context, ("levels", runs.provenance), lambda: sweep_levels(runs))
    before = assemble(context.judgments, standings, runs, now)
    after = assemble(context.judgments, standings, runs, level)
    show_answer(
        context,
        head,
        "level",
        Answer.from_ranking(before),
        Answer.from_ranking(after),
        f"At a level of {percent(level)}",
        changed=level != now,
        title=f"Intervals that hold {percent(level)} of the resamples, and the clusters they leave",
        words=_runs_words(context) if exact else quick_words(context),
        made_by=after.signature,
        curves=Curves(
            sweep.levels,
            "level",
            (
                Curve("Clusters", sweep.clusters, is_count=True),
                Curve("Ranks in a range, on average", sweep.width),
            ),
            level,
            ((now, "sidebar"),) if level != now else (),
            x_is_share=True,
        ),
    )


def _runs_words(context: ViewContext) -> str:
    drawn = context.resampling.words().split("; ")[1]
    return f"{thousands(context.resampling.runs)} resamples; {drawn}"


def _runs(context: ViewContext, exact: bool) -> tuple[Standings, Replicates]:
    """Return all the runs where they are there or cost nothing, else quick ones."""
    if exact:
        return compute.standings(context), compute.replicates(context)
    chosen = context.resampling
    return compute.remember(
        context,
        ("quick replicates", context.ranker, chosen.unit, chosen.seed),
        lambda: quick_replicates(
            context.judgments, context.ranker, unit=chosen.unit, seed=chosen.seed
        ),
    )
