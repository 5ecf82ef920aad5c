"""A session file brings back all that was chosen, and nothing in it can harm."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.campaign import Campaign, Selection
from analysis.errors import PodiumError
from analysis.formats import read_path
from analysis.presets import PRESETS
from analysis.ranking.certainty import Certainty
from analysis.reporting.deck.slides import NOTHING, Arrangement, Slide, Table
from dashboard.compute.uploads import sample
from dashboard.session.session_file import SavedSession, fit, is_session, read, write
from tests.opening import open_address

EXAMPLES = Path(__file__).resolve().parents[3] / "data" / "examples"

TABLE = Table(("System", "Score"), (("A", "0.5"), ("<b>B", "–")), (False, True), 3)
DECK = Arrangement(
    order=("standings", "data"),
    cut=frozenset({"next"}),
    added=(
        Slide("result.judges", "Two judges deserve a look", TABLE, "judges", "Judges", about="x"),
        Slide("result.claim", "It holds", NOTHING, "stability", "Stability"),
    ),
    notes={"standings": "Say this slowly", "result.judges": "日本"},
)
FULL = SavedSession(
    data="0123456789ab",
    title="a.csv",
    page="judges",
    pair="deu-eng",
    preset="wmt14",
    ranker=PRESETS["spv14"].ranker("hopkins-may"),
    certainty=Certainty("marginal", unit="task", runs=500, level=0.9, seed=7),
    selection=Selection("collapsed", ("B", "A"), ("r*",), ("j2",), (2, 9), True),
    decks={"deu-eng": DECK},
    words={"report.note": "Our report", "report.sections": ["standings"], "anonymous": True},
)


def test_a_session_reads_back_as_it_was_and_writes_the_same_bytes() -> None:
    data = write(FULL).encode()
    assert read(data) == FULL
    assert write(read(data)).encode() == data
    assert is_session(data)
    assert is_session(b"\xef\xbb\xbf" + data)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_every_preset_survives(preset: Any) -> None:
    held = SavedSession("x", preset=preset.name, ranker=preset.ranker(),
                        certainty=preset.certainty or Certainty())  # fmt: skip
    assert read(write(held).encode()) == held


def changed(**values: Any) -> bytes:
    return json.dumps({**json.loads(write(FULL)), **values}).encode()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"podium session": 1, "x": NaN}', "not JSON"),
        (b"x" * (2**20 + 1), "1 MB is the limit"),
        (b"[1]", "no Podium session"),
        (b"{}", "no Podium session"),
        (changed(**{"podium session": 2}), "version 2, and this Podium reads version 1"),
        (changed(**{"podium session": True}), "version True"),
        (changed(method="rm -rf"), "rm -rf"),
        (changed(preset="none"), "preset: 'none' is not known"),
        (changed(pair=7), "pair"),
        (changed(settings={"radius": 1e9}), "radius: 1000000000.0 is not possible"),
        (changed(settings={"radius": "much"}), "radius: 'much' is not possible"),
        (changed(settings={"nothing": 1}), "nothing"),
        (changed(settings=[]), "settings"),
        (b'{"podium session": 1, "settings": {"runs": 1e999}}', "expects a number"),
        (changed(certainty={"runs": 10**9}), "runs"),
        (changed(certainty={"runs": True}), "runs"),
        (changed(certainty={"level": [0.9]}), "level"),
        (changed(certainty={"seed": -1}), "seed"),
        (changed(selection={"identical": 1}), "identical"),
        (changed(selection={"references": 1}), "references"),
        (changed(selection={"segments": [1]}), "two numbers"),
        (changed(selection={"segments": [1, True]}), "whole number"),
        (changed(selection={"exclude_systems": "A"}), "exclude_systems"),
        (changed(selection={"judges": ["x" * 5000]}), "4000 at most"),
        (changed(decks={"p": []}), "decks"),
        (changed(decks={"p": {"notes": {"standings": "\ue00099\ue001"}}}), "invalid characters"),
        (b'{"podium session": 1, "title": "\\ud800"}', "invalid characters"),
        (changed(decks={"p": {"added": [{"table": {"heads": ["a"], "lines": [[]],
                                                   "numbers": [True]}}]}}), "under every head"),
    ],
)  # fmt: skip
def test_what_is_broken_or_hostile_gets_one_clear_message(data: bytes, words: str) -> None:
    with pytest.raises(PodiumError) as error:
        read(data)
    assert words in str(error.value)
    assert len(str(error.value)) < 400


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=6,
)


@given(st.sampled_from(sorted(set(json.loads(write(FULL))))), _json)
@settings(max_examples=150, deadline=None)
def test_any_value_in_any_place_is_read_or_told(key: str, value: Any) -> None:
    try:
        found = read(changed(**{key: value}))
    except PodiumError:
        return
    assert read(write(found).encode()) == found


def test_on_other_judgments_only_what_fits_is_kept(two_pairs: Campaign) -> None:
    pair, name = two_pairs.pairs[0], two_pairs.systems[0]
    held = dataclasses.replace(
        FULL,
        pair=pair,
        selection=Selection(exclude_systems=(name, "gone"), judges=("a*", "gone")),
        decks={pair: DECK, "xx-yy": DECK},
    )
    found = fit(held, two_pairs)
    assert not found.is_same
    assert found.saved.selection == Selection(exclude_systems=(name,), judges=("a*",))
    assert (found.missing_names, found.missing_slides, found.missing_pairs) == (2, 2, 1)
    assert found.saved.decks == {pair: dataclasses.replace(DECK, added=())}
    same = fit(dataclasses.replace(held, data=two_pairs.fingerprint), two_pairs)
    assert same.is_same
    assert same.saved.decks == {pair: DECK}
    assert fit(dataclasses.replace(held, pair="xx-yy"), two_pairs).pair_is_missing


@pytest.fixture(scope="module")
def two_pairs() -> Campaign:
    return sample("wmt14-cs-en")


def give(app: Any, held: SavedSession) -> Any:
    uploader = app.file_uploader(key="session.file")
    return uploader.upload("session.json", write(held).encode(), "application/json").run()


def test_a_session_of_a_sample_opens_on_it_with_all_that_was_chosen() -> None:
    campaign = sample("wmt14-fr-en")
    system = campaign.systems[3]
    held = dataclasses.replace(
        FULL,
        data=campaign.fingerprint,
        sample="wmt14-fr-en",
        page="data",
        pair=campaign.pairs[0],
        selection=Selection(exclude_systems=(system,)),
        decks={campaign.pairs[0]: DECK},
    )
    app = give(open_address("data"), held)
    view = app.session_state["podium"].view
    assert not app.exception
    assert view.campaign is campaign
    assert view.ranker == FULL.ranker
    assert view.certainty == FULL.certainty
    assert view.preset.name == "wmt14"
    assert view.selection.exclude_systems == (system,)
    session = app.session_state["podium"]
    assert session.decks[campaign.fingerprint, campaign.pairs[0]] == DECK
    assert app.session_state["report.note"] == "Our report"
    told = [warning.value.replace("\\", "") for warning in app.warning]
    assert "The session was restored, with 2 notes." in told, told
    app.button(key="chip.undo").click().run()
    assert app.session_state["podium"].view.selection == Selection()


def test_a_session_of_other_files_says_so_and_is_whole_once_these_are_there() -> None:
    example = EXAMPLES / "wmt-5way.csv"
    campaign, _ = read_path(example)
    pair, system = campaign.pairs[0], campaign.systems[0]
    chosen = Selection(exclude_systems=(system,))
    held = dataclasses.replace(
        FULL, data=campaign.fingerprint, pair=pair, page="", selection=chosen, decks={pair: DECK}
    )
    app = give(open_address("data"), held)
    assert not app.exception
    session = app.session_state["podium"]
    assert session.view.ranker == FULL.ranker
    assert session.view.selection == Selection()
    told = [warning.value.replace("\\", "") for warning in app.warning]
    assert any("saved with other judgments, a.csv" in words for words in told)
    uploader = next(u for u in app.main.get("file_uploader"))
    app = uploader.upload(example.name, example.read_bytes(), "text/csv").run()
    view = app.session_state["podium"].view
    assert view.campaign.fingerprint == campaign.fingerprint
    assert (view.ranker, view.certainty, view.selection) == (FULL.ranker, FULL.certainty, chosen)
    assert app.session_state["podium"].decks[campaign.fingerprint, pair] == DECK
    assert app.session_state["podium"].pending is None


def test_a_session_file_among_uploaded_files_is_opened_as_one() -> None:
    example = EXAMPLES / "wmt-5way.csv"
    campaign, _ = read_path(example)
    held = dataclasses.replace(FULL, data=campaign.fingerprint, page="", pair="", decks={},
                               selection=Selection())  # fmt: skip
    app = open_address("data")
    uploader = next(u for u in app.main.get("file_uploader"))
    files = [
        (example.name, example.read_bytes(), "text/csv"),
        ("s.json", write(held).encode(), "application/json"),
    ]
    for file in files:
        uploader = uploader.upload(*file)
    app = uploader.run()
    view = app.session_state["podium"].view
    assert not app.exception
    assert (view.campaign.fingerprint, view.ranker) == (campaign.fingerprint, FULL.ranker)


def test_a_broken_session_changes_nothing_and_is_told_once() -> None:
    app = open_address("data")
    before = app.session_state["podium"].view
    uploader = app.file_uploader(key="session.file")
    app = uploader.upload("session.json", b'{"podium session": 9}', "application/json").run()
    after = app.session_state["podium"].view
    assert (after.ranker, after.certainty, after.pair) == (
        before.ranker, before.certainty, before.pair,
    )  # fmt: skip
    assert [error.value for error in app.error if "version 9" in error.value]
