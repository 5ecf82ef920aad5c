"""A guess in the making: roles, how sure they are, and why not more."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from analysis.formats.mapping.profile import Profile

SURE = 0.7
"""Confidence from which a guess is read without a further question."""


@dataclass
class Draft:
    """Roles with a confidence, which each doubt makes smaller."""

    roles: dict[str, Any]
    confidence: float = 1.0
    doubts: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)

    def doubt(self, factor: float, reason: str) -> None:
        """Multiply the confidence by a factor below 1, for a reason."""
        self.confidence *= factor
        if factor < 0.97:
            self.doubts.append(reason)

    @property
    def taken(self) -> set[str]:
        """The table's columns that have a role."""
        return {*Profile(**self.roles).used, *self.used}


@dataclass(frozen=True)
class Guess:
    """A profile with how sure it is, from 0 to 1, and what makes it unsure."""

    profile: Profile
    confidence: float
    doubts: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether the profile says what a row is."""
        return self.confidence > 0

    @property
    def is_sure(self) -> bool:
        """Whether the table may be read by it without a further question."""
        return self.confidence >= SURE
