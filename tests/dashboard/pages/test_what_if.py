"""What if: every question answers, the answer before stays behind, one button goes back."""

from __future__ import annotations

import math
import random
import re
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from analysis import read
from analysis.colors import system_colors
from analysis.drawing.curves import Curve, Curves
from analysis.findings.changes import Answer
from analysis.rankers import RANKERS
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.elo import Elo
from analysis.rankers.hopkins_may import HopkinsMay
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.ranking import fewer_tasks
from analysis.ranking.verdict import reach_verdict
from dashboard import compute
from dashboard.figures.scenes import answer_figure
from dashboard.figures.theme import alt_text
from dashboard.views.what_if.ties import BOTH_BAD
from dashboard.widgets.questions import JUDGES, SYSTEMS
from tests.building import CampaignBuilder
from tests.comparing.test_language_pairs import tasks
from tests.opening import open_address, with_upload

EXAMPLES = Path(__file__).parents[3] / "data" / "examples"
WINNERS = ("model_a", "model_b")
RADIUS = "radius.expected-wins.fr-en"
QUESTIONS = (
    "Methods",
    "Decision radius",
    "Fewer judgments",
    "Without someone",
    "Before and after",
    "Hyperparameters",
)


@pytest.fixture(autouse=True)
def _no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


@pytest.fixture
def ask() -> Callable[..., AppTest]:
    """Open the page at a question, with a quick method unless told otherwise."""

    def open_(question: str, method: str = ExpectedWins.title, **link: str) -> AppTest:
        return open_address("what-if", question=question, method=method, runs="100", **link)

    return open_


def title(app: AppTest) -> str:
    """The page's sentence without Markdown's backslashes."""
    found = next(str(m.value) for m in app.markdown if str(m.value).startswith("# "))
    return found.replace("\\", "")[2:]


def back(app: AppTest, key: str) -> None:
    app.button(key=f"{key}.Back to").click().run()


# The questions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("name", ["expected-wins", "hopkins-may", "trueskill", "elo", "lopez"])
def test_every_question_has_an_answer(
    question: str, name: str, ask: Callable[..., AppTest]
) -> None:
    app = ask(question, RANKERS[name].title)
    assert not app.exception
    assert not app.error
    assert len(title(app).split()) > 2


def test_votes_that_both_are_bad_count_as_ties_or_not_at_all() -> None:
    """b and c met in bad answers alone: without these they do not compare with each other."""
    votes = ["a,b,model_a", "b,a,model_a", "a,c,model_a", "c,a,model_a", *["b,c,tie (bothbad)"] * 4]
    text = "\n".join(["model_a,model_b,winner", *votes])
    campaign, _ = read(("votes.csv", text.encode()))
    app = open_address(
        "what-if", with_upload(campaign), question="Hyperparameters", what__setting="Ties"
    )
    assert not app.exception
    assert BOTH_BAD in app.dataframe[0].value.columns
    assert any("drops “both bad” votes" in said.proto.body for said in app.get("html"))


def test_the_ways_of_counting_ties_are_answered_and_dotted_lines_explained() -> None:
    rng = random.Random(1)
    votes = [
        f"{a},{b},{'tie' if 'a' in (a, b) and rng.random() < 0.6 else rng.choice(WINNERS)}"
        for a, b in (rng.sample("abcd", 2) for _ in range(300))
    ]
    campaign, _ = read(("votes.csv", "\n".join(["model_a,model_b,winner", *votes]).encode()))
    app = open_address(
        "what-if", with_upload(campaign), question="Hyperparameters", what__setting="Ties"
    )
    assert "counting ties" in title(app)
    assert "All ways" not in title(app)
    assert any("Dotted: a swap that neither way" in said.proto.body for said in app.get("html"))


def test_one_question_is_shown_at_a_time(ask: Callable[..., AppTest]) -> None:
    for question in QUESTIONS:
        assert len([s for s in ask(question).select_slider if s.key not in ("runs", "level")]) <= 1


def test_a_radius_opens_on_what_ties_the_first_two_and_one_button_goes_back(
    ask: Callable[..., AppTest],
) -> None:
    app = ask("Decision radius")
    before = title(app)
    view = app.session_state["podium"].view
    ranking = compute.ranking(view)
    first, second = Answer.from_ranking(ranking).names[:2]
    tied = f"{view.name(first)} ties with {view.name(second)} from a decision radius of "
    assert before.startswith(tied)
    least = float(before.removeprefix(tied).removesuffix(" on"))
    best, next_best = ranking.scores[ranking.order[:2]]
    assert 0 <= least - (best - next_best) < 0.01 * least, "the difference itself, not the grid's"
    app.select_slider(key=RADIUS).set_value(math.ceil(least * 100) / 100).run()
    assert app.dataframe[0].value["tie group"].iloc[1] == 1
    back(app, RADIUS)
    app.button(key=f"{RADIUS}.Tuned:").click().run()
    assert "count as ties: " in title(app)
    app.select_slider(key=RADIUS).set_value(0.25).run()
    assert title(app).startswith("If gaps up to 0.25 count as ties: ")
    back(app, RADIUS)
    assert title(app) == before


def test_a_link_opens_the_same_answer(ask: Callable[..., AppTest]) -> None:
    app = ask("Fewer judgments", **{"what.share": "10%"})
    assert app.select_slider(key="what.share").value == 0.1
    assert title(app).startswith("With only 2,000 judgments")


def test_fewer_judgments_are_counted_in_the_sentence(ask: Callable[..., AppTest]) -> None:
    app = ask("Fewer judgments")
    app.select_slider(key="what.share").set_value(0.1).run()
    assert "With only 2,000 judgments" in title(app)


def test_leaving_someone_out_opens_with_its_answer_and_offers_no_judges_without_names() -> None:
    lines = 9 * (30 * "a,b,model_a\n" + 30 * "b,c,model_a\n" + 8 * "a,c,model_a\nc,b,model_a\n")
    campaign, _ = read(("votes.csv", f"model_a,model_b,winner\n{lines}".encode()))
    app = open_address("what-if", with_upload(campaign), question="Without someone")
    said = "a wins whichever other system is left out; without a, b wins"
    assert said.startswith(title(app).removesuffix("."))
    assert [one.key for one in app.multiselect if one.key in (SYSTEMS, JUDGES)] == [SYSTEMS]
    assert "Leave out judges" not in labels(open_address("data", with_upload(campaign)))
    assert "Without some judges" not in labels(
        open_address("what-if", with_upload(campaign), question="Before and after")
    )


def test_the_summary_of_an_arena_speaks_of_votes() -> None:
    lines = 9 * (30 * "a,b,model_a\n" + 8 * "b,a,model_a\n" + 30 * "b,c,model_a\n")
    campaign, _ = read(("votes.csv", f"model_a,model_b,winner\n{lines}".encode()))
    app = open_address("what-if", with_upload(campaign), survives="true")
    found = str([one.label for one in app.expander]) + str([one.value for one in app.html])
    assert "Fewest votes that swap two adjacent systems" in found
    assert re.search(r"Leaving out \d+ votes? of 612 puts", found)
    assert "segment" not in found
    assert "above" in next(one for one in found.split("<li>") if one.startswith("Robustness: "))


def labels(app: AppTest) -> str:
    """What the page's controls are called, and what they offer."""
    return str([one.label for one in app.multiselect]) + str(
        [one.options for one in app.get("button_group")]
    )


def test_without_the_leader_another_system_leads(ask: Callable[..., AppTest]) -> None:
    app = ask("Without someone")
    view = app.session_state["podium"].view
    leader = compute.standings(view).ranked_systems[0]
    app.multiselect(key=SYSTEMS).set_value([leader]).run()
    assert title(app).startswith(f"Without {view.name(leader)}: ")
    assert view.selection.exclude_systems == ()


def test_leaving_out_on_every_page_becomes_a_chip_and_empties_the_choice(
    ask: Callable[..., AppTest],
) -> None:
    app = ask("Without someone")
    judge = app.session_state["podium"].view.campaign.judges[0]
    app.multiselect(key=JUDGES).set_value([judge]).run()
    app.button(key="what.everywhere").click().run()
    assert app.session_state["podium"].view.selection.exclude_judges == (judge,)
    assert app.multiselect(key=JUDGES).value == []
    app.button(key="chip.0").click().run()
    assert app.session_state["podium"].view.selection.exclude_judges == ()


def test_enter_leaves_out_the_name_typed_and_not_all_that_resemble_it(
    ask: Callable[..., AppTest],
) -> None:
    app = ask("Without someone")
    assert [app.multiselect(key=key).proto.select_all for key in (SYSTEMS, JUDGES)] == [0, 0]


def test_names_of_judges_never_stand_in_the_link(ask: Callable[..., AppTest]) -> None:
    app = ask("Without someone")
    judge = app.session_state["podium"].view.campaign.judges[0]
    app.multiselect(key=JUDGES).set_value([judge]).run()
    assert judge not in str(dict(app.query_params))


def test_a_setting_offers_the_tuned_and_the_published_value(ask: Callable[..., AppTest]) -> None:
    key = "what.hopkins-may.radius"
    app = ask("Hyperparameters", HopkinsMay.title)
    assert app.select_slider(key=key).value == 0.4
    app.button(key=f"{key}.Tuned:").click().run()
    tuned = app.select_slider(key=key).value
    assert tuned != 0.4
    assert f"With d = {tuned:g}".replace("0.", ".") in title(app)
    back(app, key)
    assert app.select_slider(key=key).value == 0.4


def test_a_method_without_numbers_is_asked_about_ties_at_once(ask: Callable[..., AppTest]) -> None:
    app = ask("Hyperparameters")
    assert app.selectbox(key="what.setting").options == ["Ties"]
    assert "counting ties" in title(app)


def test_a_wide_scale_has_radii_of_its_own(ask: Callable[..., AppTest]) -> None:
    app = ask("Decision radius", Elo.title)
    options = [float(o) for o in app.select_slider(key="radius.elo.fr-en").options[1:]]
    assert max(options) >= 2.5


# The figure ------------------------------------------------------------------------------------

SYSTEMS_DRAWN = ("a<b>", "b", "c", "d")
BEFORE = Answer(
    SYSTEMS_DRAWN,
    np.array([4.0, 3.0, 2.0, 1.0]),
    np.array([1, 1, 2, 3]),
    np.array([3.5, 2.5, 1.5, 0.5]),
    np.array([4.5, 3.5, 2.5, 1.5]),
)
AFTER = Answer(SYSTEMS_DRAWN, np.array([2.0, 5.0, 1.5, 0.5]), np.array([2, 1, 2, 2]))


def draw(with_ghost: bool = True, curves: Curves | None = None) -> go.Figure:
    return answer_figure(
        BEFORE,
        AFTER,
        names={},
        colors=system_colors(SYSTEMS_DRAWN, "light"),
        score_label="score",
        mode="light",
        title="t",
        curves=curves,
        with_ghost=with_ghost,
    )


def test_the_ghost_stands_where_the_answer_before_was() -> None:
    ghost = next(trace for trace in draw().data if trace.name == "before")
    # Rows are in the new order: b, a, c, d.
    assert list(ghost.y) == [0, 1, 2, 3]
    assert list(ghost.x) == [3.0, 4.0, 2.0, 1.0]
    now = next(trace for trace in draw().data if trace.name == "now")
    assert list(now.x) == [5.0, 2.0, 1.5, 0.5]
    bars = next(trace for trace in draw().data if trace.line.width == 13)
    assert list(bars.x)[:3] == [2.5, 3.5, None]


def test_without_a_change_there_is_no_ghost() -> None:
    assert not [trace for trace in draw(with_ghost=False).data if trace.name == "before"]


def test_new_levels_are_bands_and_old_boundaries_that_are_gone_are_dotted() -> None:
    shapes = draw().layout.shapes
    assert {s.y0: s.line.dash for s in shapes if s.type == "line"} == {1.5: "dot", 2.5: "dot"}
    assert [(s.y0, s.y1) for s in shapes if s.name == "band"] == [(0.5, 3.5)]


def test_the_edge_tells_only_what_changed() -> None:
    texts = [note.text for note in draw().layout.annotations]
    assert "2 → <b>1</b>" in texts
    assert texts.count("3 → <b>2</b>") == 1
    assert "3" in texts


def test_names_from_data_stay_text() -> None:
    assert "a<b>" not in str(draw().layout.yaxis.ticktext)
    assert "a<b> 2" in alt_text(draw())


def test_a_curve_marks_the_value_now_and_the_tuned_one() -> None:
    x = np.array([0.0, 1.0, 2.0])
    panel = Curve("share", np.array([0.1, 0.5, 0.3]), True, 0.6, "best possible")
    figure = draw(curves=Curves(x, "radius", (panel,), 2.0, ((1.0, "tuned"),)))
    marks = {t.name: (t.x[0], t.y[0]) for t in figure.data if t.name == "tuned"}
    assert marks == {"tuned": (1.0, 0.5)}
    assert any(t.name == "now" and t.yaxis == "y2" and t.y[0] == 0.3 for t in figure.data)
    assert figure.layout.height > draw().layout.height


def test_fewer_judgments_open_on_how_many_samples_name_the_winner() -> None:
    builder = CampaignBuilder()
    tasks(builder, "cs-en", "abcd", 300, seed=1)
    campaign = builder.build()
    app = open_address(
        "what-if", with_upload(campaign), method="Bradley–Terry", question="Fewer judgments"
    )
    found = re.search(
        r"(\w) wins in (\d+) of 40 samples of (\d+)% of the ranking tasks", title(app)
    )
    assert found
    system, wins, share = found[1], int(found[2]), int(found[3]) / 100
    samples = [fewer_tasks(campaign.judgments(), share, seed) for seed in range(40)]
    winners = [reach_verdict(BradleyTerry().fit(sample)).winner for sample in samples]
    assert winners.count(f"cs-en.{system}") == wins >= 36


@pytest.mark.parametrize(
    "question", ["Decision radius", "Fewer judgments", "Without someone", "Before and after"]
)
def test_a_campaign_of_ratings_is_described_in_ratings(question: str) -> None:
    campaign, _ = read(EXAMPLES / "scores.csv")
    shown = open_address("what-if", with_upload(campaign), question=question, method="Mean score")
    texts = [str(one.value) for one in (*shown.markdown, *shown.caption)]
    texts += [str(one.label) + str(one.help) for one in shown.select_slider]
    texts += [one.proto.spec for one in shown.get("plotly_chart")]
    said = " ".join(texts) + labels(shown)
    assert "rating" in said
    assert "ranking task" not in said
    assert "tasks" not in said
    assert not re.search(r"(?<!pairwise) judgments\b", said), said
