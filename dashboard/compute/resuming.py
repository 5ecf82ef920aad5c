"""Work in seeded chunks that are kept one by one: interrupted work goes on where it stopped."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future
from typing import Any

import numpy as np

from analysis.parallel import AttentiveExecutor
from dashboard.compute import store
from dashboard.compute.queue import done, leave_if_asked, this_session, turns
from dashboard.compute.store import MISSING, Store
from dashboard.session.view import ViewContext


def resuming_threads(context: ViewContext, key: tuple[Hashable, ...]) -> Executor:
    """Return workers for `analysis.parallel.map_items` that keep every item they finish.

    A run that was left goes on where it was; ``key`` holds every setting that the items depend on.
    """
    return ResumingThreads(store.memory(context.is_sample).chunks, (*context.data_key, *key))


def forget_items(context: ViewContext, key: tuple[Hashable, ...]) -> None:
    """Drop the items that `resuming` kept, once what they were for is remembered."""
    store.memory(context.is_sample).chunks.forget((*context.data_key, *key))


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
