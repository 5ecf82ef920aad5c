"""The ratio rankers, by hand and against what SPV14 printed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis.campaign import PairCounts
from analysis.formats import read_path
from analysis.published import sakaguchi_table1
from analysis.rankers.ratios import Bojar, ExpectedWins, OrigWMT

FULL_NAMES = {
    "UEDIN-HEAFIELD": "newstest2013.fr-en.uedin-heafield-unconstrained.2755",
    "UEDIN": "newstest2013.fr-en.uedin-wmt13.2838",
    "ONLINE-B": "newstest2013.fr-en.online-B",
    "LIMSI-SOUL": "newstest2013.fr-en.LIMSI-Ncode-SOUL-primary.2585",
    "KIT": "newstest2013.fr-en.KIT_primary.2658",
    "ONLINE-A": "newstest2013.fr-en.online-A",
    "MES-SIMPLIFIED": "newstest2013.fr-en.MES-SimplifiedFrench-primary.2662",
    "DCU": "newstest2013.fr-en.DCU__primary.2828",
    "RWTH": "newstest2013.fr-en.RWTH_primary.2595",
    "CMU-T2T": "newstest2013.fr-en.CMU_Tree-to-Tree.2893",
    "CU-ZEMAN": "newstest2013.fr-en.cu-zeman.2738",
    "JHU": "newstest2013.fr-en.JHU.2684",
    "SHEF-WPROA": "newstest2013.fr-en.Shef-wproa.2780",
}

# a beat b 3 times and lost once, tied c twice; b beat c once, tied c once; d met nobody.
COUNTS = PairCounts(
    wins=np.array([[0, 3, 0, 0], [1, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]], dtype=float),
    ties=np.array([[0, 0, 2, 0], [0, 0, 1, 0], [2, 1, 0, 0], [0, 0, 0, 0]], dtype=float),
)


@pytest.mark.parametrize(
    ("ranker", "scores"),
    [
        (OrigWMT(), [5 / 6, 3 / 6, 3 / 4, np.nan]),
        (Bojar(), [3 / 4, 2 / 5, 0 / 1, np.nan]),
        (ExpectedWins(), [3 / 4, (1 / 4 + 1) / 2, 0, np.nan]),
    ],
)
def test_a_ratio_is_what_its_formula_says(
    ranker: OrigWMT | Bojar | ExpectedWins, scores: list[float]
) -> None:
    np.testing.assert_allclose(ranker.scores_from_counts(COUNTS), scores)


def test_replicates_on_a_leading_axis_are_ranked_each_for_itself() -> None:
    swapped = PairCounts(COUNTS.losses, COUNTS.ties)
    stacked = PairCounts(
        np.stack([COUNTS.wins, swapped.wins]), np.stack([COUNTS.ties, swapped.ties])
    )
    both = ExpectedWins().scores_from_counts(stacked)
    np.testing.assert_array_equal(both[0], ExpectedWins().scores_from_counts(COUNTS))
    np.testing.assert_array_equal(both[1], ExpectedWins().scores_from_counts(swapped))


def test_meeting_a_strong_opponent_more_often_does_not_lower_expected_wins() -> None:
    def counts(times: int) -> PairCounts:
        wins = np.array([[0, 9 * times, 6], [times, 0, 6], [4, 4, 0]], dtype=float)
        return PairCounts(wins, np.zeros((3, 3)))

    often, seldom = (ExpectedWins().scores_from_counts(counts(t)) for t in (10, 1))
    np.testing.assert_allclose(often, seldom)
    assert Bojar().scores_from_counts(counts(10))[1] < Bojar().scores_from_counts(counts(1))[1]


def test_expected_wins_on_wmt13_equals_table_1_of_spv14(campaigns_dir: Path) -> None:
    campaign, _ = read_path(campaigns_dir / "wmt13" / "fr-en.train.csv.gz")
    standings = ExpectedWins().fit(campaign.judgments()).standings
    published = sakaguchi_table1()
    assert list(standings.ranked_systems) == [FULL_NAMES[name] for name in published["system"]]
    np.testing.assert_allclose(
        standings.scores[standings.order], published["score"], rtol=0, atol=0.002
    )
