"""A campaign on its way into a file: its names as files write them, and its pairs in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.campaign.campaign import Campaign
from analysis.campaign.ragged import IntArray
from analysis.campaign.tasks import DOCUMENT, UNRANKED


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
