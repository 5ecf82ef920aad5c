"""Studies that run where somebody opens their fold: noise, clusters and abilities by size."""

from __future__ import annotations

import threading
from functools import partial

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from analysis.campaign import Campaign
from analysis.extras.growing import growing
from analysis.extras.noise.noisy_judges import NoiseDesign
from analysis.simulation.campaigns import Simulation, simulate_campaign
from dashboard import compute
from dashboard.extras.growing import section as growing_view
from dashboard.extras.noise import section as noise
from tests.opening import with_upload


@pytest.fixture(autouse=True)
def no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    settings = Simulation(systems=4, spread=3, radius=2, n_way=4)
    return simulate_campaign(settings, np.arange(4.0), 60, np.random.default_rng(1))


def show(campaign: Campaign, function: str, fold: str) -> AppTest:
    """Run one fold, opened by the link, over an uploaded campaign."""
    module, name = function.rsplit(".", 1)
    app = AppTest.from_string(
        "from dashboard.session.state import require_campaign\n"
        "from dashboard.widgets import sidebar\n"
        f"from {module} import {name}\n"
        "sidebar.show('fold')\n"
        f"{name}(require_campaign())\n",
        default_timeout=60,
    )
    app.query_params[fold] = "true"
    app.session_state["podium"] = with_upload(campaign)
    return app.run()


def test_the_noise_study_shows_its_finding_beside_the_printed_table(
    monkeypatch: pytest.MonkeyPatch, campaign: Campaign
) -> None:
    monkeypatch.setattr(noise, "TRIALS", (2, 3))
    monkeypatch.setattr(noise, "SHARES", (0.0, 0.5))
    monkeypatch.setattr(noise, "NoiseDesign", partial(NoiseDesign, gold_runs=2))
    app = show(campaign, "dashboard.extras.noise.section.show", "stability.noise")
    assert not app.exception
    (frame,) = (f.value for f in app.dataframe)
    assert frame["printed_graded_response"].tolist() == [0.929, 0.807, 0.883, 0.752]
    assert len(app.get("plotly_chart")) == 2, "the noise, and the baselines that a metric chooses"


def test_clusters_and_abilities_are_shown_where_their_folds_are_open(
    monkeypatch: pytest.MonkeyPatch, campaign: Campaign
) -> None:
    small = partial(growing.cluster_growth, runs=10)
    monkeypatch.setattr(growing_view, "cluster_growth", small)
    function = "dashboard.extras.growing.section.show"
    closed = show(campaign, function, "nothing")
    assert not closed.exception
    assert not closed.get("plotly_chart")
    clusters = show(campaign, function, "grow.clusters")
    assert not clusters.exception
    assert len(clusters.get("plotly_chart")) == 1
    abilities = show(campaign, function, "grow.abilities")
    assert not abilities.exception
    assert len(abilities.get("plotly_chart")) == 2


def test_ranks_after_two_sizes_stand_next_to_each_other(
    monkeypatch: pytest.MonkeyPatch, campaign: Campaign
) -> None:
    monkeypatch.setattr(growing_view, "ranges_after", partial(growing.ranges_after, runs=8))
    app = show(campaign, "dashboard.extras.growing.section.show", "grow.ranks")
    assert not app.exception
    assert len(app.columns) == 2
    assert len(app.get("plotly_chart")) == 2


def test_experts_and_crowd_are_compared_once_experts_are_chosen(campaign: Campaign) -> None:
    app = show(campaign, "dashboard.extras.growing.section.show", "grow.groups")
    assert not app.exception
    assert not app.get("plotly_chart"), "no judge's name says that they are an expert"
    app.multiselect(key="grow.experts").set_value(list(campaign.judges[:20])).run()
    assert not app.exception
    assert len(app.get("plotly_chart")) == 1
