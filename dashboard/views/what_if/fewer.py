"""What if there were only some of the judgments?"""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

from analysis.comparing.what_if import task_shares
from analysis.findings.standings import own_words
from analysis.provenance import Provenance
from analysis.wording import count, percent
from dashboard import compute
from dashboard.compute.quick import least_share
from dashboard.session.view import ViewContext
from dashboard.views.what_if.answer import show_change, slider


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask for a share of the ranking tasks; all of them are the answer before."""
    what = own_words(context.judgments, "ranking tasks")
    share = slider(
        f"Random share of the {what}",
        task_shares(context.judgments),
        1.0,
        key="what.share",
        shown=percent,
        help=f"Podium samples whole {what}; smaller samples are part of larger ones. One random "
        "sample shows one possible outcome; another seed under Settings gives others.",
    )
    view = context if share == 1 else compute.with_share(context, share)
    n = count(len(view.judgments), own_words(context.judgments, "judgment"))
    show_change(
        context,
        view,
        head,
        "fewer",
        f"With only {n}" if share < 1 else f"With all {n}",
        title=f"One random sample of {n}, next to all" if share < 1 else f"Result of {n}",
        extra=Provenance(extra=(("tasks", share),)),
        unchanged=_least_words(context, what) if share == 1 else "",
    )


def _least_words(context: ViewContext, what: str) -> str:
    """Say how few judgments still name the winner, in samples of the present seed."""
    shares = task_shares(context.judgments)
    least = least_share(context, shares)
    winner = compute.ranking(context).winner
    if least is None or winner is None:
        return ""
    if least == 1:
        return f"{context.name(winner)} wins only with nearly all {what}"
    fewer = [share for share in shares if share < least]
    end = f", not with {percent(max(fewer))}" if fewer else ""
    return f"{context.name(winner)} wins down to {percent(least)} of the {what}{end}"
