"""What every ranker is: a frozen dataclass of hyperparameters that turns judgments into a fit.

A fit has `Standings`: a score for every system, with its spread. A ranker implements `fit`, and
`replicate_scores` for many resamples at once. A ranker that needs only the K×K tables derives from
`CountRanker` and implements `scores_from_counts` alone. What a ranker is like (its references, its
pace, what stands for it in a hurry) it says itself: nobody else asks which ranker it is.
"""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
import pandas as pd

from analysis.campaign.counts import PairCounts
from analysis.campaign.judgments import Judgments
from analysis.campaign.ragged import FloatArray, IntArray
from analysis.errors import UndefinedResultError
from analysis.parameters import Parameterized, format_value
from analysis.provenance import Provenance
from analysis.rankers.influence import Influence
from analysis.rankers.preferences import Preferences, chances_by_gaps
from analysis.rankers.resampling import ResamplingUnit, stacks_of_counts

NEVER_COMPARED = "It was never compared with another system, so it has no score."

Pace = Literal["instant", "seconds", "minutes"]
"""How long a thousand resamples, or a hundred fits, of a usual campaign take."""

FEW_RUNS, MANY_RUNS = 100, 1000


@dataclass(frozen=True)
class Method(Parameterized, ABC):
    """What rankers and other models say of themselves.

    ``name`` is the command line's, ``title`` the dashboard's; ``sentence`` says in one sentence
    what it does; ``references`` are keys of the bibliography.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    sentence: ClassVar[str]
    citation: ClassVar[str]
    references: ClassVar[tuple[str, ...]] = ()

    @property
    def pace(self) -> Pace:
        return "instant"

    @property
    def players_at_once(self) -> int:
        """How many outputs of a ranking task it takes together; most take them by pairs."""
        return 2

    @property
    def runs_unannounced(self) -> int:
        """The most resamples that are made where nobody asked for so many of this method."""
        return FEW_RUNS if self.pace == "minutes" else MANY_RUNS

    @property
    def cited(self) -> tuple[str, ...]:
        """The keys of the bibliography that the method, as it is set, owes to."""
        of_choices = (p.references.get(getattr(self, p.name)) for p in self.in_use())
        return (*self.references, *(key for key in of_choices if key))

    @property
    def provenance(self) -> Provenance:
        """Name and settings."""
        return Provenance(self.name, self.signature())

    def method_signature(self) -> str:
        """Return name and settings, so that a number in a paper can be made again."""
        return str(self.provenance)


@dataclass(frozen=True, eq=False)
class Standings:
    """Scores of systems, in the order of ``systems``; higher is better.

    ``spread`` is the model's own standard deviation where it has one. A score that is not defined
    is ``nan`` and ``undefined`` says why. Scores of ratings standardized by judge are ``is_z``.
    """

    systems: tuple[str, ...]
    scores: FloatArray
    spread: FloatArray | None
    method: str
    signature: str
    n_judgments: int
    undefined: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    approximate: bool = False
    is_z: bool = False

    @property
    def order(self) -> IntArray:
        """Systems' indices, best first; equal scores by name, undefined ones last."""
        return best_first(self.scores)

    @property
    def ranked_systems(self) -> tuple[str, ...]:
        return tuple(self.systems[k] for k in self.order)

    def to_frame(self) -> pd.DataFrame:
        """Return a table, best first."""
        order = self.order
        spread = np.full(len(order), np.nan) if self.spread is None else self.spread
        return pd.DataFrame(
            {
                "system": [self.systems[k] for k in order],
                "score": self.scores[order],
                "spread": spread[order],
            }
        )


@dataclass(frozen=True)
class Ranker(Method):
    """One way to rank systems.

    ``score_label`` names the score's axis with its unit; ``runs_at_once`` is how many resamples
    are one piece of work.
    ``has_chances`` says that the ranker is a model of win, tie and loss, ``tunes_radius`` that
    these (or the chances by gaps of a ranker that has none) depend on a radius of ties in units
    of the score, which can be tuned. ``needs_scores`` says that preferences are not enough,
    ``is_relative`` that only differences of scores mean anything: their zero is that of the systems
    ranked.
    """

    score_label: ClassVar[str] = "score"
    runs_at_once: ClassVar[int] = 50
    has_chances: ClassVar[bool] = False
    tunes_radius: ClassVar[bool] = True
    needs_scores: ClassVar[bool] = False
    is_relative: ClassVar[bool] = False

    @property
    def pace(self) -> Pace:
        return "seconds"

    @property
    def reading(self) -> str:
        """What a reader of the scores has to know of the method's settings; empty as a rule."""
        return ""

    @property
    def own_radius(self) -> float:
        """The radius of a tie where none is tuned; nan where there is none."""
        return float(self.settings().get("radius", 0.0)) if self.tunes_radius else math.nan

    @property
    def points_per_logit(self) -> float | None:
        """The difference of scores that multiplies the odds of winning by e; None if none does."""
        return None

    def draw_own(self, pool: Judgments, n: int, rng: np.random.Generator) -> Fit | None:
        """Choose ``n`` judgments of a pool and fit to them on the way; None where it chooses none.

        The fit's ``judgments`` are those chosen, in order.
        """
        return None

    def quick_form(self) -> Ranker:
        """Return what stands for the ranker while a slider moves; where not instant, not alone."""
        return self

    @property
    def resamples_at_once(self) -> bool:
        """Whether the quick form can be fitted to every resample while a slider moves."""
        return self.quick_form().pace == "instant"

    def sweeps(self, setting: str) -> bool:
        """Return whether chances over many values of a setting take less than a moment."""
        return self.has_chances and self.resamples_at_once

    @abstractmethod
    def fit(self, judgments: Judgments, seed: int = 0) -> Fit:
        """Rank the systems once, on the judgments as they are."""

    @abstractmethod
    def replicate_scores(
        self, judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
    ) -> FloatArray:
        """Return scores[n, K] of ``n`` resamples; a score not defined in a resample is nan."""

    def preferences(self, judgments: Judgments, seed: int = 0) -> Preferences:
        """Fit to judgments and return the probabilities; none of them is zero."""
        return self.fit(judgments, seed).preferences()

    def has_derivative(self, judgments: Judgments) -> bool:
        """Return whether scores are smooth in the counts, so that a fit has an influence."""
        return False

    def influence_of(self, judgments: Judgments) -> Influence | None:
        """Return what each judgment adds to the scores; None where they are not smooth."""
        return None

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


@dataclass(frozen=True, eq=False)
class Fit:
    """A ranker fitted to judgments: everything asked of it is read from here, fitted once."""

    ranker: Ranker
    judgments: Judgments
    seed: int
    standings: Standings

    def preferences(self, radius: float | None = None) -> Preferences:
        """Return the probabilities of win, tie and loss; None takes the ranker's own radius.

        Of a ranker that has none they are frequencies by the gap of two scores.
        """
        radius = radius or 0.0
        win, tie = chances_by_gaps(self.standings.scores, self.judgments, radius)
        signature = f"{self.ranker.method_signature()}|r:{format_value(radius)}|α:1"
        return Preferences(self.judgments.systems, win, tie, signature)

    def replicates(self, unit: ResamplingUnit, n: int, rng: np.random.Generator) -> FloatArray:
        """Return scores[n, K] of ``n`` resamples; a score not defined in a resample is nan."""
        return self.ranker.replicate_scores(self.judgments, unit, n, rng)

    def influence(self) -> Influence | None:
        """Return what each judgment adds to the scores; None where they are not smooth."""
        return self.ranker.influence_of(self.judgments)

    def read_by(self, ranker: Ranker) -> Fit:
        """Return the same fit as a ranker reads it that differs by settings of prediction."""
        signed = dataclasses.replace(self.standings, signature=ranker.method_signature())
        return dataclasses.replace(self, ranker=ranker, standings=signed)


@dataclass(frozen=True)
class CountRanker(Ranker):
    """A ranker that needs only how often each system beat and tied each other."""

    @property
    def pace(self) -> Pace:
        return "instant"

    @abstractmethod
    def scores_from_counts(self, counts: PairCounts) -> FloatArray:
        """Return scores[..., K]; leading axes of the counts are replicates."""

    def fit(self, judgments: Judgments, seed: int = 0) -> Fit:
        require_judgments(judgments)
        scores = self.scores_from_counts(judgments.counts)
        return Fit(self, judgments, seed, self.standings(judgments, scores))

    def replicate_scores(
        self, judgments: Judgments, unit: ResamplingUnit, n: int, rng: np.random.Generator
    ) -> FloatArray:
        stacks = stacks_of_counts(judgments, unit, n, rng)
        return np.concatenate([self.scores_from_counts(counts) for counts in stacks])


def _groups_that_never_met(judgments: Judgments) -> tuple[str, ...]:
    """Warn where no chain of judgments leads from some systems to others."""
    compared = judgments.counts.compared
    met = compared.sum(axis=1) > 0
    group = judgments.counts.group
    groups = [np.flatnonzero(met & (group == one)) for one in np.unique(group[met])]
    names = [", ".join(judgments.systems[k] for k in group) for group in groups]
    if len(names) < 2:
        return ()
    return (
        f"The systems form {len(names)} groups that were never compared with each other "
        f"({'; '.join(names)}): scores of different groups are not comparable.",
    )


def require_judgments(judgments: Judgments) -> None:
    """Raise where there is nothing to rank: fewer than two systems, or no judgment."""
    if judgments.n_systems < 2:
        raise UndefinedResultError(
            f"Ranking {judgments.pair}",
            f"there is {('no', 'only one')[judgments.n_systems]} system, and a ranking needs two",
            "Exclude fewer systems, or choose another language pair.",
        )
    if not len(judgments.observations) and judgments.scores is not None:
        raise UndefinedResultError(
            f"Ranking {judgments.pair}",
            "no judge rated two systems on one segment, so there are no pairwise judgments",
            "Use the mean score, which does not need them.",
        )
    if not len(judgments.observations):
        raise UndefinedResultError(
            f"Ranking {judgments.pair}",
            "no judgment compares two systems",
            "Widen the selection of judges, systems or segments.",
        )


def best_first(scores: FloatArray) -> IntArray:
    """Return indices by falling score; equal scores keep their order, nan comes last.

    >>> best_first(np.array([.2, np.nan, .7, .2])).tolist()
    [2, 0, 3, 1]
    """
    return np.argsort(np.where(np.isnan(scores), np.inf, -scores), kind="stable")
