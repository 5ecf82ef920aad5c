"""What a format is: how it is recognized, read and written, and what people call it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import pandas as pd

from analysis.formats.content import Content
from analysis.formats.outgoing import Outgoing
from analysis.formats.rankings import Rankings
from analysis.formats.scored import Scored


@dataclass(frozen=True)
class Writer:
    """How a format is written, and what it can hold.

    ``table`` lays out a campaign as the rows of a CSV file. ``pairs_only``: rankings of a single
    output are lost. ``votes``: every pair stands alone, between two systems with a rank each.
    ``scores``: it holds scores and nothing else.
    """

    table: Callable[[Outgoing], pd.DataFrame]
    pairs_only: bool = True
    votes: bool = False
    scores: bool = False
    highest_rank: Literal["of its ranking", "of the largest ranking", "any"] = "any"


@dataclass(frozen=True)
class Format:
    """A format of files of judgments.

    ``title`` is what people call it, ``held_in`` the kinds of files where there are several, and
    ``columns`` what such a file must have, in words. ``sniff`` says from the content whether a
    file is of this format; the first format of the registry that says so reads it.
    """

    name: str
    title: str
    columns: str
    sniff: Callable[[Content], bool]
    read: Callable[[Content], Rankings | Scored | dict[str, Rankings | Scored]]
    write: Writer | None = None
    held_in: str = ""

    @property
    def in_words(self) -> str:
        """The title with the kinds of files that hold it."""
        return f"{self.title} as {self.held_in}" if self.held_in else self.title
