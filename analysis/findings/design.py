"""What a campaign that has not begun will show, in words."""

from __future__ import annotations

import math

from analysis.findings.planning import failed
from analysis.next_campaign.back_test import BackTest
from analysis.next_campaign.design import WANTED_POWER, Prospect
from analysis.next_campaign.planning import round_up
from analysis.wording import EN_DASH, capital, count, listed, percent, span, thousands


def prospect_finding(prospect: Prospect, tested: BackTest | None = None) -> str:
    """Say what to expect: "Expect 2–4 tiers; 40–60% of the system pairs will differ …".

    Without an effect the pairs are all pairs of systems. What the ``tested`` back-test of the
    campaign it is like refutes is not said.
    """
    poor = () if tested is None else failed(tested)
    _, low, high = prospect.tiers_interval()
    share = f"about {percent(prospect.power)}"
    if prospect.design.effect is None:
        least, most = map(percent, prospect.share_interval())
        share = f"{least.removesuffix('%')}{EN_DASH}{most}" if least != most else most
    parts = {
        "tiers": f"expect {span(low, high)} {'tier' if high == 1 else 'tiers'}",
        "share": f"{share} of the {compared_pairs(prospect)} will differ significantly",
    }
    kept = [words for kind, words in parts.items() if kind not in poor]
    if not kept:
        return "No reliable forecast: this campaign's back-test refutes it"
    return capital("; ".join(kept))


def spread_words(prospect: Prospect) -> str:
    """Say what the ranges of the finding are, and their middle."""
    median = f"The median is {count(prospect.tiers_interval()[0], 'tier')}"
    if prospect.design.effect is None:
        median += f" and {percent(prospect.power)} of the pairs"
    return f"{median}; ranges are 90% intervals."


def compared_pairs(prospect: Prospect) -> str:
    """Name the pairs that the power of a design is about."""
    return "system pairs" if prospect.design.effect is None else "adjacent pairs"


def design_sentences(
    prospect: Prospect, minutes_per_task: float | None, per_hour: float | None
) -> list[str]:
    """Say what the campaign takes, whether a winner can be named, and what would be enough."""
    planned, cost = prospect.design, prospect.cost(minutes_per_task, per_hour)
    work = f"{count(planned.tasks, 'task')}, {thousands(prospect.judgments)} pairwise judgments"
    if planned.shown == 2:
        work = count(planned.tasks, prospect.counted.removesuffix("s"))
    if planned.shown > 2 or minutes_per_task is not None:
        hours = count(math.ceil(cost.hours(planned.tasks)), "hour")
        work += f", about {hours} ({cost.minutes_per_task:.1f} minutes per task)"
    if per_hour is not None:
        work += f" at a cost of {thousands(math.ceil(cost.money(planned.tasks)))}"
    said = [
        spread_words(prospect),
        f"{work}.",
        f"A winner can be named in {percent(prospect.winner)} of such campaigns.",
    ]
    said.append(_what_is_needed(prospect))
    unknown = prospect.components.unknown
    units = [unit for unit in ("judge", "segment") if unit not in unknown]
    documents = ["document"] * (planned.documents is not None and "segment" in units)
    varied = [f"{unit}s" for unit in (*units, *documents)]
    if varied:
        grown = [unit for unit in varied if unit in planned.growing]
        growth = f"; the number of {listed(grown)} grows with the tasks" if grown else ""
        said.append(
            f"{capital(listed(varied))} are assumed to vary as in {_source(prospect)}, and to "
            f"share the work evenly{growth}."
        )
    return [
        *said,
        *(
            f"The variation between {unit}s is unknown, taken as 0: the true power may be lower."
            for unit in unknown
        ),
    ]


def _what_is_needed(prospect: Prospect) -> str:
    """Say how many tasks give the power that is wanted, or what is in the way."""
    planned = prospect.design
    if math.isfinite(prospect.needed):
        fixed = [
            count(getattr(planned, f"{unit}s"), unit)
            for unit in ("judge", "segment")
            if f"{unit}s" not in planned.growing
        ]
        return (
            f"Power {percent(WANTED_POWER)} needs about {thousands(round_up(prospect.needed))} "
            f"{prospect.counted}{' with ' * bool(fixed)}{listed(fixed)}."
        )
    if prospect.lacking:
        return (
            f"More tasks alone do not reach power {percent(WANTED_POWER)}; that needs more "
            f"{prospect.lacking}."
        )
    return f"Power {percent(WANTED_POWER)} is out of reach: the systems are too similar."


def _source(prospect: Prospect) -> str:
    return prospect.components.source or "the given campaign"
