"""Files are read in stretches, by columns: as a plain loop over their rows would read them."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.campaign import UNRANKED, Campaign, IntArray, Ragged, rank_scores
from analysis.errors import ReadingError
from analysis.formats import ReadReport, read, wmt_twoway
from analysis.formats.usable import Comparisons, Usable

NAMES = ("A", "B", "C", "D", "E", "A+B", "C+E", "")
RANKS = ("1", "2", "3", "4", "5", "-1", "7", "x", "")


def plain_usable(start: IntArray, output: IntArray, rank: IntArray, made_by: Ragged) -> Usable:
    """Look at one task after the other."""
    systems, n = made_by.to_lists(), len(start) - 1
    found = Usable(*(np.zeros(n, dtype=bool) for _ in range(3)))
    for task, (first, last) in enumerate(itertools.pairwise(start.tolist())):
        named = [name for shown in output[first:last].tolist() for name in systems[shown]]
        found.is_ranked[task] = any(rank[first:last] != UNRANKED)
        found.is_alone[task] = len(named) < 2
        found.holds_one_twice[task] = len({*named}) < len(named)
    return found


def plain_comparisons(campaign: Campaign) -> Comparisons:
    """Join the systems of one task after the other."""
    n = len(campaign.systems)
    island: dict[int, set[int]] = {}
    compared: set[int] = set()
    decided = np.zeros(len(campaign.pairs), dtype=np.int64)
    made_by, start = campaign.made_by.to_lists(), campaign.task_start.tolist()
    for task, shown in enumerate(campaign.shown.to_lists()):
        ranks = campaign.entry_rank[start[task] : start[task + 1]].tolist()
        of_pair = int(campaign.task_pair[task]) * n
        makers = [[of_pair + system for system in made_by[output]] for output in shown]
        for node in itertools.chain.from_iterable(makers):
            island.setdefault(node, {node})
        ranked = [(nodes, rank) for nodes, rank in zip(makers, ranks, strict=True) if rank > 0]
        together = {node for nodes, _ in ranked for node in nodes}
        compared |= together if len(together) > 1 else set()
        for node in [*together]:
            together |= island[node]
        for node in together:
            island[node] = together
        decided[campaign.task_pair[task]] += len({rank for _, rank in ranked}) > 1
    nodes = sorted(island)
    label = {id(one): k for k, one in enumerate({id(i): i for i in island.values()}.values())}
    return Comparisons(
        np.array(nodes, dtype=np.int64),
        np.array([node in compared for node in nodes], dtype=bool),
        np.array([label[id(island[node])] for node in nodes], dtype=np.int64),
        decided,
    )


def plain_longest(rows: wmt_twoway.Rows, apart: IntArray, end: IntArray) -> IntArray:
    """Try every size of a ranking from every row on, the largest first."""
    columns = (rows.left, rows.right, rows.left_rank, rows.right_rank)
    pairs = [tuple(pair) for pair in np.stack([c[apart] for c in columns], axis=1).tolist()]
    return np.array([_longest(pairs[first:last]) for first, last in enumerate(end.tolist())])


def _longest(pairs: list[tuple[int, ...]]) -> int:
    for n in range(len(pairs) + 1, 2, -1):
        size = n * (n - 1) // 2
        if size > len(pairs):
            continue
        shown = [(pairs[0][0], pairs[0][2])]
        shown += [(right, rank) for _, right, _, rank in pairs[: n - 1]]
        expected = [(a, b, x, y) for (a, x), (b, y) in itertools.combinations(shown, 2)]
        if len({output for output, _ in shown}) == n and pairs[:size] == expected:
            return size
    return 1


def plain_ranks(scores: list[int], margin: float) -> tuple[list[int], bool]:
    """Rank one task's scores: a new rank where a gap is wider than the margin."""
    falling = sorted(scores, reverse=True)
    begins = [k == 0 or falling[k - 1] - falling[k] > margin for k in range(len(scores))]
    rank_of = {score: sum(begins[: k + 1]) for k, score in enumerate(falling)}
    chains = [[s for s in falling if rank_of[s] == rank] for rank in {*rank_of.values()}]
    return [rank_of[s] for s in scores], all(max(own) - min(own) <= margin for own in chains)


@contextmanager
def plainly() -> Iterator[None]:
    """Let files be read by loops over tasks and rows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Usable, "of", plain_usable)
        patch.setattr(Comparisons, "of", plain_comparisons)
        patch.setattr(wmt_twoway, "_longest_rankings", plain_longest)
        yield


@contextmanager
def in_stretches() -> Iterator[None]:
    """Let stretches have about five entries."""
    whole = Ragged.stretches
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Ragged, "stretches", lambda self, most=0: whole(self, 5))
        yield


def same(data: bytes) -> None:
    """Read a file both ways and compare all that comes out."""
    found: list[tuple[Campaign, ReadReport] | str] = []
    for way in (in_stretches, plainly):
        with way():
            try:
                found.append(read(data, name="file.csv"))
            except ReadingError as error:
                found.append(str(error))
    fast, plain = found
    if isinstance(fast, str) or isinstance(plain, str):
        assert fast == plain
        return
    assert fast[1] == plain[1]
    for name, column in vars(plain[0]).items():
        if isinstance(column, np.ndarray):
            np.testing.assert_array_equal(getattr(fast[0], name), column)
    assert fast[0].fingerprint == plain[0].fingerprint
    assert fast[0].systems == plain[0].systems


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
    with in_stretches():
        ranks, whole = rank_scores(Ragged.from_lists(tasks, np.float64), near)
    expected = [plain_ranks(task, near) for task in tasks]
    assert ranks.tolist() == list(itertools.chain.from_iterable(own for own, _ in expected))
    assert whole.tolist() == [is_whole for _, is_whole in expected]
