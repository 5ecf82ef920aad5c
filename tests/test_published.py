"""The published tables, read back and held against each other."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analysis import published
from analysis.errors import PodiumError
from analysis.published import koehn_rankings
from analysis.ranking.clusters import clusters_from_ends
from analysis.ranking.rank_ranges import RankRanges, clusters_from_ranges
from tests import printed

EVERY_WMT14_PAIR = pytest.mark.parametrize("pair", published.wmt14_pairs())


@EVERY_WMT14_PAIR
def test_a_head_to_head_table_and_its_mirror_add_up_to_one(pair: str) -> None:
    beats = published.wmt14_head_to_head(pair).beats
    assert np.nanmax(np.abs(beats + beats.T - 1)) < 0.0101
    assert np.isnan(beats).sum() == len(beats)


@EVERY_WMT14_PAIR
def test_published_scores_are_the_tables_means_cut_after_two_decimals(pair: str) -> None:
    table = published.wmt14_head_to_head(pair)
    as_printed = table.beats.copy()
    for cell in table.misprints:
        as_printed[cell] = 0.0
    scores = published.wmt14_scores(pair)
    np.testing.assert_allclose(np.nanmean(as_printed, axis=1), scores["column_mean"], atol=5.1e-5)
    # Cells are rounded, scores are not: half a hundredth either way beside the cut. Only with the
    # misprints mended do the means fit the printed scores.
    assert (np.nanmean(table.beats, axis=1) - scores["score"]).between(-0.005, 0.0151).all()


def test_only_two_cells_are_misprinted_and_both_are_mended_from_their_mirror() -> None:
    found = {
        (pair, table.systems[i], table.systems[j]): table.beats[i, j]
        for pair in published.wmt14_pairs()
        for table in [published.wmt14_head_to_head(pair)]
        for i, j in table.misprints
    }
    assert found == {
        ("Hindi-English", "IIIT-HYDERABAD", "ONLINE-B"): 0.06,
        ("English-Russian", "RBMT1", "PROMT-RULE"): 0.09,
    }


@EVERY_WMT14_PAIR
def test_clusters_follow_from_the_published_rank_ranges(pair: str) -> None:
    scores = published.wmt14_scores(pair)
    low, high = (scores[end].to_numpy() for end in ("rank_low", "rank_high"))
    # Scores of one print are in the table's order.
    mean = scores["score"].to_numpy() - 1e-6 * np.arange(len(scores))
    nothing = np.zeros(len(scores))
    ranges = RankRanges(
        tuple(scores["system"]), 0.95, mean, *[nothing] * 5, low, high, nothing[None]
    )
    derived = published.wmt14_clusters(pair).set_index("system")["cluster"]
    np.testing.assert_array_equal(clusters_from_ranges(ranges), derived[list(scores["system"])])


def test_table_3s_pairs_add_up_to_its_total() -> None:
    assert sum(map(published.wmt14_n_judgments, published.wmt14_pairs())) == 328_830


def test_kappas_are_found_for_every_campaign_in_which_the_pair_was_judged() -> None:
    french = published.kappas("fre-eng")
    assert french.loc["wmt12"].tolist() == [0.272, 0.360]
    assert french.loc["wmt14"].tolist() == [0.357, 0.629]
    assert published.kappas("hin-eng").dropna().index.tolist() == ["wmt14"]


def test_significance_marks_are_read_from_the_winners_side() -> None:
    table = published.wmt14_head_to_head("cs-en")
    first, third = table.systems.index("ONLINE-B"), table.systems.index("UEDIN-SYNTAX")
    assert table.beats[third, first] == 0.43
    assert table.marks[third, first] == "‡"


def test_wmt15_rankings_are_found_in_any_spelling() -> None:
    fin = published.wmt15_rankings("Finnish-English")
    assert len(fin) == 14
    assert fin["mu"].is_monotonic_decreasing
    with pytest.raises(PodiumError, match="ces-eng"):
        published.wmt15_rankings("hi-en")
    with pytest.raises(PodiumError, match="Czech-English"):
        published.wmt14_n_judgments("fi-en")


def test_koehns_table_4_has_a_cell_for_every_share() -> None:
    cells = published.koehn_table4().set_index(["n", "sd", "share"])["judgments"]
    assert len(cells) == 60
    assert cells[15, 12, 0.9] == 500_000
    assert cells[6, 8, 0.5] == 1000


def test_in_otanis_table_1_the_graded_response_model_is_above_both_from_a_tenth_of_noise_on() -> (
    None
):
    table = published.otani_table1()
    assert len(table) == 12
    noisy = table[table["noise"] > 0]
    assert (noisy[["hopkins_may_minus", "expected_wins_minus"]] < 0).all(axis=None)
    for _, rows in table.groupby("measure"):
        assert rows["graded_response"].is_monotonic_decreasing
    assert printed.otani_table2()["ability"].is_monotonic_decreasing


def test_hopkins_and_mays_table_3_has_eight_pairs_of_three_campaigns() -> None:
    table = printed.hopkins_may_table3()
    assert table.groupby("campaign").size().to_dict() == {"wmt10": 8, "wmt11": 8, "wmt12": 8}
    french = table.query("language_pair == 'French-English' and campaign == 'wmt12'")
    assert french[["train", "test"]].to_numpy().tolist() == [[7982, 5840]]


def test_a_caller_who_changes_a_table_changes_his_own_copy() -> None:
    for read in (published.koehn_table4, lambda: published.wmt14_scores("cs-en")):
        before = read()
        before.iloc[:, 2] = 0
        assert not read().equals(before)


@pytest.mark.parametrize("table", [2, 3])
def test_koehns_rankings_fall_in_score_and_have_rising_rank_ranges(table: int) -> None:
    ranking = koehn_rankings(table)
    assert ranking["score"].is_monotonic_decreasing
    assert (ranking["lo"] <= ranking["hi"]).all()
    assert ranking["lo"].is_monotonic_increasing
    assert ranking["hi"].is_monotonic_increasing


def test_koehns_table_2_makes_the_six_clusters_of_its_text_with_one_rank_mended() -> None:
    """Koehn 2012, §5.2: six clusters in Table 2; the ranges as printed make five."""

    def clusters(ranges: pd.DataFrame) -> int:
        low, high = ranges["lo"].to_numpy(), ranges["hi"].to_numpy()
        return int(clusters_from_ends(low, high, ranges["score"].to_numpy()).max())

    mended = printed.koehn_ranges(2)
    assert mended.query("misprint")[["system", "lo", "hi"]].values.tolist() == [["JHU", 13, 13]]
    assert (clusters(koehn_rankings(2)), clusters(mended)) == (5, 6)
    assert not printed.koehn_ranges(3)["misprint"].any()
