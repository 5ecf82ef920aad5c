"""Four or five key numbers of a campaign."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import streamlit as st

from analysis.campaign import Judgments, distinct
from analysis.errors import PodiumError
from analysis.escaping import as_html
from analysis.findings.standings import evidence_noun, evidence_size
from analysis.wording import fixed, percent, thousands
from dashboard import compute
from dashboard.session.view import ViewContext

ICC = "ICC, one judge"
Fact = tuple[str, str, str]
"""A number, what it counts, and a word that says how to take it."""
KAPPA = "κ between judges"
MEANINGS = {
    KAPPA: (
        "Agreement of different judges beyond chance (strict: identical outputs count once). More "
        "on Agreement"
    ),
    ICC: (
        "Share of the variance of scores between outputs; the rest is between the judges of one "
        "output. More on Agreement"
    ),
}


def campaign_facts(context: ViewContext) -> None:
    """Show systems, judgments, judges, ties of judgments, and strict agreement."""
    judgments = context.judgments
    n_judges = judgments.n_judges
    what = KAPPA if judgments.scores is None else ICC
    size, noun = evidence_size(judgments), evidence_noun(judgments)
    show_facts(
        [
            (str(judgments.n_systems), "systems", ""),
            (thousands(size), noun if size == 1 else f"{noun}s", _units(judgments)),
            ("–", "judges", "not named")
            if n_judges is None
            else (thousands(n_judges), "judge name" if n_judges == 1 else "judges", ""),
            *([] if judgments.scores is not None else [_ties(context)]),
            ("–", what, "no judges are named") if n_judges is None else _agreement(context),
        ]
    )


def _ties(context: ViewContext) -> Fact:
    """Return the share of ties, and that of ties which a judge gave."""
    share = percent(context.judgments.tie_share)
    if (context.campaign.made_by.sizes < 2).all():
        return (share, "ties", "")
    once = dataclasses.replace(context.selection, identical="collapsed")
    judged = percent(compute.with_selection(context, once).judgments.tie_share)
    return (share, "ties", f"{judged} without identical outputs" * (judged != share))


def _units(judgments: Judgments) -> str:
    if judgments.scores is not None:
        return f"{thousands(len(distinct(judgments.scores.segment)))} segments"
    if judgments.are_votes:
        return ""
    segments = thousands(len(distinct(judgments.task_segment)))
    return f"{thousands(judgments.n_tasks)} tasks, {segments} segments"


def show_facts(facts: Sequence[Fact]) -> None:
    """Show numbers in a row, each over what it counts."""
    cells = "".join(
        f'<div title="{as_html(MEANINGS.get(what, ""))}">'
        f"<b>{as_html(number)}</b><span>{as_html(what)}</span>"
        + (f"<i>{as_html(word)}</i>" if word else "")
        + "</div>"
        for number, what, word in facts
    )
    st.html(f'<div class="podium-facts">{cells}</div>')


def _agreement(context: ViewContext) -> Fact:
    return _kappa(context) if context.judgments.scores is None else _icc(context)


def _kappa(context: ViewContext) -> Fact:
    what = KAPPA
    try:
        found = compute.agreement_of_judges(context)
        inter, printed = found.strict.inter, found.published.inter
    except PodiumError:
        return ("–", what, "not defined here")
    if np.isnan(inter.kappa):
        known = () if context.report is None else context.report.oddities
        if any(oddity.kind == "no-questions" for oddity in known):
            return ("–", what, "items not named")
        return ("–", what, "no item was judged twice")
    if inter.is_scarce:
        return ("–", what, "too few shared items")
    other = f"; {fixed(printed.kappa)} the WMT way" * context.certainty.is_official
    return (fixed(inter.kappa), what, f"{inter.word}{other}")


def _icc(context: ViewContext) -> Fact:
    found = compute.score_agreement_of_judges(context).icc
    if np.isnan(found.value):
        return (
            "–",
            ICC,
            "no output has ratings by two judges" if not found.n else "all scores are equal",
        )
    return (fixed(found.value), ICC, f"{fixed(found.low)} to {fixed(found.high)}")
