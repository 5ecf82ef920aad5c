"""What is controlled for: a number for every judgment, that of the output shown first against.

*Position* is 1 for every judgment: its effect is what the output shown first gains. A number of
each output, such as its length, counts as (a - b)/(|a| + |b|), from -1 to 1. A number of the whole
task counts as it is, by standard deviations: it has to be the first output's less the second's.
Where a number is not known it is taken to make no difference.
"""

from __future__ import annotations

import numpy as np

from analysis.campaign import Attribute, FloatArray, Judgments, Ragged, RankingTasks
from analysis.errors import PodiumError, UndefinedResultError, control, unknown

POSITION = "position"
LENGTH = "characters"
LENGTHS = ("length", "length_a", "length_b")
"""What columns are called in files whose lengths become `LENGTH`."""
MOST = 2
"""Columns of numbers that can be controlled for beside the position."""

TWICE = 1 / 3
"""(a - b)/(a + b) of an output that is twice as long as the other."""


def can_be_held(campaign: RankingTasks) -> tuple[str, ...]:
    """Return the columns of numbers that can be controlled for beside the position."""
    return tuple(one.name for one in campaign.attributes if one.is_number and one.about != "system")


def usually_held(campaign: RankingTasks) -> tuple[str, ...]:
    """Return what is held even unless somebody chooses: position, and the first column.

    Scores do not tell which output was shown first.
    """
    numbers = can_be_held(campaign)
    if campaign.scores is None:
        return (POSITION, *numbers[:1])
    if not numbers:
        raise UndefinedResultError(
            "Position and style",
            "scores do not show which output came first, and this file has no numbers about "
            "outputs or tasks",
            "Give a file with a column such as length.",
        )
    return numbers[:1]


def spelled(campaign: RankingTasks, text: str) -> str:
    """Return the names in a list by commas; a length is what formats call characters."""
    held = {name.casefold() for name in can_be_held(campaign)}
    if not held.isdisjoint(LENGTHS) or LENGTH not in held:
        return text
    return ",".join(LENGTH if name.casefold() in LENGTHS else name for name in names_of(text))


def names_of(text: str) -> tuple[str, ...]:
    """Return the names in a list by commas, each once.

    >>> names_of("position, length,length")
    ('position', 'length')
    """
    return tuple(dict.fromkeys(name for part in text.split(",") if (name := part.strip())))


def columns(judgments: Judgments, names: tuple[str, ...]) -> FloatArray:
    """Return the numbers [N, C] of every observation, without the position."""
    numbers = [name for name in names if name.casefold() != POSITION]
    if not names:
        raise PodiumError(
            control("--adjust-for", "Control"),
            "nothing is named",
            "Use position, or position,length.",
        )
    known = {one.name.casefold() for one in judgments.campaign.attributes}
    if missing := [name for name in numbers if name.casefold() not in known]:
        where, held = control("--adjust-for", "Control"), can_be_held(judgments.campaign)
        if held:
            known_too = LENGTHS[:1] if LENGTH in held else ()
            raise unknown(where, missing[0], (POSITION, *held, *known_too))
        got = f"{missing[0]!r} is not known, and this campaign has no column of numbers"
        raise PodiumError(where, got, "Add columns such as length_a and length_b to the file.")
    if len(numbers) > MOST:
        raise PodiumError(
            control("--adjust-for", "Control"),
            f"{len(numbers)} columns are named besides the position, and {MOST} is the most",
            "Name the two that matter most.",
        )
    row = judgments.observations.row
    found = [_column(judgments, judgments.campaign.attribute(name))[row] for name in numbers]
    return np.stack(found, axis=1) if found else np.zeros((len(row), 0))


def _column(judgments: Judgments, attribute: Attribute) -> FloatArray:
    """Return an attribute's number for every row."""
    if not attribute.is_number:
        raise PodiumError(
            control("--adjust-for", "Control"),
            f"{attribute.name} contains words, and only numbers can be adjusted for",
            "Restrict the judgments to a value instead, such as "
            f"{attribute.name}={attribute.names[0]}.",
        )
    if attribute.about == "output":
        values = of_entries(judgments, attribute)
        first, second = Ragged.from_start(judgments.task_start).pairs()
        one, other = values[first], values[second]
        sum_ = np.abs(one) + np.abs(other)
        share = np.divide(one - other, sum_, out=np.zeros(len(one)), where=sum_ > 0)
        return np.nan_to_num(share)
    of_tasks = judgments.campaign.of_tasks(attribute).values
    assert of_tasks is not None
    values = of_tasks[judgments.tasks]
    spread = float(np.nanstd(values)) if np.isfinite(values).any() else 0.0
    return np.nan_to_num(values / spread if spread else np.zeros(len(values)))[judgments.task]


def of_entries(judgments: Judgments, attribute: Attribute) -> FloatArray:
    """Return the number of every entry that counts; outputs are found again by task and code."""
    assert attribute.values is not None
    campaign, k = judgments.campaign, judgments.n_systems
    place = {name: code for code, name in enumerate(judgments.systems)}
    group = {members: k + code for code, members in enumerate(judgments.groups)}
    codes: list[list[int]] = []
    for systems in campaign.output_groups():
        members = tuple(place[n] for s in systems if (n := campaign.systems[s]) in place)
        joined = group.get(members)
        codes.append(list(members) if joined is None else [joined])
    every = np.arange(campaign.task_start[-1])
    shown = Ragged.from_start(campaign.task_start, every).take(judgments.tasks)
    of_output, entry = Ragged(shown.start, campaign.entry_output[shown.values]).join(
        Ragged.from_lists(codes)
    )
    size = k + len(judgments.groups)
    key = of_output.owners.astype(np.int64) * size + of_output.values
    owner = Ragged.from_start(judgments.task_start).owners.astype(np.int64)
    order = np.argsort(key, kind="stable")
    at = np.searchsorted(key[order], owner * size + judgments.entry_output)
    return np.asarray(attribute.values[shown.values[entry[order[at]]]])
