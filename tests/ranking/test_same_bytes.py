"""The seed alone decides: every ranker, for 1, 2 and 4 workers and any order of Python's sets."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

from analysis.campaign import Judgments, Selection
from analysis.parallel import map_chunks
from analysis.rankers import RANKERS, rankers_for
from analysis.ranking.certainty import replicate
from analysis.samples import sample_campaign

ROOT = Path(__file__).resolve().parents[2]
WORKERS = (1, 2, 4)
RUNS, SEED = 3, 11
SETTINGS: dict[str, dict[str, object]] = {"playoffs": {"tournaments": 200}}
"""Less to do where the defaults take long; every other method runs with its own."""


def few_judgments() -> Judgments:
    """A sample's first forty segments."""
    return sample_campaign("wmt14-cs-en").judgments(selection=Selection(segments=(1, 40)))


def digests() -> dict[str, list[str]]:
    """Return, for every ranker, a digest of its fit and of its runs by each number of workers."""
    judgments = few_judgments()
    found: dict[str, list[str]] = {}
    for name, ranker_class in rankers_for(judgments).items():
        ranker = ranker_class(**SETTINGS.get(name, {}))
        fit = ranker.fit(judgments, seed=SEED)
        scores, spread = fit.standings.scores, fit.standings.spread
        parts = [scores, *([] if spread is None else [spread])]
        found[name] = [_digest(*parts)]
        run = partial(fit.replicates, "task")
        for workers in WORKERS:
            with ThreadPoolExecutor(max_workers=workers) as executor:
                chunks = map_chunks(run, RUNS, seed=SEED, chunk=1, executor=executor)
            found[name].append(_digest(*chunks))
    return found


def _digest(*arrays: np.ndarray) -> str:
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()


def test_every_rankers_bytes_depend_on_the_seed_alone() -> None:
    """Here and in a process of its own, whose sets have another order."""
    process = subprocess.run(
        [sys.executable, __file__],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "4242"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    one, other = digests(), json.loads(process.stdout)
    assert set(one) == set(rankers_for(few_judgments()))
    for name in one:
        assert one[name] == other[name], f"{name}: the order of Python's sets shows"
        assert len(set(one[name][1:])) == 1, f"{name}: the number of workers shows"


def test_another_seed_gives_other_resamples() -> None:
    judgments, ranker = few_judgments(), RANKERS["expected-wins"]()
    fit = ranker.fit(judgments)
    runs = [replicate(fit, runs=RUNS, seed=seed).scores for seed in (SEED, SEED + 1)]
    assert not np.array_equal(*runs)


if __name__ == "__main__":
    print(json.dumps(digests()))
