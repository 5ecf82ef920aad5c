"""Campaigns of scores of known truth, and what is claimed of them.

A score is the system's ability, plus what its domain, document and judge add to it for this system
and what the output has of its own, plus the segment's ease, the judge's lenience and noise, all
normal, in units of the noise. Each segment is judged for all systems by the same judges, and a
document has its judges for all of its segments. Where ``domain_shift`` is not 0, systems that
differ in each domain are equal over all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from analysis.campaign import Campaign, Scale
from analysis.campaign.scores import Scores
from analysis.comparing.score_table import ScoreTable
from analysis.comparing.two_systems import two_means
from analysis.extras.procedures.registry import PROCEDURES
from analysis.findings.measured import PAIR_WON, SOME_LINE, SOME_WON
from analysis.formats.assembly import assemble_campaign
from analysis.formats.rankings import Column, Findings
from analysis.formats.scored import Scored as Columns
from analysis.judges.score_agreement import SCORE_NAMES, score_agreement
from analysis.rankers import Mean
from analysis.ranking.verdict import reach_verdict
from tests.tools.audit.generator import Floats, Ints, Truth
from tests.tools.audit.measures import (
    FALSE,
    INTERVAL_OTHERS,
    LINE,
    MEAN_DIFFERENCE,
    POWER,
    T_TEST,
    WILCOXON,
    Measure,
    Outcome,
    claims_of,
    covered,
    power,
)

ENDLESS = 40
"""Times the judges and the segments of a campaign that stand for endless ones."""


@dataclass(frozen=True)
class ScoredNature:
    """What a campaign of scores is like; deviations are in those of a single score's noise.

    ``segments`` are those of one domain. ``domain_shift`` is what the first system gains in one
    half of the domains and loses in the other. Of ``skewed`` scores most are 0, the best, and the
    others go far down, as with errors that are counted. Of ``uneven`` judges the k-th takes a
    k-th as much work as the first.
    """

    abilities: tuple[float, ...] = ()
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
    quality: float = 0.0
    skewed: bool = False
    uneven: bool = False

    @property
    def n_systems(self) -> int:
        return len(self.abilities) or self.systems

    @property
    def n_segments(self) -> int:
        return self.domains * self.segments

    def draw(self, rng: np.random.Generator, scorers: Scorers | None = None) -> Scored:
        """Draw one campaign; by these judges where they are given."""
        k = self.n_systems
        abilities = rng.permutation(np.array(self.abilities)) if self.abilities else np.zeros(k)
        return self.draw_of(abilities, rng, scorers)

    def draw_of(
        self, abilities: Floats, rng: np.random.Generator, scorers: Scorers | None = None
    ) -> Scored:
        """Draw one campaign of systems of these abilities."""
        n, k = self.n_segments, self.n_systems
        segment = np.repeat(np.arange(n), k * self.ratings)
        system = np.tile(np.repeat(np.arange(k), self.ratings), n)
        rating = np.tile(np.arange(self.ratings), n * k)
        documents = -(-n // self.document)
        document = segment // self.document
        judges_of = self._judges_in_turn(documents, rng)
        judge = judges_of[document, rating]
        ease = rng.normal(0, self.segment_spread, n)
        lenience = rng.normal(0, self.lenience, self.judges)
        of_document = rng.normal(0, self.document_taste, (documents, k))
        taste = rng.normal(0, self.judge_taste, (self.judges, k))
        found = scorers or Scorers(lenience, taste)
        value = (
            abilities[system]
            + ease[segment]
            + found.lenience[judge]
            + self.domain_shift * (system == 0) * np.where(segment // self.segments % 2, -1, 1)
            + of_document[document, system]
            + found.taste[judge, system]
            + rng.normal(size=len(segment))
        )
        if self.quality:
            value += rng.normal(0, self.quality, (n, k))[segment, system]
        if self.skewed:
            value = -(np.maximum(1 - value, 0) ** 2)
        campaign = _campaign(self, system, segment, judge, document, value)
        return Scored(campaign, abilities, self, found)

    def _judges_in_turn(self, documents: int, rng: np.random.Generator) -> Ints:
        """Return all judges in the order in which each document asks them, [D, J]."""
        if not self.uneven:
            return rng.permuted(np.tile(np.arange(self.judges), (documents, 1)), axis=1)
        keen = -np.log(np.arange(1, self.judges + 1))  # with Gumbel noise, drawn by these weights
        return np.argsort(-(keen + rng.gumbel(size=(documents, self.judges))), axis=1)


@dataclass(frozen=True, eq=False)
class Scorers:
    """Judges: lenience[J], taste[J, K]."""

    lenience: Floats
    taste: Floats


@dataclass(frozen=True, eq=False)
class Scored(Truth):
    """A campaign of scores with all that is true of it."""

    nature: ScoredNature
    scorers: Scorers

    @property
    def scores(self) -> Scores:
        assert self.campaign.scores is not None
        return self.campaign.scores


def _campaign(
    nature: ScoredNature,
    system: Ints,
    segment: Ints,
    judge: Ints,
    document: Ints,
    value: Floats,
) -> Campaign:
    n, domain = len(value), segment // nature.segments
    part = Columns(
        n_rows=n,
        scale=Scale("simulated"),
        pair=Column.constant("aa-bb", n),
        system=Column(system, [f"S{k:02d}" for k in range(nature.n_systems)]),
        segment=Column(segment, [f"{k:06d}" for k in range(nature.n_segments)]),
        judge=Column(judge, [f"judge{k:05d}" for k in range(nature.judges)]),
        value=value,
        row=np.arange(n),
        findings=Findings(),
        document=Column(document, [f"{k:06d}" for k in range(int(document.max()) + 1)]),
        domain=Column(domain, [f"domain {d}" for d in range(nature.domains)]),
    )
    return assemble_campaign([part], ["drawn"], judge_names=True, title="")[0]


# --- what is claimed ------------------------------------------------------------------------------


def wrong_wins(name: str) -> Measure:
    """Measure an official procedure on equal systems: every win and every line is wrong."""

    def measure(known: Scored, rng: np.random.Generator) -> dict[str, Outcome]:
        table = ScoreTable.of(known.scores, known.campaign.systems)
        result = PROCEDURES[name].run(table, int(rng.integers(2**31)))
        return _of_equals(result.beats, result.n_clusters)

    return measure


def means_hold(standardize: str = "none", macro: str = "none") -> Measure:
    """Measure Podium's own claims by means: what is told apart, ranges, lines, intervals."""
    ranker = Mean(standardize=standardize, macro=macro)

    def measure(known: Scored, rng: np.random.Generator) -> dict[str, Outcome]:
        verdict = reach_verdict(ranker.fit(known.campaign.judgments()))
        outcomes = claims_of(known, verdict)
        outcomes[INTERVAL_OTHERS] = covered(verdict, _true_means(known, ranker))
        if known.nature.abilities:
            return {**outcomes, POWER: power(known, verdict.significant)}
        del outcomes[FALSE], outcomes[LINE]
        return outcomes | _of_equals(verdict.significant, verdict.n_clusters)

    return measure


def paired_tests(known: Scored, rng: np.random.Generator) -> dict[str, Outcome]:
    """Measure Head to head's tests of two systems, for judges who have no taste of their own."""
    judgments, systems = known.campaign.judgments(), known.campaign.systems
    found = [two_means(judgments, systems[0], other) for other in systems[1:]]
    n = len(found)
    return {
        T_TEST: (sum(one.t <= 0.05 for one in found), n),
        WILCOXON: (sum(one.wilcoxon <= 0.05 for one in found), n),
        MEAN_DIFFERENCE: (sum(one.low <= 0 <= one.high for one in found), n),
    }


def score_agreement_holds(known: Scored, rng: np.random.Generator) -> dict[str, Outcome]:
    """Measure the intervals of α and ICC for other sentences by these judges."""
    found = score_agreement(known.campaign.judgments(), runs=300).by_name()
    more = replace(known.nature, segments=ENDLESS * known.nature.segments)
    there = more.draw_of(known.abilities, rng, known.scorers)
    true = score_agreement(there.campaign.judgments(), runs=0).by_name()
    return {
        f"{title}, these": (float(found[name].low <= true[name].value <= found[name].high), 1)
        for name, title in SCORE_NAMES.items()
    }


def _of_equals(won: npt.NDArray[np.bool_], n_clusters: int) -> dict[str, Outcome]:
    pairs = (won | won.T)[np.triu_indices(len(won), 1)]
    outcome: dict[str, Outcome] = {PAIR_WON: (float(pairs.sum()), float(len(pairs)))}
    if len(won) > 2:
        outcome[SOME_WON] = (float(pairs.any()), 1.0)
        outcome[SOME_LINE] = (float(n_clusters > 1), 1.0)
    return outcome


def _true_means(known: Scored, ranker: Mean) -> Floats:
    """Return the means of endless scores, those of equal systems alike."""
    if not known.nature.skewed and ranker.standardize == "none":
        return known.abilities
    by_ability = _endless_means(known.nature, ranker)
    return np.array([by_ability[ability] for ability in known.abilities.tolist()])


@cache
def _endless_means(nature: ScoredNature, ranker: Mean) -> dict[float, float]:
    """Return the means by ability, of judges with as much work each, who are all as lenient."""
    more = replace(
        nature,
        judges=ENDLESS * nature.judges,
        segments=ENDLESS * nature.segments,
        lenience=0.0,
        uneven=False,
    )
    there = more.draw(np.random.default_rng(0))
    scores = ranker.fit(there.campaign.judgments()).standings.scores
    of = there.abilities
    return {ability: float(scores[of == ability].mean()) for ability in set(of.tolist())}


MeasureOfScores = Callable[[Scored, np.random.Generator], dict[str, Outcome]]

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

GROUPS = (0.0, 0.0, 0.0, 0.35, 0.35, 0.7, 0.7, 0.7)

MEAN_WORLDS: dict[str, ScoredNature] = {
    **SCORED_WORLDS,
    "groups": ScoredNature(
        GROUPS, ratings=2, document=10, document_taste=0.3, judge_taste=0.2, quality=0.3
    ),
    "groups, 5 judges": ScoredNature(
        GROUPS, judges=5, ratings=2, document=10, document_taste=0.3, judge_taste=0.2, quality=0.3
    ),
    "groups, judges with uneven work": ScoredNature(
        GROUPS, ratings=2, document=10, document_taste=0.3, judge_taste=0.2, quality=0.3,
        uneven=True,
    ),
    "8 equal systems, 4 judges who see all": ScoredNature(
        systems=8, domains=1, segments=100, judges=4, ratings=4, judge_taste=0.2, quality=0.3
    ),
    "MQM: 4 raters, 12 equal systems": ScoredNature(
        systems=12, domains=1, segments=300, document=10, judges=4, lenience=0.3,
        document_taste=0.3, judge_taste=0.2, quality=0.3, skewed=True,
    ),
    "ESA: 42 judges, 85 documents, 13 equal systems": ScoredNature(
        domains=1, segments=680, document=8, judges=42, document_taste=0.3, judge_taste=0.2,
        quality=0.3,
    ),
    "groups, few errors counted": ScoredNature(
        GROUPS, ratings=2, lenience=0.0, document=10, document_taste=0.3, judge_taste=0.2,
        quality=0.3, skewed=True,
    ),
}  # fmt: skip

PAIRED_WORLDS: dict[str, ScoredNature] = {
    "13 equal systems": ScoredNature(),
    "two ratings of an output": ScoredNature(ratings=2, quality=0.3),
    "documents of ten that favor systems": ScoredNature(document=10, document_taste=0.3),
    "few errors counted": ScoredNature(lenience=0.0, skewed=True),
}
"""Judges have no taste: the tests take them as given."""

AGREEING: dict[str, ScoredNature] = {
    "6 judges, two of them a segment": ScoredNature(
        GROUPS, judges=6, ratings=2, domains=1, segments=100, judge_taste=0.2, quality=0.7
    ),
    "4 judges who see all": ScoredNature(
        GROUPS, judges=4, ratings=4, domains=1, segments=60, judge_taste=0.2, quality=0.7
    ),
    "documents of ten": ScoredNature(
        GROUPS, judges=6, ratings=2, domains=1, segments=200, document=10, document_taste=0.3,
        judge_taste=0.2, quality=0.7,
    ),
}  # fmt: skip
