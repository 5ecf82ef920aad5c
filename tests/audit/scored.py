"""Campaigns of scores of known truth, and how often official procedures are wrong on them.

A score is the system's own quality, plus what its domain, document and judge add to it for this
system, plus the segment's ease, the judge's lenience and noise, all normal, in units of the noise.
Each segment is judged for all systems by the same judges, and a document has its judges for all of
its segments. Where ``shifts`` are opposite by domain, systems that differ in each domain are equal
over all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign.scores import Scale, Scores
from analysis.formats import read_many
from analysis.procedures import PROCEDURES, ScoreTable
from analysis.rankers import Mean
from analysis.ranking.apart import apart

Outcome = tuple[float, float]
PAIR_WON, SOME_WON, SOME_LINE = "a pair wrongly won", "some pair wrongly won", "some wrong line"


@dataclass(frozen=True)
class ScoredNature:
    """What a campaign of scores is like; deviations are in those of a single score's noise.

    ``domain_shift`` is what the first system gains in one half of the domains and loses in the
    other; without it all systems are equal everywhere.
    """

    systems: int = 13
    domains: int = 4
    segments: int = 60
    document: int = 1
    judges: int = 12
    ratings: int = 1
    segment_spread: float = 0.5
    lenience: float = 1.0
    domain_shift: float = 0.0
    document_taste: float = 0.0
    judge_taste: float = 0.0

    @property
    def n_segments(self) -> int:
        """All segments; ``segments`` are those of one domain."""
        return self.domains * self.segments


@dataclass(frozen=True, eq=False)
class Drawn:
    """The scores of a campaign in which all systems are equal."""

    scores: Scores
    systems: tuple[str, ...]


def draw_scored(nature: ScoredNature, rng: np.random.Generator) -> Drawn:
    """Draw a campaign's scores."""
    n, k = nature.n_segments, nature.systems
    segment = np.repeat(np.arange(n), k * nature.ratings)
    system = np.tile(np.repeat(np.arange(k), nature.ratings), n)
    rating = np.tile(np.arange(nature.ratings), n * k)
    documents = -(-n // nature.document)
    judges_of = rng.permuted(np.tile(np.arange(nature.judges), (documents, 1)), axis=1)
    document = segment // nature.document
    judge = judges_of[document, rating]
    domain = segment // nature.segments
    value = (
        rng.normal(0, nature.segment_spread, n)[segment]
        + rng.normal(0, nature.lenience, nature.judges)[judge]
        + nature.domain_shift * (system == 0) * np.where(domain % 2, -1.0, 1.0)
        + rng.normal(0, nature.document_taste, (documents, k))[document, system]
        + rng.normal(0, nature.judge_taste, (nature.judges, k))[judge, system]
        + rng.normal(size=len(segment))
    )
    scores = Scores(
        scale=Scale("simulated"),
        pair=np.zeros(len(value), dtype=np.int64),
        system=system,
        segment=segment,
        judge=judge,
        screen=document,
        value=value,
        domain=domain,
        domains=tuple(f"domain {d}" for d in range(nature.domains)),
    )
    return Drawn(scores, tuple(f"system {s}" for s in range(k)))


def wrong_wins(name: str) -> Callable[[Drawn, np.random.Generator], dict[str, Outcome]]:
    """Measure an official procedure on equal systems: every win and every line is wrong."""

    def measure(drawn: Drawn, rng: np.random.Generator) -> dict[str, Outcome]:
        table = ScoreTable.of(drawn.scores, drawn.systems)
        result = PROCEDURES[name].run(table, int(rng.integers(2**31)))
        return _outcome(result.beats, result.n_clusters)

    return measure


def wrongly_apart(
    standardize: str,
) -> Callable[[Drawn, np.random.Generator], dict[str, Outcome]]:
    """Measure Podium's own rule by the mean score on the same campaigns."""

    def measure(drawn: Drawn, rng: np.random.Generator) -> dict[str, Outcome]:
        scores = drawn.scores
        rows = pd.DataFrame(
            {
                "system": np.array(drawn.systems)[scores.system],
                "segment": scores.segment,
                "judge": scores.judge,
                "domain": scores.domain,
                "document": scores.screen,
                "score": scores.value,
            }
        )
        campaign, _ = read_many([("drawn.csv", rows.to_csv(index=False).encode())])
        told = apart(Mean(standardize=standardize).fit(campaign.judgments()))
        return _outcome(told.apart, told.n_clusters)

    return measure


def _outcome(won: npt.NDArray[np.bool_], n_clusters: int) -> dict[str, Outcome]:
    pairs = (won | won.T)[np.triu_indices(len(won), 1)]
    outcome = {PAIR_WON: (float(pairs.sum()), float(len(pairs)))}
    if len(won) > 2:
        outcome[SOME_WON] = (float(pairs.any()), 1.0)
        outcome[SOME_LINE] = (float(n_clusters > 1), 1.0)
    return outcome


SCORED_WORLDS: dict[str, ScoredNature] = {
    "13 equal systems": ScoredNature(),
    "tastes of judges and documents": ScoredNature(
        document=10, document_taste=0.3, judge_taste=0.2
    ),
    "two ratings of an output": ScoredNature(ratings=2),
    "2 systems, 4 domains": ScoredNature(systems=2),
    "2 systems, 4 domains that speak for opposite ones": ScoredNature(systems=2, domain_shift=0.5),
}
"""Equal systems, 60 segments in each of four domains. In the second world a judge has a document of
ten segments and, as the document, a taste for systems. In the last, one system is better by half a
standard deviation in two domains and worse by as much in the two others."""
