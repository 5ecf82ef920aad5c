"""The outlook's own arithmetic: where the variance of a growing campaign comes from."""

from __future__ import annotations

import numpy as np

from analysis.next_campaign.assignment import _tasks_by_judge
from analysis.next_campaign.outlook import _shares
from analysis.ranking.variance import VarianceParts
from analysis.samples import sample_campaign


def test_parts_of_a_variance_are_shares_of_it_whatever_rounding_left() -> None:
    task, segment, judge = np.array([[1.0, 0.0, 1e-17, 1.0], [2.0, 0, 1e-17, 3], [1.0, 0, 2, 2]])
    nothing = np.zeros(4)
    shares = _shares(VarianceParts(task, segment, judge, nothing, nothing))
    assert all(((share >= 0) & (share <= 1)).all() for share in shares.values())
    np.testing.assert_allclose(sum(shares.values()), 1)
    np.testing.assert_allclose(shares["segment"][[0, 1]], [0.5, 0])


def test_tasks_by_judge_are_each_judges_own_and_all_of_them() -> None:
    judgments = sample_campaign("wmt14-hi-en").judgments()
    campaign, found = judgments.campaign, _tasks_by_judge(judgments)
    here = np.flatnonzero(campaign.task_pair == campaign.pairs.index(judgments.pair))
    assert sorted(task for tasks in found.values() for task in tasks) == here.tolist()
    for name, tasks in found.items():
        assert {campaign.judges[campaign.task_judge[task]] for task in tasks} == {name}
