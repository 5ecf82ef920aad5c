"""Heavy work of many sessions: in turns, bounded, nothing made twice. No clock is read."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from analysis.parallel import map_chunks
from dashboard.compute import queue as turns
from dashboard.compute import results
from dashboard.compute.queue import FOR_THE_OLDEST, MOST_REQUESTS, Chunk, Rotation, Turns
from dashboard.compute.store import ResumingThreads, Store

PATIENCE = 120
"""Seconds after which something that must happen has not."""


def nothing() -> None:
    """A chunk's work."""


def served(rotation: Rotation, seconds: float = 0.0) -> list[tuple[object, object]]:
    """Work all chunks off, one at a time; return session and key in the order of service."""
    order = []
    while (chunk := rotation.take()) is not None:
        order.append((chunk.session, chunk.key))
        rotation.end(chunk, seconds)
    return order


def asked(*sessions: str, each: int = 1, whole: bool = False) -> Rotation:
    rotation = Rotation(1)
    for session in sessions:
        for k in range(each):
            rotation.add(Chunk(session, (session, k), nothing, whole))
    return rotation


def test_who_has_taken_more_than_a_moment_comes_after_who_has_not() -> None:
    rotation = Rotation(1)
    for k in range(5):
        rotation.add(Chunk("greedy", k, nothing))
    rotation.add(Chunk("modest", "a", nothing))
    rotation.add(Chunk("late", "b", nothing))
    order = [session for session, _ in served(rotation, 0.4)]
    assert order == ["greedy", "modest", "late"] + ["greedy"] * 4


def test_equals_are_done_one_after_the_other() -> None:
    order = served(asked("ann", "bob", each=3), 0.01)
    assert order == [(who, (who, k)) for who in ("ann", "bob") for k in range(3)]


def test_those_who_take_very_long_share_alike() -> None:
    order = [session for session, _ in served(asked("ann", "bob", each=8), 50)]
    assert order[:3] == ["ann", "bob", "ann"]
    assert order[:12].count("bob") >= 5


def test_heavy_work_does_not_starve() -> None:
    rotation = asked("heavy", each=3)
    (chunk,) = (rotation.take(),)
    assert chunk is not None
    rotation.end(chunk, 100)
    for k in range(20):
        rotation.add(Chunk(f"light {k}", k, nothing))
    order = [session for session, _ in served(rotation, 0.1)]
    assert order[: 2 * FOR_THE_OLDEST].count("heavy") == 2


def test_a_new_request_has_taken_nothing_yet() -> None:
    rotation = asked("ann", "bob")
    chunk = rotation.take()
    assert chunk is not None
    rotation.end(chunk, 10)
    rotation.begin("ann")
    rotation.add(Chunk("ann", "next", nothing))
    rotation.end(rotation.take() or chunk, 1)
    rotation.add(Chunk("bob", "more", nothing))
    assert [session for session, _ in served(rotation)] == ["ann", "bob"]


def test_requests_of_sessions_that_are_gone_are_forgotten() -> None:
    rotation = Rotation(1)
    for k in range(MOST_REQUESTS + 10):
        rotation.begin(k)
    rotation.add(Chunk(0, "first", nothing))
    assert len(rotation._requests) == MOST_REQUESTS
    assert served(rotation) == [(0, "first")]


def test_the_place_counts_the_sessions_that_are_served_before() -> None:
    rotation = asked("ann", "bob", "cid", each=2)
    assert [rotation.before(who) for who in ("ann", "bob", "cid", "dan")] == [0, 1, 2, 0]
    first = rotation.take()
    assert first is not None
    assert first.session == "ann"
    assert [rotation.before(who) for who in ("ann", "bob", "cid")] == [0, 1, 2]
    rotation.end(first, 1)
    assert [rotation.before(who) for who in ("ann", "bob", "cid")] == [2, 0, 1]


def test_no_more_chunks_run_than_there_are_workers() -> None:
    rotation = Rotation(2)
    for k in range(3):
        rotation.add(Chunk("ann", k, nothing))
    first = rotation.take()
    assert first is not None
    assert rotation.take() is not None
    assert rotation.take() is None
    rotation.end(first)
    assert rotation.take() is not None


def test_what_cannot_be_divided_leaves_a_worker_to_the_others() -> None:
    rotation = Rotation(2)
    for who in ("ann", "bob"):
        rotation.add(Chunk(who, who, nothing, whole=True))
    rotation.add(Chunk("cid", "chunk", nothing))
    taken = [rotation.take(), rotation.take(), rotation.take()]
    assert [chunk.session if chunk else None for chunk in taken] == ["ann", "cid", None]


def test_a_single_worker_still_does_what_cannot_be_divided() -> None:
    assert len(served(asked("ann", "bob", whole=True))) == 2


def test_the_same_is_never_made_twice_at_once() -> None:
    rotation = Rotation(2)
    rotation.add(Chunk("ann", 0, nothing))
    for k in range(2):
        rotation.add(Chunk("bob", k, nothing))
    running = [rotation.take(), rotation.take()]
    assert [(c.session, c.key) for c in running if c] == [("ann", 0), ("bob", 1)]


def test_what_nobody_waits_for_is_not_made() -> None:
    rotation = Rotation(1)
    chunks = [Chunk("ann", k, nothing) for k in range(3)]
    for chunk in chunks:
        rotation.add(chunk)
    rotation.add(Chunk("bob", "b", nothing))
    for chunk in chunks:
        chunk.future.cancel()
    assert served(rotation) == [("bob", "b")]
    assert rotation.before("ann") == 0


# With threads -----------------------------------------------------------------------------------


class Gate:
    """Work that begins, and ends when it is told to."""

    def __init__(self) -> None:
        self.begun, self.may_end = threading.Event(), threading.Event()

    def __call__(self) -> None:
        self.begun.set()
        assert self.may_end.wait(PATIENCE)


def test_one_heavy_session_delays_another_by_one_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "LEVELS", (1e-12, 3.0, 30.0))
    pool, gate, order = Turns(1), Gate(), list[str]()
    pool.submit("busy", "gate", gate)
    assert gate.begun.wait(PATIENCE)

    def note(word: str) -> Callable[[], None]:
        return lambda: order.append(word)

    heavy = [pool.submit("heavy", k, note(f"heavy {k}")) for k in range(50)]
    light = pool.submit("light", "l", note("light"))
    assert pool.before("light") == 2
    gate.may_end.set()
    for future in (*heavy, light):
        future.result(PATIENCE)
    assert order.index("light") == 1


def test_a_failure_belongs_to_who_asked_and_the_worker_goes_on() -> None:
    pool = Turns(1)

    def fail() -> None:
        raise ValueError("of ann")

    failed: Future[None] = pool.submit("ann", "f", fail)
    with pytest.raises(ValueError, match="of ann"):
        failed.result(PATIENCE)
    assert pool.submit("bob", "b", lambda: 7).result(PATIENCE) == 7


def test_who_waits_for_a_place_looks_around_and_may_leave() -> None:
    pool, gate = Turns(1), Gate()
    pool.submit("busy", "gate", gate)
    assert gate.begun.wait(PATIENCE)

    class LeftError(Exception):
        pass

    def leave() -> None:
        raise LeftError

    with pytest.raises(LeftError), pool.taken("ann", "a", leave):
        raise AssertionError("it was not ann's turn")
    gate.may_end.set()
    with pool.taken("bob", "b"):
        assert pool.held
    assert not pool.held


def test_a_held_place_is_not_waited_for_again() -> None:
    pool = Turns(1)
    with pool.taken("ann", "outer"), pool.taken("ann", "inner"):
        assert pool.held


def test_chunks_inside_a_held_place_are_made_there(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Turns(1)
    monkeypatch.setattr(turns, "turns", lambda: pool)
    monkeypatch.setattr("dashboard.compute.store.turns", lambda: pool)
    with pool.taken("ann", "outer"), ResumingThreads(Store(100), ("family",)) as threads:
        sizes = map_chunks(lambda n, rng: n, 120, seed=1, executor=threads)
    assert sizes == [50, 50, 20]


def test_two_sessions_that_ask_for_the_same_share_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Any worker count, any order: the same bytes, and each chunk made once."""
    pool, chunks, made = Turns(2), Store(1000), list[bytes]()
    monkeypatch.setattr("dashboard.compute.store.turns", lambda: pool)

    def draw(n: int, rng: np.random.Generator) -> np.ndarray:
        drawn = rng.normal(size=n)
        made.append(drawn.tobytes())
        return drawn

    found: dict[str, bytes] = {}

    def ask(who: str) -> None:
        with ResumingThreads(chunks, ("family",)) as threads:
            parts = map_chunks(draw, 1000, seed=3, executor=threads)
        found[who] = np.concatenate(parts).tobytes()

    askers = [threading.Thread(target=ask, args=(who,)) for who in ("ann", "bob")]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join(PATIENCE)
    alone = np.concatenate(map_chunks(draw, 1000, seed=3)).tobytes()
    assert found == {"ann": alone, "bob": alone}
    assert len(made) == 20 + 20
    assert len(set(made)) == 20


def test_work_that_shows_nothing_itself_lets_the_page_show_the_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[tuple[int, int]] = []

    class Queue:
        @contextmanager
        def taken(self, session: object, key: object, tick: Callable[[], None]) -> Iterator[None]:
            tick()
            yield

    monkeypatch.setattr(results, "turns", Queue)
    monkeypatch.setattr(turns.waiting, "place", lambda done, total: told.append((done, total)))
    view: Any = SimpleNamespace(is_sample=True, data_key=("a campaign",))
    assert results.remember_in_turn(view, ("heavy",), lambda: 7) == 7
    assert told == [(0, 1), (1, 1)]


def test_a_page_that_waits_says_how_many_come_first() -> None:
    def page() -> None:
        from dashboard.compute import queue
        from dashboard.widgets.progress import place_in_queue

        queue.before_me = lambda: 2
        place = place_in_queue()
        place(0, 1)
        place(0, 1)

    def page_whose_turn_came() -> None:
        from dashboard.compute import queue
        from dashboard.widgets.progress import place_in_queue

        queue.before_me = lambda: 2
        place = place_in_queue()
        place(0, 1)
        place(1, 1)

    before = turns.before_me
    try:
        (bar,) = AppTest.from_function(page).run().get("progress")
        assert bar.proto.text == "Waiting: 2 before you"
        assert not AppTest.from_function(page_whose_turn_came).run().get("progress")
    finally:
        turns.before_me = before
