"""Where results are kept: samples' for everybody, those of anything else for one session.

Work in seeded chunks is kept chunk by chunk: interrupted work goes on where it stopped.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

import numpy as np
import streamlit as st

from analysis.parallel import AttentiveExecutor
from dashboard.compute.queue import done, leave_if_asked, this_session, turns
from dashboard.session.view import ViewContext

T = TypeVar("T")

MAX_JUDGMENTS, MAX_FITS, MAX_RESULTS, MAX_CHUNKS, MAX_FIGURES = 6, 12, 200, 2000, 40
MISSING = object()


class Store:
    """A bounded memory of results by key; the least recently used goes first."""

    def __init__(self, max_entries: int) -> None:
        self._entries: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()
        self._max_entries = max_entries

    def get(self, key: Hashable, default: Any = None) -> Any:
        with self._lock:
            if key not in self._entries:
                return default
            self._entries.move_to_end(key)
            return self._entries[key]

    def put(self, key: Hashable, value: Any) -> None:
        with self._lock:
            self._entries[key] = value
            self._entries.move_to_end(key)
            while len(self._entries) > self._max_entries:
                self._entries.popitem(last=False)

    def forget(self, family: tuple[Hashable, ...]) -> None:
        """Drop everything whose key begins with ``family``."""
        with self._lock:
            for key in list(self._entries):
                if isinstance(key, tuple) and key[: len(family)] == family:
                    del self._entries[key]

    def get_or_make(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what is kept under the key, making it first where nothing is."""
        value = self.get(key, MISSING)
        if value is MISSING:
            value = make()
            self.put(key, value)
        result: T = value
        return result


class Memory:
    """Results and, apart from them, few large judgments, few fits, many chunks, some figures."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.judgments = Store(MAX_JUDGMENTS)
        self.fits = Store(MAX_FITS)
        self.results = Store(MAX_RESULTS)
        self.chunks = Store(MAX_CHUNKS)
        self.figures = Store(MAX_FIGURES)


@st.cache_resource(show_spinner=False)
def shared_memory() -> Memory:
    return Memory()


@st.cache_resource(show_spinner=False, scope="session")
def session_memory() -> Memory:
    return Memory()


def memory(is_sample: bool) -> Memory:
    """Return everybody's memory for samples, this session's own for anything else."""
    return shared_memory() if is_sample else session_memory()


def resuming_threads(context: ViewContext, key: tuple[Hashable, ...]) -> Executor:
    """Return workers for `analysis.parallel.map_items` that keep every item they finish.

    A run that was left goes on where it was; ``key`` holds every setting that the items depend on.
    """
    return ResumingThreads(memory(context.is_sample).chunks, (*context.data_key, *key))


def forget_items(context: ViewContext, key: tuple[Hashable, ...]) -> None:
    """Drop the items that `resuming` kept, once what they were for is remembered."""
    memory(context.is_sample).chunks.forget((*context.data_key, *key))


class InPlace(Executor):
    """Makes everything at once in the thread that asks, which has a worker's place."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class ResumingThreads(AttentiveExecutor):
    """This process's workers, who look a chunk up first, by its size and its place in the seed.

    Where the thread that asks has a worker's place already, it makes the chunks itself.
    """

    def __init__(self, chunks: Store, family: tuple[Hashable, ...]) -> None:
        self._chunks = chunks
        self._family = family
        self._session = this_session()
        self._asked: list[Future[Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        n, rng = args
        key = (*self._family, n, rng.bit_generator.seed_seq.spawn_key)
        future: Future[Any] = Future()
        known = self._chunks.get(key, MISSING)
        if known is not MISSING:
            future.set_result(known)
        elif turns().held:
            future.set_result(self._compute(key, fn, n, rng))
        else:
            named = (id(self._chunks), *key)
            future = turns().submit(self._session, named, lambda: self._compute(key, fn, n, rng))
            self._asked.append(future)
        return future

    def look_around(self) -> None:
        """Notice that the user has gone on."""
        leave_if_asked()

    def _compute(
        self, key: Hashable, fn: Callable[..., Any], n: int, rng: np.random.Generator
    ) -> Any:
        # another session may have asked for the same, and was first
        chunk = self._chunks.get(key, MISSING)
        if chunk is MISSING:
            chunk = done(fn, n, rng)
            self._chunks.put(key, chunk)
        return chunk

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ask for nothing more: chunks under way end by themselves and are kept."""
        for future in self._asked:
            future.cancel()
