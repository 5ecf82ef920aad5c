"""A ranking as a whole: what it says when nothing varied, and that it never invents certainty."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from analysis.campaign import Campaign
from analysis.errors import PodiumError
from analysis.rankers import RANKERS
from analysis.ranking.ranking import rank

Make = Callable[[Sequence[object]], Campaign]
TASKS = [
    ("1", "ann", {"a": 1, "b": 2, "c": 3}),
    ("2", "ann", {"b": 1, "c": 2}),
    ("3", "bob", {"a": 1, "c": 2}),
    ("3", "bob", {"c": 1, "b": 2, "a": 3}),
    ("4", "eve", {"a": 1, "b": 1}),
]


def test_runs_that_do_not_differ_give_no_ranges(make_campaign: Make) -> None:
    judgments = make_campaign(TASKS).judgments()
    ranking = rank(judgments, RANKERS["expected-wins"](), runs=20, unit="none")
    frame = ranking.to_frame()
    assert ranking.ranges is None
    assert ranking.n_clusters is None
    assert frame[["rank_low", "rank_high", "cluster"]].isna().all(axis=None)


def test_a_system_that_was_never_compared_has_no_score_rank_or_cluster(
    make_campaign: Make,
) -> None:
    judgments = make_campaign([*TASKS, ("5", "ann", {"lonely": 1})]).judgments()
    ranking = rank(judgments, RANKERS["bojar"](), runs=50, unit="task")
    last = ranking.to_frame().iloc[-1]
    assert last["system"] == "lonely"
    assert last[["score", "spread", "rank_low", "rank_high", "cluster"]].isna().all()
    assert "never compared" in ranking.standings.undefined["lonely"]
    assert ranking.to_frame()["rank_high"].max() == 3


def test_nothing_to_rank_is_an_error_that_says_what_to_do(make_campaign: Make) -> None:
    judgments = make_campaign([("1", "ann", {"a": 1})]).judgments()
    with pytest.raises(PodiumError, match="a ranking needs two"):
        rank(judgments, RANKERS["bojar"]())


def test_the_signature_tells_the_data_apart(make_campaign: Make) -> None:
    signatures = {
        rank(make_campaign(tasks).judgments(), RANKERS["bojar"](), runs=5).signature
        for tasks in (TASKS, TASKS[:-1])
    }
    assert len(signatures) == 2


def test_a_lower_level_gives_ranges_inside_those_of_a_higher_one(make_campaign: Make) -> None:
    judgments = make_campaign(TASKS * 5).judgments()
    wide, narrow = (
        rank(judgments, RANKERS["bojar"](), runs=200, level=level).ranges for level in (0.95, 0.5)
    )
    assert wide is not None
    assert narrow is not None
    assert np.all(wide.low <= narrow.low)
    assert np.all(narrow.high <= wide.high)
    assert (wide.high - wide.low).sum() > (narrow.high - narrow.low).sum()
