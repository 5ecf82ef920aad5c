"""A plan in two to five numbers."""

from __future__ import annotations

from analysis.next_campaign.design import typical_minutes
from analysis.next_campaign.planning import Cost, Plan, usual_minutes
from analysis.wording import percent
from dashboard.session.view import ViewContext
from dashboard.tables.plan import money, rounded
from dashboard.widgets.facts import show_facts


def show_key_numbers(context: ViewContext, found: Plan, currency: str) -> None:
    """Show where the campaign stands, and what the aim takes and costs."""
    aim, per_task = found.aim, found.at_hand.judgments_per_task
    now = found.outlook
    facts = [
        (percent(float(now.share[0, 0])), "of the pairs significant", "now"),
        (str(now.tiers[0, 0]), "tier" if now.tiers[0, 0] == 1 else "tiers", "now"),
    ]
    if not (found.stop or found.is_far):
        facts += [
            (f"+{rounded(aim.likely)}", "votes", "")
            if per_task == 1
            else (
                f"+{rounded(aim.likely * per_task)}",
                "judgments",
                f"{rounded(aim.likely)} tasks",
            ),
            (rounded(found.cost.hours(aim.likely)), "hours", _minutes_words(context, found.cost)),
        ]
        if found.cost.per_hour is not None:
            price = f"at {money(found.cost.per_hour, currency)} per hour"
            facts.append((money(found.cost.money(aim.likely), currency), "cost", price))
    show_facts(facts)


def _minutes_words(context: ViewContext, cost: Cost) -> str:
    """Say what a task is taken to last, and that it is a guess where nobody told."""
    minutes = cost.minutes_per_task or 0.0
    judgments = context.judgments
    guessed = usual_minutes(judgments) is None and minutes == typical_minutes(judgments)
    one = "vote" if judgments.are_votes else "task"
    return f"at {minutes:.1f} min a {one}{', a guess' * guessed}"
