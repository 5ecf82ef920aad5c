"""A ranking as a whole: what it says when nothing varied, and that it never invents certainty."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from analysis.campaign import Campaign
from analysis.errors import PodiumError
from analysis.rankers import RANKERS
from analysis.ranking.certainty import DEFAULT_CERTAINTY, Certainty, replicate
from analysis.ranking.rank_ranges import clusters_from_ranges, rank_ranges
from analysis.ranking.ranking import rank
from analysis.samples import sample_campaign

Make = Callable[[Sequence[object]], Campaign]
TASKS = [
    ("1", "ann", {"a": 1, "b": 2, "c": 3}),
    ("2", "ann", {"b": 1, "c": 2}),
    ("3", "bob", {"a": 1, "c": 2}),
    ("3", "bob", {"c": 1, "b": 2, "a": 3}),
    ("4", "eve", {"a": 1, "b": 1}),
]


TASK_RUNS = Certainty("marginal", unit="task", runs=200)
BOTH = (DEFAULT_CERTAINTY, TASK_RUNS)


def kind(certainty: Certainty) -> str:
    return certainty.ranges


def test_runs_that_do_not_differ_give_no_ranges(make_campaign: Make) -> None:
    judgments = make_campaign(TASKS).judgments()
    certainty = Certainty("marginal", unit="none", runs=20)
    ranking = rank(judgments, RANKERS["expected-wins"](), certainty)
    frame = ranking.to_frame()
    assert ranking.ranges is None
    assert ranking.n_clusters is None
    assert ranking.can_tell
    assert not ranking.is_preview
    assert frame[["rank_best", "rank_worst", "cluster"]].isna().all(axis=None)


@pytest.mark.parametrize("certainty", BOTH, ids=kind)
def test_one_task_says_nothing_of_how_sure_its_ranking_is(
    certainty: Certainty, make_campaign: Make
) -> None:
    ranking = rank(make_campaign(TASKS[:1]).judgments(), RANKERS["bojar"](), certainty)
    assert ranking.ranges is None
    assert ranking.n_clusters is None
    assert not ranking.can_tell
    assert ranking.verdict is not None
    assert not ranking.verdict.significant.any()


@pytest.mark.parametrize("certainty", BOTH, ids=kind)
def test_a_system_that_was_never_compared_has_no_score_rank_or_cluster(
    certainty: Certainty, make_campaign: Make
) -> None:
    judgments = make_campaign([*TASKS, ("5", "ann", {"lonely": 1})]).judgments()
    ranking = rank(judgments, RANKERS["bojar"](), certainty)
    last = ranking.to_frame().iloc[-1]
    assert last["system"] == "lonely"
    assert last[["score", "se", "rank_best", "rank_worst", "cluster"]].isna().all()
    assert "never compared" in ranking.standings.undefined["lonely"]
    assert ranking.to_frame()["rank_worst"].max() == 3


def test_nothing_to_rank_is_an_error_that_says_what_to_do(make_campaign: Make) -> None:
    judgments = make_campaign([("1", "ann", {"a": 1})]).judgments()
    with pytest.raises(PodiumError, match="a ranking needs two"):
        rank(judgments, RANKERS["bojar"]())


@pytest.mark.parametrize("certainty", BOTH, ids=kind)
def test_the_signature_tells_the_data_apart(certainty: Certainty, make_campaign: Make) -> None:
    signatures = {
        rank(make_campaign(tasks).judgments(), RANKERS["bojar"](), certainty).signature
        for tasks in (TASKS, TASKS[:-1])
    }
    assert len(signatures) == 2


@pytest.mark.parametrize("certainty", BOTH, ids=kind)
def test_a_lower_level_gives_ranges_inside_those_of_a_higher_one(
    certainty: Certainty,
) -> None:
    judgments = sample_campaign("wmt14-fr-en").judgments()
    wide, narrow = (
        rank(judgments, RANKERS["bojar"](), dataclasses.replace(certainty, level=level)).ranges
        for level in (0.95, 0.5)
    )
    assert wide is not None
    assert narrow is not None
    assert np.all(wide.rank_best <= narrow.rank_best)
    assert np.all(narrow.rank_worst <= wide.rank_worst)
    assert (wide.rank_worst - wide.rank_best).sum() > (narrow.rank_worst - narrow.rank_best).sum()


def test_pairs_ranks_and_clusters_follow_the_chosen_ranges() -> None:
    """The ranges and lines are those of the definition, or those of the runs: not both."""
    judgments = sample_campaign("wmt14-fr-en").judgments()
    simultaneous, published = (rank(judgments, RANKERS["bojar"](), c) for c in BOTH)
    verdict, runs = simultaneous.verdict, replicate(RANKERS["bojar"]().fit(judgments), runs=200)
    assert verdict is not None
    assert published.verdict is not None
    assert np.isnan(published.verdict.p_adjusted).all()  # an official procedure has no test
    np.testing.assert_array_equal(published.verdict.rank_best, rank_ranges(runs).rank_best)
    assert simultaneous.ranges is not None
    assert published.ranges is not None
    np.testing.assert_array_equal(simultaneous.ranges.rank_best, verdict.rank_best)
    np.testing.assert_array_equal(simultaneous.clusters, verdict.clusters)
    np.testing.assert_array_equal(published.ranges.rank_best, rank_ranges(runs).rank_best)
    np.testing.assert_array_equal(published.clusters, clusters_from_ranges(rank_ranges(runs)))
    assert (published.ranges.rank_best != verdict.rank_best).any()
    assert "resample:task|runs:200" in published.signature
    assert "resample" not in simultaneous.signature
    assert "scope:new" in simultaneous.signature
