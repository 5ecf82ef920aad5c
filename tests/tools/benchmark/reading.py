"""Reading: files of real campaigns, a million lines of each kind of table, and many votes."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.campaign import Campaign
from analysis.formats import read, read_path
from tests.tools.benchmark.tables import KINDS, parquet, votes
from tests.tools.benchmark.timing import Row, by_turns, seconds

LINES = 1_000_000
MOST_TIMES = 2.5
"""Times that reading may take as long as pandas' plain read."""

_IN_A_PROCESS_OF_ITS_OWN = """
import json, sys, time

from analysis import rank, read

def peak():
    with open("/proc/self/status") as status:  # what getrusage says begins with the parent's peak
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1000

paths, method = sys.argv[2:], sys.argv[1]
before, started = peak(), time.perf_counter()
campaign, _ = read(*paths)
took = [time.perf_counter() - started]
if method:
    rank(campaign, method)
    took.append(time.perf_counter() - started)
print(json.dumps([took, before, peak(), time.process_time()]))
"""


def rows() -> Iterator[Row]:
    """Each kind of table beside pandas; then votes by the million, from files to standings."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind, (make, separator) in KINDS.items():
            yield _beside_pandas(kind, make(LINES), separator, folder)
        yield _standings(folder, 5_000_000, 200, 1, "parquet", at_most=6)
        yield _standings(folder, 20_000_000, 300, 4, "parquet", at_most=40)
        yield _standings(folder, 20_000_000, 300, 4, "csv", at_most=40)


def _beside_pandas(kind: str, data: bytes, separator: str, folder: Path) -> Row:
    header = None if kind.startswith("Appraise") else "infer"
    mine, their = by_turns(
        lambda: read(data),
        lambda: pd.read_csv(io.BytesIO(data), sep=separator, header=header),  # type: ignore[call-overload]
    )
    path = folder / "table.csv"
    path.write_bytes(data)
    _, before, after, _ = _alone("", path)
    size = len(data) / 1e6
    return Row(
        f"A million lines of {kind} to coded judgments with a read report",
        mine,
        "pandas, plain read",
        their,
        their / mine,
        f"at most {MOST_TIMES} times pandas",
        mine <= MOST_TIMES * their,
        after - before,
        note=f"{mine / their:.2f} times pandas; {size:.0f} MB, of which the peak is "
        f"{(after - before) / size:.1f} times",
    )


def _standings(
    folder: Path, n: int, n_systems: int, n_parts: int, ending: str, at_most: float
) -> Row:
    """Read parts in a process of its own and rank; its peak counts libraries and all."""
    paths = [folder / f"part{part}.{ending}" for part in range(n_parts)]
    for part, path in enumerate(paths):
        table = votes(n // n_parts, n_systems, seed=part)
        path.write_bytes(
            parquet(table) if ending == "parquet" else table.to_csv(index=False).encode()
        )
        del table
    small = folder / "small.csv"
    small.write_bytes(votes(200_000, n_systems, seed=9).to_csv(index=False).encode())
    _alone("bradley-terry", small)  # compiles
    took, _, peak, processor = _alone("bradley-terry", *paths)
    for path in paths:
        path.unlink()
    return Row(
        f"{n / 1e6:.0f} million votes of {n_systems} systems in {n_parts} {ending} "
        f"part{'s' if n_parts > 1 else ''} to standings with intervals",
        took[-1],
        goal=f"≤ {at_most:g} s",
        reached=took[-1] <= at_most,
        megabytes=peak,
        note=f"read in {took[0]:.1f} s; {processor:.1f} s of processors, start of Python and all",
    )


def _alone(method: str, *paths: Path) -> tuple[list[float], float, float, float]:
    """Read files in a process of its own: seconds, and megabytes before and at the peak."""
    done = subprocess.run(
        [sys.executable, "-c", _IN_A_PROCESS_OF_ITS_OWN, method, *map(str, paths)],
        capture_output=True,
        text=True,
        check=True,
    )
    took, before, after, processor = json.loads(done.stdout)
    return took, before, after, processor


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


def _weight(campaign: Campaign) -> int:
    return sum(c.nbytes for c in vars(campaign).values() if isinstance(c, np.ndarray))


def _weight_of_judgments(campaign: Campaign) -> int:
    tracemalloc.start()
    kept = [campaign.judgments(pair) for pair in campaign.pairs]
    weight, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return weight + _weight(campaign)
