"""What if there were only some of the judgments?"""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

from analysis.comparing.what_if import fewer_tasks, task_shares
from analysis.provenance import Provenance
from dashboard import compute
from dashboard.compute.quick import Quick, quick, quick_words, remembered_quick
from dashboard.session.view import ViewContext
from dashboard.typography import count, percent
from dashboard.views.what_if.answer import show_answer, slider


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask for a share of the ranking tasks; before are all of them."""
    share = slider(
        "Share of the ranking tasks, drawn at random",
        task_shares(context.judgments),
        1.0,
        key="what.share",
        shown=percent,
        help="Whole ranking tasks are drawn, smaller draws from larger ones; another seed in the "
        "sidebar draws others. One draw shows what could have happened, not what had to.",
    )
    before, after = remembered_quick(context), _ranking(context, share)
    n = count(after.n_judgments, "judgment")
    show_answer(
        context,
        head,
        "fewer",
        before.answer,
        after.answer,
        f"With only {n}" if share < 1 else f"With all {n}",
        changed=share < 1,
        title=f"What {n} say" + (" beside what all of them say" if share < 1 else ""),
        words=quick_words(context),
        made_by=str(after.provenance | Provenance(extra=(("tasks", share),))),
    )


def _ranking(context: ViewContext, share: float) -> Quick:
    if share == 1:
        return remembered_quick(context)
    chosen = context.resampling
    return compute.remember(
        context,
        ("fewer", share, context.ranker, chosen.unit, chosen.level, chosen.seed),
        lambda: quick(context, fewer_tasks(context.judgments, share, chosen.seed)),
    )
