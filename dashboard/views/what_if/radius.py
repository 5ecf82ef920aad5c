"""What if systems closer than some decision radius counted as tied?"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.campaign import FloatArray
from analysis.comparing.what_if import RadiusSweep, sweep_radius
from analysis.drawing.curves import Curve, Curves
from analysis.findings.certainty import ranking_words
from analysis.findings.changes import Answer, radius_headline
from analysis.findings.standings import own_words, ranks_ratings
from analysis.provenance import Provenance
from analysis.wording import count, percent
from dashboard import compute
from dashboard.session.view import ViewContext
from dashboard.views.what_if.answer import show_answer, slider
from dashboard.widgets.progress import progress_in

AS_IT_IS = -1.0
"""The slider's place of the result without a radius."""


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask for the radius of the partial order; before is the result as it is, without one."""
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
    judgments = tuned_on = own_words(context.judgments, "judgments")
    if ranks_ratings(context.judgments, context.ranker.name):
        judgments = "pairwise judgments"
        tuned_on = f"{judgments} that follow from the ratings"
    radius = slider(
        "Decision radius: systems tie if their scores differ by no more than",
        [AS_IT_IS, *(float(r) for r in sweep.radii)],
        AS_IT_IS,
        key=f"radius.{context.ranker.name}.{context.pair}",
        shown=_shown,
        marks=[("Tuned:", float(sweep.tuned)), *_of_settings(context, sweep.radii)],
        help=(
            "In units of the score. From the top of the standings, a new tie group begins where "
            "the gap to the next system exceeds the radius; two systems of one group are "
            "predicted to tie (Bojar et al. 2014, section 3.4, which tried these values). Tuned "
            f"is the radius that predicts most of all these {judgments} correctly."
        ),
    )
    before = Answer.from_ranking(ranking)
    tuned = f"Tuned on all {tuned_on}: {sweep.tuned:g}."
    changed = radius != AS_IT_IS
    after, condition = before, "As it is"
    finding = radius_headline(before, context.name)
    title = "The result as it is, without a decision radius"
    words, made_by = ranking_words(ranking, with_ranks=False), ranking.signature
    if changed:
        after = Answer.by_radius(ranking, radius)
        condition = (
            f"If {f'gaps up to {radius:g}' if radius else 'only equal scores'} count as ties"
        )
        finding = f"{condition}: {count(after.n_levels or 0, 'tie group')}"
        right, ties = map(percent, sweep.at(radius))
        title = f"At {radius:g}, {right} of the {judgments} are predicted correctly, {ties} as ties"
        words = (
            "Tie groups are gaps in the scores, not significance: systems of one group may "
            "differ significantly, and systems of different groups may not."
        )
        own = Provenance(extra=(("radius", radius), ("apart", "gaps")))
        made_by = str(context.ranker.provenance | context.provenance | own)
    show_answer(
        context,
        head,
        "radius",
        before,
        after,
        finding,
        condition,
        changed=changed,
        title=title,
        words=f"{words} {tuned}",
        made_by=made_by,
        curves=_curves(sweep, radius if changed else None),
    )
    if not final:  # only scores are known yet
        compute.ranking(context, progress_in(bar, "Resampling", of=context.certainty.runs))
        st.rerun()


def _curves(sweep: RadiusSweep, radius: float | None) -> Curves:
    """Return what radii predict; nothing is marked where none is chosen."""
    return Curves(
        sweep.radii,
        "decision radius",
        (
            Curve("Predicted correctly", sweep.accuracy, True, sweep.oracle, "best possible"),
            Curve(
                "Predicted as ties",
                sweep.ties,
                True,
                sweep.observed_ties,
                "ties of the judges",
            ),
        ),
        float(sweep.tuned) if radius is None else radius,
        ((float(sweep.tuned), "tuned"),),
    )


def _shown(radius: float) -> str:
    return "as it is" if radius == AS_IT_IS else f"{radius:g}"


def _of_settings(context: ViewContext, radii: FloatArray) -> list[tuple[str, float]]:
    """Return the radius of the method's hyperparameters, where it has one on the grid."""
    own = context.ranker.settings().get("radius")
    return [("In Settings:", float(own))] if own is not None and float(own) in radii else []
