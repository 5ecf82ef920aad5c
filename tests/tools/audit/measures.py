"""What each page claims, measured once on one campaign of known truth.

A measure returns outcomes by the name of a claim: how often it came true, of how many times, and,
where a page states its own chance, the sum of the chances stated. `CLAIMS` says which share of
right claims is promised, and within which bounds the promise counts as held.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from analysis.campaign import FloatArray, IntArray, PairCounts, Selection
from analysis.comparing.head_to_head import head_to_head
from analysis.findings.measured import PAIR_WON, SOME_LINE, SOME_WON
from analysis.judges.agreement import agreement
from analysis.judges.judge_table import judges
from analysis.judges.other_coefficients import coefficients
from analysis.judges.score_agreement import SCORE_NAMES
from analysis.rankers import RANKERS, Ranker
from analysis.rankers.ranker import CountRanker
from analysis.rankers.resampling import ResamplingUnit
from analysis.rankers.trueskill import TrueSkill
from analysis.rankers.trueskill.fluid import expected_run
from analysis.ranking.certainty import AS_PUBLISHED
from analysis.ranking.ranking import rank
from analysis.ranking.verdict import Verdict, reach_verdict
from tests.tools.audit.generator import (
    Known,
    Nature,
    People,
    Truth,
    endless,
    endless_here,
    labels_of_two,
)
from tests.tools.audit.machines import RATIO, WITH_MACHINE

Outcome = tuple[float, float] | tuple[float, float, float]
"""How often, of how many; and the sum of stated chances where there are any."""

Measure = Callable[[Any, np.random.Generator], Mapping[str, Outcome]]
"""From what was drawn, a `Known` campaign, `Scored`, `DrawnVotes` and so on."""

ENDLESS = 1_000_000
"""Tasks that stand for endless ones; a score is then known to .0005."""

ENDLESS_HERE = 50
"""Times a campaign's tasks that stand for endless ones by its own judges on its own sentences: the
truth then adds a hundredth to the width of what is measured."""

LABELED_TWICE = 300_000
"""Sentences labeled twice for the true kappa, and in portions of this size for one campaign's."""

RUNS = 1000
"""Runs of the published procedures, as published."""

SAMPLER_RUNS = 300
"""Runs of each unit for methods without a closed form."""

FIRST_BINS = (0.0, 0.05, 0.3, 0.7, 0.93, 1.0)
"""Bounds of the chances that are looked at together."""

FACTS = {"undecided", "hasty"}
"""Flags that state what was seen, not what a test finds: nothing can be wrong about them."""


@dataclass(frozen=True)
class Claim:
    """A promise: the share it names, and the bounds within which the measured one keeps it.

    ``nominal`` None: the chances that were stated say it, and bounds are around these.
    """

    nominal: float | None
    low: float
    high: float


def at_most(nominal: float, high: float) -> Claim:
    return Claim(nominal, 0.0, high)


PROMISE = at_most(0.05, 0.05)
"""What the product promises: at most one in twenty is wrong."""


def at_least(nominal: float, low: float) -> Claim:
    return Claim(nominal, low, 1.0)


FALSE, RANGES, LINE, POWER = "some false claim", "all ranges hold", "some false line", "power"
TIERS, WINNER, NAMED = "a tier too many", "a wrong winner", "the best is named"
POWER_OF_FEW = "power of 5 judges"
INTERVAL_OTHERS, INTERVAL_THESE = "interval, others", "interval, these"
SIGN_TEST = "some false p ≤ .05"
TURNED, SETTLED, DIFFER = (
    "some pair turned around",
    "some settled pair is wrong",
    "told apart in one state alone",
)
"""Of two states of a campaign in which nothing has changed."""
DIFFERENCE_TOLD = "some difference between equal parts told"
INTERVAL_PART = "interval of a score in a part"
EFFECT = "interval of an effect"
T_TEST, WILCOXON = "t test, p ≤ .05 of equal systems", "Wilcoxon, p ≤ .05 of equal systems"
MEAN_DIFFERENCE = "interval of a mean difference"
CLICKER = "a judge who does not read passes"
READER = "a judge who reads passes"
METRIC_PAIR = "an equal metric said to be better"
METRIC_GROUPS = "equal metrics in several groups"


def _first_claim(low: float, high: float) -> str:
    return f"first, said {low:.2f}–{high:.2f}".replace("0.", ".")


COEFFICIENTS = {
    "alpha": "α nominal",
    "alpha_interval": "α interval",
    "ac1": "AC1",
    "percent": "agreeing labels",
}
"""Other measures of agreement, by their names in tables."""

FIRST_CLAIMS = tuple(itertools.starmap(_first_claim, itertools.pairwise(FIRST_BINS)))

CLAIMS: dict[str, Claim] = {
    INTERVAL_OTHERS: Claim(0.95, 0.93, 0.97),
    WITH_MACHINE: Claim(0.95, 0.94, 0.965),
    RATIO: Claim(None, -0.01, 0.01),
    INTERVAL_THESE: Claim(0.95, 0.93, 0.97),
    FALSE: PROMISE,
    RANGES: at_least(0.95, 0.95),
    LINE: PROMISE,
    SIGN_TEST: PROMISE,
    POWER: at_least(0.62, 0.62),
    POWER_OF_FEW: at_least(0.48, 0.48),
    NAMED: at_least(0.75, 0.75),
    TIERS: PROMISE,
    WINNER: PROMISE,
    PAIR_WON: PROMISE,
    SOME_WON: PROMISE,
    SOME_LINE: PROMISE,
    TURNED: PROMISE,
    SETTLED: PROMISE,
    DIFFER: at_least(0.5, 0.5),
    "share foretold": Claim(0.90, 0.85, 0.97),
    "clusters foretold": at_least(0.90, 0.85),
    "tiers foretold": at_least(0.90, 0.85),
    "aims met as said": Claim(None, -0.05, 0.05),
    "stop said falsely": PROMISE,
    "inter, others": Claim(0.95, 0.92, 0.98),
    "inter, these": Claim(0.95, 0.92, 0.98),
    "intra, others": Claim(0.95, 0.92, 0.98),
    "intra, these": Claim(0.95, 0.92, 0.98),
    **{f"{name}, others": Claim(0.95, 0.92, 0.98) for name in COEFFICIENTS.values()},
    "honest judge flagged": PROMISE,
    "bad judge found": at_least(0.80, 0.80),
    "equal methods told apart": PROMISE,
    "an equal method left out": PROMISE,
    "interval of a difference": at_least(0.95, 0.90),
    "interval of an accuracy": at_least(0.95, 0.90),
    "a far worse method left out": at_least(0.80, 0.80),
    **{f"{name}, these": Claim(0.95, 0.92, 0.98) for name in SCORE_NAMES.values()},
    DIFFERENCE_TOLD: PROMISE,
    INTERVAL_PART: Claim(0.95, 0.93, 0.97),
    EFFECT: Claim(0.95, 0.92, 0.98),
    T_TEST: PROMISE,
    WILCOXON: PROMISE,
    MEAN_DIFFERENCE: Claim(0.95, 0.93, 0.97),
    CLICKER: PROMISE,
    READER: at_least(0.80, 0.80),
    METRIC_PAIR: PROMISE,
    METRIC_GROUPS: PROMISE,
    **dict.fromkeys(FIRST_CLAIMS, Claim(None, -0.05, 0.05)),
}


# --- told apart ---------------------------------------------------------------------------------


def told_apart(method: str, *, here: bool = True, judge_share: float = 0) -> Measure:
    """Measure the product's own claims: significance, ranges, tiers, winner, lines, intervals.

    Intervals only of methods whose scores of endless tasks come from the tables alone; those for
    the campaign's own segments and judges where ``here`` asks for them.
    """
    ranker = RANKERS[method]()
    from_tables = isinstance(ranker, CountRanker | TrueSkill)

    def measure(known: Known, rng: np.random.Generator) -> dict[str, Outcome]:
        judgments = known.campaign.judgments(selection=Selection(judge_share=judge_share))
        seed = int(rng.integers(2**31))
        result = reach_verdict(ranker.fit(judgments, seed), runs=SAMPLER_RUNS)
        outcomes = claims_of(known, result)
        outcomes[POWER] = outcomes[POWER_OF_FEW] = power(known, result.significant)
        if from_tables:
            scores = true_scores(ranker, known)
            outcomes[INTERVAL_OTHERS] = covered(result, scores)
            named = known.nature.segments is not None and known.nature.judges is not None
            if here and named:
                these = reach_verdict(ranker.fit(judgments, seed), scope="these")
                outcomes[INTERVAL_THESE] = covered(these, _true_scores_here(ranker, known, rng))
        return outcomes

    return measure


def published(method: str = "expected-wins", unit: ResamplingUnit = "judgment") -> Measure:
    """Measure the published rules on the same campaigns: resampled ranges, lines, sign tests."""
    ranker = RANKERS[method]()
    from_tables = isinstance(ranker, CountRanker | TrueSkill)

    def measure(known: Known, rng: np.random.Generator) -> dict[str, Outcome]:
        judgments = known.campaign.judgments()
        seed = int(rng.integers(2**31))
        certainty = replace(AS_PUBLISHED, unit=unit, runs=RUNS, seed=seed)
        ranking = rank(judgments, ranker, certainty)
        if ranking.ranges is None or ranking.clusters is None:
            return {}
        first, last = _true_places(known)
        ranges = ranking.ranges
        hold = ((ranges.rank_best <= first) & (ranges.rank_worst >= last)).all()
        verdict = ranking.clusters[:, None] < ranking.clusters[None, :]
        table = head_to_head(judgments.counts, judgments.systems)
        ahead = (table.share > 0.5) & (table.p <= 0.05)
        outcomes: dict[str, Outcome] = {
            RANGES: (float(hold), 1),
            LINE: (float((verdict & wrong(known)).any()), 1),
            SIGN_TEST: (float((ahead & wrong(known)).any()), 1),
            **_first(known, ranges.share_in_top(1)),
        }
        if from_tables:
            true = true_scores(ranker, known)
            inside = (ranges.ci_low <= true) & (true <= ranges.ci_high)
            outcomes[INTERVAL_OTHERS] = (float(inside.sum()), len(true))
        return outcomes

    return measure


def claims_of(known: Truth, result: Verdict) -> dict[str, Outcome]:
    """Return what became of the claims that are made of all systems at once."""
    better = result.significant & (result.scores[:, None] > result.scores[None, :])
    first, last = _true_places(known)
    hold = ((result.rank_best <= first) & (result.rank_worst >= last)).all()
    across = result.clusters[:, None] < result.clusters[None, :]
    level_of = 1 + _levels_above(known)
    return {
        FALSE: (float((better & wrong(known)).any()), 1),
        RANGES: (float(hold), 1),
        TIERS: (float((result.tiers > level_of).any()), 1),
        LINE: (float((across & wrong(known)).any()), 1),
        **_of_winner(known, result),
    }


def _levels_above(known: Truth) -> IntArray:
    """Return how many different abilities are above each system's."""
    levels = np.unique(known.abilities)
    return len(levels) - 1 - np.searchsorted(levels, known.abilities)


def _of_winner(known: Truth, result: Verdict) -> dict[str, Outcome]:
    """Return whether the winner named is wrong and, where one system is best, named at all."""
    best = known.abilities == known.abilities.max()
    winner = None if result.winner is None else result.systems.index(result.winner)
    outcomes: dict[str, Outcome] = {
        WINNER: (float(winner is not None and not (best[winner] and best.sum() == 1)), 1)
    }
    if best.sum() == 1:
        outcomes[NAMED] = (float(winner is not None and best[winner]), 1)
    return outcomes


def wrong(known: Truth) -> np.ndarray:
    """Return where it is wrong to say that the row's system is better than the column's."""
    return np.asarray(known.abilities[:, None] <= known.abilities[None, :] + 1e-12)


def _true_places(known: Truth) -> tuple[IntArray, IntArray]:
    """Return the best and the worst place of each system; equal ones share their places."""
    truly_better = ~wrong(known)
    return 1 + truly_better.sum(axis=0), len(truly_better) - truly_better.sum(axis=1)


def power(known: Truth, verdict: np.ndarray) -> Outcome:
    """Of the pairs that differ in truth, those told apart the right way round or not."""
    differ = np.triu(wrong(known) != wrong(known).T, 1)
    return float((verdict & differ).sum()), float(differ.sum())


def covered(result: Verdict, true: FloatArray) -> Outcome:
    inside = (result.ci_low <= true) & (true <= result.ci_high)
    return float(inside.sum()), float(len(true))


def _first(known: Known, said: FloatArray) -> dict[str, Outcome]:
    """Compare the stated chances of being the best with who is, where one system is."""
    best = known.abilities == known.abilities.max()
    outcomes: dict[str, Outcome] = {}
    for low, high in itertools.pairwise(FIRST_BINS):
        here = (said >= low) & ((said < high) | ((high == 1) & (said == 1)))
        if here.any() and best.sum() == 1:
            counted = (float(best[here].sum()), float(here.sum()), float(said[here].sum()))
            outcomes[_first_claim(low, high)] = counted
    return outcomes


def scores_of_tables(ranker: Ranker, counts: PairCounts, n_judgments: int) -> FloatArray:
    """Return the scores of endless tables; TrueSkill's step depends on the number of judgments."""
    if isinstance(ranker, CountRanker):
        return ranker.scores_from_counts(counts)
    assert isinstance(ranker, TrueSkill)
    n = n_judgments + 1
    return expected_run(counts, n, ranker.sigma0, *ranker.scale(n))[0]


def true_scores(ranker: Ranker, known: Known) -> FloatArray:
    """Return the scores of endless tasks on other sentences by other judges."""
    abilities, n = known.abilities, len(known.campaign.judgments())
    if known.nature.abilities:
        by_ability = _scores_of_abilities(ranker, known.nature, n)
        return np.array([by_ability[ability] for ability in abilities.tolist()])
    rng = np.random.default_rng(0)
    return scores_of_tables(ranker, endless(known.nature, abilities, ENDLESS // 10, rng), n)


@cache
def _scores_of_abilities(ranker: Ranker, nature: Nature, n_judgments: int) -> dict[float, float]:
    abilities = np.array(nature.abilities, dtype=np.float64)
    scores = scores_of_tables(ranker, _endless_tables(nature), n_judgments)
    return {a: float(scores[abilities == a].mean()) for a in set(abilities.tolist())}


@cache
def _endless_tables(nature: Nature) -> PairCounts:
    abilities = np.array(nature.abilities, dtype=np.float64)
    return endless(nature, abilities, ENDLESS, np.random.default_rng(0))


def _true_scores_here(ranker: Ranker, known: Known, rng: np.random.Generator) -> FloatArray:
    counts = endless_here(known, ENDLESS_HERE * known.nature.tasks, rng)
    return scores_of_tables(ranker, counts, len(known.campaign.judgments()))


# --- agreement ----------------------------------------------------------------------------------


def kappas(known: Known, rng: np.random.Generator) -> dict[str, Outcome]:
    """Measure the intervals of agreement: for these judges, and for other ones too."""
    strict = agreement(known.campaign.judgments(incomplete="drop-pair")).strict
    outcomes: dict[str, Outcome] = {}
    for kind, found in (("inter", strict.inter), ("intra", strict.intra)):
        here = _true_kappa_here(known, kind == "intra", rng)
        outcomes[f"{kind}, these"] = _holds(found.low, found.high, here)
        there = true_kappa(known.nature, kind == "intra")
        outcomes[f"{kind}, others"] = _holds(found.others_low, found.others_high, there)
    return outcomes


def coefficients_hold(known: Known, rng: np.random.Generator) -> dict[str, Outcome]:
    """Measure the intervals of α, AC1 and the share of agreeing labels for other judges."""
    found = coefficients(known.campaign.judgments(incomplete="drop-pair"), runs=2).by_name()
    true = true_coefficients(known, rng)
    return {
        f"{name}, others": _holds(found[key].others_low, found[key].others_high, true[key])
        for key, name in COEFFICIENTS.items()
    }


def true_coefficients(known: Known, rng: np.random.Generator) -> dict[str, float]:
    """Return the measures of many sentences, each labeled by two judges of this kind.

    Labels say which of two systems is better, the one of the smaller code or the other: how often
    each occurs depends on the order of this campaign's systems, and chance in α and AC1 on that.
    """
    n = LABELED_TWICE // 5
    people = People.draw(known.nature, 2 * n, rng)
    both = np.arange(n), np.arange(n, 2 * n)
    first, second = labels_of_two(known.nature, known.abilities, people, *both, rng)
    met = (first != 9) & (second != 9)
    a, b = first[met], second[met]
    share = np.array([((a == label).mean() + (b == label).mean()) / 2 for label in (-1, 0, 1)])
    agree = float((a == b).mean())
    chance = float((share * (1 - share)).sum()) / (len(share) - 1)
    distance = np.subtract.outer((-1, 0, 1), (-1, 0, 1)) ** 2
    return {
        "alpha": 1 - (1 - agree) / (1 - float((share**2).sum())),
        "alpha_interval": 1 - float(((a - b) ** 2).mean()) / float(share @ distance @ share),
        "ac1": (agree - chance) / (1 - chance),
        "percent": agree,
    }


def _holds(low: float, high: float, true: float) -> Outcome:
    return float(low <= true <= high), 1


@cache
def true_kappa(nature: Nature, oneself: bool) -> float:
    rng, n = np.random.default_rng(0), LABELED_TWICE
    people = People.draw(nature, 2 * n, rng)
    first = np.arange(n)
    second = first if oneself else first + n
    abilities = np.array(nature.abilities, dtype=np.float64)
    both = labels_of_two(nature, abilities, people, first, second, rng)
    return _kappa(*both, np.concatenate(both))


def _true_kappa_here(known: Known, oneself: bool, rng: np.random.Generator) -> float:
    """Return kappa of these judges on other sentences; labels meet by the work of both."""
    load, n = known.people.load, LABELED_TWICE // 10
    first = rng.choice(len(load), size=n, p=load**2 / (load**2).sum() if oneself else load)
    second = first if oneself else rng.choice(len(load), size=n, p=load)
    differ = np.ones(n, dtype=bool) if oneself else first != second
    both = labels_of_two(known.nature, known.abilities, known.people, first, second, rng)
    return _kappa(both[0][differ], both[1][differ], np.concatenate(both))


def _kappa(first: IntArray, second: IntArray, labels: IntArray) -> float:
    met = (first != 9) & (second != 9)
    agree = (first == second)[met].mean()
    p = (labels == 0).sum() / (labels != 9).sum()
    chance = p**2 + (1 - p) ** 2 / 2
    return float((agree - chance) / (1 - chance))


# --- judges -------------------------------------------------------------------------------------


def flags(known: Known, rng: np.random.Generator) -> dict[str, Outcome]:
    """Measure whether an honest judge is flagged by a test, and whether the bad one is at all."""
    table = judges(known.campaign.judgments(incomplete="drop-pair"))
    raised = {name: set(found) for name, found in zip(table.judges, table.flags, strict=True)}
    if known.nature.fault:
        return {"bad judge found": (float(bool(raised[known.campaign.judges[0]])), 1)}
    return {"honest judge flagged": (float(any(f - FACTS for f in raised.values())), 1)}
