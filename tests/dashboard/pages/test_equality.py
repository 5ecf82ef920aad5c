"""Practically equal within a margin, and both scopes of few judges."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from analysis import read
from analysis.campaign import Campaign
from analysis.rankers import BradleyTerry
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.certainty import Certainty
from analysis.ranking.equivalence import equal_within
from analysis.ranking.few_judges import few_judges
from analysis.ranking.ranking import rank
from dashboard import compute
from tests.building import CampaignBuilder
from tests.opening import open_address, with_upload


@pytest.fixture(autouse=True)
def _no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing runs behind the tests' back."""
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    """Four judges of different tastes."""
    rng, builder = np.random.default_rng(5), CampaignBuilder()
    taste = rng.normal(0, 0.3, (4, 4))
    for task in range(400):
        values = rng.normal(np.array([0, 0, 0.7, 1.4]) + taste[task % 4], 1.0)
        ranks = [int(place) + 1 for place in np.argsort(np.argsort(values))]
        builder.add_task(
            "cs-en", str(task), f"judge {task % 4}", [(name,) for name in "abcd"], ranks
        )
    return builder.build()


def opened(address: str, campaign: Campaign, **link: str) -> AppTest:
    app = open_address(address, with_upload(campaign), method=ExpectedWins.title, **link)
    assert not app.exception
    assert not app.error
    return app


def words(app: AppTest) -> str:
    blocks = [*app.markdown, *app.get("html")]
    return " ".join(str(getattr(block, "value", "") or block.proto.body) for block in blocks)


def test_what_if_counts_the_pairs_that_are_equal_within_the_margin(campaign: Campaign) -> None:
    app = opened(
        "what-if", campaign, question="Equal within", equal="0.3", sure="These segments and judges"
    )
    shown = app.dataframe[0].value
    these = rank(campaign.judgments(), ExpectedWins(), Certainty(scope="these")).verdict
    assert these is not None
    expected = equal_within(these, 0.3)
    first = ["equal", "open", "better"].index
    assert shown["verdict"].tolist() == sorted(expected["verdict"], key=first)
    assert (expected["verdict"] == "equal").any()
    assert "practically equal within 0" in words(app)


def test_a_margin_in_win_probability_is_its_difference_of_scores(campaign: Campaign) -> None:
    link = {"question": "Equal within", "sure": "These segments and judges"}
    chance = {"equal__unit": "Win probability", "equal__chance": "10%"}
    app = open_address("what-if", with_upload(campaign), **link, **chance)
    assert not app.exception
    these = rank(campaign.judgments(), BradleyTerry(), Certainty(scope="these")).verdict
    assert these is not None
    expected = equal_within(these, float(np.log(0.6 / 0.4)))
    assert app.dataframe[0].value["verdict"].tolist() == expected["verdict"].tolist()
    assert "from 40% to 60% is a difference of 0.405" in words(app)


def test_head_to_head_says_whether_the_two_are_equal_within_the_same_margin(
    campaign: Campaign,
) -> None:
    app = opened("head-to-head", campaign, equal="0.2")
    assert "valid for all pairs together" in words(app)
    assert "valid for all pairs together" not in words(opened("head-to-head", campaign))


def test_few_judges_have_the_tests_of_the_winner_folded_below_the_figure(
    campaign: Campaign,
) -> None:
    app = opened("result", campaign)
    (fold,) = (one for one in app.expander if one.label.startswith("The winner's test"))
    (said,) = (str(block.proto.body) for block in fold.get("html"))
    assert "judges settle" in said
    shown = [str(block.proto.body) for block in app.get("html")]
    assert sum("judges settle" in words for words in shown) == 1


def test_an_arena_of_few_judges_reads_of_prompts() -> None:
    rows = [f"ann{k % 3},{'ab'[k % 2]},{'ba'[k % 2]},model_{'aab'[k % 3]}" for k in range(60)]
    text = "\n".join(["judge,model_a,model_b,winner", *rows])
    arena, _ = read(("votes.csv", text.encode()))
    label = opened("head-to-head", arena).toggle(key="these-judges").label
    assert label == "Significant for these 3 judges, on new prompts"


def test_few_judges_show_both_scopes_in_the_table_and_the_matrix(campaign: Campaign) -> None:
    ranking = rank(campaign.judgments(), ExpectedWins())
    assert ranking.verdict is not None
    few = few_judges(ranking.judgments, ranking.verdict)
    assert few is not None
    assert few.settled_by_these_alone.any()
    table = opened("result", campaign).dataframe[0].value
    assert table["tier"].tolist() == ranking.verdict.tiers[ranking.order].tolist()
    assert table["tier_these"].tolist() == few.for_these.tiers[ranking.order].tolist()
    app = opened("head-to-head", campaign)
    before = app.dataframe[-1].value["significant"].str.count("•").sum()
    app.toggle(key="these-judges").set_value(True).run()
    after = app.dataframe[-1].value["significant"].str.count("•").sum()
    assert before == ranking.verdict.significant.sum()
    assert after == few.for_these.significant.sum() > before
