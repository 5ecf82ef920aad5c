"""What may change in a file without a change of the result, and what must change with it.

Each relation compares two readings of the same votes, so no expected number is needed.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.campaign import Campaign, Selection
from analysis.errors import PodiumError
from analysis.formats import read_many
from analysis.formats.writing import write
from analysis.rankers import RANKERS
from analysis.ranking.verdict import reach_verdict

METHODS = ("bradley-terry", "expected-wins", "bojar")
SYSTEMS, JUDGES, PAIRS = "abcde", ("ann", "bob", "cid"), ("eng-deu", "fra-eng")
FLIPPED = {"model_a": "model_b", "model_b": "model_a", "tie": "tie"}


class Vote(NamedTuple):
    """One row of a table of votes."""

    segment: int
    left: str
    right: str
    winner: str
    judge: str
    pair: str


VOTE = st.tuples(
    st.integers(1, 6),
    st.sampled_from(list(permutations(SYSTEMS, 2))),
    st.sampled_from(list(FLIPPED)),
    st.sampled_from(JUDGES),
).map(lambda drawn: Vote(drawn[0], *drawn[1], drawn[2], drawn[3], PAIRS[0]))
VOTES = st.lists(VOTE, min_size=4, max_size=40)
METHOD = st.sampled_from(METHODS)
relation = settings(max_examples=25)

Result = dict[str, tuple[float, ...]] | str


def table(votes: Sequence[Vote]) -> bytes:
    """Return votes as a CSV file."""
    head = "question_id,model_a,model_b,winner,judge,language"
    return "\n".join([head, *(",".join(map(str, vote)) for vote in votes), ""]).encode()


def campaign(*files: bytes) -> Campaign:
    """Read files as one campaign."""
    return read_many([(f"{k}.csv", data) for k, data in enumerate(files)])[0]


def result(
    of: Campaign, method: str, selection: Selection | None = None, pair: str = PAIRS[0]
) -> Result:
    """Return score, standard error and rank range by system, or that it is refused."""
    try:
        judgments = of.judgments(of.find_pair(pair), selection or Selection())
        verdict = reach_verdict(RANKERS[method]().fit(judgments))
    except PodiumError:
        return "refused"
    numbers = zip(verdict.scores, verdict.se, verdict.rank_best, verdict.rank_worst, strict=True)
    return dict(zip(verdict.systems, numbers, strict=True))


def assert_same(found: Result, wanted: Result) -> None:
    """Compare two results; summing in another order may change the last digits."""
    if isinstance(found, str) or isinstance(wanted, str):
        assert found == wanted
        return
    assert found.keys() == wanted.keys()
    for system, numbers in found.items():
        np.testing.assert_allclose(numbers, wanted[system], rtol=1e-6, atol=1e-9)


@relation
@given(VOTES, METHOD, st.randoms(use_true_random=False))
def test_rows_in_another_order_rank_alike(votes: list[Vote], method: str, random: object) -> None:
    moved = list(votes)
    random.shuffle(moved)  # type: ignore[attr-defined]
    assert_same(result(campaign(table(moved)), method), result(campaign(table(votes)), method))


@relation
@given(VOTES, METHOD, st.permutations(["z", "y", "x", "w", "v"]))
def test_renamed_systems_keep_their_scores(
    votes: list[Vote], method: str, names: list[str]
) -> None:
    to = dict(zip(SYSTEMS, names, strict=True))
    renamed = [vote._replace(left=to[vote.left], right=to[vote.right]) for vote in votes]
    wanted = result(campaign(table(votes)), method)
    if not isinstance(wanted, str):
        wanted = {to[system]: numbers for system, numbers in wanted.items()}
    assert_same(result(campaign(table(renamed)), method), wanted)


@relation
@given(VOTES, METHOD, st.integers(1, 3))
def test_a_file_in_two_parts_is_one_campaign(votes: list[Vote], method: str, first: int) -> None:
    parts = campaign(table(votes[:first]), table(votes[first:]))
    assert_same(result(parts, method), result(campaign(table(votes)), method))


@pytest.mark.parametrize(
    "recode",
    [
        lambda data: data.decode().encode("utf-16"),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.replace(b",", b"\t"),
        gzip.compress,
    ],
    ids=["utf-16", "with a mark", "Windows lines", "tabs", "gzipped"],
)
@settings(max_examples=8)
@given(votes=VOTES)
def test_another_encoding_is_the_same_campaign(
    recode: Callable[[bytes], bytes], votes: list[Vote]
) -> None:
    assert campaign(recode(table(votes))).fingerprint == campaign(table(votes)).fingerprint


@relation
@given(VOTES, METHOD, st.integers(0, 2**40))
def test_sides_swapped_with_their_winner_rank_alike(
    votes: list[Vote], method: str, which: int
) -> None:
    swapped = [
        vote._replace(left=vote.right, right=vote.left, winner=FLIPPED[vote.winner])
        if which >> k & 1
        else vote
        for k, vote in enumerate(votes)
    ]
    assert_same(result(campaign(table(swapped)), method), result(campaign(table(votes)), method))


@relation
@given(VOTES, METHOD, st.sampled_from(JUDGES))
def test_a_filter_is_the_file_without_these_rows(
    votes: list[Vote], method: str, judge: str
) -> None:
    rest = [vote for vote in votes if vote.judge != judge]
    if not rest or len(rest) == len(votes):
        return
    filtered = result(campaign(table(votes)), method, Selection(exclude_judges=(judge,)))
    met = {name for vote in rest for name in (vote.left, vote.right)}
    if not isinstance(filtered, str):  # a system that lost all its votes has no score
        filtered = {name: numbers for name, numbers in filtered.items() if name in met}
    assert_same(filtered, result(campaign(table(rest)), method))


@relation
@given(VOTES, st.sampled_from(["arena", "wmt-5way", "wmt-2way"]))
def test_what_is_written_reads_back_as_the_same_campaign(votes: list[Vote], to: str) -> None:
    made = campaign(table(votes))
    try:
        data = write(made, to)
    except PodiumError:
        return
    assert campaign(data).fingerprint == made.fingerprint


@relation
@given(VOTES, METHOD)
def test_a_twin_with_the_same_votes_has_the_same_score(votes: list[Vote], method: str) -> None:
    twins = [
        vote._replace(left=vote.left.replace("a", "twin"), right=vote.right.replace("a", "twin"))
        for vote in votes
        if "a" in (vote.left, vote.right)
    ]
    found = result(campaign(table([*votes, *twins])), method)
    if twins and not isinstance(found, str):
        np.testing.assert_allclose(found["twin"][:2], found["a"][:2], rtol=1e-5, atol=1e-8)


@relation
@given(VOTES, VOTES, METHOD)
def test_another_language_pair_changes_nothing(
    votes: list[Vote], others: list[Vote], method: str
) -> None:
    elsewhere = [vote._replace(pair=PAIRS[1]) for vote in others]
    both = campaign(table([*elsewhere, *votes]))
    found, wanted = result(both, method), result(campaign(table(votes)), method)
    if not isinstance(found, str):
        met = {name for vote in votes for name in (vote.left, vote.right)}
        found = {name: numbers for name, numbers in found.items() if name in met}
    assert_same(found, wanted)
