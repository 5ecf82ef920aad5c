"""Whether Plan foretells what comes: the campaign is grown, and told apart again."""

from __future__ import annotations

import numpy as np

from analysis.next_campaign.goals import SHARES
from analysis.next_campaign.outlook import PROPORTIONAL, Limits, look_ahead
from analysis.next_campaign.planning import plan
from analysis.rankers import RANKERS
from analysis.ranking.verdict import Verdict, reach_verdict
from tests.tools.audit.generator import Known, grown_by_others, grown_by_the_same
from tests.tools.audit.measures import Measure, Outcome, wrong

TIMES = 4
"""How many times the campaign at hand is foretold."""

CERTAINTY = 0.9
"""Of the intervals that Plan shows."""


def foretold(method: str = "expected-wins", new: bool = True) -> Measure:
    """Measure what Plan says of `TIMES` the tasks, with ``new`` judges and sentences or without."""
    ranker = RANKERS[method]()

    def measure(known: Known, rng: np.random.Generator) -> dict[str, Outcome]:
        judgments = known.campaign.judgments()
        verdict = reach_verdict(ranker.fit(judgments))
        limits = PROPORTIONAL if new else Limits.of_new(verdict, segments=0, judges=0)
        sizes = np.array([judgments.n_tasks, TIMES * judgments.n_tasks], dtype=np.float64)
        outlook = look_ahead(judgments, verdict, sizes, limits, seed=int(rng.integers(2**31)))
        grow = grown_by_others if new else grown_by_the_same
        then = reach_verdict(ranker.fit(grow(known, TIMES, rng).judgments()))
        share = _share_told(then)
        met = [share >= aim - 1e-9 for aim in SHARES]
        said = [float((outlook.share[1] >= aim - 1e-9).mean()) for aim in SHARES]
        low, high = outlook.share_interval(CERTAINTY)[:, 1]
        fewest, most = outlook.clusters_interval(CERTAINTY)[:, 1]
        least_tiers, most_tiers = outlook.tiers_interval(CERTAINTY)[:, 1]
        return {
            "share foretold": (float(low - 1e-9 <= share <= high + 1e-9), 1),
            "clusters foretold": (float(fewest <= then.n_clusters <= most), 1),
            "tiers foretold": (float(least_tiers <= then.n_tiers <= most_tiers), 1),
            "aims met as said": (float(sum(met)), len(met), sum(said)),
        }

    return measure


def stopping(share: float, method: str = "expected-wins") -> Measure:
    """Measure how often Plan says stop where fewer pairs differ in truth than it says it found."""
    ranker = RANKERS[method]()

    def measure(known: Known, rng: np.random.Generator) -> dict[str, Outcome]:
        judgments = known.campaign.judgments()
        verdict = reach_verdict(ranker.fit(judgments))
        said = plan(judgments, verdict, share=share, draws=1).stop
        better = verdict.significant & (verdict.scores[:, None] > verdict.scores[None, :])
        right = float((better & ~wrong(known)).sum()) / (better.size - len(better)) * 2
        return {"stop said falsely": (float(said and right < share - 1e-9), 1)}

    return measure


def _share_told(verdict: Verdict) -> float:
    return float(verdict.significant[np.triu_indices(len(verdict.scores), 1)].mean())
