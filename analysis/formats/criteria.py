"""Campaigns with several criteria: one campaign for each, of which one is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from analysis.campaign import Campaign
from analysis.errors import PodiumError, control
from analysis.formats.mapping.apply import Part, Parts
from analysis.formats.report import Oddity, ReadReport
from analysis.wording import count

Assembled = tuple[Campaign, ReadReport]


def with_criteria(
    parts: Sequence[Parts], assembled: Callable[[Sequence[Part]], Assembled], criterion: str | None
) -> Assembled:
    """Return the campaign of the chosen criterion, the first without a choice, with all others."""
    names = list(dict.fromkeys(name for part in parts for name in part if name))
    if not names:
        if criterion is not None:
            raise PodiumError("Criterion", "the file has one only", "Leave the criterion out.")
        return assembled([part[""] for part in parts])
    missing = [part for part in parts if not set(names) <= set(part)]
    if missing:
        raise PodiumError(
            "Files", f"not all of them have {', '.join(names)}", "Read the files one at a time."
        )
    chosen = criterion_of(names, criterion)
    found = {name: assembled([part[name] for part in parts]) for name in names}
    campaign, report = found[chosen]
    others = tuple((name, own) for name, (own, _) in found.items())
    told = Oddity(
        "criteria",
        f"It has {count(len(names), 'criterion', 'criteria')}: {', '.join(names)}. {chosen} was "
        f"read; name another one ({control('--criterion', 'the list on Data')}), or rank by all "
        f"({control('--criteria all', 'All criteria')}).",
        len(names),
    )
    report = replace(report, oddities=(*report.oddities, told), criteria=tuple(names))
    return replace(campaign, criterion=chosen, criteria=others), report


def criterion_of(names: Sequence[str], wanted: str | None) -> str:
    """Return the criterion of that name in any case, the first one if none is asked for."""
    if wanted is None:
        return names[0]
    for name in names:
        if name.casefold() == wanted.strip().casefold():
            return name
    raise PodiumError(
        "Criterion", f"{wanted!r} is not known", f"Use one of {', '.join(names)}, or all."
    )
