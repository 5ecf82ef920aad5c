"""What if systems closer than some radius counted as level?"""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

from analysis.comparing.what_if import sweep_radius
from analysis.findings.changes import Answer
from analysis.provenance import Provenance
from dashboard import compute
from dashboard.figures.what_if import Curve, Curves
from dashboard.session.view import ViewContext
from dashboard.typography import percent
from dashboard.views.what_if.answer import show_answer, slider


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask for the radius of the partial order; before is the tuned one."""
    standings = compute.standings(context)
    sweep = compute.remember(
        context,
        ("radius sweep", context.ranker, context.resampling.seed),
        lambda: sweep_radius(standings.scores, context.judgments.counts),
    )
    radius = slider(
        "Radius: systems count as level unless a gap between them is wider",
        [float(r) for r in sweep.radii],
        sweep.tuned,
        key=f"radius.{context.ranker.name}.{context.pair}",
        help="In units of the score. Walking down the standings, a new cluster begins where the "
        "gap to the next system exceeds the radius; two systems of one cluster are predicted to "
        "tie (Bojar et al. 2014, section 3.4, which tried these values). Tuned is the radius that "
        "names most of these judgments right.",
    )
    right, ties = sweep.at(radius)
    show_answer(
        context,
        head,
        "radius",
        Answer.by_radius(standings, sweep.tuned),
        Answer.by_radius(standings, radius),
        f"With a radius of {radius:g}",
        changed=radius != sweep.tuned,
        title=f"At {radius:g}, {percent(right)} of the judgments are named right, "
        f"{percent(ties)} are called ties",
        words="Clusters are here gaps in the scores; those of Standings come from rank ranges. "
        f"Tuned: {sweep.tuned:g}, the best radius on these judgments themselves; Model selection "
        "tells how radii do on judgments not seen.",
        made_by=str(
            context.ranker.provenance
            | context.provenance
            | Provenance(extra=(("radius", radius), ("apart", "clusters")))
        ),
        curves=Curves(
            sweep.radii,
            "radius",
            (
                Curve("Judgments named right", sweep.accuracy, True, sweep.oracle, "best possible"),
                Curve("Called ties", sweep.ties, True, sweep.observed_ties, "ties of the judges"),
            ),
            radius,
            ((sweep.tuned, "tuned"),),
        ),
    )
