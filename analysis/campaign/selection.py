"""A user's choices of what counts: which systems, judges and segments, and how."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.campaign.ragged import IntArray
from analysis.campaign.tasks import RankingTasks
from analysis.errors import PodiumError

Mask = npt.NDArray[np.bool_]
Identical = Literal["expanded", "collapsed"]

_NAMED = r"(?:ref|REF|Ref)(?:erence|ERENCE)?s?(?:[-_. ]?(?:[A-Z]|\d{1,2})|[-_ ][a-z])?"
_TEST_SET = r"(?:\w*test\d{2,4}|wmt\d{2,4})"
_REFERENCE = re.compile(
    rf"{_NAMED}|{_TEST_SET}(?:[./].*)?[./]{_NAMED}(?:[./].*)?"
    rf"|{_TEST_SET}-[a-z]{{2,3}}-?[a-z]{{2,3}}-{_NAMED}(?:[./].*)?"
)
"""A name that is *reference* with a letter or number at most, or has such a part in a test set's
file name; a system such as ``REFINE``, ``ref-net`` or ``Ref2Vec`` has none."""


def is_reference(system: str) -> bool:
    """Return whether a name is that of a human reference: ``ref``, ``reference-A``, ``refB``.

    >>> [is_reference(name) for name in ("ref", "Reference-A", "refB", "REFINE", "ref-net")]
    [True, True, True, False, False]
    >>> is_reference("generaltest2022.liv-en.ref.A.en.txt")
    True
    """
    return _REFERENCE.fullmatch(system) is not None


@dataclass(frozen=True)
class Selection:
    """A user's choices of what counts: which systems, judges and segments, and how.

    ``judges`` and ``exclude_judges`` are names or patterns (``researcher_*``); ``segments`` is the
    first and last segment, by number where segments are numbers, else by position in the file.
    """

    identical: Identical = "expanded"
    exclude_systems: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    exclude_judges: tuple[str, ...] = ()
    references: bool = False
    segments: tuple[int, int] | None = None

    @property
    def signature(self) -> str:
        """What counts, in the words of the command line's flags; nothing stands for defaults."""
        parts = [f"identical:{self.identical}"]
        for flag, names in (
            ("exclude-system", self.exclude_systems),
            ("judges", self.judges),
            ("exclude-judges", self.exclude_judges),
        ):
            if names:
                parts.append(f"{flag}:{','.join(names)}")
        if self.segments is not None:
            parts.append(f"segments:{self.segments[0]}-{self.segments[1]}")
        if self.references:
            parts.append("references:yes")
        return "|".join(parts)


DEFAULT_SELECTION = Selection()


def systems_left_out(systems: list[str], selection: Selection) -> list[str]:
    """Return which of a pair's systems do not count: those named, and references as a rule."""
    for wanted in selection.exclude_systems:
        if wanted not in systems:
            raise PodiumError(
                "System to leave out",
                f"{wanted!r} is not in this pair, which has {', '.join(systems)}",
                "Give a name as the file spells it.",
            )
    return [
        name
        for name in systems
        if name in selection.exclude_systems or (is_reference(name) and not selection.references)
    ]


def judge_mask(campaign: RankingTasks, selection: Selection) -> Mask:
    """Return the tasks of the judges who count."""
    everybody = frozenset(campaign.judges)
    only = _named(selection.judges, campaign.judges, everybody)
    without = _named(selection.exclude_judges, campaign.judges, everybody)
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
            f"Names look like {', '.join(campaign.judges[:3])}; * stands for any letters.",
        )
    return kept[campaign.task_judge]


def _named(
    patterns: Iterable[str], judges: Sequence[str], everybody: frozenset[str]
) -> frozenset[str]:
    """Return the judges that names or patterns mean; a name in full is no pattern."""
    found: set[str] = set()
    for pattern in patterns:
        if pattern in everybody:
            found.add(pattern)
        else:
            found |= {judge for judge in judges if fnmatch.fnmatchcase(judge, pattern)}
    return frozenset(found)


def segment_mask(campaign: RankingTasks, selection: Selection) -> Mask:
    """Return the tasks on the segments that count."""
    if selection.segments is None:
        return np.ones(campaign.n_tasks, dtype=bool)
    numbers = segment_numbers(campaign.segments)
    first, last = selection.segments
    return ((numbers >= first) & (numbers <= last))[campaign.task_segment]


def segment_numbers(segments: Sequence[str]) -> IntArray:
    """Return segments as numbers where all are (up to 15 digits), else their positions from 1."""
    if all(segment.isdecimal() and len(segment) <= 15 for segment in segments):
        return np.array([int(segment) for segment in segments], dtype=np.int64)
    return np.arange(1, len(segments) + 1)
