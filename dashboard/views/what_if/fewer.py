"""What if there were only some of the judgments, or without some systems or judges?"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.comparing.stability import winners_without
from analysis.comparing.what_if import task_shares
from analysis.findings.changes import fewer_words
from analysis.findings.stability import without_words
from analysis.findings.standings import own_words, ranked_evidence, ranks_ratings
from analysis.provenance import Provenance
from analysis.ranking.ranking import n_samples
from analysis.wording import listed, percent
from dashboard import compute
from dashboard.compute.rankings import wins_with_fewer
from dashboard.session.view import ViewContext
from dashboard.views.what_if.answer import show_change, slider
from dashboard.widgets.questions import MANY, MOST_NAMED, SYSTEMS, choose_judges, offer, without


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask for a share of the ranking tasks; all of them are the answer before."""
    judgments, method = context.judgments, context.ranker.name
    what = own_words(judgments, "ranking tasks", method)
    whole = f"Podium samples whole {what}"
    if ranks_ratings(judgments, method):
        whole = "Podium keeps a judge's ratings of one segment together"
    share = slider(
        f"Random share of the {what}",
        task_shares(judgments),
        1.0,
        key="what.share",
        shown=percent,
        help=f"{whole}; smaller samples are part of larger ones. One random "
        "sample shows one possible outcome; another seed under Settings gives others.",
    )
    view = context if share == 1 else compute.with_share(context, share)
    n = ranked_evidence(view.judgments, method)
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
    """Say in how many samples of fewer tasks the same system wins."""
    winner, key = compute.ranking(context).winner, ("wins with fewer", context.certainty)
    wins = compute.remember(
        context,
        (*key, context.ranker),
        lambda: wins_with_fewer(context, task_shares(context.judgments)),
    )
    if winner is None:
        return ""
    return fewer_words(context.name(winner), wins, n_samples(context.judgments), what)


def ask_without(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask whom to leave out; before is everybody that counts now."""
    systems, judges = _choose(context)
    selection = without(context, systems, judges)
    view = compute.with_selection(context, selection) if systems or judges else context
    offer(context, selection)
    who = [context.name(system) for system in systems] + judges
    condition = f"Without {listed(who, MOST_NAMED)}" if who else "As it is"
    show_change(
        context,
        view,
        head,
        "without",
        condition,
        title=f"{condition}: result of {ranked_evidence(view.judgments, view.ranker.name)}",
        unchanged=_deciding_judge(context) or _winners_without(context),
    )


def _deciding_judge(context: ViewContext) -> str:
    """Say without which judge there would be no such winner; empty where there is none."""
    found = compute.doubt_of_winner(context)
    return found.finding.removesuffix(".") if found else ""


def _winners_without(context: ViewContext) -> str:
    """Say who wins whichever system is left out; empty if the answer takes its time."""
    slow = compute.takes_time(context) or context.judgments.n_systems > MANY
    if context.certainty.is_official or slow:
        return ""
    how = (context.judgments, context.ranker, context.certainty)
    found = compute.remember(context, ("winners without", *how[1:]), lambda: winners_without(*how))
    return without_words(compute.ranking(context).winner, found, context.name)


def _choose(context: ViewContext) -> tuple[list[str], list[str]]:
    """Return the systems and judges to leave out.

    They are not in the link, which holds no names; leaving out on every page is, by position.
    """
    left, right = st.columns(2)
    systems = left.multiselect(
        "Leave out systems",
        context.judgments.systems,
        format_func=context.name,
        key=SYSTEMS,
        placeholder="none",
        select_all=False,
        persist_state="session",
    )
    if context.judgments.n_judges is None:
        return list(systems), []
    with right:
        return list(systems), choose_judges(context)
