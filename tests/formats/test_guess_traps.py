"""Columns in another order, among columns that mean nothing, never make a sure guess wrong."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.errors import PodiumError
from analysis.formats import read_many
from analysis.formats.mapping.guess.long import _of_one_kind
from analysis.formats.mapping.guess.within_names import cut_by
from tests.formats.study_tables import TABLES
from tests.formats.tables import Made, csv
from tests.formats.test_guess import best_of, wrong

ROUNDS = 3
"""Shuffled copies of each table."""


def _whole(rng: np.random.Generator, low: int, high: int, n: int) -> list[int]:
    return rng.integers(low, high + 1, n).tolist()


def _share(rng: np.random.Generator, n: int) -> list[float]:
    return rng.random(n).round(3).tolist()


def _words(rng: np.random.Generator, words: str, n: int) -> list[str]:
    return rng.choice(words.split(), n).tolist()


TRAPS: dict[str, Callable[[np.random.Generator, int], list[object]]] = {
    "Unnamed: 0": lambda rng, n: list(range(n)),
    "row_id": lambda rng, n: rng.permutation(n).tolist(),
    "uuid": lambda rng, n: [rng.bytes(16).hex() for _ in range(n)],
    "created_at": lambda rng, n: [
        f"2023-05-{k % 28 + 1:02d}T10:{k % 60:02d}:00Z" for k in range(n)
    ],
    "unix_time": lambda rng, n: [1_680_000_000 + 17 * k for k in range(n)],
    "output_length": lambda rng, n: _whole(rng, 20, 900, n),
    "n_tokens": lambda rng, n: _whole(rng, 5, 400, n),
    "num_words": lambda rng, n: _whole(rng, 3, 60, n),
    "model_confidence": _share,
    "confidence": lambda rng, n: _whole(rng, 1, 5, n),
    "probability": _share,
    "logprob": lambda rng, n: (-9 * rng.random(n)).round(3).tolist(),
    "bleu": lambda rng, n: (100 * rng.random(n)).round(2).tolist(),
    "rouge_l": _share,
    "comet": _share,
    "bertscore_f1": _share,
    "reward_model_score": lambda rng, n: rng.normal(0, 2, n).round(3).tolist(),
    "seconds_spent": lambda rng, n: _whole(rng, 3, 240, n),
    "duration_ms": lambda rng, n: _whole(rng, 3000, 240_000, n),
    "n_votes": lambda rng, n: _whole(rng, 1, 40, n),
    "upvotes": lambda rng, n: _whole(rng, 0, 12, n),
    "num_annotations": lambda rng, n: _whole(rng, 1, 5, n),
    "random": lambda rng, n: _whole(rng, 1, 5, n),
    "v3": lambda rng, n: _whole(rng, 1, 5, n),
    "level": lambda rng, n: _whole(rng, 1, 5, n),
    "page_number": lambda rng, n: _whole(rng, 1, 9, n),
    "presentation_order": lambda rng, n: _whole(rng, 1, 4, n),
    "trial_number": lambda rng, n: _whole(rng, 1, 30, n),
    "age": lambda rng, n: _whole(rng, 18, 70, n),
    "years_of_experience": lambda rng, n: _whole(rng, 0, 20, n),
    "gender": lambda rng, n: _words(rng, "f m other", n),
    "country": lambda rng, n: _words(rng, "DE FR JP US", n),
    "native_language": lambda rng, n: _words(rng, "English Czech French", n),
    "category": lambda rng, n: _words(rng, "news sport politics", n),
    "difficulty": lambda rng, n: _words(rng, "easy medium hard", n),
    "temperature": lambda rng, n: rng.choice([0.0, 0.7, 1.0], n).tolist(),
    "seed": lambda rng, n: _whole(rng, 1, 3, n),
    "passed_check": lambda rng, n: _words(rng, "True False", n),
    "flagged": lambda rng, n: _whole(rng, 0, 1, n),
    "split": lambda rng, n: _words(rng, "train dev test", n),
    "batch": lambda rng, n: _whole(rng, 1, 6, n),
    "comment": lambda rng, n: _words(rng, "good fine unclear x", n),
    "browser": lambda rng, n: _words(rng, "Firefox Chrome Safari", n),
    "price": lambda rng, n: (9 * rng.random(n)).round(2).tolist(),
}
"""Columns that say nothing about which system is better."""


def shuffled(made: Made, rng: np.random.Generator) -> tuple[bytes, list[str]] | None:
    """Return a flat table with three traps and its columns in another order."""
    try:
        table = pd.read_csv(io.BytesIO(made.data), dtype=str, keep_default_na=False)
    except (ValueError, pd.errors.ParserError):
        return None
    if made.data[:1] in (b"{", b"[") or table.shape[1] < 3 or table.columns[-1].isdigit():
        return None
    free = [name for name in TRAPS if name not in table.columns]
    names = rng.choice(free, 3, replace=False).tolist()
    for name in names:
        table[name] = TRAPS[name](rng, len(table))
    return csv(table[rng.permutation(table.columns).tolist()]), names


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_shuffled_columns_among_traps_are_read_rightly_or_not_at_all(name):
    for seed in range(ROUNDS):
        rng = np.random.default_rng([seed, *map(ord, name)])
        made = TABLES[name](rng)
        if made.more.get("ambiguous") or (found := shuffled(made, rng)) is None:
            return
        data, traps = found
        try:
            campaign, _ = read_many([(name, data)], mapping="auto")
        except PodiumError:
            continue
        assert made.found is not None, f"{traps}: {campaign.systems} were read"
        assert wrong(replace(made.found, best=best_without_traps(name, made)), campaign) == [], (
            traps
        )


def best_without_traps(name: str, made: Made) -> str:
    """Return the best system of the table as it was; nothing if it has criteria or is not read."""
    try:
        campaign, _ = read_many([(name, made.data)], mapping="auto")
    except PodiumError:
        return ""
    return "" if campaign.criteria else best_of(campaign)


@pytest.mark.parametrize(
    ("one", "other", "is_so"),
    [("abcd", "cdxy", False), ("abcd", "bcdx", True), ("a", "a", False), ("1234", "1234", False)],
)
def test_two_columns_are_of_one_kind_if_they_share_more_than_half_of_their_names(
    one: str, other: str, is_so: bool
) -> None:
    known = {"from": list(one), "to": list(other)}
    looks: Any = SimpleNamespace(known=known.get, is_number=lambda column: one.isdigit())
    assert _of_one_kind(looks, "from", "to") is is_so


def test_a_part_of_a_name_is_no_system_unless_most_items_come_with_several() -> None:
    """Of twelve items six come with both words; the item itself has too many words."""
    names = [f"s1_{k}" for k in range(12)] + [f"s2_{k}" for k in range(6)]
    looks: Any = SimpleNamespace(known=lambda column: names)
    assert cut_by(looks, "name", "_") is None


@pytest.mark.parametrize(("missing", "sure"), [(9, 0.9), (10, 0.72), (50, 0.72), (51, 0.6)])
def test_the_more_items_all_systems_have_the_surer_is_a_part_of_a_name_a_system(
    missing: int, sure: float
) -> None:
    """Ten systems by ten items; what is missing is missing from all of them alike."""
    systems = ["cmu", "kit", "uedin", "aalto", "limsi", "tartu", "rwth", "cuni", "adapt", "baidu"]
    cells = [(k, (k + away) % 10) for away in range(10) for k in range(10)]
    names = [f"{systems[k]}_{item}" for k, item in cells[missing:]]
    looks: Any = SimpleNamespace(known=lambda column: names)
    draft = cut_by(looks, "name", "_")
    assert draft is not None
    assert draft.confidence == pytest.approx(sure)


def test_columns_by_ordinals_rank_the_systems_that_they_name() -> None:
    rng = np.random.default_rng(0)
    rows = [
        ",".join([f"j{k % 5}", str(k // 5), *rng.permutation(["cmu", "kit", "uedin"])])
        for k in range(60)
    ]
    data = "\n".join(["judge,item,1st choice,2nd choice,3rd choice", *rows, ""]).encode()
    campaign, _ = read_many([("t.csv", data)], mapping="auto")
    assert set(campaign.systems) == {"cmu", "kit", "uedin"}
    assert campaign.n_tasks == 60
    first, *_ = (row.split(",")[2] for row in rows)
    judgments = campaign.judgments()
    best = judgments.left[:3][judgments.outcome[:3] > 0]
    assert judgments.systems[int(np.bincount(best).argmax())] == first


@pytest.mark.parametrize("name", ["response_id", "output_id"])
def test_short_names_of_answers_that_all_systems_have_are_items_for_certain(name: str) -> None:
    rng = np.random.default_rng(0)
    rows = [
        f"j{k % 5},{system},{k},{rng.integers(1, 100)}"
        for k in range(40) for system in ("cmu", "kit", "uedin")
    ]  # fmt: skip
    data = "\n".join([f"judge,system,{name},score", *rows, ""]).encode()
    campaign, report = read_many([("t.csv", data)], mapping="auto")
    assert len(campaign.segments) == 40
    assert report.mapped is not None
    assert report.mapped.confidence > 0.9


def test_two_numbers_that_share_one_are_scores_whatever_they_are_called() -> None:
    rng = np.random.default_rng(0)
    rows = []
    for k in range(60):
        one, other = rng.permutation(["alpha", "beta", "gamma", "delta"])[:2]
        share = int(rng.integers(1, 100))
        rows.append(f"{one},{other},{k % 20},j{k % 5},{share / 100},{(100 - share) / 100}")
    head = "system_a,system_b,segment,judge,sure_a,sure_b"
    data = "\n".join([head, *rows, ""]).encode()
    campaign, _ = read_many([("t.csv", data)], mapping="auto")
    assert set(campaign.systems) == {"alpha", "beta", "gamma", "delta"}
    with pytest.raises(PodiumError, match="sure_a may be something other than a score"):
        read_many([("t.csv", data.replace(b",0.1", b",0.7"))], mapping="auto")


@pytest.mark.parametrize("whose", ["rater", "annotator"])
def test_columns_of_raters_by_letter_are_a_judge_each(whose: str) -> None:
    rng = np.random.default_rng(0)
    rows = [
        f"{k // 3},{'xyz'[k % 3]},{','.join(map(str, rng.integers(1, 6, 3)))}" for k in range(60)
    ]
    head = f"item,system,{','.join(f'{whose}_{letter}' for letter in 'abc')}"
    data = "\n".join([head, *rows, ""]).encode()
    campaign, _ = read_many([("t.csv", data)], mapping="auto")
    assert campaign.judges == tuple(f"{whose}_{letter}" for letter in "abc")


def test_columns_of_numbers_beside_benchmarks_are_systems_but_not_for_certain() -> None:
    rng = np.random.default_rng(0)
    usual = rng.normal(50, 10, 12)
    rows = [f"b{k},{','.join(f'{usual[k] + rng.normal():.2f}' for _ in 'abcd')}" for k in range(12)]
    data = "\n".join(["benchmark,north,south,east,west", *rows, ""]).encode()
    campaign, report = read_many([("t.csv", data)], mapping="auto")
    assert set(campaign.systems) == {"north", "south", "east", "west"}
    assert report.mapped is not None
    assert report.mapped.confidence <= 0.75
