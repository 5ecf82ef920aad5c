"""What is kept, for whom and how long: figures once, an upload only as long as it is looked at."""

from __future__ import annotations

import gc
import weakref
from types import SimpleNamespace

import plotly.graph_objects as go
import pytest
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.session_manager import ActiveSessionInfo, SessionInfo
from streamlit.testing.v1 import AppTest

from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.certainty import DEFAULT_CERTAINTY
from dashboard.compute import housekeeping, store
from dashboard.compute.contexts import make_context
from dashboard.compute.downloads import drawn
from dashboard.compute.uploads import sample
from dashboard.session import state
from dashboard.session.view import ViewContext
from tests.opening import open_address
from tests.tools.load.crowd import campaign_file


@pytest.fixture
def context(monkeypatch: pytest.MonkeyPatch) -> ViewContext:
    """A view of a sample with a memory of its own."""
    memory = store.Memory()
    monkeypatch.setattr(store, "shared_memory", lambda: memory)
    campaign = sample("wmt14-cs-en")
    return make_context(
        campaign, campaign.pairs[0], ExpectedWins(), DEFAULT_CERTAINTY, is_sample=True
    )


def draw(result: object, *, title: str, name: object = None, mode: str = "light") -> go.Figure:
    """A figure's builder."""
    return go.Figure(layout={"title": title, "meta": {"mode": mode, "name": str(name)}})


class Result:
    """Something computed; two of them are never equal."""


class Listing(list[int]):
    """Something computed that has no hash."""


@pytest.mark.parametrize("kind", [Result, Listing])
def test_a_figure_is_drawn_once_for_a_result_and_a_look(
    kind: type[object], context: ViewContext
) -> None:
    result, other = kind(), kind()
    first = drawn(context, draw, result, title="a")
    assert drawn(context, draw, result, title="a") is first
    assert drawn(context, draw, other, title="a") is not first
    assert drawn(context, draw, result, title="b") is not first
    assert drawn(context, draw, result, title="a", mode="dark") is not first


def test_a_figure_of_other_names_is_another_one(context: ViewContext) -> None:
    result, again = (
        Result(),
        make_context(
            context.campaign, context.pair, context.ranker, context.certainty, is_sample=True
        ),
    )
    first = drawn(context, draw, result, title="a", name=context.name)
    assert drawn(again, draw, result, title="a", name=again.name) is first
    assert drawn(context, draw, result, title="a", name={"x": "y"}) is not first
    assert drawn(context, draw, result, title="a", name={"x": "z"}).layout.meta["name"] == str(
        {"x": "z"}
    )


def test_what_cannot_be_told_apart_is_drawn_every_time(context: ViewContext) -> None:
    def figure(word: str) -> go.Figure:
        return drawn(context, draw, None, title="a", name=lambda: word)

    assert figure("x") is not figure("x")


def test_figures_are_bounded(context: ViewContext) -> None:
    result = Result()
    first = drawn(context, draw, result, title="first")
    for k in range(store.MAX_FIGURES):
        drawn(context, draw, result, title=str(k))
    assert drawn(context, draw, result, title="first") is not first


# Uploads --------------------------------------------------------------------------------------


def test_a_replaced_upload_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that was made of the first file lives on: campaign, judgments, results, figures."""
    monkeypatch.setattr("dashboard.compute.warm_up", lambda prepare: None)

    def app(address: str, session: object = None) -> AppTest:
        link = {} if session is None else {"campaign": state.UPLOADED}
        return open_address(address, session, method=ExpectedWins.title, **link)

    data = app("data")
    data.file_uploader[0].upload("first.csv", campaign_file(1, 60), "text/csv")
    data.run()
    session = data.session_state["podium"]
    gone = [weakref.ref(session.upload.campaign), weakref.ref(session.view.judgments)]
    for address in ("standings", "agreement"):
        assert not app(address, session).exception
        assert session.view.campaign is gone[0]()
    assert all(ref() is not None for ref in gone)
    data.file_uploader[0].set_value([("second.csv", campaign_file(2, 60), "text/csv")])
    data.run()
    assert data.session_state["podium"].upload.files == ("second.csv",)
    gc.collect()
    assert [ref() for ref in gone] == [None, None]


def test_closed_sessions_are_forgotten_without_another_one_closing() -> None:
    """Nor does the last one stay that the server's loop has sent something to."""
    storage = MemorySessionStorage(ttl_seconds=0)
    closed = SimpleNamespace(id="closed", files=Result())
    seen_last_by_the_loop = ActiveSessionInfo(None, closed)  # type: ignore[arg-type]
    storage.save(SessionInfo(None, closed))  # type: ignore[arg-type]
    files = weakref.ref(closed.files)
    del closed
    gc.collect()
    assert seen_last_by_the_loop.session.files is files()  # type: ignore[attr-defined]
    server = SimpleNamespace(
        _session_mgr=SimpleNamespace(_session_storage=storage),
        _get_async_objs=lambda: SimpleNamespace(
            eventloop=SimpleNamespace(call_soon_threadsafe=lambda function, *args: function(*args))
        ),
    )
    housekeeping.forget_closed_sessions(server)  # type: ignore[arg-type]
    gc.collect()
    assert files() is None


def test_a_streamlit_that_keeps_sessions_elsewhere_does_no_harm() -> None:
    housekeeping.forget_closed_sessions(SimpleNamespace())  # type: ignore[arg-type]
    housekeeping.tidy()
