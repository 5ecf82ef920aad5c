"""Plan: whether to stop or to go on, and what more judgments bring and cost."""

from __future__ import annotations

import dataclasses

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.findings.planning import (
    advise,
    back_test_words,
    neighbors_title,
    outlook_title,
)
from analysis.names import middle_cut
from analysis.next_campaign.back_test import PART, BackTest, back_test
from analysis.next_campaign.evidence import FEWEST_TASKS
from analysis.next_campaign.planning import HORIZON, SHARES, Cost, Plan, plan
from analysis.provenance import Provenance
from dashboard import compute
from dashboard.figures.neighbors import neighbors_figure
from dashboard.figures.plan import outlook_figure
from dashboard.session.view import ViewContext, require_campaign
from dashboard.tables.plan import (
    money,
    neighbors_table,
    plan_columns,
    plan_screen,
    plan_table,
    rounded,
)
from dashboard.typography import as_html, percent
from dashboard.views.plan.new_campaign import show_new_campaign
from dashboard.widgets.facts import show_facts
from dashboard.widgets.progress import progress_in
from dashboard.widgets.result_card import downloads, headline, note, show_figure, signature

NAME_WIDTH = 22
CERTAINTY, MINUTES, PER_HOUR = 0.9, 2.0, 20.0
"""How sure intervals are; minutes of a task where no file tells, and the price of an hour."""
TOO_FEW_TO_CHECK = (
    f"With fewer than {PART * FEWEST_TASKS} tasks the outlook cannot be checked on the campaign."
)
SHARES_TO_AIM_AT = (*SHARES, 0.95, 1.0)


def show() -> None:
    """Show whether to stop or to continue."""
    context = require_campaign()
    top = st.container()
    aim, minutes, price, sign = st.columns([5, 3, 3, 2], gap="small")
    with aim:
        found = _plan(context, _choose_aim(context), top.empty())
    with minutes:
        minutes_per_task = _choose_minutes(found)
    per_hour = price.number_input(
        "Cost of an hour", min_value=0.0, value=PER_HOUR, step=1.0, format="%g",
        key="plan.per_hour", bind="query-params",
    )  # fmt: skip
    currency = sign.text_input(
        "Currency", value="€", max_chars=8, key="plan.currency", bind="query-params"
    )
    priced = dataclasses.replace(found, cost=Cost(minutes_per_task, per_hour))
    with top:
        _show_verdict(context, priced, str(currency))
        _show_back_test(context)
    _show_goals(context, priced, str(currency))
    _show_neighbors(context, priced)
    show_new_campaign(context, priced.evidence)


def _choose_aim(context: ViewContext) -> tuple[float, int | None]:
    """Return the share of pairs, or the number of clusters, that the user wants."""
    aims: dict[str, tuple[float, int | None]] = {
        f"{percent(share)} of the pairs told apart": (share, None) for share in SHARES_TO_AIM_AT
    }
    for k in range(2, context.judgments.n_systems + 1):
        aims[f"{k} clusters"] = (SHARES[-1], k)
    chosen = st.selectbox(
        "Aim", list(aims), index=SHARES.index(0.9), key="plan.aim", bind="query-params",
        help="What you want to know in the end. Two systems are told apart where one stands above "
        f"the other in {context.resampling.level:.0%} of the resamples of ranking tasks.",
    )  # fmt: skip
    return aims[str(chosen)]


def _choose_minutes(found: Plan) -> float:
    """Return the minutes of a task: the user's, else those of the campaign, else a guess."""
    usual = found.cost.minutes_per_task
    here = MINUTES if usual is None else usual
    chosen = st.number_input(
        "Minutes a task", min_value=0.0, value=None, step=0.1, format="%.1f",
        placeholder=f"{here:.1f}, {'a guess' if usual is None else 'as so far'}",
        key="plan.minutes", bind="query-params",
        help="How long a judge takes for one ranking task. Where files tell the time, the median "
        "of the tasks so far is taken unless you say otherwise.",
    )  # fmt: skip
    return here if chosen is None else chosen


def _plan(context: ViewContext, aim: tuple[float, int | None], place: DeltaGenerator) -> Plan:
    """Return the plan without its price, which is put in later; show progress in a place."""
    (share, clusters), chosen = aim, context.resampling
    bar = progress_in(place, "Looking ahead", unit="sizes")
    found = compute.remember(
        context,
        ("plan", share, clusters, chosen.level, chosen.seed),
        lambda: plan(
            context.judgments,
            share=share,
            clusters=clusters,
            level=chosen.level,
            certainty=CERTAINTY,
            seed=chosen.seed,
            progress=bar,
        ),
    )
    place.empty()
    return found


def _show_verdict(context: ViewContext, found: Plan, currency: str) -> None:
    sentence = advise(found, with_price=False).rstrip(".")
    headline(context, "Plan", sentence, of_method=False)
    _show_key_numbers(found, currency)
    figure = outlook_figure(found, title=outlook_title(found), mode=context.mode)
    show_figure(figure, "figure.plan")
    note(
        f"The line is what to expect, the band holds {percent(CERTAINTY)} of what may come; dots "
        "are the judgments that a target takes, with their interval. By a model of abilities and "
        "whole tasks; new tasks are taken to be like those so far (chosen ones tell more: see "
        "Collect next)."
    )
    note(
        f"Told apart is here what stands in one order in {context.resampling.level:.0%} of the "
        "resamples of tasks. Rank ranges that do not overlap, as on Standings, ask for more, and "
        "Head to head tests each pair by its own judgments alone."
    )
    for words in found.notes:
        st.html(f'<div class="podium-finding podium-warning"><p>{as_html(words)}</p></div>')


def _show_back_test(context: ViewContext) -> None:
    """Say how well the outlook would have foretold the campaign at hand."""
    chosen, place = context.resampling, st.empty()

    def check() -> BackTest | None:
        bar = progress_in(place, "Checking the outlook", unit="trials")
        return back_test(
            context.judgments, level=chosen.level, certainty=CERTAINTY, seed=chosen.seed,
            progress=bar,
        )  # fmt: skip

    tested = compute.remember(context, ("back test", chosen.level, chosen.seed), check)
    with place:
        note(back_test_words(tested) if tested else TOO_FEW_TO_CHECK)


def _show_key_numbers(found: Plan, currency: str) -> None:
    aim, per_task = found.aim, found.evidence.judgments_per_task
    now = found.outlook
    facts = [
        (percent(float(now.share[0, 0])), "of the pairs told apart", "now"),
        (str(now.clusters[0, 0]), "cluster" if now.clusters[0, 0] == 1 else "clusters", "now"),
    ]
    if not found.stop and aim.within_reach:
        facts += [
            (f"+{rounded(aim.likely * per_task)}", "judgments", f"{rounded(aim.likely)} tasks"),
            (rounded(found.cost.hours(aim.likely)), "hours", "of judges' time"),
            (money(found.cost.money(aim.likely), currency), "cost", ""),
        ]
    show_facts(facts)


def _show_goals(context: ViewContext, found: Plan, currency: str) -> None:
    st.dataframe(
        plan_screen(found, currency),
        hide_index=True,
        column_config=plan_columns(CERTAINTY),
        width="stretch",
        placeholder="",
    )
    made_by = _made_by(context, found)
    signature(made_by)
    figure = outlook_figure(found, title=outlook_title(found), mode="light")
    caption = f"Further judgments, {context.pair_title}."
    downloads("plan", plan_table(found, currency), figure, caption, made_by)


def _show_neighbors(context: ViewContext, found: Plan) -> None:
    st.markdown("## Each two neighbors")
    figure = neighbors_figure(
        found,
        names=context.short_names,
        title=neighbors_title(found, lambda s: middle_cut(context.name(s), NAME_WIDTH)),
        mode=context.mode,
    )
    show_figure(figure, "figure.neighbors")
    note(
        "Dots are as likely too far left as too far right, lines hold "
        f"{percent(CERTAINTY)}, arrows go on. Not within reason: even {HORIZON} times the "
        "judgments would hardly do; the two may well be alike."
    )
    caption = f"Further judgments for neighbors, {context.pair_title}."
    downloads("neighbors", neighbors_table(found), figure, caption, _made_by(context, found))


def _made_by(context: ViewContext, found: Plan) -> str:
    """Return what makes the plan's numbers again."""
    chosen, cost = context.resampling, found.cost
    planned = Provenance(
        extra=(
            ("aim", found.aim.label),
            ("minutes-per-task", cost.minutes_per_task),
            ("cost-per-hour", cost.per_hour),
            ("certainty", CERTAINTY),
        ),
        seed=chosen.seed,
        level=chosen.level,
    )
    return str(planned | context.provenance)
