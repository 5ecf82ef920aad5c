"""Files large enough for compiled loops are read as small ones are: same campaign, same report."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.campaign import Campaign, Ragged, margin, rank_scores
from analysis.errors import ReadingError
from analysis.formats import ReadReport, comparisons, read, usable, wmt_twoway

MODULES = (usable, comparisons, wmt_twoway, margin)
NAMES = ("A", "B", "C", "D", "E", "A+B", "C+E", "")
RANKS = ("1", "2", "3", "4", "5", "-1", "7", "x", "")


@contextmanager
def few(n: int) -> Iterator[None]:
    """Let files of so many entries count as large."""
    with pytest.MonkeyPatch.context() as patch:
        for module in MODULES:
            patch.setattr(module, "FEW", n)
        yield


def same(data: bytes) -> None:
    """Read a file both ways and compare all that comes out."""
    found: list[tuple[Campaign, ReadReport] | str] = []
    for n in (-1, 10**9):
        with few(n):
            try:
                found.append(read(data, name="file.csv"))
            except ReadingError as error:
                found.append(str(error))
    large, small = found
    if isinstance(large, str) or isinstance(small, str):
        assert large == small
        return
    assert large[1] == small[1]
    for name, column in vars(small[0]).items():
        if isinstance(column, np.ndarray):
            np.testing.assert_array_equal(getattr(large[0], name), column)
    assert large[0].fingerprint == small[0].fingerprint
    assert large[0].systems == small[0].systems


def weighted(rng: np.random.Generator, values: tuple[str, ...], good: int, shape: object) -> object:
    """Draw values, those past the good ones seldom."""
    weight = np.array([10.0 if k < good else 0.2 for k in range(len(values))])
    return rng.choice(np.array(values), shape, p=weight / weight.sum())  # type: ignore[arg-type]


def five_way(rng: np.random.Generator, n: int, good: int) -> bytes:
    """Return rankings, some of them damaged, some of them copies."""
    systems, ranks = weighted(rng, NAMES, good, (n, 5)), weighted(rng, RANKS, 5, (n, 5))
    table = pd.DataFrame(
        {
            "srclang": rng.choice(["fra", "ces", "deu"], n, p=[0.9, 0.08, 0.02]),
            "trglang": "eng",
            "segmentId": rng.integers(1, 4, n),
            "judgeId": rng.choice(["x", "y"], n),
            **{f"system{k + 1}Id": np.asarray(systems)[:, k] for k in range(5)},
            **{f"system{k + 1}rank": np.asarray(ranks)[:, k] for k in range(5)},
        }
    )
    return table.sample(n, replace=True, random_state=1).to_csv(index=False).encode()


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 60), good=st.integers(4, 7))
def test_rankings_of_five(seed: int, n: int, good: int) -> None:
    same(five_way(np.random.default_rng(seed), n, good))


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 12), errors=st.integers(0, 3))
def test_pairs_without_ids_are_put_together_alike(seed: int, n: int, errors: int) -> None:
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(n):
        size = int(rng.integers(2, 6))
        shown, ranks = rng.permutation(5)[:size], rng.integers(1, 5, size)
        judge, segment = rng.integers(2), rng.integers(2)
        for i, j in zip(*np.triu_indices(size, 1), strict=True):
            row = (segment, judge, NAMES[shown[i]], ranks[i], NAMES[shown[j]], ranks[j])
            rows.append(",".join(map(str, row)))
    for _ in range(errors):
        rows.insert(int(rng.integers(len(rows) + 1)), "1,0,A,1,B,2")
    head = "segmentId,judgeId,system1Id,system1rank,system2Id,system2rank"
    same("\n".join([head, *rows, ""]).encode())


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 40))
def test_votes_in_islands(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    island = rng.integers(0, 3, n)
    left, right = 3 * island + rng.integers(0, 3, n), 3 * island + rng.integers(0, 3, n)
    votes = pd.DataFrame({"model_a": left, "model_b": right, "judge": rng.integers(0, 2, n)})
    votes["question"] = rng.integers(0, 2, n)
    votes["winner"] = rng.choice(["model_a", "tie", "skip", "model_b"], n)
    file = io.StringIO()
    votes.to_csv(file, index=False)
    same(file.getvalue().encode())


@settings(max_examples=40)
@given(
    tasks=st.lists(st.lists(st.integers(0, 12), min_size=1, max_size=40), min_size=1, max_size=6),
    near=st.sampled_from([0.0, 1.0, 3.0]),
)
def test_scores_are_ranked_alike(tasks: list[list[int]], near: float) -> None:
    scores = Ragged.from_lists(tasks, np.float64)
    found = []
    for n in (-1, 10**9):
        with few(n):
            found.append(rank_scores(scores, near) if len(scores.values) else None)
    if found[0] is not None and found[1] is not None:
        np.testing.assert_array_equal(found[0][0], found[1][0])
        np.testing.assert_array_equal(found[0][1], found[1][1])
