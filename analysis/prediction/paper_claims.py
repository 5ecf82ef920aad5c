"""One claim, one test: each paper's main sentence, tested on the campaign at hand.

A claim is written as d ≥ bound for a difference d that the judgments estimate with a standard
error. The judgments refute it if the upper end of d's 95% interval is below the bound, support it
if the lower end is not, and are otherwise unable to decide. What refutes nothing may only be weak:
so every test states its power, the probability that it would refute the claim if d were at a stated
alternative at which the claim is plainly false,

    power = T((bound - alternative) / se - t),   t the 97.5% quantile of Student's T.

Extras bring claims of their own (``CLAIMS`` of a module that their hook "claims" names).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import stdtr, stdtrit

from analysis.campaign import Judgments
from analysis.errors import PodiumError
from analysis.parallel import Progress
from analysis.prediction.cross_validation import cross_validate
from analysis.prediction.learning_curves import learning_curve
from analysis.prediction.paired import compare_paired
from analysis.prediction.splits import k_fold, rare_segments
from analysis.rankers.hopkins_may import HopkinsMay
from analysis.rankers.ratios import ExpectedWins
from analysis.rankers.trueskill import TrueSkill
from analysis.registry import hooks

LEVEL = 0.95
ALMOST = 0.01
"""Share of accuracy that counts as none: one point."""

COVERS = (
    "Each interval reflects only what its test varies (segments, training data or noise), not new "
    "judges. Its coverage was not measured on simulated campaigns."
)
"""What is shown with the intervals of all claims."""

Measured = tuple[float, float, float]
"""A difference, its standard error and the degrees of freedom of that error."""


@dataclass(frozen=True)
class Claim:
    """A paper's sentence; ``measure`` returns the difference d that it says is at least ``bound``.

    ``difference`` says in words what d is, ``if_false`` what d = ``alternative`` would mean.
    """

    name: str
    paper: str
    sentence: str
    difference: str
    measure: Callable[[Judgments, int], Measured]
    bound: float
    alternative: float
    if_false: str


@dataclass(frozen=True)
class Tested:
    """What a campaign says of a claim; ``reason`` says why it says nothing, if it does not."""

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
        value, se, freedom = claim.measure(judgments, seed)
    except PodiumError as error:
        return Tested(claim, reason=str(error))
    if not (np.isfinite(value) and np.isfinite(se) and se > 0):
        # Counts of clusters can be equal in every draw: that shows no certainty.
        return Tested(claim, reason="The judgments give no standard error.")
    t = float(stdtrit(freedom, (1 + LEVEL) / 2))
    power = float(stdtr(freedom, (claim.bound - claim.alternative) / se - t))
    return Tested(claim, value, value - t * se, value + t * se, power)


def paper_claims() -> tuple[Claim, ...]:
    """Return all claims: those of the core, and those that extras bring."""
    return (*CLAIMS, *(claim for module in hooks("claims") for claim in module.CLAIMS))


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
    return (
        f"Of {len(tested)} claims, this campaign supports {verdicts.count('supported')} and "
        f"refutes {verdicts.count('refuted')}; it could have refuted {strong}"
    )


def run_claims(
    judgments: Judgments, seed: int = 0, progress: Progress | None = None
) -> list[Tested]:
    """Test all claims in turn."""
    claims, tested = paper_claims(), []
    for done, claim in enumerate(claims, start=1):
        tested.append(check_claim(claim, judgments, seed))
        if progress is not None:
            progress(done, len(claims))
    return tested


def _as_accurate(judgments: Judgments, seed: int) -> Measured:
    """Return the accuracy of Expected Wins less that of the better of the two models."""
    split = k_fold(judgments, 10, np.random.default_rng(seed), "task")
    models = {
        "expected-wins": ExpectedWins(),
        "hopkins-may": HopkinsMay(),
        "trueskill": TrueSkill(),
    }
    scores = [cross_validate(split, model, label=name, seed=seed) for name, model in models.items()]
    compared = compare_paired(split, scores, level=LEVEL)
    other = next(s for s in compared.standings if s.score.method != "expected-wins").score.method
    found = compared.difference("expected-wins", other).accuracy
    # The interval has the paired comparison's own degrees of freedom, so a normal one is enough.
    return found.value, (found.high - found.low) / 2 / float(stdtrit(1e9, (1 + LEVEL) / 2)), 1e9


def _converged(judgments: Judgments, seed: int) -> Measured:
    """Return the accuracy after 1,000 judgments less that after all, on rarely judged segments."""
    split = rare_segments(judgments, min(2000, len(judgments) // 5))
    most = len(split.train(0))
    if most < 2000:
        raise PodiumError(
            "Convergence", f"only {most} judgments may train", "Use a campaign with more of them."
        )
    trials = 10
    curve = learning_curve(
        split, {"hm": HopkinsMay()}, sizes=(1000, most), trials=trials, seed=seed
    )
    few, every = (curve.point("hm", size).accuracy for size in (1000, most))
    return float((few - every).mean()), float((few - every).std(ddof=1)), trials - 1


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
)  # fmt: skip
