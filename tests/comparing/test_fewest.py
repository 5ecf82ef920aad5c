"""The fewest judgments that turn two systems: they do it, and in small cases no fewer do."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from analysis.campaign import IntArray, Judgments, Selection
from analysis.comparing.fewest import (
    Alteration,
    Fewest,
    fewest,
    smooth_fit,
    with_rows_turned,
    without_rows,
)
from analysis.errors import PodiumError
from analysis.findings.stability import fewest_words
from analysis.formats import read_path
from analysis.rankers import Fit, Ranker
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.feedback_arc import Lopez
from analysis.rankers.trueskill import TrueSkill
from analysis.samples import sample_campaign
from tests.building import CampaignBuilder

MOST_DROPS = (155, 40, 142, 59, 27, 41, 8, 22, 74)
"""Votes without ties, neighbors from the top: so many by influence and one new fit are enough."""


def small(seed: int) -> Judgments:
    """26 judgments of four systems, some of them ties."""
    rng = np.random.default_rng(seed)
    builder = CampaignBuilder()
    quality = np.linspace(0.9, 0, 4)
    for task in range(26):
        i, j = rng.choice(4, 2, replace=False)
        d = quality[i] - quality[j] + rng.normal()
        ranks = [1, 1] if abs(d) < 0.2 else [1, 2] if d > 0 else [2, 1]
        builder.add_task("cs-en", str(task), "ann", [("abcd"[i],), ("abcd"[j],)], ranks)
    return builder.build().judgments()


def test_a_share_below_one_percent_is_not_rounded_up() -> None:
    judgments = small(1).take_tasks(np.zeros(1000, dtype=np.int64))
    found = Fewest("a", "b", "drop", judgments, np.arange(6))
    assert fewest_words(found).startswith("Leaving out 6 judgments (0.60% of all) puts b above a.")


def neighbors(fit: Fit) -> list[tuple[str, str]]:
    order = fit.standings.ranked_systems
    return list(itertools.pairwise(order))


def lead_after(fit: Fit, above: str, below: str, alteration: Alteration, rows: IntArray) -> float:
    change = without_rows if alteration == "drop" else with_rows_turned
    scores = fit.ranker.fit(change(fit.judgments, rows)).standings.scores
    a, b = (fit.judgments.systems.index(name) for name in (above, below))
    return float(scores[a] - scores[b])


def fewest_by_trying_all(
    fit: Fit, above: str, below: str, alteration: Alteration, most: int
) -> int | None:
    """Try all sets of up to ``most`` rows; rows of one outcome of one pair are alike."""
    judgments = fit.judgments
    cells = judgments.observations.cells(judgments.n_systems)
    kinds = [np.flatnonzero(cells == cell) for cell in np.unique(cells)]
    for n in range(1, most + 1):
        for chosen in itertools.combinations_with_replacement(range(len(kinds)), n):
            wanted = np.bincount(chosen, minlength=len(kinds))
            if any(w > len(kind) for w, kind in zip(wanted, kinds, strict=True)):
                continue
            rows = np.concatenate([kind[:w] for w, kind in zip(wanted, kinds, strict=True)])
            if lead_after(fit, above, below, alteration, rows) < -1e-6:
                return n
    return None


@pytest.mark.parametrize("ranker", [BradleyTerry(ties="half"), BradleyTerry()])
@pytest.mark.parametrize("alteration", ["drop", "turn"])
def test_small_cases_need_as_many_as_trying_all_sets_says(
    ranker: Ranker, alteration: Alteration
) -> None:
    tried = 0
    for seed in range(4):
        fit = ranker.fit(small(seed))
        for above, below in neighbors(fit):
            found = fewest(fit, above, below, alteration)
            if found.n is not None and 1 < found.n <= 3:
                assert fewest_by_trying_all(fit, above, below, alteration, found.n) == found.n
                tried += 1
    assert tried >= 3


@pytest.mark.parametrize("ranker", [BradleyTerry(), TrueSkill()])
@pytest.mark.parametrize("alteration", ["drop", "turn"])
def test_what_is_found_turns_the_order_and_one_row_less_does_not(
    ranker: Ranker, alteration: Alteration
) -> None:
    fit = ranker.fit(sample_campaign("wmt14-cs-en").judgments())
    above, below = neighbors(fit)[0]
    found = fewest(fit, above, below, alteration)
    assert found.rows is not None
    assert lead_after(fit, above, below, alteration, found.rows) < 0
    assert lead_after(fit, above, below, alteration, found.rows[:-1]) > -1e-6
    assert len(np.unique(found.rows)) == found.n


def test_turning_needs_about_half_of_what_leaving_out_needs() -> None:
    fit = BradleyTerry().fit(sample_campaign("wmt14-cs-en").judgments())
    above, below = neighbors(fit)[0]
    dropped, turned = (fewest(fit, above, below, alteration).n for alteration in ("drop", "turn"))
    assert dropped is not None
    assert turned is not None
    assert 0.4 < turned / dropped < 0.6


def test_the_rows_are_listed_as_people_judged_them() -> None:
    fit = BradleyTerry().fit(small(1))
    above, below = neighbors(fit)[0]
    found = fewest(fit, above, below)
    frame = found.to_frame()
    assert list(frame.columns) == ["segment", "judge", "preferred", "to"]
    assert len(frame) == found.n
    assert found.rows is not None
    judgments = fit.judgments
    assert frame["segment"].tolist() == [
        judgments.segments[judgments.task_segment[judgments.task[row]]]
        for row in np.sort(found.rows)
    ]


def test_identical_outputs_that_count_once_are_left_out_once() -> None:
    builder = CampaignBuilder()
    for task in range(40):
        outputs = [("a", "b"), ("c",)] if task % 4 else [("a",), ("b",), ("c",)]
        ranks = [1, 2] if task % 4 else [1, 2, 3] if task % 8 else [2, 1, 3]
        builder.add_task("cs-en", str(task), "ann", outputs, ranks)
    campaign = builder.build()
    fit = BradleyTerry().fit(campaign.judgments(selection=Selection(identical="collapsed")))
    (above, below) = neighbors(fit)[1]
    found = fewest(fit, above, below, "turn")
    assert found.rows is not None
    assert lead_after(fit, above, below, "turn", found.rows) < 0
    assert fewest(fit, above, below, "drop").rows is None  # b is never worse than c


def test_a_method_without_a_derivative_says_so_and_another_stands_in() -> None:
    fit = Lopez().fit(small(0))
    with pytest.raises(PodiumError, match="no derivative"):
        fewest(fit, "a", "b")
    assert smooth_fit(fit).ranker.name == "bradley-terry"
    with pytest.raises(PodiumError, match="nobody"):
        fewest(smooth_fit(fit), "a", "nobody")


def test_a_handful_of_votes_turns_the_neighbors_of_an_arena(campaigns_dir: Path) -> None:
    campaign, _ = read_path(campaigns_dir / "arena-judges" / "human.json.gz")
    votes = campaign.judgments()
    fit = BradleyTerry(ties="half").fit(votes.take_rows(np.flatnonzero(votes.outcome != 0)))
    for (above, below), most in zip(neighbors(fit), MOST_DROPS, strict=False):
        n = fewest(fit, above, below).n
        assert n is not None
        assert n <= most, (above, below)
