"""What a file says about its segments, systems, judges and ranking tasks beside the judgments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from analysis.campaign.ragged import FloatArray, IntArray

About = Literal["segment", "system", "judge", "task"]


@dataclass(frozen=True, eq=False)
class Attribute:
    """One column about segments, systems, judges or tasks: a word or a number for each.

    A word's ``codes`` are into ``names``, -1 where it is unknown; a number's ``values`` are nan
    there. Exactly one of the two is given.
    """

    name: str
    about: About
    codes: IntArray | None = None
    names: tuple[str, ...] = ()
    values: FloatArray | None = None
