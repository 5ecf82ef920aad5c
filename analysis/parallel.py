"""The one way to spread work: seeded chunks over any executor; results depend on the seed alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")
T = TypeVar("T")

Progress = Callable[[int, int], None]
"""Called with how much is done and how much there is; always in the thread that asked."""


def map_chunks(
    function: Callable[[int, np.random.Generator], T],
    total: int,
    *,
    seed: int,
    chunk: int = 50,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> list[T]:
    """Return ``function(n, rng)`` of chunks whose ``n`` sum to ``total``, in order.

    Each chunk draws from its own child of ``seed``, so that neither the number of workers nor the
    order in which they finish changes a bit. Without an executor, threads are used: the kernels
    release the interpreter's lock. A Dask cluster's executor works as well.
    """
    sizes = [min(chunk, total - start) for start in range(0, total, chunk)]
    return map_items(function, sizes, sizes, seed=seed, executor=executor, progress=progress)


def map_items(
    function: Callable[[Item, np.random.Generator], T],
    items: Sequence[Item],
    weights: Sequence[int] | None = None,
    *,
    seed: int,
    executor: Executor | None = None,
    progress: Progress | None = None,
    each: Callable[[int, T], None] | None = None,
) -> list[T]:
    """Return ``function(item, rng)`` of all items, in order; each has its own child of ``seed``.

    ``weights`` say how much of the whole an item is, for the progress; without them, 1 each.
    ``each`` is called with an item's place and its result as they come, in the thread that asked.
    """
    children = np.random.SeedSequence(seed).spawn(len(items))
    weights = [1] * len(items) if weights is None else weights
    if executor is None:
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as threads:
            return _run(function, items, weights, children, threads, progress, each)
    return _run(function, items, weights, children, executor, progress, each)


def _run(
    function: Callable[[Item, np.random.Generator], T],
    items: Sequence[Item],
    weights: Sequence[int],
    children: list[np.random.SeedSequence],
    executor: Executor,
    progress: Progress | None,
    each: Callable[[int, T], None] | None,
) -> list[T]:
    futures = {
        executor.submit(function, item, np.random.default_rng(child)): k
        for k, (item, child) in enumerate(zip(items, children, strict=True))
    }
    results: dict[int, T] = {}
    done = 0
    try:
        for future in as_completed(futures):
            k = futures[future]
            results[k] = future.result()
            done += weights[k]
            if each is not None:
                each(k, results[k])
            if progress is not None:
                progress(done, sum(weights))
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    return [results[k] for k in range(len(items))]
