"""What a campaign that has not begun will show, in words."""

from __future__ import annotations

import math

from analysis.next_campaign.design import WANTED_POWER, Prospect
from analysis.next_campaign.planning import round_up
from analysis.wording import EN_DASH, count, percent, thousands


def prospect_finding(prospect: Prospect) -> str:
    """Say what to expect: "Two neighbors differ significantly in 74% of campaigns; expect 3 tiers".

    Without an effect the pairs are all pairs of systems.
    """
    likely, low, high = prospect.tiers_interval()
    who = compared_pairs(prospect)
    tiers = f"{likely}" if low == high else f"{likely} (90%: {low}{EN_DASH}{high})"
    return (
        f"{who} differ significantly in {percent(prospect.power)} of such campaigns; expect "
        f"{tiers} {'tier' if low == high == 1 else 'tiers'}"
    )


def compared_pairs(prospect: Prospect) -> str:
    """Say which two systems power is about."""
    return "Any two systems" if prospect.design.effect is None else "Two adjacent systems"


def design_sentences(
    prospect: Prospect, minutes_per_task: float | None, per_hour: float | None
) -> list[str]:
    """Say what the campaign takes, whether a winner can be named, and what would be enough."""
    planned, cost = prospect.design, prospect.cost(minutes_per_task, per_hour)
    work = f"{count(planned.tasks, 'task')}, {thousands(planned.judgments)} pairwise judgments"
    minutes = prospect.minutes(minutes_per_task)
    work += f", about {thousands(round_up(cost.hours(planned.tasks)))} hours"
    work += f" at {minutes:.1f} minutes a task"
    if per_hour is not None:
        work += f", at a cost of {thousands(round_up(cost.money(planned.tasks)))}"
    said = [
        f"{work}.",
        f"A winner can be named in {percent(prospect.winner)} of such campaigns.",
    ]
    if math.isfinite(prospect.needed):
        said.append(
            f"Power {percent(WANTED_POWER)} needs about {thousands(round_up(prospect.needed))} "
            f"tasks by {count(planned.judges, 'judge')} on {count(planned.segments, 'segment')}."
        )
    else:
        said.append(
            f"More tasks alone do not reach power {percent(WANTED_POWER)}; that needs more "
            "judges, segments or documents."
        )
    return [
        *said,
        f"Judges, segments and documents are assumed to vary as in {_source(prospect)}, and to "
        "share the work evenly.",
    ]


def _source(prospect: Prospect) -> str:
    return prospect.components.source or "the given campaign"
