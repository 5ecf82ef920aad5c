"""What a chunk of work takes, and what a cluster adds to it.

``python -m tests.extras.dask.past_one_machine``

A scheduler and two workers are started on this machine. The figures stand in docs/cluster.md.
"""

from __future__ import annotations

import pickle
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.cli.output import text_table
from analysis.extras.dask.cluster import ClusterExecutor, cluster
from analysis.extras.validation.simulation.campaigns import Simulation, simulate_campaign
from analysis.parallel import map_items
from analysis.rankers import ranker_class
from tests.extras.dask.test_cluster import own_cluster

TASKS = 20_000
"""Tasks of the campaign: 200,000 judgments of 15 systems, as large as WMT14 in whole."""

RUNS = 40
METHODS = ("bradley-terry", "trueskill", "hopkins-may", "graded-response")
VOTES = 5_000_000


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def nothing(item: int, rng: np.random.Generator) -> int:
    """A chunk that takes no time."""
    return item


def overheads(workers: ClusterExecutor) -> list[dict[str, object]]:
    """What a chunk costs before it has done anything, and what sending data costs."""
    map_items(nothing, range(20), seed=0, executor=workers)
    empty = seconds(partial(map_items, nothing, range(400), seed=0, executor=workers)) / 400
    rows: list[dict[str, object]] = [{"what": "a chunk that does nothing", "ms": 1e3 * empty}]
    for megabytes in (1, 10, 100):
        data = np.zeros(megabytes * 125_000)
        one = partial(hold, data)
        took = seconds(partial(map_items, one, range(2), seed=0, executor=workers))
        rows.append({"what": f"{megabytes} MB to two workers, once", "ms": 1e3 * took})
    return rows


def hold(data: object, item: int, rng: np.random.Generator) -> int:
    """A chunk that has data and does nothing with them."""
    return item


def methods(workers: ClusterExecutor) -> list[dict[str, object]]:
    """Resamples of four methods: two threads here against two workers there."""
    abilities = np.linspace(10, 0, 15)
    campaign = simulate_campaign(Simulation(), abilities, TASKS, np.random.default_rng(1))
    judgments = campaign.judgments(campaign.pairs[0])
    rows = []
    for name in METHODS:
        fit = ranker_class(name)().fit(judgments)
        one = partial(fit.replicates, "task")
        n = fit.ranker.runs_at_once
        chunks = [n] * max(2, RUNS // n)
        map_items(one, [1, 1], seed=0)  # compiles
        map_items(one, [1, 1], seed=0, executor=workers)  # compiles, and sends
        here = seconds(partial(map_items, one, chunks, seed=0))
        there = seconds(partial(map_items, one, chunks, seed=0, executor=workers))
        rows.append(
            {
                "method": name,
                "chunk, resamples": n,
                "chunk, ms": 1e3 * here / len(chunks) * 2,
                "data, MB": len(pickle.dumps(one)) / 1e6,
                "two workers / two threads": there / here,
            }
        )
    return rows


def counting(folder: Path, address: str) -> dict[str, object]:
    """Count the votes of one Parquet part with Dask's data frames, as docs/cluster.md says."""
    from dask import dataframe
    from distributed import Client

    rng = np.random.default_rng(0)
    names = [f"system {k}" for k in range(200)]
    a = rng.integers(0, 200, VOTES)
    b = (a + rng.integers(1, 200, VOTES)) % 200
    sides = ["model_a", "model_b", "tie"]
    pd.DataFrame(
        {
            "model_a": pd.Categorical.from_codes(a, names),
            "model_b": pd.Categorical.from_codes(b, names),
            "winner": pd.Categorical.from_codes(rng.integers(0, 3, VOTES), sides),
        }
    ).to_parquet(folder / "part.parquet")
    columns = ["model_a", "model_b", "winner"]

    def count() -> None:
        votes = dataframe.read_parquet(folder / "*.parquet", columns=columns)
        assert votes.groupby(columns, observed=True).size().compute().sum() == VOTES

    with Client(address):
        count()
        return {"what": f"{VOTES:,} votes counted by one worker", "s": seconds(count)}


def main() -> None:
    """Print the three tables."""
    with own_cluster(2) as own, cluster(own.address) as workers:
        while workers.threads < 2:
            time.sleep(0.1)
        print(text_table(pd.DataFrame(overheads(workers)).round(1)), flush=True)
        print(text_table(pd.DataFrame(methods(workers)).round(2)), flush=True)
        with tempfile.TemporaryDirectory() as folder:
            print(text_table(pd.DataFrame([counting(Path(folder), own.address)]).round(2)))


if __name__ == "__main__":
    main()
