"""What every ranker is: a frozen dataclass of hyperparameters that turns judgments into standings.

A ranker implements `fit`, and `replicate_scores` for many resamples at once. A ranker that needs
only the K×K tables derives from `CountRanker` and implements `scores_from_counts` alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.sparse.csgraph import connected_components

from analysis.campaign import FloatArray, Judgments, PairCounts
from analysis.errors import UndefinedResultError
from analysis.parameters import Parameterized
from analysis.provenance import Provenance
from analysis.rankers.draws import ResamplingUnit, resampled_counts
from analysis.rankers.influence import Influence
from analysis.rankers.standings import Standings

NEVER_COMPARED = "It was never compared with another system, so nothing can be said of it."


@dataclass(frozen=True)
class Ranker(Parameterized, ABC):
    """One way to rank systems.

    ``name`` is the command line's, ``title`` the dashboard's; ``sentence`` says in one sentence
    what the scores mean; ``score_label`` names the score's axis with its unit.
    ``default_resample`` is what the command line resamples when not told; ``runs_at_once`` how many
    resamples are one piece of work.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str]
    citation: ClassVar[str]
    score_label: ClassVar[str] = "score"
    default_resample: ClassVar[ResamplingUnit] = "task"
    runs_at_once: ClassVar[int] = 50

    @abstractmethod
    def fit(self, judgments: Judgments, seed: int = 0) -> Standings:
        """Rank the systems once, on the judgments as they are."""

    @abstractmethod
    def replicate_scores(
        self, judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
    ) -> FloatArray:
        """Return scores[n, K] of ``n`` resamples; a score not defined in a resample is nan."""

    @property
    def provenance(self) -> Provenance:
        """Name and settings."""
        return Provenance(self.name, self.signature())

    def influence(self, judgments: Judgments) -> Influence | None:
        """Return what each judgment adds to the scores; None where they are not smooth."""
        return None

    def method_signature(self) -> str:
        """Return name and settings, so that a number in a paper can be made again."""
        return str(self.provenance)

    def standings(
        self,
        judgments: Judgments,
        scores: FloatArray,
        spread: FloatArray | None = None,
        notes: tuple[str, ...] = (),
        approximate: bool = False,
    ) -> Standings:
        """Wrap scores into `Standings`; systems never compared become undefined.

        Where the systems fall into groups that never met, a note says so.
        """
        met = judgments.counts.compared.sum(axis=1) > 0
        scores = np.where(met, scores, np.nan)
        return Standings(
            systems=judgments.systems,
            scores=scores,
            spread=None if spread is None else np.where(met, spread, np.nan),
            method=self.name,
            signature=self.method_signature(),
            n_judgments=len(judgments),
            undefined={
                judgments.systems[k]: NEVER_COMPARED if not met[k] else "Its score is 0/0 here."
                for k in np.flatnonzero(np.isnan(scores))
            },
            notes=(*notes, *_groups_that_never_met(judgments)),
            approximate=approximate,
        )


@dataclass(frozen=True)
class CountRanker(Ranker):
    """A ranker that needs only how often each system beat and tied each other."""

    @abstractmethod
    def scores_from_counts(self, counts: PairCounts) -> FloatArray:
        """Return scores[..., K]; leading axes of the counts are replicates."""

    def spread_from_counts(self, counts: PairCounts) -> FloatArray | None:
        """Return the model's own standard deviation of each score, where it has one."""
        return None

    def fit(self, judgments: Judgments, seed: int = 0) -> Standings:
        require_judgments(judgments)
        counts = judgments.counts
        return self.standings(
            judgments, self.scores_from_counts(counts), self.spread_from_counts(counts)
        )

    def replicate_scores(
        self, judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
    ) -> FloatArray:
        return self.scores_from_counts(resampled_counts(judgments, unit, n, rng))


def _groups_that_never_met(judgments: Judgments) -> tuple[str, ...]:
    """Warn where no chain of judgments leads from some systems to others."""
    compared = judgments.counts.compared
    met = compared.sum(axis=1) > 0
    n_groups, label = connected_components(compared > 0, directed=False)
    groups = [np.flatnonzero(met & (label == g)) for g in range(n_groups)]
    names = [", ".join(judgments.systems[k] for k in group) for group in groups if len(group)]
    if len(names) < 2:
        return ()
    return (
        f"The systems fall into {len(names)} groups that were never compared with each other "
        f"({'; '.join(names)}): scores of different groups do not compare.",
    )


def require_judgments(judgments: Judgments) -> None:
    """Raise where there is nothing to rank: fewer than two systems, or no judgment."""
    if judgments.n_systems < 2:
        raise UndefinedResultError(
            f"Ranking {judgments.pair}",
            f"there is {judgments.n_systems} system, and a ranking needs two",
            "Take fewer systems out, or choose another language pair.",
        )
    if not len(judgments.observations):
        raise UndefinedResultError(
            f"Ranking {judgments.pair}",
            "no judgment compares two systems",
            "Widen the selection of judges, systems or segments.",
        )
