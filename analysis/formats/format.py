"""What a format is: how it is recognized, read and written, and what people call it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from analysis.campaign.campaign import Campaign
from analysis.campaign.counts import UNRANKED
from analysis.campaign.ragged import IntArray
from analysis.campaign.tasks import DOCUMENT
from analysis.formats.content import Content
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


@dataclass(frozen=True)
class Outgoing:
    """A campaign with the names its files use."""

    campaign: Campaign

    @property
    def output_names(self) -> list[str]:
        campaign = self.campaign
        return ["+".join(campaign.systems[s] for s in g) for g in campaign.output_groups()]

    def documents(self, task: IntArray) -> dict[str, pd.Categorical[str]]:
        """Return the column ``documentId`` of some tasks, where documents are known."""
        for attribute in self.campaign.attributes:
            if attribute.name.casefold() == DOCUMENT and attribute.about in ("segment", "task"):
                codes = self.campaign.of_tasks(attribute).codes
                if codes is not None:
                    return {"documentId": named(codes[task], attribute.names)}
        return {}

    def pairs_of_entries(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return task, first and second entry of all pairs in displayed order."""
        shown = self.campaign.shown
        first, second = shown.pairs()
        return shown.owners[first], first, second


def named(codes: IntArray, names: Sequence[str]) -> pd.Categorical[str]:
    """Return a column of text from codes."""
    return pd.Categorical.from_codes(codes.astype(np.int64), pd.Index(list(names), dtype="str"))


def rank_text(ranks: IntArray) -> IntArray:
    """Return ranks as the files write them: -1 where there is none."""
    return np.where(ranks == UNRANKED, -1, ranks)
