"""What a plan is asked: the goal, what may grow, and what a task costs."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from analysis.findings.standings import own_words
from analysis.next_campaign.goals import SHARES
from analysis.next_campaign.outlook import Limits
from analysis.next_campaign.planning import Cost, minutes_of_task, usual_minutes
from analysis.ranking.covariance import Unit
from analysis.ranking.verdict import Verdict
from analysis.wording import percent
from dashboard.session.view import ViewContext

WIDTH = 150
"""Pixels of a number's field."""

MOST_LOOKS = 1000
SHARES_TO_AIM_AT = (*SHARES, 0.95, 1.0)


@dataclass(frozen=True)
class Settings:
    """What the user asks: without ``share`` and ``clusters`` the goal is a winner."""

    share: float | None
    clusters: int | None
    limits: Limits
    cost: Cost
    look: int | None


def choose_settings(context: ViewContext, verdict: Verdict) -> Settings:
    """Ask for the goal; what has a usual value is folded."""
    share, clusters = _choose_aim(context)
    folded = own_words(context.judgments, "Time and cost, new judges and segments, interim looks")
    with (
        st.expander(folded, icon=":material/tune:"),
        st.container(horizontal=True, gap="small"),
    ):
        minutes_per_task = choose_minutes(context)
        per_hour = st.number_input(
            "Cost per hour", min_value=0.0, value=None, step=1.0, format="%g", placeholder="none",
            key="plan.per_hour", bind="query-params", width=WIDTH,
        )  # fmt: skip
        new_judges = _choose_new(context, "judge", verdict)
        new_segments = _choose_new(context, "segment", verdict)
        look = _choose_look()
    limits = Limits.of_new(verdict, new_segments, new_judges)
    cost = Cost(minutes_per_task, per_hour)
    return Settings(share, clusters, limits, cost, look)


def _choose_aim(context: ViewContext) -> tuple[float | None, int | None]:
    """Return the share of pairs, or the number of clusters, that the user wants."""
    aims: dict[str, tuple[float | None, int | None]] = {"A winner named": (None, None)}
    aims |= {
        f"{percent(share)} of the pairs significant": (share, None) for share in SHARES_TO_AIM_AT
    }
    for k in range(2, context.judgments.n_systems + 1):
        aims[f"{k} clusters"] = (None, k)
    chosen = st.selectbox(
        "Goal", list(aims), key="plan.aim", bind="query-params",
        width=230,
        help="Winner, pairs and clusters are counted as on Result.",
    )  # fmt: skip
    return aims[str(chosen)]


def _choose_look() -> int | None:
    """Return which interim look this is; None: the campaign is tested once."""
    look = st.number_input(
        "Interim look", min_value=1, max_value=MOST_LOOKS, value=None, step=1, key="next.look",
        bind="query-params", width=WIDTH, placeholder="the only one",
        help=(
            "If you look repeatedly and stop when two systems differ significantly, false claims "
            "become more frequent. Enter the number of looks with this one, and Podium keeps the "
            "error over all of them at its level."
        ),
    )  # fmt: skip
    return None if look is None else int(look)


def _choose_new(context: ViewContext, unit: Unit, verdict: Verdict) -> int | None:
    """Return how many new ones of a unit come at most; None: they grow as the tasks do."""
    unknown = unit in verdict.missing
    chosen = st.number_input(
        own_words(context.judgments, f"New {unit}s"), min_value=0, value=None, step=1,
        key=f"plan.new_{unit}s", bind="query-params", disabled=unknown, width=WIDTH,
        placeholder="not named" if unknown else own_words(context.judgments, "as tasks"),
        help=verdict.missing[unit] if unknown else own_words(
            context.judgments,
            f"The most new {unit}s besides the present {verdict.units.get(unit, 0)}; further "
            "tasks share them. Empty: they grow with the tasks."
        ),
    )  # fmt: skip
    return None if unknown or chosen is None else int(chosen)


def choose_minutes(context: ViewContext, outputs: float | None = None) -> float | None:
    """Return the minutes of a task of so many outputs; None where they are unknown.

    Both forms of Next have this field with one key: what is entered in one is shown in the other.
    """
    judgments = context.judgments
    source = "(WMT15)" if usual_minutes(judgments) is None else "so far"
    here = minutes_of_task(judgments, outputs=1)
    chosen = st.number_input(
        own_words(judgments, "Minutes per task" if judgments.are_votes else "Minutes per output"),
        min_value=0.0, value=None, step=0.05, format="%.2f",
        placeholder="none" if here is None else f"{here:.2f} {source}",
        key="plan.minutes", bind="query-params", width=WIDTH,
        help=(
            "A judge's time. Unless you enter a number, Podium uses the median of the file's "
            "times per task, divided by the outputs of an average task; without times, WMT15's "
            "12 seconds per output."
        ),
    )  # fmt: skip
    return minutes_of_task(judgments, chosen, outputs)
