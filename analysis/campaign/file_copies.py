"""Copies among files, in numbers and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.wording import thousands

MOST_NAMED = 3
"""Statements about files in one sentence."""


@dataclass(frozen=True)
class FileCopies:
    """Tasks of a ``file`` that equal another of its own, or one ``elsewhere``: in ``other``.

    ``other`` is empty where several files have them.
    """

    file: str
    n_tasks: int
    within: int
    elsewhere: int
    other: str

    @property
    def is_contained(self) -> bool:
        """Whether all tasks of this file are also in others."""
        return self.elsewhere == self.n_tasks

    def sentences(self) -> list[str]:
        """Say what of this file is a copy.

        >>> FileCopies("test.csv", 200, 0, 200, "train.csv").sentences()
        ['all 200 of test.csv are also in train.csv']
        """
        number = f"{'all ' * self.is_contained}{thousands(self.elsewhere)}"
        are = "is" if self.elsewhere == 1 else "are"
        also = f"{number} of {self.file} {are} also in {self.other or 'other files'}"
        repeat = "repeats another" if self.within == 1 else "repeat others"
        again = f"{thousands(self.within)} {repeat} of {self.file}"
        return [also] * bool(self.elsewhere) + [again] * bool(self.within)


def copies_words(n: int, among: str, found: Sequence[FileCopies]) -> str:
    """Say how many copies there are, and in which files.

    >>> copies_words(75, "9,996 tasks", [])
    '75 of 9,996 tasks are exact copies of another one.'
    """
    what = "is an exact copy" if n == 1 else "are exact copies"
    said = [sentence for one in found for sentence in one.sentences()]
    rest = ["…"] * (len(said) > MOST_NAMED)
    where = f": {'; '.join([*said[:MOST_NAMED], *rest])}" if said else " of another one"
    return f"{thousands(n)} of {among} {what}{where}."
