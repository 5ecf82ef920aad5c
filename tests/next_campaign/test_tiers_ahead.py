"""Plan forecasts tiers and a winner by the rules of the ranking at hand."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.next_campaign.outlook import look_ahead
from analysis.next_campaign.planning import plan
from analysis.rankers import RANKERS
from analysis.ranking.verdict import Verdict, reach_verdict
from tests.tools.audit.generator import Known, Nature
from tests.tools.audit.worlds import FAR

STEPS = tuple(np.linspace(0, 1.2, 6).round(9).tolist())


def drawn(nature: Nature, seed: int) -> tuple[Known, Verdict]:
    known = nature.draw(np.random.default_rng(seed))
    return known, reach_verdict(RANKERS["bradley-terry"]().fit(known.campaign.judgments()))


@pytest.mark.parametrize("seed", range(4))
def test_without_further_tasks_the_forecast_is_the_verdict(seed: int) -> None:
    known, verdict = drawn(Nature(STEPS), seed)
    judgments = known.campaign.judgments()
    outlook = look_ahead(judgments, verdict, np.array([judgments.n_tasks * 1.0]), draws=40)
    assert (outlook.tiers[0] == verdict.n_tiers).all()
    assert (outlook.winner[0] == (verdict.winner is not None)).all()
    assert (outlook.clusters[0] == verdict.n_clusters).all()


def test_more_tasks_bring_more_tiers_and_a_goal_for_each() -> None:
    known, verdict = drawn(Nature(STEPS), 1)
    found = plan(known.campaign.judgments(), verdict, draws=60)
    curve = found.curve()
    assert curve["tiers"].is_monotonic_increasing
    assert curve["tiers"].iloc[-1] > verdict.n_tiers
    assert (curve["tiers_low"] <= curve["tiers"]).all()
    goals = [goal for goal in found.goals if goal.kind == "tiers"]
    assert [int(goal.wanted) for goal in goals] == [
        verdict.n_tiers + k for k in range(1, len(goals) + 1)
    ]
    assert [goal.likely for goal in goals] == sorted(goal.likely for goal in goals)
    assert sum(goal.kind == "winner" for goal in found.goals) == 1


def test_one_system_far_behind_does_not_promise_that_equal_ones_will_differ() -> None:
    """Seven equal systems: of 28 pairs only the seven with the far one really differ."""
    shares = []
    for seed in range(6):
        known, verdict = drawn(Nature(FAR), seed)
        judgments = known.campaign.judgments()
        outlook = look_ahead(judgments, verdict, np.array([4.0 * judgments.n_tasks]), seed=seed)
        shares.append(outlook.share_interval()[:, 0])
    within = [low <= 7 / 28 + 1e-9 <= high + 2e-9 for low, high in shares]
    assert sum(within) >= 4
