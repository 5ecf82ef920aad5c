"""The page Present: slides are cut, moved and annotated, for this pair alone."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from analysis.formats import read
from analysis.reporting.deck.slides import Arrangement, Table
from dashboard import compute
from dashboard.session import state
from tests.opening import open_address, with_upload

LINK = {"campaign": "WMT14 cs–en", "method": "Expected Wins"}


@pytest.fixture(autouse=True)
def _no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing runs behind the tests' back."""
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


def arrangement(app: AppTest) -> Arrangement:
    session: state.Session = app.session_state["podium"]
    (found,) = session.decks.values()
    return found


def n_slides(app: AppTest) -> int:
    """Count the slides that are shown, of all that a row arranges."""
    rows = [box for box in app.checkbox if (box.key or "").startswith("deck.show.")]
    return sum(bool(box.value) for box in rows)


def test_slides_can_be_cut_moved_and_annotated() -> None:
    app = open_address("share", **LINK)
    assert not app.exception
    pair = app.session_state["podium"].view.pair
    usual = n_slides(app)
    assert 4 <= usual <= 6
    assert not app.checkbox(key=f"deck.show.{pair}.standings-table").value, "optional"
    rows = [box.label for box in app.checkbox if (box.key or "").startswith("deck.show.")]
    assert len({*rows}) == len(rows), "no two rows read alike"
    assert any(row.startswith("**Result, table** · ") for row in rows)
    app.checkbox(key=f"deck.show.{pair}.methods").uncheck().run()
    assert n_slides(app) == usual - 1
    app.button(key=f"deck.up.{pair}.matrix").click().run()
    app.text_input(key=f"deck.note.{pair}.standings").input("Thank the judges.").run()
    found = arrangement(app)
    assert found.order[:2] == ("matrix", "standings")
    assert found.cut is not None
    assert found.cut >= {"methods", "standings-table"}
    assert found.notes == {"standings": "Thank the judges."}
    app.button(key="deck.reset").click().run()
    assert arrangement(app) == Arrangement()
    assert n_slides(app) == usual
    assert app.text_input(key=f"deck.note.{pair}.standings").value == ""


def test_with_every_slide_cut_the_page_says_so() -> None:
    app = open_address("share", **LINK)
    session = app.session_state["podium"]
    view = session.view
    keys = "standings", "matrix", "methods", "agreement", "radius", "next", "standings-table"
    session.decks[view.campaign.fingerprint, view.pair] = Arrangement(cut=frozenset(keys))
    app.run()
    assert not app.exception
    assert "All slides are hidden" in "".join(str(block.proto.body) for block in app.get("html"))


@pytest.mark.parametrize("rated", [True, False])
def test_slides_of_what_if_have_the_headlines_of_its_pages(rated: bool) -> None:
    """Judges differ in level and spread, so that ways of averaging differ, too."""
    rng = np.random.default_rng(4)
    lines = ["judge,segment,system,score"] if rated else ["model_a,model_b,winner"]
    for k in range(240):
        ability = dict(zip("abcd", (3.0, 2.8, 1.5, 1.4), strict=True))
        if rated:
            at = 10.0 * (1 + k % 3)
            scores = {one: at + at * rng.normal(it) for one, it in ability.items()}
            lines += [f"j{k % 8},{k},{one},{score:.0f}" for one, score in scores.items()]
        else:
            first, second = rng.permutation(list(ability))[:2]
            wins = rng.random() < 1 / (1 + np.exp(ability[second] - ability[first]))
            lines.append(f"{first},{second},model_{'a' if wins else 'b'}")
    campaign, _ = read("\n".join(lines).encode())
    share = open_address("share", with_upload(campaign))
    slides = {
        str(box.key).rpartition(".")[2]: plain(box.label).partition(" · ")[2]
        for box in share.checkbox
        if (box.key or "").startswith("deck.show.")
    }
    for key, question in (("methods", "Methods"), ("radius", "Decision radius")):
        page = open_address("what-if", with_upload(campaign), question=question)
        headline = next(one.value for one in page.markdown if one.value.startswith("# "))
        assert slides[key] == plain(headline).removeprefix("# ")


def test_a_figure_is_presented_on_its_own_slide_and_none_is_empty() -> None:
    app = open_address("head-to-head", **LINK)
    session: state.Session = app.session_state["podium"]
    app.button(key="present.head-to-head-figure").click().run()
    assert (session.slide_wanted, session.decks) == ("matrix", {}), "the deck has it"
    assert app.session_state["share"] == "Slides"
    app.button(key="present.head-to-head").click().run()
    assert session.slide_wanted == "result.head-to-head"
    (slide,) = arrangement(app).added
    assert isinstance(slide.block, Table)
    assert slide.block.lines
    data = open_address("data", **LINK)
    shown = [button.key for button in data.button if (button.key or "").startswith("present.")]
    assert "present.judgments-per-pair" not in shown, "a picture without a table"


def plain(markdown: str) -> str:
    return markdown.replace("\\", "")
