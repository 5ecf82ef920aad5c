"""What if systems closer than some radius counted as tied?"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.comparing.what_if import sweep_radius
from analysis.findings.changes import Answer, describe
from analysis.provenance import Provenance
from analysis.ranking.ranking import Ranking
from dashboard import compute
from dashboard.figures.what_if import Curve, Curves
from dashboard.session.view import ViewContext
from dashboard.typography import count, percent
from dashboard.views.what_if.answer import show_answer, slider
from dashboard.widgets.progress import progress_in


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask for the radius of the partial order; before is the tuned one."""
    with st.container(key="progress"):
        bar = st.empty()
    preview = compute.preview(context)
    final = compute.is_ranked(context) or not compute.takes_time(context)
    ranking = compute.ranking(context) if final else preview
    sweep = compute.remember(
        context,
        ("radius sweep", context.ranker, context.certainty, final),
        lambda: sweep_radius(ranking.scores, context.judgments.counts),
    )
    radius = slider(
        "Radius: treat systems as tied when neighboring scores differ by no more than",
        [float(r) for r in sweep.radii],
        sweep.tuned,
        key=f"radius.{context.ranker.name}.{context.pair}",
        help="In units of the score. Walking down the standings, a new group begins where the "
        "gap to the next system exceeds the radius; two systems of one group are predicted to "
        "tie (Bojar et al. 2014, section 3.4, which tried these values). Tuned is the radius that "
        "predicts most of these judgments correctly.",
    )
    right, ties = sweep.at(radius)
    before, after = (Answer.by_radius(ranking, r) for r in (sweep.tuned, radius))
    changed = radius != sweep.tuned
    groups = (
        describe(before, after, context.name) if changed else count(after.n_clusters or 0, "group")
    )
    gaps = f"gaps up to {radius:g}" if radius else "only equal scores"
    condition = f"If {gaps} count as ties"
    show_answer(
        context,
        head,
        "radius",
        before,
        after,
        f"{condition}: {groups} (Standings: {_clusters_of(ranking)})",
        condition,
        changed=changed,
        title=f"At {radius:g}, {percent(right)} of the judgments are predicted correctly, "
        f"{percent(ties)} as ties",
        words="Groups are gaps in the scores, whatever the evidence: systems of one group may "
        "differ, and systems of different groups may not be told apart. Standings' clusters say "
        f"that. Tuned: {sweep.tuned:g}, the best radius on these judgments themselves; Model "
        "selection shows how well radii predict unseen judgments.",
        made_by=str(
            context.ranker.provenance
            | context.provenance
            | Provenance(extra=(("radius", radius), ("apart", "gaps")))
        ),
        curves=Curves(
            sweep.radii,
            "radius",
            (
                Curve(
                    "Predicted correctly",
                    sweep.accuracy,
                    True,
                    sweep.oracle,
                    "best possible",
                ),
                Curve(
                    "Predicted ties", sweep.ties, True, sweep.observed_ties, "ties of the judges"
                ),
            ),
            radius,
            ((sweep.tuned, "tuned"),),
        ),
    )
    if not final:
        compute.ranking(context, progress_in(bar, "Resampling", of=context.certainty.runs))
        st.rerun()


def _clusters_of(ranking: Ranking) -> str:
    if ranking.is_preview:
        return "computing"
    return "unknown" if ranking.n_clusters is None else count(ranking.n_clusters, "cluster")
