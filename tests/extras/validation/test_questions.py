"""Questions of the experiments: noise, clusters and abilities by size."""

from __future__ import annotations

import threading
from functools import partial

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from analysis.campaign import Campaign
from analysis.extras.validation.growing import growing
from analysis.extras.validation.noise.noisy_judges import NoiseDesign
from analysis.extras.validation.simulation.campaigns import Simulation, simulate_campaign
from dashboard import compute
from dashboard.extras.validation.growing import section as growing_view
from dashboard.extras.validation.noise import section as noise
from tests.opening import PATIENCE, with_upload


@pytest.fixture(autouse=True)
def no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    settings = Simulation(systems=4, spread=3, radius=2, n_way=4)
    return simulate_campaign(settings, np.arange(4.0), 60, np.random.default_rng(1))


def show(campaign: Campaign, question: str) -> AppTest:
    """Ask one question, opened by the link, of an uploaded campaign."""
    app = AppTest.from_string(
        "import streamlit as st\n"
        "from dashboard.session.state import require_campaign\n"
        "from dashboard.extras.validation.experiments import show_experiments\n"
        "from dashboard.widgets import sidebar\n"
        "sidebar.show('validation')\n"
        "show_experiments(require_campaign(), st.empty())\n",
        default_timeout=PATIENCE,
    )
    app.query_params["experiment"] = question
    app.session_state["podium"] = with_upload(campaign)
    return app.run()


def headline_of(app: AppTest) -> str:
    return next(m.value for m in app.markdown if m.value.startswith("# "))[2:]


def test_the_noise_study_shows_its_finding_beside_the_printed_table(
    monkeypatch: pytest.MonkeyPatch, campaign: Campaign
) -> None:
    monkeypatch.setattr(noise, "TRIALS", (2, 3))
    monkeypatch.setattr(noise, "SHARES", (0.0, 0.5))
    monkeypatch.setattr(noise, "NoiseDesign", partial(NoiseDesign, gold_runs=2))
    app = show(campaign, "Which method is best if judges guess?")
    assert not app.exception
    (frame,) = (f.value for f in app.dataframe)
    assert frame["printed_graded_response"].tolist() == [0.929, 0.807, 0.883, 0.752]
    assert len(app.get("plotly_chart")) == 2, "the noise, and the baselines that a metric chooses"


def test_clusters_and_abilities_are_shown_with_their_finding_as_the_headline(
    monkeypatch: pytest.MonkeyPatch, campaign: Campaign
) -> None:
    small = partial(growing.cluster_growth, runs=10)
    monkeypatch.setattr(growing_view, "cluster_growth", small)
    clusters = show(campaign, "How many clusters do fewer judgments give?")
    assert not clusters.exception
    assert headline_of(clusters).startswith("After ")
    assert len(clusters.get("plotly_chart")) == 1
    abilities = show(campaign, "How much do scores vary after fewer judgments?")
    assert not abilities.exception
    assert headline_of(abilities) == "Each training used all 360 judgments"
    assert len(abilities.get("plotly_chart")) == 2


def test_ranks_after_two_sizes_stand_next_to_each_other(
    monkeypatch: pytest.MonkeyPatch, campaign: Campaign
) -> None:
    monkeypatch.setattr(growing_view, "ranges_after", partial(growing.ranges_after, runs=8))
    app = show(campaign, "Which ranks do 1,000 and 25,000 judgments give?")
    assert not app.exception
    assert len(app.get("plotly_chart")) == 2


def test_experts_and_crowd_are_compared_once_experts_are_chosen(campaign: Campaign) -> None:
    app = show(campaign, "Do experts or the crowd predict better?")
    assert not app.exception
    assert not app.get("plotly_chart"), "no judge's name says that they are an expert"
    app.multiselect(key="grow.experts").set_value(list(campaign.judges[:20])).run()
    assert not app.exception
    assert len(app.get("plotly_chart")) == 1
