"""A plan in two to five numbers."""

from __future__ import annotations

import math

from analysis.findings.planning import is_refuted, tasks_shown
from analysis.next_campaign.back_test import BackTest
from analysis.next_campaign.planning import Plan, assumed_minutes, round_up, usual_minutes
from analysis.wording import percent, thousands
from dashboard.session.view import ViewContext
from dashboard.tables.plan import money, whole
from dashboard.widgets.facts import show_facts


def show_key_numbers(
    context: ViewContext, found: Plan, currency: str, tested: BackTest | None
) -> None:
    """Show the present state of the campaign, and what the aim takes and costs."""
    now, cost, tasks = found.outlook, found.cost, tasks_shown(found, found.aim)
    facts = [
        (percent(float(now.share[0, 0])), "of the pairs significant", "now"),
        (str(now.tiers[0, 0]), "tier" if now.tiers[0, 0] == 1 else "tiers", "now"),
    ]
    if not (found.stop or found.is_far or is_refuted(found, tested)):
        more = thousands(round_up(found.needs(found.aim)[1]))
        facts.append((f"+{more}", found.at_hand.counted, ""))
        if math.isfinite(cost.hours(tasks)):
            facts.append((whole(cost.hours(tasks)), "hours", _minutes_words(context, found)))
        if cost.per_hour is not None:
            price = f"at {money(cost.per_hour, currency)} per hour"
            facts.append((money(cost.money(tasks), currency), "cost", price))
    show_facts(facts)


def _minutes_words(context: ViewContext, found: Plan) -> str:
    """Say how long a task takes, and whether that is assumed."""
    minutes, usual = found.cost.minutes_per_task or 0.0, usual_minutes(context.judgments)
    of_wmt = usual is None and minutes == assumed_minutes(context.judgments)
    one = "vote" if context.judgments.are_votes else "task"
    return f"at {minutes:.1f} min per {one}{', as in WMT15' * of_wmt}"
