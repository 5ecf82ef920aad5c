"""The one error a user sees: what, where, got, remedy."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""Line breaks and other signs that no message holds: they come from a file."""


class PodiumError(Exception):
    """Something the user can mend; its text is a complete message and needs no traceback.

    It is one line, whatever a file's names hold that it quotes.

    >>> str(PodiumError("Line 41, system3rank", "7 is outside 1–5", "Ranks go from 1 (best) to 5."))
    'Line 41, system3rank: 7 is outside 1–5. Ranks go from 1 (best) to 5.'
    """

    def __init__(self, where: str, got: str, remedy: str = "") -> None:
        where, got, remedy = (_CONTROL.sub(" ", text) for text in (where, got, remedy))
        super().__init__(where, got, remedy)
        self.where = where
        self.got = got
        self.remedy = remedy

    def __str__(self) -> str:
        end = "" if self.got.endswith("?") else "."
        message = f"{self.where}: {self.got.rstrip('.')}{end}"
        return f"{message} {self.remedy}" if self.remedy else message


class ReadingError(PodiumError):
    """A file from which nothing usable can be read, or whose content contradicts itself."""


class NotConvergedError(PodiumError):
    """An iteration reached its limit; no number is returned."""


class UndefinedResultError(PodiumError):
    """A method is not defined on these judgments (no overlap, one system, no such baseline)."""
