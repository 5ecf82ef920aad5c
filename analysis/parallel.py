"""The one way to spread work: seeded chunks over any executor; results depend on the seed alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, ThreadPoolExecutor, wait
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")
T = TypeVar("T")

Progress = Callable[[int, int], None]
"""Called with how much is done and how much there is; always in the thread that asked."""


TICK = 0.2
"""Seconds after which an attentive executor's caller looks around."""


class AttentiveExecutor(Executor):
    """An executor whose work may wait for others': who waits for it looks around meanwhile."""

    def look_around(self) -> None:
        """Do what must be done while nothing is; called in the thread that waits."""


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
    attentive = executor if isinstance(executor, AttentiveExecutor) else None
    report = progress or (lambda done, total: None)
    results: dict[int, T] = {}
    done, total, waiting = 0, sum(weights), set(futures)
    try:
        while waiting:
            patience = TICK if attentive else None
            finished, waiting = wait(waiting, patience, return_when=FIRST_COMPLETED)
            for future in sorted(finished, key=lambda future: futures[future]):
                k = futures[future]
                results[k] = future.result()
                done += weights[k]
                if each is not None:
                    each(k, results[k])
                report(done, total)
            if attentive and not finished:
                attentive.look_around()
                report(done, total)
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    return [results[k] for k in range(len(items))]
