"""Whose turn it is: heavy work of all sessions shares a few workers, the shortest first.

Work comes in chunks. How long a session's will take nobody knows, so it counts what it has taken
since its user last asked for something. Who has taken less than a moment comes before who has
taken seconds, and these before minutes; among equals, who asked first. So a light page waits for
a single chunk of any other's, and heavy pages are done one after the other instead of all at last.
Every fourth chunk is of who asked first of all: heavy work waits, but it does not starve.

What cannot be divided takes one worker until it is done, but never the last one, and what two
sessions ask for at once is not computed twice at once: the second finds it kept. Chunks are done
on this machine, or where an extra brings workers.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import threading
import time
from bisect import bisect_right
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import get_run_yield_check

from analysis.registry import manifests

TICK = 0.2
"""Seconds after which who waits looks around: at its place, and whether its user has left."""
LEVELS = (0.3, 3.0, 30.0)
"""Seconds of work that an answer may have taken to come before those that have taken more."""
FOR_THE_OLDEST = 4
"""Each so many-th chunk is of who asked first, whatever it has taken."""
MOST_REQUESTS = 1000


@dataclass(eq=False)
class Chunk:
    """A piece of a session's work; ``key`` names what it makes, ``whole`` is indivisible work."""

    session: Hashable
    key: Hashable
    make: Callable[[], Any]
    whole: bool = False
    future: Future[Any] = field(default_factory=Future)


@dataclass
class Request:
    """What a session's user asked for last: when in the order of all, and what it has taken."""

    number: int
    taken: float = 0.0

    @property
    def rank(self) -> tuple[int, float]:
        """Where it stands in the queue: the lower, the sooner; the longest ones share alike."""
        level = bisect_right(LEVELS, self.taken)
        return level, self.taken if level == len(LEVELS) else self.number


class Rotation:
    """The order of chunks: the shortest request first, and each session's own keep their order."""

    def __init__(self, workers: int, here: int | None = None) -> None:
        self._workers = workers
        self._here = min(workers, here or workers)
        self._waiting: dict[Hashable, deque[Chunk]] = {}
        self._running: list[Chunk] = []
        self._requests: OrderedDict[Hashable, Request] = OrderedDict()
        self._asked = self._served = 0

    def begin(self, session: Hashable) -> None:
        """Note that a session's user asks for something new."""
        self._requests[session] = Request(self._asked)
        self._requests.move_to_end(session)
        self._asked += 1
        while len(self._requests) > MOST_REQUESTS:
            self._requests.popitem(last=False)

    def add(self, chunk: Chunk) -> None:
        """Put a chunk behind its session's others."""
        if chunk.session not in self._requests:
            self.begin(chunk.session)
        self._waiting.setdefault(chunk.session, deque()).append(chunk)

    def take(self) -> Chunk | None:
        """Return the next chunk to work on, if any may begin now."""
        if len(self._running) >= self._workers:
            return None
        for session in self._order():
            self._drop_cancelled(session)
            for chunk in list(self._waiting.get(session, ())):
                if self._may_begin(chunk) and chunk.future.set_running_or_notify_cancel():
                    self._waiting[session].remove(chunk)
                    self._running.append(chunk)
                    self._served += 1
                    self._drop_cancelled(session)
                    return chunk
        return None

    def end(self, chunk: Chunk, seconds: float = 0.0) -> None:
        """Note that a chunk is done, and what it took."""
        self._running.remove(chunk)
        if chunk.session in self._requests:
            self._requests[chunk.session].taken += seconds

    def before(self, session: Hashable) -> int:
        """Return how many other sessions are served before this one; 0 while it is served."""
        if session not in self._waiting or any(c.session == session for c in self._running):
            return 0
        waiting = sorted(self._waiting, key=self._rank)
        ahead = {*waiting[: waiting.index(session)], *(c.session for c in self._running)}
        return len(ahead)

    def _rank(self, session: Hashable) -> tuple[int, float]:
        request = self._requests.get(session)
        return (0, 0.0) if request is None else request.rank

    def _order(self) -> list[Hashable]:
        """Return who waits, who is next first."""
        order = sorted(self._waiting, key=self._rank)
        if self._served % FOR_THE_OLDEST == FOR_THE_OLDEST - 1:
            oldest = min(order, key=lambda session: self._number(session), default=None)
            order.sort(key=lambda session: session != oldest)
        return order

    def _number(self, session: Hashable) -> int:
        request = self._requests.get(session)
        return -1 if request is None else request.number

    def _may_begin(self, chunk: Chunk) -> bool:
        """Return whether nobody makes the same now and, for what is indivisible, room is left."""
        if any(running.key == chunk.key for running in self._running):
            return False
        wholes = sum(running.whole for running in self._running)
        return not chunk.whole or wholes < max(1, self._here - 1)

    def _drop_cancelled(self, session: Hashable) -> None:
        """Forget what nobody waits for any more, and a session without work."""
        kept = deque(c for c in self._waiting.get(session, ()) if not c.future.cancelled())
        if kept:
            self._waiting[session] = kept
        else:
            self._waiting.pop(session, None)


class Turns:
    """Workers that follow a `Rotation`; they are threads that end with the process."""

    def __init__(self, workers: int | None = None) -> None:
        here = os.cpu_count() or 1
        self.workers = workers or here
        self._rotation = Rotation(self.workers, here)
        self._changed = threading.Condition()
        self._held = threading.local()
        for _ in range(self.workers):
            threading.Thread(target=self._work, daemon=True, name="podium-worker").start()

    def submit(
        self, session: Hashable, key: Hashable, make: Callable[[], Any], *, whole: bool = False
    ) -> Future[Any]:
        """Have a chunk made when it is its session's turn."""
        chunk = Chunk(session, key, make, whole)
        with self._changed:
            self._rotation.add(chunk)
            self._changed.notify_all()
        return chunk.future

    def begin(self, session: Hashable) -> None:
        """Note that a session's user asks for something new, which has taken nothing yet."""
        with self._changed:
            self._rotation.begin(session)

    def before(self, session: Hashable) -> int:
        """Return how many other sessions are served before this one."""
        with self._changed:
            return self._rotation.before(session)

    @property
    def held(self) -> bool:
        """Whether this thread has a worker's place, so that it must not wait for another one."""
        return getattr(self._held, "place", False)

    @contextlib.contextmanager
    def taken(
        self, session: Hashable, key: Hashable, tick: Callable[[], None] = lambda: None
    ) -> Iterator[None]:
        """Wait for this session's turn, then do what cannot be divided in this thread.

        ``tick`` is called while it waits; what it raises gives the place up.
        """
        if self.held:
            yield
            return
        granted, done = threading.Event(), threading.Event()

        def hold() -> None:
            granted.set()
            done.wait()

        place = self.submit(session, key, hold, whole=True)
        try:
            while not granted.wait(TICK):
                tick()
            self._held.place = True
            yield
        finally:
            self._held.place = False
            place.cancel()
            done.set()

    def _work(self) -> None:
        self._held.place = True
        while True:
            with self._changed:
                while (chunk := self._rotation.take()) is None:
                    self._changed.wait()
            began = time.monotonic()
            try:
                made = chunk.make()
            except BaseException as error:
                self._end(chunk, began)
                chunk.future.set_exception(error)
            else:
                self._end(chunk, began)
                chunk.future.set_result(made)
            del chunk

    def _end(self, chunk: Chunk, began: float) -> None:
        with self._changed:
            self._rotation.end(chunk, time.monotonic() - began)
            self._changed.notify_all()


class Waiting(threading.local):
    """How this thread's page shows its place in the queue, where the work shows none itself.

    ``place`` is called with nothing done while it waits, and with all done in the end.
    """

    place: Callable[[int, int], None] = staticmethod(lambda done, total: None)


waiting = Waiting()


@cache
def turns() -> Turns:
    """Return the workers of this process: as many as the cluster's, where there is one."""
    return Turns(count_there() or None)


def this_session() -> Hashable:
    """Return who asks: the session whose page runs in this thread, else the thread."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context is not None else threading.get_ident()


def begin_request() -> None:
    """Note that this session's user asks for something new: its work has taken nothing yet."""
    turns().begin(this_session())


def before_me() -> int:
    """Return how many other sessions are served before this one's heavy work."""
    return turns().before(this_session())


def leave_if_asked() -> None:
    """End this run of a page where its user has gone on or away, as drawing something would."""
    leave = get_run_yield_check()
    if leave is not None:
        leave()


@cache
def _place() -> Any:
    """Return the workers that an extra brings, asked for once in the life of a server."""
    modules = (brings.workers for brings in manifests("dashboard.extras", "BRINGS"))
    there = next((importlib.import_module(module) for module in modules if module), None)
    return None if there is None else there.connected()


def count_there() -> int:
    """Return how many workers an extra brings; 0 if none."""
    place = _place()
    return 0 if place is None else int(place.threads)


def done(function: Callable[..., Any], *args: Any) -> Any:
    """Return what a chunk makes, wherever that is done."""
    return _place().done(function, *args) if count_there() else function(*args)


def where() -> str:
    """Return a sentence on where long work is done; empty if on this machine."""
    place = _place()
    return "" if place is None else str(place.sentence)
