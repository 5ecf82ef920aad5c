"""Goals: when their probability passes its marks, and which aims are refused."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.errors import PodiumError
from analysis.next_campaign.goals import needed
from analysis.samples import sample_campaign
from tests.next_campaign.test_planning import first_fifth, plan


def test_a_probability_that_grows_with_the_logarithm_is_inverted_exactly() -> None:
    sizes = 100 * 2.0 ** np.arange(7)
    low, likely, high = needed(np.arange(7) / 8, sizes, certainty=0.5)
    assert (low, likely) == (300, 1500)
    assert high == 6300
    assert needed(np.arange(7) / 8, sizes, certainty=0.6)[2] == np.inf
    assert needed(np.ones(7), sizes, 0.9) == (0, 0, 0)


def test_a_probability_that_falls_back_is_not_counted_down() -> None:
    sizes = np.array([100.0, 200, 400])
    assert (
        needed(np.array([0.0, 0.6, 0.4]), sizes, 0.9)[1]
        == needed(np.array([0.0, 0.6, 0.6]), sizes, 0.9)[1]
    )


def test_more_is_asked_for_by_larger_shares_and_more_clusters() -> None:
    result = plan(first_fifth(sample_campaign("wmt14-en-de").judgments(), 0), clusters=6)
    for kind in ("pairs", "clusters"):
        goals = [goal for goal in result.goals if goal.kind == kind]
        assert [goal.wanted for goal in goals] == sorted(goal.wanted for goal in goals)
        for name in ("low", "likely", "high"):
            times = [getattr(goal, name) for goal in goals]
            assert times == sorted(times)
        assert all(goal.low <= goal.likely <= goal.high for goal in goals)
    assert result.aim.wanted == 6
    assert len([goal for goal in result.goals if goal.kind == "neighbors"]) == 17


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"share": 1.2}, "outside 0–1"),
        ({"clusters": 9}, "5 systems cannot form"),
        ({"certainty": 0.0}, "outside 0–1"),
    ],
)
def test_an_impossible_aim_is_refused(settings: dict[str, float], expected: str) -> None:
    with pytest.raises(PodiumError, match=expected):
        plan(sample_campaign("wmt14-cs-en").judgments(), **settings)  # type: ignore[arg-type]
