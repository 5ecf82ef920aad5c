"""Worked examples: the papers' own numbers come out of the computation."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.rankers.trueskill.kernels import correct_tie_readable, correct_win_readable
from tests.docs.examples import (
    EXAMPLES,
    PAGE,
    as_markdown,
    five_way_ranking,
    four_systems,
    mean_kappa,
    one_judgment,
    partial_order,
    push_of_tie,
    push_of_win,
    twins,
    updates,
)


def test_spearman_prefers_the_ranking_that_judgments_like_less() -> None:
    """HM13, section 3: computed from the four orders, ρ = .4 and .8."""
    example = four_systems()
    assert "0.4" in example.point
    assert "0.8" in example.point
    assert example.table["expected_wins"].is_monotonic_decreasing
    assert "29%" in example.sentences[1]
    assert "38%" in example.sentences[1]


def test_a_twin_lifts_b_from_two_thirds_to_five_sixths() -> None:
    """HM13, section 2."""
    table = twins().table
    assert table["alone"].tolist() == pytest.approx([2 / 3, 2 / 3, 1 / 2, 1 / 2])
    assert table["with_a_twin_of_B"].tolist() == pytest.approx([2 / 3, 5 / 6, 1 / 2, 1 / 2])
    assert "2/3 to 5/6" in twins().point


def test_the_five_way_ranking_makes_the_ten_pairs_of_table_2() -> None:
    """HM13, Table 2."""
    printed = """bbn cmu 1, bbn jhu 1, bbn kit 1, bbn uedin 1, cmu jhu 2, cmu kit 1, cmu uedin 2,
    jhu kit 1, jhu uedin 0, kit uedin 2"""
    rows = five_way_ranking().table.astype(str).agg(" ".join, axis=1)
    assert sorted(rows) == sorted(" ".join(part.split()) for part in printed.split(","))


def test_the_judge_of_figure_1_prefers_the_first() -> None:
    """HM13, Figure 1: .35 - -.42 = .77 > .5."""
    assert one_judgment().point.endswith("prefers the first.")
    assert "0.77 apart" in one_judgment().point


def test_the_pushes_are_those_of_trueskills_updates_and_come_to_the_loss() -> None:
    for t in (-1.3, 0.0, 0.7):
        assert push_of_win(np.array(t), 0.5) == pytest.approx(correct_win_readable(t, 0.5)[0])
        assert push_of_tie(np.array(t), 0.5) == pytest.approx(correct_tie_readable(t, 0.5)[0])
    table, c = updates().table, 0.01
    t = table["difference"].to_numpy()
    np.testing.assert_allclose(c * push_of_win(t / c, 0.5 / c), table["win_loss"], atol=0.01)


def test_the_groups_are_those_of_wmt14s_table_6() -> None:
    assert "B | D E A | F C" in partial_order().point


def test_means_of_kappas_are_plain_means_but_for_wmt13s() -> None:
    example = mean_kappa()
    found = example.table.query("campaign == 'wmt14'")
    np.testing.assert_allclose(found["mean"], found["printed"], atol=0.0006)
    assert "WMT13" in example.sentences[0]
    assert "WMT12" not in example.sentences[0]


def test_the_page_of_the_documentation_shows_what_the_examples_compute() -> None:
    assert PAGE.read_text(encoding="utf-8") == as_markdown()
    assert len({make().title for make in EXAMPLES}) == len(EXAMPLES)
