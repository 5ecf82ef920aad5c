"""The one way to spread work: seeded chunks over any executor; results depend on the seed alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from typing import TypeVar

import numpy as np

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
    children = np.random.SeedSequence(seed).spawn(len(sizes))
    if executor is None:
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as threads:
            return _run(function, sizes, children, total, threads, progress)
    return _run(function, sizes, children, total, executor, progress)


def _run(
    function: Callable[[int, np.random.Generator], T],
    sizes: list[int],
    children: list[np.random.SeedSequence],
    total: int,
    executor: Executor,
    progress: Progress | None,
) -> list[T]:
    futures = {
        executor.submit(function, size, np.random.default_rng(child)): k
        for k, (size, child) in enumerate(zip(sizes, children, strict=True))
    }
    results: dict[int, T] = {}
    done = 0
    try:
        for future in as_completed(futures):
            k = futures[future]
            results[k] = future.result()
            done += sizes[k]
            if progress is not None:
                progress(done, total)
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    return [results[k] for k in range(len(sizes))]
