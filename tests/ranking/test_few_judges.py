"""Campaigns of few judges: two scopes, and how many judges would settle the rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.comparing.head_to_head import head_to_head
from analysis.drawing.matrix import THESE_JUDGES, weaker_marks
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.few_judges import FewJudges, few_judges
from analysis.ranking.ranking import rank
from analysis.ranking.verdict import reach_verdict
from tests.building import CampaignBuilder
from tests.tools.audit.generator import Nature, draw

NATURE = Nature(tuple(np.linspace(0, 0.9, 6)), judges=4, tasks=800, taste=0.1, load="equal")


def found(nature: Nature, seed: int = 3) -> FewJudges | None:
    judgments = draw(nature, np.random.default_rng(seed)).campaign.judgments()
    return few_judges(judgments, reach_verdict(ExpectedWins().fit(judgments)))


def test_these_judges_settle_more_than_new_ones_would() -> None:
    few = found(NATURE)
    assert few is not None
    assert few.for_these.scope == "these judges"
    assert few.for_these.significant.sum() > few.for_new.significant.sum()
    assert few.for_these.n_tiers >= few.for_new.n_tiers
    assert few.settled_by_these_alone.any()
    assert few.judges_for_pairs is not None
    assert few.judges_for_pairs > 4


def test_pairs_and_the_matrix_show_both_scopes_of_few_judges() -> None:
    judgments = draw(NATURE, np.random.default_rng(3)).campaign.judgments()
    verdict = reach_verdict(ExpectedWins().fit(judgments))
    few = few_judges(judgments, verdict)
    assert few is not None
    assert verdict.these_judges is not None
    np.testing.assert_array_equal(verdict.these_judges, few.settled_by_these_alone)
    pairs = verdict.pairs_frame()
    alone = (pairs["verdict_these_judges"] == "better") & (pairs["verdict"] == "open")
    assert alone.sum() == few.settled_by_these_alone.sum() // 2 > 0
    table = head_to_head(judgments.counts, judgments.systems, verdict.order)
    frame = table.to_frame(verdict)
    assert (frame["these_judges"] & ~frame["significant"]).sum() == 2 * alone.sum()
    assert (weaker_marks(table, verdict) == THESE_JUDGES).sum() == 2 * alone.sum()


def test_of_many_judges_one_scope_is_shown() -> None:
    judgments = draw(replace(NATURE, judges=8), np.random.default_rng(3)).campaign.judgments()
    verdict = reach_verdict(ExpectedWins().fit(judgments))
    assert verdict.these_judges is None
    assert "verdict_these_judges" not in verdict.pairs_frame()


@pytest.mark.parametrize("judges", [8, None])
def test_many_judges_or_unknown_ones_are_not_few(judges: int | None) -> None:
    assert found(replace(NATURE, judges=judges)) is None


def test_where_all_tied_no_number_of_judges_is_named() -> None:
    builder = CampaignBuilder()
    for k in range(12):
        builder.add_task("a-b", str(k), f"judge{k % 2}", [("x",), ("y",)], [1, 1])
    judgments = builder.build().judgments()
    few = few_judges(judgments, rank(judgments, ExpectedWins()).verdict)
    assert few is not None
    assert (few.judges_for_winner, few.judges_for_pairs) == (None, None)


def test_a_verdict_of_another_scope_says_nothing_of_new_judges() -> None:
    judgments = draw(NATURE, np.random.default_rng(3)).campaign.judgments()
    assert (
        few_judges(judgments, reach_verdict(ExpectedWins().fit(judgments), scope="these")) is None
    )


@pytest.mark.slow
def test_as_many_judges_as_are_named_settle_what_was_open_in_most_campaigns() -> None:
    settled = []
    for seed in range(40):
        few = found(NATURE, seed)
        assert few is not None
        if few.judges_for_pairs is None or not few.settled_by_these_alone.any():
            continue
        known = draw(NATURE, np.random.default_rng(seed))
        more = draw(
            replace(NATURE, judges=few.judges_for_pairs), np.random.default_rng(seed + 100),
            known.abilities,
        )  # fmt: skip
        verdict = reach_verdict(ExpectedWins().fit(more.campaign.judgments()))
        settled.append(verdict.significant[few.settled_by_these_alone].mean())
    assert len(settled) >= 20
    assert np.mean(settled) > 0.5
