"""One claim, one test: each paper's main sentence, tested on the campaign at hand.

A claim is written as d ≥ bound for a difference d, the mean over campaigns of this size and kind:
other segments and other judges. The judgments refute it if the upper end of d's 95% interval is
below the bound, support it if the lower end is not, and are otherwise unable to decide. What
refutes nothing may only be weak: so every test states its power, the probability that it would
refute the claim if d were at a stated alternative at which the claim is plainly false,

    power = T((bound - alternative) / se - t),   t the 97.5% quantile of Student's T.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy.special import stdtr

from analysis.campaign import FloatArray, Judgments, Ragged
from analysis.cli import flags
from analysis.cli.options import progress_bar, read_judgments
from analysis.cli.output import ENDS, emit
from analysis.errors import PodiumError, UndefinedResultError
from analysis.extras.validation.growing.growing import ranges_after
from analysis.extras.validation.noise.noisy_judges import NoiseDesign, study_noise
from analysis.extras.validation.prediction.cross_validation import (
    added_by_task,
    cross_validate,
    uncertainty_of_shares,
)
from analysis.extras.validation.prediction.learning_curves import draw_training
from analysis.extras.validation.prediction.predict import predict
from analysis.extras.validation.prediction.radius import hit_cells
from analysis.extras.validation.prediction.splits import Split, k_fold, rare_segments
from analysis.parallel import Progress
from analysis.rankers.hopkins_may import HopkinsMay
from analysis.rankers.ranker import require_judgments
from analysis.rankers.ratios import ExpectedWins
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.certainty import Replicates
from analysis.ranking.covariance import UNITS, Unit, tasks_by_group
from analysis.ranking.rank_ranges import RankRanges, clusters_from_ranges, rank_ranges
from analysis.ranking.uncertainty import Interval
from analysis.ranking.variance import quantile, two_way, two_way_freedom

LEVEL = 0.95
ALMOST = 0.01
"""Share of accuracy that counts as none: one point."""

NO_ERROR = "The judgments give no standard error. Use a campaign with more judgments."

COVERS = (
    "Each interval is for new segments and new judges. On simulated campaigns these intervals are "
    "too wide rather than too narrow, so that verdicts are rarely wrong and often open."
)
"""What is shown with the intervals of all claims."""

DRAWS = 10
"""Resamples of each unit, where a statistic's variance has no closed form."""


@dataclass(frozen=True)
class Claim:
    """A paper's sentence; ``measure`` returns the difference d that it says is at least ``bound``.

    ``difference`` says in words what d is, ``if_false`` what d = ``alternative`` would mean.
    """

    name: str
    paper: str
    sentence: str
    difference: str
    measure: Callable[[Judgments, int], Interval]
    bound: float
    alternative: float
    if_false: str


@dataclass(frozen=True)
class Tested:
    """What a campaign says of a claim; ``reason`` says why it gives no verdict, if so."""

    claim: Claim
    value: float = float("nan")
    low: float = float("nan")
    high: float = float("nan")
    power: float = float("nan")
    reason: str = ""

    @property
    def verdict(self) -> str:
        """ "supported", "refuted", "cannot decide", or "cannot be tested"."""
        if self.reason:
            return "cannot be tested"
        if self.high < self.claim.bound:
            return "refuted"
        return "supported" if self.low >= self.claim.bound else "cannot decide"


def check_claim(claim: Claim, judgments: Judgments, seed: int = 0) -> Tested:
    """Test one claim on the judgments of a campaign."""
    try:
        d = claim.measure(judgments, seed)
    except PodiumError as error:
        return Tested(claim, reason=str(error))
    if not (np.isfinite([d.estimate, d.se]).all() and d.se > 0):
        # Counts of clusters can be equal in every draw: that shows no certainty.
        return Tested(claim, d.estimate, reason=NO_ERROR)
    t = quantile((1 + LEVEL) / 2, d.freedom)
    power = float(stdtr(min(d.freedom, 1e9), (claim.bound - claim.alternative) / d.se - t))
    return Tested(claim, d.estimate, d.low, d.high, power)


def claims_frame(tested: list[Tested]) -> pd.DataFrame:
    """Return one row per claim."""
    return pd.DataFrame(
        [
            {
                "paper": one.claim.paper,
                "claim": one.claim.sentence,
                "verdict": one.verdict,
                "difference": one.claim.difference,
                "value": one.value,
                "low": one.low,
                "high": one.high,
                "bound": one.claim.bound,
                "power": one.power,
                "if_false": one.claim.if_false,
                "reason": one.reason,
            }
            for one in tested
        ]
    )


def claims_finding(tested: list[Tested]) -> str:
    """Say how many claims hold here, and how many the judgments could have refuted."""
    verdicts = [one.verdict for one in tested]
    strong = sum(one.power >= 0.8 for one in tested)
    if not {"supported", "refuted"} & {*verdicts}:
        return (
            f"This campaign decides none of {len(tested)} claims; it had enough judgments to "
            f"refute {strong}"
        )
    return (
        f"Of {len(tested)} claims, this campaign supports {verdicts.count('supported')} and "
        f"refutes {verdicts.count('refuted')}; it could have refuted {strong}"
    )


def over_campaigns(
    judgments: Judgments, seed: int, statistic: Callable[[Judgments, np.random.Generator], float]
) -> Interval:
    """Return a statistic with its 95% interval for other segments and judges, by resampling.

    Its variance is `two_way` of those over resampled tasks, segments and judges; a unit of which
    there is only one varies as tasks do.
    """
    rng = np.random.default_rng(seed)
    value = statistic(judgments, rng)
    variance: dict[Unit, float] = {}
    freedom: dict[Unit, float] = {}
    for unit in UNITS:
        start, tasks = tasks_by_group(judgments, unit)
        groups = Ragged.from_start(np.unique(start), tasks)
        n = len(groups)
        if n < 2:
            variance[unit], freedom[unit] = variance.get("task", np.nan), np.inf
            continue
        drawn = [
            statistic(judgments.take_tasks(groups.take(rng.integers(n, size=n)).values), rng)
            for _ in range(DRAWS)
        ]
        variance[unit] = float(np.var(drawn, ddof=1)) * n / (n - 1)
        freedom[unit] = 1 / (1 / (DRAWS - 1) + 1 / (n - 1))
    parts = variance["task"], variance["segment"], variance["judge"]
    se = float(np.sqrt(two_way(*parts)))
    known = two_way_freedom(*parts, freedom["segment"], freedom["judge"])
    reach = quantile((1 + LEVEL) / 2, known) * se
    return Interval(value, se, known, value - reach, value + reach)


def _difference(split: Split, first: FloatArray, second: FloatArray) -> Interval:
    """Return the accuracy of the first minus that of the second, from their hits by task."""
    sizes = split.held_out.sum_by_task(np.ones(len(split.held_out)))
    hits = np.stack([first, second], axis=1)
    doubt = uncertainty_of_shares(added_by_task(hits, sizes), split.held_out)
    found = doubt.interval(hits.sum(axis=0) / sizes.sum(), np.array([1.0, -1.0]), LEVEL)
    return found.widened(split.reuse**0.5)


def _as_accurate(judgments: Judgments, seed: int) -> Interval:
    """Return the accuracy of Expected Wins less that of the better of the two models."""
    split = k_fold(judgments, 10, np.random.default_rng(seed), "task")
    own, *others = (
        cross_validate(split, model, seed=seed).hits
        for model in (ExpectedWins(), HopkinsMay(), TrueSkill())
    )
    return _difference(split, own, max(others, key=np.sum))


def _converged(judgments: Judgments, seed: int) -> Interval:
    """Return the accuracy after 1,000 judgments less that after all, on rarely judged segments."""
    split = rare_segments(judgments, min(2000, len(judgments) // 5))
    pool, rng = split.train(0), np.random.default_rng(seed)
    if len(pool) < 2000:
        raise PodiumError(
            "Convergence", f"only {len(pool)} judgments may train", "Use a campaign with more."
        )

    def hits(train: Judgments) -> FloatArray:
        named = predict(HopkinsMay(), train).named
        return split.held_out.sum_by_task(hit_cells(named)[split.held_out.cell])

    few = [hits(draw_training(pool, 1000, "row", rng)) for _ in range(10)]
    return _difference(split, np.mean(few, axis=0), hits(pool))


RUNS = 50
ENOUGH, CLUSTERS = 30_000, 4


def separated(judgments: Judgments, seed: int, runs: int = RUNS) -> Interval:
    """Return the clusters by TrueSkill from a third, minus those by Expected Wins from all."""

    def value(pool: Judgments, rng: np.random.Generator) -> float:
        few = ranges_after(pool, TrueSkill(), len(pool) // 3, rng, runs=runs)
        return _n_clusters(few) - _by_expected_wins(pool, rng, runs)

    return over_campaigns(judgments, seed, value)


def clusters_found(judgments: Judgments, seed: int, enough: int = ENOUGH) -> Interval:
    """Return the clusters by Expected Wins from so many judgments."""
    if len(judgments) < enough:
        raise UndefinedResultError(
            f"{enough:,} judgments",
            f"the campaign has {len(judgments):,}",
            "Use a larger campaign.",
        )

    def value(pool: Judgments, rng: np.random.Generator) -> float:
        return _by_expected_wins(draw_training(pool, enough, "row", rng), rng, RUNS)

    return over_campaigns(judgments, seed, value)


def _by_expected_wins(judgments: Judgments, rng: np.random.Generator, runs: int) -> int:
    ranker = ExpectedWins()
    scores = ranker.replicate_scores(judgments, "judgment", runs, rng)
    drawn = Replicates(judgments.systems, scores, "judgment", 0, ranker.provenance)
    return _n_clusters(rank_ranges(drawn, LEVEL))


def _n_clusters(ranges: RankRanges) -> int:
    return int(clusters_from_ranges(ranges).max())


DESIGN = NoiseDesign(shares=(0.0, 0.5), sizes=(3200,), trials=2, gold_runs=30)


def suffers_least(judgments: Judgments, seed: int, design: NoiseDesign = DESIGN) -> Interval:
    """Return the least correlation that another method loses, minus what the model loses.

    The model's baseline is the middling system, as the paper advises.
    """
    baseline = judgments.systems[design.graded.find_baseline(judgments)]
    design = replace(design, graded=replace(design.graded, baseline=baseline))

    def value(campaign: Judgments, rng: np.random.Generator) -> float:
        study = study_noise(campaign, design, seed=int(rng.integers(2**31)))
        none, noisy = study.correlation[:, 0].mean(axis=1)
        model, *others = none - noisy
        return float(np.min(others) - model)

    return over_campaigns(judgments, seed, value)


CLAIMS = (
    Claim(
        "convergence", "Hopkins & May 2013", "About 1,000 judgments are enough to rank well.",
        "accuracy after 1,000 judgments minus accuracy after all", _converged, -ALMOST, -3 * ALMOST,
        "if accuracy still grew by 3 points",
    ),
    Claim(
        "accuracy", "Bojar et al. 2014",
        "Expected Wins predicts judgments as accurately as Hopkins & May and TrueSkill.",
        "accuracy of Expected Wins minus that of the better other method", _as_accurate, -ALMOST,
        -2 * ALMOST, "if Expected Wins were 2 points less accurate",
    ),
    Claim(
        "third", "Sakaguchi et al. 2014",
        "TrueSkill separates systems with a third of the judgments.",
        "clusters by TrueSkill from a third, minus clusters by Expected Wins from all", separated,
        0, -2, "if TrueSkill found two clusters fewer",
    ),
    Claim(
        "four-clusters", "Koehn 2012", "30,000 judgments are enough for four clusters.",
        "clusters by Expected Wins from 30,000 judgments", clusters_found, CLUSTERS, CLUSTERS - 2,
        "if there were two clusters",
    ),
    Claim(
        "noise", "Otani et al. 2016",
        "The graded response model suffers least from noisy judges.",
        "correlation that the best other method loses to 50% noise, minus the model's loss",
        suffers_least, 0, -0.05, "if the model lost 0.05 more",
    ),
)  # fmt: skip


def run_claims(
    judgments: Judgments, seed: int = 0, progress: Progress | None = None
) -> list[Tested]:
    """Test all claims in turn."""
    require_judgments(judgments)
    tested = []
    for done, claim in enumerate(CLAIMS, start=1):
        tested.append(check_claim(claim, judgments, seed))
        if progress is not None:
            progress(done, len(CLAIMS))
    return tested


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    flags.add_file(parser)
    flags.add_selection(parser)
    flags.add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Test every claim and print one row per claim."""
    judgments = read_judgments(options)
    with progress_bar("Testing claims") as progress:
        tested = run_claims(judgments, options.seed, progress)
    frame = claims_frame(tested).rename(columns=ENDS)
    signature = f"claims|seed:{options.seed}|{judgments.provenance}"
    emit(
        options,
        {"lang_pair": judgments.pair, "claims": frame.to_dict("records"), "signature": signature},
        frame[["paper", "verdict", "value", "ci_low", "ci_high", "power", "claim"]],
        heading=f"{judgments.pair}: {claims_finding(tested)}.",
        notes=[
            *(
                f"{one.claim.paper}: {one.claim.difference} (power {one.claim.if_false})."
                for one in tested
            ),
            *(f"{one.claim.paper}: {one.reason}" for one in tested if one.reason),
            COVERS,
        ],
        signature=signature,
    )
