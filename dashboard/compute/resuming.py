"""Work in seeded chunks that are kept one by one: interrupted work goes on where it stopped."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from dashboard.compute import store
from dashboard.compute.store import MISSING, Store
from dashboard.session.view import ViewContext


def resuming_threads(context: ViewContext, key: tuple[Hashable, ...]) -> Executor:
    """Return threads for `analysis.parallel.map_items` that keep every item they finish.

    A run that was left goes on where it was; ``key`` holds every setting that the items depend on.
    """
    return ResumingThreads(store.memory(context.is_sample).chunks, (*context.data_key, *key))


def forget_items(context: ViewContext, key: tuple[Hashable, ...]) -> None:
    """Drop the items that `resuming` kept, once what they were for is remembered."""
    store.memory(context.is_sample).chunks.forget((*context.data_key, *key))


class ResumingThreads(Executor):
    """Threads that look a chunk up before computing it, by its size and its place in the seed."""

    def __init__(self, chunks: Store, family: tuple[Hashable, ...]) -> None:
        self._threads = ThreadPoolExecutor(max_workers=os.cpu_count())
        self._chunks = chunks
        self._family = family

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        n, rng = args
        place = rng.bit_generator.seed_seq.spawn_key
        key = (*self._family, n, place)
        known = self._chunks.get(key, MISSING)
        if known is not MISSING:
            future: Future[Any] = Future()
            future.set_result(known)
            return future
        return self._threads.submit(self._compute, key, fn, n, rng)

    def _compute(
        self, key: Hashable, fn: Callable[..., Any], n: int, rng: np.random.Generator
    ) -> Any:
        chunk = fn(n, rng)
        self._chunks.put(key, chunk)
        return chunk

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """Let go at once where a run was left: chunks under way end by themselves and are kept."""
        self.shutdown(wait=kind is None, cancel_futures=True)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)
