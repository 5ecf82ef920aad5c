"""A note on a result stands on its card, on its slide and in the report; a selection goes back."""

from __future__ import annotations

from typing import Any

from analysis.campaign import Selection
from analysis.reporting.deck.slides import arrange
from dashboard.compute.deck import deck
from dashboard.session import state
from tests.opening import open_address

WORDS = "Say <b>this</b> slowly"


def note_of(app: Any, name: str) -> Any:
    return next(area for area in app.text_area if (area.key or "").endswith(f"|{name}"))


def htmls(app: Any) -> str:
    return "".join(str(getattr(block.proto, "body", "")) for block in app.get("html"))


def test_a_note_stands_on_the_card_on_the_slide_and_in_the_report() -> None:
    app = open_address("result", method="Expected Wins")
    note_of(app, "standings").set_value(WORDS).run()
    assert not app.exception
    assert "Say &lt;b&gt;this&lt;/b&gt; slowly" in htmls(app)
    session = app.session_state["podium"]
    view = session.view
    place = (view.campaign.fingerprint, view.pair)
    shown = arrange(deck(view), session.decks[place])
    assert {slide.key: slide.note for slide in shown.slides}["standings"] == WORDS
    report = open_address("share", session=session, method="Expected Wins", share="Report")
    assert not report.exception
    documents = "".join(str(frame.proto) for frame in report.get("iframe"))
    assert "<b>Result.</b> Say &lt;b&gt;this&lt;/b&gt; slowly" in documents
    note_of(app, "standings").set_value("").run()
    assert 'podium-own-note">' not in htmls(app)
    assert state.Arrangement() == app.session_state["podium"].decks[place]


def test_selections_go_back_one_by_one() -> None:
    app = open_address("data", method="Expected Wins")
    system = app.session_state["podium"].view.judgments.systems[0]
    left_out = next(box for box in app.multiselect if box.label == "Leave out systems")
    left_out.set_value([system])
    apply(app)
    app.toggle[0].set_value(True)
    apply(app)
    seen = []
    for _ in range(3):
        seen.append(app.session_state["podium"].view.selection)
        if "chip.undo" in [button.key for button in app.button]:
            app.button(key="chip.undo").click().run()
    assert seen == [
        Selection("collapsed", (system,)), Selection(exclude_systems=(system,)), Selection(),
    ]  # fmt: skip
    assert "chip.undo" not in [button.key for button in app.button]


def apply(app: Any) -> None:
    next(b for b in app.button if b.label == "Apply to all pages").click().run()
    assert not app.exception
