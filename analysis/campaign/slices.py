"""Parts of a campaign: by judge, or by what is said of its segments, judges, tasks or systems.

A slice is written as an attribute and a word (``domain=news``), or as an attribute of numbers and a
range, both ends included: ``length=10-50``, ``length=10-`` or ``length=-50``. Several slices of one
attribute add up, slices of different attributes must all hold.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Sequence

import numpy as np

from analysis.campaign.attributes import Attribute
from analysis.campaign.ragged import IntArray
from analysis.campaign.scores import far_off
from analysis.campaign.selection import Mask, Selection
from analysis.campaign.tasks import RankingTasks
from analysis.errors import PodiumError, control, unknown

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


def slice_masks(campaign: RankingTasks, selection: Selection) -> tuple[Mask, Mask, Mask | None]:
    """Return the tasks, systems and shown outputs that have the values asked for.

    The last one is None if nothing that is chosen is about single outputs.
    """
    tasks = np.ones(campaign.n_tasks, dtype=bool)
    systems = np.ones(len(campaign.systems), dtype=bool)
    outputs: Mask | None = None
    if selection.far_off == "dropped" and campaign.scores is not None:
        outputs = ~far_off(campaign.scores)
    together: dict[str, Mask] = {}
    attributes: dict[str, Attribute] = {}
    for words in selection.slices:
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


def judge_mask(campaign: RankingTasks, selection: Selection) -> Mask:
    """Return the tasks of the judges who count."""
    everybody = frozenset(campaign.judges)
    only = _named(control("--judges", "Judges"), selection.judges, campaign.judges, everybody)
    left_out = control("--exclude-judges", "Judges to leave out")
    without = _named(left_out, selection.exclude_judges, campaign.judges, everybody)
    kept = np.array(
        [
            (not selection.judges or judge in only) and judge not in without
            for judge in campaign.judges
        ],
        dtype=bool,
    )
    if len(kept) and not kept.any():
        raise PodiumError(
            "Judges",
            f"the choice leaves none of the {len(campaign.judges)} judges",
            f"Names look like {', '.join(campaign.judges[:3])}; * matches any letters.",
        )
    return kept[campaign.task_judge]


def share_mask(campaign: RankingTasks, counted: Mask, percent: float) -> Mask:
    """Return the tasks that are left if no judge may have more than a share of those ``counted``.

    The judges who have more keep the same number of tasks each, drawn at random, always the same.
    """
    if not 0 < percent < np.inf:
        raise PodiumError("Share of a judge", f"{percent:g} is not above 0", "Use 20 for 20%.")
    tasks: IntArray = np.flatnonzero(counted)
    tasks = tasks[np.random.default_rng(0).permutation(len(tasks))]
    judge = campaign.task_judge[tasks]
    sizes = np.bincount(judge)
    most = most_per_judge(sizes[sizes > 0], percent / 100)
    order = np.argsort(judge, kind="stable")
    place = np.empty(len(tasks), dtype=np.int64)  # of each task among those of its judge
    place[order] = np.arange(len(tasks)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    kept = np.zeros(len(counted), dtype=bool)
    kept[tasks[place < most]] = True
    return kept


def most_per_judge(sizes: IntArray, share: float) -> int:
    """Return the largest number m of tasks such that none of min(size, m) is above the share.

    >>> most_per_judge(np.array([60, 10, 10, 10]), .5)
    30
    """
    if len(sizes) * share < 1 - 1e-9:
        raise PodiumError(
            "Share of a judge",
            f"{len(sizes)} judges cannot all have at most {share:.0%} of the tasks",
            f"Use {int(np.ceil(100 / max(len(sizes), 1)))}% or more, or no limit.",
        )
    falling = np.sort(sizes)[::-1]
    for limited, size in enumerate(falling):
        most = share * falling[limited:].sum() / (1 - share * limited)
        if size <= most + 1e-9:
            return max(int(most + 1e-9), 1)
    return int(falling[-1])


def _named(
    where: str, patterns: Iterable[str], judges: Sequence[str], everybody: frozenset[str]
) -> frozenset[str]:
    """Return the judges that names or patterns mean; a full name is not read as a pattern."""
    found: set[str] = set()
    for pattern in patterns:
        meant = {pattern} & everybody or {j for j in judges if fnmatch.fnmatchcase(j, pattern)}
        if not meant:
            raise unknown(where, pattern, judges)
        found |= meant
    return frozenset(found)
