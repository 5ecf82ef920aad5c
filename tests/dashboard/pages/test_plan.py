"""The page Plan: what its figures mark, what its table costs, and the campaign from scratch."""

from __future__ import annotations

import dataclasses
import json
import math
import re
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from analysis.campaign import Campaign, Judgments, Selection
from analysis.extras.validation.simulation.campaigns import Simulation, simulate_campaign
from analysis.findings.planning import advise, amount, goals_of, neighbors_title, outlook_title
from analysis.next_campaign import planning
from analysis.next_campaign.back_test import BackTest
from analysis.next_campaign.design import Design, Prospect, foresee
from analysis.next_campaign.evidence import fit_evidence, spread_like
from analysis.next_campaign.planning import Cost, Plan
from analysis.rankers import DEFAULT_METHOD, ranker_class
from analysis.ranking.verdict import reach_verdict
from analysis.samples import sample_campaign
from dashboard import compute
from dashboard.extras.validation import simulations
from dashboard.figures.scenes import outlook_figure
from dashboard.tables.plan import neighbors_screen, plan_screen, plan_table
from dashboard.views.next import new_campaign
from dashboard.views.next import plan as view
from dashboard.widgets.result_card import headline
from tests.building import CampaignBuilder
from tests.opening import open_address, with_upload

NARROW = ","
GRAVEST = '<div class="podium-finding podium-warning"><p>Without'


@pytest.fixture(autouse=True)
def _no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


def open_page(session: object = None, **link: str) -> AppTest:
    return open_address("next", session, **link)


def plan(judgments: Judgments, **settings: Any) -> Plan:
    verdict = reach_verdict(ranker_class(DEFAULT_METHOD)().fit(judgments))
    return planning.plan(judgments, verdict, **settings)


@pytest.fixture(scope="module")
def found() -> Plan:
    """English–German: some neighbors apart, some open, 90% of the pairs not reached yet."""
    return plan(sample_campaign("wmt14-en-de").judgments(), share=0.9, cost=Cost(2, 20))


# Words ------------------------------------------------------------------------------------------


def test_the_verdict_has_numbers_for_reading_and_leaves_the_price_to_the_table(found: Plan) -> None:
    assert "cost" in advise(found)
    sentence = advise(found, with_price=False)
    assert sentence.startswith("Continue with new segments: expect about ")
    assert "cost" not in sentence
    assert "hours" not in sentence
    assert NARROW in sentence
    assert "interval" in sentence
    assert "interval" not in advise(found, with_interval=False)


def test_many_systems_have_a_preview_that_is_drawn_once_and_claims_no_interval(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[int | None] = []
    said: list[str] = []

    def counted(*args: Any, draws: int | None = None, **settings: Any) -> Plan:
        drawn.append(draws)
        return planning.plan(*args, draws=draws, **settings)

    def heard(context: object, page: str, words: str, **settings: Any) -> None:
        said.append(words)
        headline(context, page, words, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr(view, "MANY", 3)
    monkeypatch.setattr(view, "plan", counted)
    monkeypatch.setattr(view, "headline", heard)
    app = open_page(seed="17")
    app.run()
    assert not app.exception
    assert drawn == [view.FIRST_DRAWS, None]
    assert [words.endswith("(preview)") for words in said] == [True, False, False]
    assert "interval" not in said[0]


def test_titles_say_what_twice_the_judgments_bring_and_how_many_neighbors_are_apart(
    found: Plan,
) -> None:
    curve = found.curve()
    twice = curve[curve["tasks"] == 2 * found.at_hand.n_tasks]["share"].item()
    assert f"{twice:.0%}" in outlook_title(found)
    verdict = sum(goal.reached for goal in goals_of(found, "neighbors"))
    assert neighbors_title(found).startswith(
        f"{verdict} of 17 adjacent pairs differ significantly; "
    )


# Figures ----------------------------------------------------------------------------------------


def test_every_target_is_marked_where_its_judgments_are_and_says_so(found: Plan) -> None:
    figure = outlook_figure(found, title="t", mode="light")
    shares = goals_of(found, "pairs")
    labels = {note.y: note.text for note in figure.layout.annotations}
    assert sorted(labels) == [0.5, 0.7, 0.8, 0.9]
    assert [labels[goal.wanted].endswith("reached") for goal in shares] == [
        goal.reached for goal in shares
    ]
    dots = {t.y[0]: t.x[0] for t in figure.data if t.name == "needed"}
    lines = {t.y[0]: list(t.x) for t in figure.data if t.name == "needed, interval"}
    now = found.at_hand.n_tasks
    assert set(dots) == {goal.wanted for goal in shares if goal.likely > 0}
    assert found.aim.wanted in dots
    for goal in shares:
        if goal.likely > 0:
            assert dots[goal.wanted] == pytest.approx(now + goal.likely)
            ends = [now + end for end in (goal.low, goal.high)]
            assert lines[goal.wanted] == pytest.approx(ends)


def test_the_axis_begins_today_and_counts_what_is_added(found: Plan) -> None:
    axis = outlook_figure(found, title="t", mode="dark").layout.xaxis
    now = found.at_hand.n_tasks
    assert axis.ticktext[0] == "today"
    assert axis.tickvals[0] == now
    assert axis.ticktext[1] == f"+5{NARROW}500"
    assert axis.tickvals[1] == 2 * now


def test_the_band_around_the_curve_is_the_interval_of_the_outlook(found: Plan) -> None:
    traces = {trace.name: trace for trace in outlook_figure(found, title="t", mode="light").data}
    low, high = found.outlook.share_interval(found.certainty)
    n = len(found.outlook.sizes)
    np.testing.assert_allclose(traces["interval"].y[:n], high)
    np.testing.assert_allclose(traces["interval"].y[n:][::-1], low)


def test_an_aim_of_clusters_is_drawn_as_clusters() -> None:
    found = plan(sample_campaign("wmt14-en-de").judgments(), clusters=7)
    figure = outlook_figure(found, title="t", mode="light")
    levels = [note.y for note in figure.layout.annotations]
    now = int(found.outlook.clusters[0, 0])
    assert levels == [now + 1, now + 2, now + 3, 7]
    lowest, highest = figure.layout.yaxis.range
    assert lowest < now < 7 < highest


@pytest.mark.parametrize("aim", [{}, {"clusters": 7}])
def test_the_forecast_steps_up_where_the_dot_of_a_goal_is(aim: dict[str, int]) -> None:
    """Line and band agree with dots and their intervals: one goal has one number."""
    found = plan(sample_campaign("wmt14-en-de").judgments(), **aim)
    kind = "clusters" if aim else "tiers"
    figure = outlook_figure(found, title="t", mode="light")
    (line,) = [trace for trace in figure.data if trace.name == "expected"]
    (band,) = [trace for trace in figure.data if trace.name == "interval"]
    near = [g for g in goals_of(found, kind) if 0 < g.likely < math.inf and g.high < math.inf]
    assert near

    def first_at(trace: Any, level: float, from_end: bool = False) -> float:
        found_at = [x for x, y in zip(trace.x, trace.y, strict=True) if y >= level]
        return min(found_at) - found.at_hand.n_tasks

    for goal in near:
        assert first_at(line, goal.wanted) == pytest.approx(goal.likely, abs=1)
        assert first_at(band, goal.wanted) == pytest.approx(goal.low, abs=1)


def test_an_axis_of_tiers_has_whole_ticks_that_do_not_repeat() -> None:
    campaign = sample_campaign("wmt14-en-de")
    some = Selection(exclude_systems=campaign.systems[3:])
    axis = outlook_figure(plan(campaign.judgments(selection=some)), title="t", mode="light")
    assert axis.layout.yaxis.dtick == 1
    assert axis.layout.yaxis.range[1] < 4


def test_neighbors_have_a_number_only_where_more_judgments_would_separate_them(found: Plan) -> None:
    goals = list(goals_of(found, "neighbors"))
    hopeless = next(row for row, goal in enumerate(goals) if not goal.reached)
    goals[hopeless] = dataclasses.replace(goals[hopeless], likely=math.inf, high=math.inf)
    others = [goal for goal in found.goals if goal.kind != "neighbors"]
    altered = dataclasses.replace(found, goals=(*others, *goals))
    rows = neighbors_screen(altered).to_dict("records")
    assert len(rows) == len(goals)
    for row, goal in zip(rows, goals, strict=True):
        assert row["pair"] == " · ".join(goal.systems or ())
        expected = amount(goal.likely, math.nan) if math.isfinite(goal.likely) else "out of reach"
        assert row["more"] == ("reached" if goal.reached else expected)
        assert row["differ"] == ("yes" if goal.reached else "no")
    assert neighbors_title(altered).endswith("one probably not even by 64 times the tasks")


# Tables -----------------------------------------------------------------------------------------


def test_money_is_tasks_times_minutes_times_price(found: Plan) -> None:
    frame = plan_table(found)
    open_goals = frame[np.isfinite(frame["tasks"]) & (frame["tasks"] > 0)]
    np.testing.assert_allclose(open_goals["money"], open_goals["tasks"] * 2 / 60 * 20)
    np.testing.assert_allclose(
        open_goals["judgments_low"], open_goals["tasks_low"] * found.at_hand.judgments_per_task
    )
    screen = plan_screen(found).set_index("goal")
    refuted = plan_screen(found, BackTest(20, 0.9, 0, 20)).set_index("goal")
    assert refuted.loc["90% of the pairs significant", "more"] == "not reliable"
    assert refuted.loc["90% of the pairs significant", "hours"] == ""
    tiers = [goal for goal in refuted.index if goal.endswith("tiers")]
    assert "not reliable" not in refuted.loc[tiers, "more"].tolist()
    ninety = screen.loc["90% of the pairs significant"]
    assert float(ninety["money"].replace(NARROW, "")) > float(ninety["hours"].replace(NARROW, ""))
    assert screen.loc["50% of the pairs significant", "more"] == "reached"
    assert "–" in ninety["interval"]


# A campaign from scratch -------------------------------------------------------------------------


def test_spread_like_finds_the_spread_that_a_simulated_campaign_had() -> None:
    simulation = Simulation(systems=20, spread=8.0)
    rng = np.random.default_rng(5)
    ability = np.linspace(0, 10, 20)
    judgments = simulate_campaign(simulation, ability, 3000, rng).judgments()
    assert spread_like(fit_evidence(judgments)) == pytest.approx(8.0, rel=0.15)


# The page ---------------------------------------------------------------------------------------


def headline_of(app: AppTest) -> str:
    return next(str(words.value) for words in app.markdown if str(words.value).startswith("# "))


def test_the_sample_says_stop_or_continue_and_shows_both_figures() -> None:
    app = open_page(plan__aim="6 clusters")
    assert not app.exception
    assert "Continue" in headline_of(app)
    assert len(app.get("plotly_chart")) == 1
    done = open_page(campaign="WMT14 Hindi–English", plan__aim="50% of the pairs significant")
    assert "The goal is reached" in headline_of(done)


def test_a_goal_reached_by_one_judge_alone_warns_as_result_does() -> None:
    builder, rng = CampaignBuilder(), np.random.default_rng(3)
    for task in range(800):
        judge = ("ann", "bob", "cyd", "eve")[task % 4]
        first = rng.random() < (0.9 if judge == "eve" else 0.5)
        builder.add_task("cs-en", str(task), judge, [("a",), ("b",)], [1, 2] if first else [2, 1])
    campaign = builder.build()
    warnings = []
    for address in ("result", "next"):
        app = open_address(address, with_upload(campaign), sure="These segments and judges")
        assert not app.exception
        shown = [str(block.proto.body) for block in app.get("html")]
        warnings.append([words for words in shown if words.startswith(GRAVEST)])
    assert headline_of(app).startswith("# a wins, but not without one judge")
    assert "Without eve (25% of the tasks), a would not win." in warnings[1][0]
    assert warnings[0] == warnings[1]


def test_an_interim_look_is_asked_where_the_verdict_is_and_makes_it_stricter() -> None:
    def said(app: AppTest) -> str:
        assert not app.exception
        return " ".join(str(block.proto.body) for block in app.get("html"))

    link = {"campaign": "WMT14 Hindi–English", "seed": "23"}
    once = open_page(**link)
    assert "The goal is reached" in headline_of(once)
    assert "Tested once." in said(once)
    late = open_page(**link, next__look="500")
    assert "Interim look 500: " in said(late)
    assert "Tested once." not in said(late)
    tables = [app.dataframe[0].value.set_index("goal") for app in (once, late)]
    first, last = (int(t.loc["50% of the pairs significant", "now"].rstrip("%")) for t in tables)
    assert last < first


def test_a_forecast_that_its_back_test_refutes_is_no_headline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    aim = "90% of the pairs significant"
    monkeypatch.setattr(view, "back_test", lambda *_, **__: BackTest(20, 0.9, 20, 20))
    assert "expect about" in headline_of(open_page(plan__aim=aim, seed="18"))
    monkeypatch.setattr(view, "back_test", lambda *_, **__: BackTest(20, 0.9, 5, 20))
    app = open_page(plan__aim=aim, seed="19")
    assert headline_of(app).startswith("# No reliable forecast")
    assert "The refuted forecast" in [e.label for e in app.expander]
    assert len(app.get("plotly_chart")) == 1
    monkeypatch.setattr(view, "back_test", lambda *_, **__: BackTest(20, 0.9, 20, 5))
    app = open_page(seed="20")
    assert headline_of(app).startswith("# No reliable forecast")
    shown = [str(block.proto.body) for block in app.get("html")]
    (words,) = (words for words in shown if "Do not rely on" in words)
    assert "podium-warning" in words


def test_a_new_campaign_is_not_headed_by_what_the_back_test_refutes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    new = {"next__question": "A new campaign"}
    monkeypatch.setattr(view, "back_test", lambda *_, **__: BackTest(20, 0.9, 20, 20))
    said = headline_of(open_page(seed="31", **new))
    assert re.search(r"Expect \d.* tiers; .*% of the system pairs", said)
    monkeypatch.setattr(view, "back_test", lambda *_, **__: BackTest(20, 0.9, 5, 20))
    app = open_page(seed="32", **new)
    assert not app.exception
    assert re.search(r"Expect \d.* tiers$", headline_of(app))
    assert "Do not rely on" in " ".join(str(block.proto.body) for block in app.get("html"))


def test_the_aim_and_the_price_come_from_the_link_and_change_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(view, "back_test", lambda *_, **__: BackTest(20, 0.9, 20, 20))
    app = open_page(plan__aim="6 clusters", plan__minutes="0.6", plan__per_hour="50", seed="21")
    assert not app.exception
    assert "6 clusters" in headline_of(app)
    found = plan(sample_campaign().judgments(), clusters=6, cost=Cost(3, 50), seed=21)
    expected = plan_screen(found)
    assert app.dataframe[0].value.to_dict() == expected.to_dict()


def test_the_page_counts_as_standings_and_without_new_judges_asks_for_more() -> None:
    app = open_page()
    verdict = reach_verdict(ranker_class(DEFAULT_METHOD)().fit(sample_campaign().judgments()))
    now = app.dataframe[0].value.set_index("goal")["now"]
    share = verdict.significant[np.triu_indices(len(verdict.systems), 1)].mean()
    assert now["50% of the pairs significant"] == f"{share:.0%}"
    assert now[f"{verdict.n_tiers + 1} tiers"] == str(verdict.n_tiers)
    before = headline_of(app)
    app.number_input(key="plan.new_judges").set_value(0).run()
    app.number_input(key="plan.new_segments").set_value(0).run()
    assert not app.exception
    assert headline_of(app) != before


def test_a_campaign_that_has_not_begun_is_foreseen_by_the_form(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Design] = []

    def watched(planned: Design, *given: Any, **settings: Any) -> Prospect:
        asked.append(planned)
        return foresee(planned, *given, **settings)

    monkeypatch.setattr(new_campaign, "foresee", watched)
    minutes = open_page(seed="17").number_input(key="plan.minutes")
    assert (minutes.label, minutes.placeholder) == ("Minutes per output", "0.20 (WMT15)")
    assert not asked
    question = {"next.question": "A new campaign", "new.effect": "0.1", "new.judges": "9"}
    app = open_page(seed="17", **question)
    assert not app.exception
    assert (asked[-1].effect, asked[-1].judges) == (0.1, 9)
    assert app.number_input(key="new.hours").placeholder.endswith(" tasks if empty")
    same = app.number_input(key="plan.minutes")
    assert (same.label, same.placeholder) == (minutes.label, minutes.placeholder)
    same.set_value(0.1).run()
    assert any("(0.5 minutes per task)" in str(one.value) for one in app.markdown)
    assert "of the adjacent pairs will differ significantly" in headline_of(app)
    assert len(app.get("plotly_chart")) == 1
    app.number_input(key="new.effect").set_value(None).run()
    assert not app.exception
    assert "of the system pairs will differ significantly" in headline_of(app)


ERRORS, RANGES = "Which method errs least?", "Do rank ranges and clusters contain the truth?"
NEEDED = "How many judgments separate the systems?"
SPREAD = "How hard are these systems to separate?"


@pytest.mark.parametrize(
    ("study", "name", "says"),
    [
        (ERRORS, "errors", "err"),
        (RANGES, "ranges", "miss the truth more often"),
        (NEEDED, "needed", "judgments separate 90% of the pairs"),
        (SPREAD, "spread", "as hard to separate as with a standard deviation of"),
    ],
)
def test_each_of_koehns_studies_has_a_finding_a_table_and_what_makes_it_again(
    monkeypatch: pytest.MonkeyPatch, study: str, name: str, says: str
) -> None:
    monkeypatch.setattr(simulations, "SIZES", (500, 1000))
    monkeypatch.setattr(simulations, "FEW_SIZES", (500, 1000))
    monkeypatch.setattr(simulations, "RESAMPLES", 20)
    link = {f"plan__campaigns_{name}": "4", "experiment": study}
    app = open_address("validation", study="Experiments", seed="17", **link)
    assert not app.exception
    figure = json.loads(app.get("plotly_chart")[-1].proto.spec)
    assert says in figure["layout"]["title"]["text"].replace("<br>", " ")
    assert says.split()[0] in figure["layout"]["meta"]["alt"]
    html = " ".join(block.proto.body for block in app.get("html"))
    made_up = name != "spread"
    (eyebrow,) = re.findall(r'<p class="podium-eyebrow[^>]*>(.*?)</p>', html)
    assert ("→" in eyebrow) == (not made_up), "nothing made up under the campaign's language pair"
    assert ("Simulated: 13 systems and a standard deviation of outputs of " in html) == made_up
    signed = f"study:{name}|experiments:4|seed:17"
    assert any(signed in block.proto.body for block in app.get("html"))
    table = app.dataframe[-1].value
    assert len(table) == {"errors": 8, "ranges": 6, "spread": 12, "needed": 24}[name]


def test_one_system_left_is_explained_in_words() -> None:
    app = open_page()
    campaign = sample_campaign()
    app.session_state["podium"].selections[campaign.fingerprint] = Selection(
        exclude_systems=tuple(sorted(campaign.systems)[1:])
    )
    app.run()
    assert not app.exception
    assert not app.get("plotly_chart")


def test_hostile_names_stay_text(make_campaign: Callable[..., Campaign]) -> None:
    names = ("<b>x</b>", "a_b", "plain")
    tasks = [
        (str(k), "ann", dict(zip(np.roll(names, k), (1, 2, 2 + k % 2), strict=True)))
        for k in range(12)
    ]
    app = open_page(with_upload(make_campaign(tasks)))
    assert not app.exception
    said = " ".join(markdown.value for markdown in app.markdown)
    assert "<b>x</b>" not in said
    assert any("With so few tasks (12)" in block.proto.body for block in app.get("html"))


def test_the_outlook_is_checked_on_the_campaign_and_says_where_it_cannot_be(
    make_campaign: Callable[..., Campaign],
) -> None:
    def said(app: AppTest, words: str) -> bool:
        return any(words in block.proto.body for block in app.get("html"))

    assert said(open_page(), "of 20 trials, and that of tiers")
    tasks = [(str(k), f"judge{k % 4}", {"a": 1 + k % 2, "b": 2, "c": 3}) for k in range(30)]
    assert said(open_page(with_upload(make_campaign(tasks))), "With fewer than 100 tasks")
