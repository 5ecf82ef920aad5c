"""Parts of a campaign by what is said of its segments, judges, tasks or systems: ``domain=news``.

A slice is written as an attribute and a word, or as an attribute of numbers and a range, both ends
included: ``length=10-50``, ``length=10-`` or ``length=-50``. Several slices of one attribute add
up, slices of different attributes must all hold.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from analysis.campaign.attributes import Attribute
from analysis.campaign.tasks import RankingTasks
from analysis.errors import PodiumError

Mask = npt.NDArray[np.bool_]

_NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
_RANGE = re.compile(rf"({_NUMBER})?\s*[-–]\s*({_NUMBER})?", re.ASCII | re.IGNORECASE)


def sliced(attribute: str, low: float, high: float) -> str:
    """Return the slice of an attribute between two numbers.

    >>> sliced("length", 10, float("inf")), sliced("gap", -2.5, 3)
    ('length=10-', 'gap=-2.5-3')
    """
    ends = ("" if np.isinf(end) else f"{end:.15g}" for end in (low, high))
    return f"{attribute}={'-'.join(ends)}"


def attribute_of(campaign: RankingTasks, words: str) -> tuple[Attribute, str]:
    """Return the attribute that a slice is about, and what is asked of it.

    A name may hold an equals sign: the longest one that is known counts.
    """
    cuts = [k for k, letter in enumerate(words) if letter == "="]
    if not cuts:
        raise PodiumError(
            "Slice", f"{words!r} is not an attribute and its value", "Use the form domain=news."
        )
    known = {attribute.name.casefold() for attribute in campaign.attributes}
    cut = next((k for k in reversed(cuts) if words[:k].strip().casefold() in known), cuts[0])
    return campaign.attribute(words[:cut]), words[cut + 1 :].strip()


def holds(attribute: Attribute, value: str) -> Mask:
    """Return for whom of those that an attribute describes a value holds."""
    if attribute.values is not None:
        low, high = ends_of(attribute.name, value)
        return np.asarray((attribute.values >= low) & (attribute.values <= high))
    assert attribute.codes is not None
    found = [
        code for code, name in enumerate(attribute.names) if name.casefold() == value.casefold()
    ]
    exact = [code for code in found if attribute.names[code] == value]
    if not found:
        shown = ", ".join(attribute.names[:20]) + (", …" if len(attribute.names) > 20 else "")
        raise PodiumError(
            "Slice", f"{attribute.name} is never {value!r}; it is {shown}", "Use one of these."
        )
    return np.isin(attribute.codes, exact or found)


def ends_of(name: str, value: str) -> tuple[float, float]:
    """Return the ends of a range of numbers."""
    match = _RANGE.fullmatch(value)
    if re.fullmatch(_NUMBER, value, re.ASCII | re.IGNORECASE) and not value.startswith("-"):
        return float(value), float(value)
    if match is None or not (match[1] or match[2]):
        raise PodiumError(
            "Slice",
            f"{name} is a number, and {value!r} is not a range",
            f"Use {name}=10-50, {name}=10- or {name}=-50.",
        )
    low = float(match[1]) if match[1] else -np.inf
    high = float(match[2]) if match[2] else np.inf
    return low, high


def slice_masks(campaign: RankingTasks, slices: Sequence[str]) -> tuple[Mask, Mask, Mask | None]:
    """Return the tasks, systems and shown outputs that have the values asked for.

    The last one is None if no slice is about single outputs.
    """
    tasks = np.ones(campaign.n_tasks, dtype=bool)
    systems = np.ones(len(campaign.systems), dtype=bool)
    outputs: Mask | None = None
    together: dict[str, Mask] = {}
    attributes: dict[str, Attribute] = {}
    for words in slices:
        attribute, value = attribute_of(campaign, words)
        mask = holds(attribute, value)
        attributes[attribute.name] = attribute
        together[attribute.name] = together.get(attribute.name, False) | mask
    for name, mask in together.items():
        about = attributes[name].about
        if about == "system":
            systems &= mask
        elif about == "segment":
            tasks &= mask[campaign.task_segment]
        elif about == "judge":
            tasks &= mask[campaign.task_judge]
        elif about == "task":
            tasks &= mask
        else:
            outputs = mask if outputs is None else outputs & mask
    return tasks, systems, outputs


def is_known(campaign: RankingTasks, words: str) -> bool:
    """Return whether a campaign has what a slice asks for."""
    try:
        attribute, value = attribute_of(campaign, words)
        return bool(holds(attribute, value).any())
    except PodiumError:
        return False
