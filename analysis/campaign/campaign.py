"""A campaign: its ranking tasks, and the judgments derived from them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from analysis.campaign.derivation import derive_judgments
from analysis.campaign.judgments import Incomplete, Judgments
from analysis.campaign.margin import rank_scores
from analysis.campaign.ragged import Ragged, smallest
from analysis.campaign.scores import Scores
from analysis.campaign.selection import DEFAULT_SELECTION, Selection
from analysis.campaign.tasks import RankingTasks
from analysis.errors import PodiumError, unknown
from analysis.wording import count, listed


@dataclass(frozen=True, eq=False)
class Campaign(RankingTasks):
    """All ranking tasks of a campaign, for any number of language pairs; columns as declared.

    A campaign judged by several criteria is that of one ``criterion``; ``criteria`` are the
    campaigns of all of them by name.
    """

    criterion: str = ""
    criteria: tuple[tuple[str, Campaign], ...] = ()

    def __repr__(self) -> str:
        size = f"{count(len(self.systems), 'system')}, {count(self.n_tasks, 'ranking task')}"
        named = listed([pair for pair in self.pairs if pair not in ("", "-")], most=3)
        return f"Campaign: {size}" + (f", {named}" if named else "")

    def of_criterion(self, name: str) -> Campaign:
        """Return the campaign of a criterion by its name in any case."""
        for known, own in self.criteria:
            if known.casefold() == name.strip().casefold():
                return replace(own, criterion=known, criteria=self.criteria)
        if not self.criteria:
            raise PodiumError("Criterion", "the campaign has a single one", "Leave it out.")
        raise unknown("Criterion", name, [known for known, _ in self.criteria])

    def with_scores(self, scores: Scores) -> Campaign:
        """Return the campaign with other scores of the same rows, and the ranks that follow."""
        rank, _ = rank_scores(Ragged(self.task_start, scores.goodness))
        return replace(self, scores=scores, entry_rank=smallest(rank, np.int8))

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
