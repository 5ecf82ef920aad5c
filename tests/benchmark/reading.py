"""Reading: files of real campaigns, and a million lines of each kind of table."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.campaign import Campaign
from analysis.formats import read, read_path
from tests.benchmark.timing import seconds


def reading_speed(folder: Path) -> Iterator[dict[str, object]]:
    """Seconds to read a file, and what a campaign weighs, alone and with its judgments derived."""
    for name in ("wmt15/wmt15.xml.gz", "wmt15/wmt15.fin-eng.csv.gz", "wmt13/fr-en.train.csv.gz"):
        path = folder / name
        took = seconds(lambda path=path: read_path(path), repeats=2)  # type: ignore[misc]
        campaign, _ = read_path(path)
        n_pairs = sum(len(campaign.judgments(pair)) for pair in campaign.pairs)
        yield {
            "file": path.name,
            "seconds": took,
            "pairs": n_pairs,
            "bytes a pair kept": _weight(campaign) / n_pairs,
            "bytes a pair with judgments": _weight_of_judgments(campaign) / n_pairs,
        }


def reading_a_million_lines() -> Iterator[dict[str, object]]:
    """A million lines of each kind of table: times of pandas' plain read, in one run."""
    for name, table in _million_lines():
        data = table.to_csv(index=False).encode()
        plain = seconds(lambda data=data: pd.read_csv(io.BytesIO(data)), repeats=3)  # type: ignore[misc]
        ours = seconds(lambda data=data: read(data), repeats=3)  # type: ignore[misc]
        yield {
            "table": name,
            "MB": len(data) / 1e6,
            "pandas s": plain,
            "Podium s": ours,
            "times pandas": ours / plain,
        }


def _million_lines(n: int = 1_000_000) -> Iterator[tuple[str, pd.DataFrame]]:
    rng = np.random.default_rng(1)
    systems = np.array([f"newstest2015.system-{k}.{4000 + k}.fi-en.txt" for k in range(14)])
    judges = np.array([f"judge{k}" for k in range(100)])

    def tasks(times: int) -> dict[str, object]:
        segment = np.repeat(rng.integers(1, 3000, n // times), times)
        judge = np.repeat(judges[rng.integers(100, size=n // times)], times)
        return {"srclang": "fi", "trglang": "en", "segmentId": segment, "judgeId": judge}

    def shown(rows: int) -> np.ndarray:
        return np.argsort(rng.random((rows, 14), dtype=np.float32), axis=1)[:, :5]

    five, ranks = systems[shown(n)], rng.integers(1, 6, (n, 5))
    columns = {f"system{k + 1}Id": five[:, k] for k in range(5)}
    columns |= {f"system{k + 1}rank": ranks[:, k] for k in range(5)}
    yield "WMT 5-way CSV", pd.DataFrame({**tasks(1), **columns})

    five, ranks = systems[shown(n // 10)], rng.integers(1, 6, (n // 10, 5))
    left, right = np.triu_indices(5, 1)
    two = pd.DataFrame(
        {
            **tasks(10),
            "system1Id": five[:, left].ravel(),
            "system1rank": ranks[:, left].ravel(),
            "system2Id": five[:, right].ravel(),
            "system2rank": ranks[:, right].ravel(),
        }
    )
    yield "WMT 2-way CSV", two.assign(rankingID=np.repeat(np.arange(n // 10), 10))
    yield "WMT 2-way CSV without ids", two

    a = rng.integers(14, size=n)
    winner = np.array(["model_a", "model_b", "tie"])[rng.integers(3, size=n)]
    pair = {"model_a": systems[a], "model_b": systems[(a + 1 + rng.integers(13, size=n)) % 14]}
    yield "arena votes", pd.DataFrame({**pair, "winner": winner, **tasks(1)})


def _weight(campaign: Campaign) -> int:
    return sum(c.nbytes for c in vars(campaign).values() if isinstance(c, np.ndarray))


def _weight_of_judgments(campaign: Campaign) -> int:
    tracemalloc.start()
    kept = [campaign.judgments(pair) for pair in campaign.pairs]
    weight, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return weight + _weight(campaign)
