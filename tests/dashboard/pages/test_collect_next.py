"""The page Collect next: the batch and its files, what it asks for, and the replay."""

from __future__ import annotations

import dataclasses
import io
import itertools
import json
import re
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from analysis.campaign import Campaign, Selection
from analysis.errors import PodiumError
from analysis.findings.batches import (
    CHOSEN,
    batch_headline,
    batch_words,
    near_share,
    needed_words,
    replay_title,
)
from analysis.formats import read_many
from analysis.next_campaign.assignment import MOST_SEGMENTS, segment_names
from analysis.next_campaign.batch import Batch, Task
from analysis.next_campaign.choosing_matches import next_tasks
from analysis.next_campaign.replay import ChosenPairs
from analysis.samples import sample_campaign
from dashboard import compute
from dashboard.figures.collect import PANEL, batch_figure, replay_figure
from dashboard.figures.scenes import counts_figure
from dashboard.figures.theme import LABEL_GAP
from dashboard.session import state
from dashboard.session.state import Upload
from dashboard.views.next import replay
from tests.opening import open_address, with_upload

HOSTILE = ("<b>x</b>", "=1*2", 'say "a&b"', "plain")


@pytest.fixture(autouse=True)
def _no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


def open_page(session: object = None, **link: str) -> AppTest:
    return open_address(
        "next", session, **{"method": "Expected Wins", "next.question": "Tasks to send", **link}
    )


def hostile(make_campaign: Callable[..., Campaign]) -> Campaign:
    ranks = (1, 2, 3, 3)
    tasks = [
        (str(k), f"<i>{k % 4}</i>", dict(zip(np.roll(HOSTILE, k), ranks, strict=True)))
        for k in range(24)
    ]
    return make_campaign(tasks)


def batch_of(*tasks: tuple[str, ...]) -> Batch:
    return Batch("fr-en", "uniform", 0, tuple(Task("1", "ann", systems) for systems in tasks))


# Words ------------------------------------------------------------------------------------------


def test_the_headline_names_the_pair_asked_most_only_where_there_is_one() -> None:
    systems = ("a", "b", "c", "d")
    batch = batch_of(("a", "b"), ("b", "a"), ("c", "b"))
    sentence = batch_headline(batch, batch.pair_counts(systems))
    assert sentence == "3 tasks compare 2 of 6 pairs, most often a and b"
    one = batch_of(*[("a", "b")] * 50)
    compared = one.pair_counts(systems)
    votes = dataclasses.replace(one, one="vote")
    assert batch_headline(votes, compared) == "50 votes, all between a and b"
    assert batch_words(one, compared) == "All among places 1–2."
    even = batch_of(systems)
    sentence = batch_headline(even, even.pair_counts(systems))
    assert sentence == "1 task compares all pairs"


@pytest.mark.parametrize(
    ("top", "needed", "words"),
    [
        (
            0,
            5060.0,
            "To add a cluster, about 5 100 such votes are needed, perhaps far more; these are 3.",
        ),
        (1, 2.0, "These votes are as likely as not to be enough to name a winner."),
        (
            1,
            np.inf,
            "Even 64 times the votes so far would probably not be enough to name a winner.",
        ),
        (2, 0.0, "No more is needed to separate the top 2 from the others; "),
        (2, np.nan, ""),
    ],
)
def test_a_batch_says_how_many_of_the_needed_tasks_it_is(
    top: int, needed: float, words: str
) -> None:
    batch = dataclasses.replace(batch_of(*[("a", "b")] * 3), one="vote", top=top, needed=needed)
    said = needed_words(batch)
    assert said.startswith(words.replace(" ", ","))
    assert bool(said) == bool(words)


def test_near_systems_stand_at_most_two_places_apart() -> None:
    table = np.zeros((5, 5))
    table[0, 1] = table[1, 0] = 3
    table[0, 2] = table[2, 0] = 2
    table[0, 4] = table[4, 0] = 5
    assert near_share(table) == 0.5
    # Of ten pairs of five systems, four are one place apart and three are two.
    assert near_share(np.ones((5, 5))) == pytest.approx(0.7)


def replayed(factor: float) -> pd.DataFrame:
    """Clusters that grow with the logarithm; choosing needs 1/factor the judgments of chance."""
    sizes = np.array([100, 200, 400, 800, 1600])
    rows = []
    for method, times in (("uncertainty", factor), ("active", 1.0), ("uniform", 1.0)):
        for n, clusters in zip(sizes, np.log2(sizes * times) - 5, strict=True):
            row = {"method": method, "judgments": n, "clusters": clusters, "share": clusters / 10}
            rows.append(row)
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("factor", "words"),
    [
        (2.0, "For the same number of clusters, choosing needs 2.0 times fewer judgments"),
        (1.0, "Chosen and random judgments give about the same number of clusters"),
        (0.5, "For the same number of clusters, choosing needs 2.0 times more judgments"),
        (1e9, "Clusters by number of judgments and way of choosing"),
    ],
)
def test_the_replay_s_title_says_who_needs_more_judgments(factor: float, words: str) -> None:
    assert replay_title(replayed(factor)) == words


def test_where_chance_adds_no_cluster_the_title_speaks_of_pairs() -> None:
    table = replayed(2.0)
    table.loc[table["method"] == "uniform", "clusters"] = 1.0
    words = "For the same number of significant pairs, choosing needs 2.0 times fewer judgments"
    assert replay_title(table) == words


def test_a_range_of_segments_that_nobody_can_mean_is_refused() -> None:
    assert segment_names(" 3-5,, intro ") == ["3", "4", "5", "intro"]
    with pytest.raises(PodiumError, match="Name fewer"):
        segment_names(f"1-{MOST_SEGMENTS + 1}")
    with pytest.raises(PodiumError, match="Name fewer"):
        segment_names("1-99999,1-99999")


# Figures ----------------------------------------------------------------------------------------


def test_cells_are_how_often_the_batch_compares_two_systems() -> None:
    batch = batch_of(("a", "b", "c"), ("c", "a"), ("e", "f"), ("e", "a"))
    compared = batch.pair_counts(("c", "a", "b", "d", "e", "f"))
    heatmap = batch_figure(compared, names={"c": "sea"}, title="t", mode="light").data[0]
    cells = np.array(heatmap.z, dtype=float)
    assert cells[0, 1] == cells[1, 0] == 2
    assert cells[0, 2] == cells[1, 2] == 1
    assert np.isnan(cells[3]).all()
    assert np.isnan(np.diag(cells)).all()
    assert heatmap.customdata[0][1] == "sea<br>a<br>2 comparisons"


def test_of_many_systems_those_that_the_batch_asks_about_are_drawn() -> None:
    systems = tuple(f"system{k:03}" for k in range(120))
    compared = batch_of(("system007", "system100"), ("system050", "system007")).pair_counts(systems)
    figure = batch_figure(compared, names={}, title="t", mode="light")
    assert list(figure.layout.yaxis.ticktext) == ["system007", "system050", "system100"]
    few = batch_of(("a", "b")).pair_counts(("a", "b", "c", "d"))
    figure = batch_figure(few, names={}, title="t", mode="light")
    assert list(figure.layout.yaxis.ticktext) == ["a", "b", "c", "d"]


def test_both_fifths_share_one_scale_so_that_they_can_be_compared() -> None:
    first, last = np.full((3, 3), 4.0), np.full((3, 3), 2.0)
    first[0, 1] = first[1, 0] = 9
    last[1, 2] = last[2, 1] = 11
    systems = ("a", "b", "<b>c</b>")
    figures = [counts_figure(met, systems, names={}, mode="dark", most=11) for met in (first, last)]
    assert [figure.data[0].zmax for figure in figures] == [11, 11]
    assert figures[0].data[0].z[0][1] == 9
    assert figures[1].layout.yaxis.ticktext[2].startswith("&lt;b&gt;c")


def test_the_replay_draws_all_methods_over_the_same_judgments() -> None:
    table = replayed(2.0)
    figure = replay_figure(table, title="t", mode="light")
    drawn = {(trace.name, trace.yaxis): list(trace.y) for trace in figure.data}
    chosen = table[table["method"] == "uncertainty"]
    soonest, at_random = CHOSEN["uncertainty"], CHOSEN["uniform"]
    assert drawn[soonest, "y"] == chosen["clusters"].tolist()
    assert drawn[soonest, "y2"] == chosen["share"].tolist()
    assert drawn[at_random, "y2"] != drawn[soonest, "y2"]
    notes = [note for note in figure.layout.annotations if note.yref == "y"]
    assert {note.text for note in notes} == set(CHOSEN.values())
    per_pixel = figure.layout.yaxis.range[1] / PANEL
    heights = sorted(note.y / per_pixel - note.ay for note in notes)
    assert min(np.diff(heights)) > LABEL_GAP - 1e-9


# The page ---------------------------------------------------------------------------------------


def headline_of(app: AppTest) -> str:
    return next(str(words.value) for words in app.markdown if str(words.value).startswith("# "))


def test_the_page_shows_the_batch_that_the_engine_chooses() -> None:
    app = open_page(next__tasks="30", next__outputs="3", next__goal="At random", seed="4")
    assert not app.exception
    expected = next_tasks(sample_campaign().judgments(), 30, "uniform", 3, seed=4)
    shown = app.dataframe[0].value
    assert shown["segment"].tolist() == [task.segment for task in expected.tasks]
    assert shown[["output 1", "output 2", "output 3"]].to_numpy().tolist() == [
        list(task.systems) for task in expected.tasks
    ]
    assert "30 tasks compare" in headline_of(app)
    assert any("90 comparisons" in words.value for words in app.markdown)


def test_only_tasks_chosen_for_what_they_tell_come_with_a_warning() -> None:
    def warned(app: AppTest) -> bool:
        return any("over-samples close pairs" in b.proto.body for b in app.get("html"))

    assert warned(open_page())
    assert not warned(open_page(next__goal="At random"))


def test_named_judges_get_all_tasks_and_stay_out_of_the_link() -> None:
    app = open_page()
    app.multiselect(key="next.judges").set_value(["judge01", "judge04"])
    app.text_input(key="next.segments").set_value("5001-5100").run()
    assert not app.exception
    shown = app.dataframe[0].value
    assert shown["judge"].value_counts().to_dict() == {"judge01": 25, "judge04": 25}
    assert shown["segment"].astype(int).between(5001, 5100).all()
    assert not any("judge01" in str(value) for value in app.query_params.values())


def test_tasks_sent_out_are_not_asked_again_and_a_wrong_file_is_explained() -> None:
    app = open_page(next__tasks="20")
    app.text_input(key="next.segments").set_value("5001-5020")
    app.multiselect(key="next.judges").set_value(["ann"]).run()
    judgments = sample_campaign().judgments()
    names = [str(n) for n in range(5001, 5021)]
    first = next_tasks(judgments, 12, segments=names, judges=["ann"])
    app.number_input(key="next.tasks").set_value(8)
    app.file_uploader(key="next.sent").upload("sent.csv", first.to_csv(), "text/csv").run()
    assert not app.exception
    assert any("12 tasks of 12 not answered yet" in str(c.value) for c in app.caption)
    assert app.session_state["podium"].held["sent out"] == (("sent.csv", first.to_csv()),)
    shown = set(app.dataframe[0].value["segment"])
    assert shown == {*names} - {task.segment for task in first.tasks}
    app.file_uploader(key="next.sent").upload("votes.csv", b"a,b\n1,2\n", "text/csv").run()
    assert not app.exception
    assert any("not a file of tasks" in str(words.value) for words in app.markdown)


def test_tasks_sent_out_are_kept_until_they_are_forgotten() -> None:
    judgments = sample_campaign().judgments()
    first = next_tasks(judgments, 12)
    session = state.Session()
    session.held["sent out"] = (("sent.csv", first.to_csv()),)
    other = open_page(session, campaign="WMT14 German–English")
    assert not other.exception
    assert not any("not answered yet" in str(c.value) for c in other.caption)
    app = open_page(session)
    assert any("12 tasks of 12 not answered yet" in str(c.value) for c in app.caption)
    app.button(key="next.forget").click().run()
    assert not app.exception
    assert not any("not answered yet" in str(c.value) for c in app.caption)


def test_batches_add_up_and_those_of_another_campaign_do_not_count(
    make_campaign: Callable[..., Campaign],
) -> None:
    judgments = sample_campaign().judgments()
    session = state.Session()
    for seed in (1, 2):
        app = open_page(session)
        batch = next_tasks(judgments, 6, seed=seed)
        app.file_uploader(key="next.sent").upload("b.csv", batch.to_csv(), "text/csv").run()
        assert not app.exception
        session = app.session_state["podium"]
    assert any("12 tasks of 12 not answered yet" in str(c.value) for c in app.caption)
    tasks = [(str(k), f"judge{k % 4}", {"a": 1 + k % 2, "b": 2, "c": 3}) for k in range(30)]
    session.upload = Upload(make_campaign(tasks), None, ("x.csv",))  # type: ignore[arg-type]
    session.wanted[state.CAMPAIGN] = state.UPLOADED
    other = open_page(session)
    assert not other.exception
    assert not any("not answered yet" in str(c.value) for c in other.caption)


def test_a_replay_in_which_nobody_is_told_apart_is_drawn() -> None:
    table = replayed(1.0)
    table["share"] = 0.0
    assert replay_figure(table, title="t", mode="light").layout.yaxis2.range[1] > 0


def test_too_few_segments_are_explained_in_words() -> None:
    app = open_page(next__tasks="50", next__outputs="5")
    app.multiselect(key="next.judges").set_value(["judge01"])
    app.text_input(key="next.segments").set_value("9001").run()
    assert not app.exception
    assert any("tasks are possible, since judges" in str(words.value) for words in app.markdown)
    assert app.text_input(key="next.segments").value == "9001"


def test_one_system_left_is_explained_in_words() -> None:
    app = open_page()
    campaign = sample_campaign()
    app.session_state["podium"].selections[campaign.fingerprint] = Selection(
        exclude_systems=tuple(sorted(campaign.systems)[1:])
    )
    app.run()
    assert not app.exception
    assert not app.dataframe


def test_hostile_names_stay_text_on_the_page_and_come_back_from_both_files(
    make_campaign: Callable[..., Campaign],
) -> None:
    campaign = hostile(make_campaign)
    app = open_page(with_upload(campaign), next__tasks="6", next__outputs="4")
    assert not app.exception
    spec = json.loads(app.get("plotly_chart")[0].proto.spec)
    assert "&lt;b&gt;x&lt;/b&gt;" in spec["layout"]["yaxis"]["ticktext"]
    batch = next_tasks(campaign.judgments(), 6, n_way=4)
    csv = pd.read_csv(io.BytesIO(batch.to_csv()), dtype=str)
    assert set(csv[[f"system{k}Id" for k in range(1, 5)]].to_numpy().ravel()) == set(HOSTILE)
    ranks = itertools.cycle((1, 2, 3, 3))  # As a person fills them in.
    filled = re.sub(rb" />", lambda _: b' rank="%d" />' % next(ranks), batch.to_xml())
    again, _ = read_many([("filled.xml", filled)])
    assert set(again.systems) == set(HOSTILE)
    assert again.n_tasks == 6


def test_a_name_that_would_come_back_as_several_is_not_written_silently(
    make_campaign: Callable[..., Campaign],
) -> None:
    # In XML a comma joins systems of one output; the CSV can hold such a name.
    tasks = [(str(k), f"judge{k % 4}", {"a,b": 1 + k % 2, "c": 2, "d": 3}) for k in range(24)]
    app = open_page(with_upload(make_campaign(tasks)), next__tasks="4", next__outputs="3")
    assert not app.exception
    assert any("joins systems" in str(words.value) for words in app.caption)
    labels = [button.proto.label for button in app.get("download_button")]
    assert "CSV to fill in" in labels
    assert "Appraise XML to fill in" not in labels


def test_the_replay_runs_when_asked_and_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "GROWING_RUNS", 2)
    monkeypatch.setattr(replay, "CHOICE_RUNS", 2)
    runs: list[int] = []
    play = replay.chosen_pairs

    def watched(*args: Any, **settings: Any) -> ChosenPairs:
        runs.append(settings["runs"])
        return play(*args, **settings)

    monkeypatch.setattr(replay, "chosen_pairs", watched)
    app = open_page(seed="23")
    assert len(app.get("plotly_chart")) == 1
    assert not runs
    app.button(key="next.replay").click().run()
    assert not app.exception
    assert len(app.get("plotly_chart")) == 4
    app.run()
    assert len(app.get("plotly_chart")) == 4
    assert runs == [2]


def test_a_grown_campaign_gives_its_own_next_batch(make_campaign: Callable[..., Campaign]) -> None:
    systems = ("m0", "m1", "m2")
    votes = [
        (str(k), f"judge{k % 5}", {systems[k % 3]: 1 + k % 2, systems[(k + 1) % 3]: 2 - k % 2})
        for k in range(40)
    ]
    app = open_page(with_upload(make_campaign(votes)))
    assert not app.exception
    assert not app.error
    outputs = app.dataframe[0].value.filter(like="output")
    assert set(outputs.to_numpy().ravel()) == {"m0", "m1", "m2"}


def test_tasks_of_ratings_are_said_to_count_preferences() -> None:
    def said(**link: str) -> str:
        app = open_page(**link)
        assert not app.exception
        return " ".join(str(block.proto.body) for block in app.get("html"))

    words = "which output of a task is rated higher, not by how much"
    assert words in said(campaign="MQM scores of TED talks (real)", method="Mean score")
    assert words not in said()
