"""A campaign judged by several criteria: one on every page, all of them on Result and What if."""

from __future__ import annotations

import dataclasses
import threading
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from analysis.comparing.criteria import joint_level, rank_criteria
from analysis.formats import read_many
from analysis.rankers import ranker_class
from analysis.ranking.certainty import Certainty
from analysis.ranking.ranking import rank
from analysis.reporting.paper_tables import ranking_caption
from dashboard import compute
from tests.comparing.test_criteria import table
from tests.opening import open_address, with_upload

MEAN = ranker_class("mean")()


@pytest.fixture(autouse=True)
def _no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing runs behind the tests' back."""
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


@pytest.fixture(scope="module")
def campaign() -> Any:
    truth = np.array([[80, 60, 50.0], [70, 75, 55], [60, 60, 80], [55, 55, 45]])
    data = table(np.random.default_rng(3), truth, impression=6.0)
    return read_many([("scores.csv", data)], mapping="auto")[0]


def opened(address: str, campaign: Any, **link: str) -> AppTest:
    app = open_address(address, with_upload(campaign), method=MEAN.title, **link)
    assert not app.exception
    assert not app.error
    return app


def heading(app: AppTest) -> str:
    return next(str(block.value) for block in app.markdown if str(block.value).startswith("# "))


def test_the_criterion_in_the_link_is_the_one_of_every_page(campaign: Any) -> None:
    app = opened("result", campaign, criterion="adequacy")
    assert app.selectbox(key="criterion").value == "adequacy"
    assert heading(app).startswith("# sys1 wins")
    view = app.session_state["podium"].view
    assert "adequacy" in view.about
    assert "_adequacy_" in view.file_name("standings", "csv")
    ranking = rank(view.judgments, view.ranker)
    assert ranking_caption(ranking, view.ranker.title).startswith("adequacy, Mean score")
    (quiet,) = [one.value for one in app.html if 'class="podium-eyebrow' in one.value]
    assert "adequacy · Mean score" in quiet
    assert heading(opened("result", campaign)).startswith("# sys0 wins")


def test_all_criteria_stand_in_one_table_with_ranges_valid_together(campaign: Any) -> None:
    app = opened("result", campaign, criteria="All criteria")
    assert "3 of 4 systems are unbeaten across the 3 criteria" in heading(app)
    shown = app.dataframe[0].value
    own = rank_criteria(
        campaign, lambda one, at: rank(one.judgments(), MEAN, Certainty(level=at)), 0.95
    )
    assert own.rankings[0].level == joint_level(0.95, 3)
    expected = own.to_frame()
    assert shown["system"].tolist() == expected["system"].tolist()
    for name in own.names:
        assert shown[f"{name} ranks"].tolist() == expected[f"{name} ranks"].tolist()
        assert shown[name].tolist() == pytest.approx(expected[name].tolist())
    assert not shown.loc[shown["system"] == "sys3", "unbeaten"].item()


def test_a_weight_that_turns_the_winner_changes_the_headline(campaign: Any) -> None:
    app = opened("what-if", campaign, question="Weights of criteria")
    before = heading(app)
    assert "other weights change that" in before
    app.slider(key="what.weight.simplicity").set_value(10).run()
    assert heading(app).startswith("# sys2 has the best weighted mean")
    assert heading(app) != before


def test_a_single_criterion_asks_for_none(campaign: Any) -> None:
    alone = dataclasses.replace(campaign, criterion="", criteria=())
    app = opened("result", alone)
    assert "criterion" not in {box.key for box in app.selectbox}
