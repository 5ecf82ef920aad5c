"""A campaign: its ranking tasks, and the judgments derived from them."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.campaign.judgments import Incomplete, Judgments, derive_judgments
from analysis.campaign.selection import DEFAULT_SELECTION, Selection
from analysis.campaign.tasks import RankingTasks


@dataclass(frozen=True, eq=False)
class Campaign(RankingTasks):
    """All ranking tasks of a campaign, for any number of language pairs; columns as declared."""

    def judgments(
        self,
        pair: str | None = None,
        selection: Selection = DEFAULT_SELECTION,
        incomplete: Incomplete = "drop-task",
    ) -> Judgments:
        """Return one language pair's judgments after a user's choices, as pairs.

        ``incomplete`` says what an output without a rank costs: the whole task (as the published
        ranking code does) or only the pairs it is in (as the published agreement code does).
        """
        return derive_judgments(self, self.find_pair(pair), selection, incomplete)
