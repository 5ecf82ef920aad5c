"""Large tables of judgments made at random, as each tool writes them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

SYSTEMS = np.array([f"newstest2015.system-{k}.{4000 + k}.fi-en.txt" for k in range(14)])
JUDGES = np.array([f"judge{k}" for k in range(100)])
SEGMENTS = 3000


def five_way(n: int) -> bytes:
    """Return rankings of five outputs, a row each."""
    rng = np.random.default_rng(1)
    five, ranks = SYSTEMS[_shown(rng, n)], rng.integers(1, 6, (n, 5))
    columns = {f"system{k + 1}Id": five[:, k] for k in range(5)}
    columns |= {f"system{k + 1}rank": ranks[:, k] for k in range(5)}
    return _csv({**_tasks(rng, n), **columns})


def two_way(n: int) -> bytes:
    """Return the pairs of such rankings, with the ranking of each."""
    pairs = _pairs(n)
    return _csv({**pairs, "rankingID": np.repeat(np.arange(n // 10), 10)})


def two_way_without_ids(n: int) -> bytes:
    """Return such pairs as they are."""
    return _csv(_pairs(n))


def arena(n: int) -> bytes:
    """Return votes between two systems."""
    rng = np.random.default_rng(2)
    left, right = _two(rng, n, len(SYSTEMS))
    winner = np.array(["model_a", "model_b", "tie"])[rng.integers(3, size=n)]
    pair = {"model_a": SYSTEMS[left], "model_b": SYSTEMS[right]}
    return _csv({**pair, "winner": winner, **_tasks(rng, n)})


def comparia(n: int) -> bytes:
    """Return compar:IA's votes."""
    rng = np.random.default_rng(3)
    left, right = (SYSTEMS[side] for side in _two(rng, n, len(SYSTEMS)))
    won = rng.integers(3, size=n)
    return _csv(
        {
            "id": np.arange(n),
            "timestamp": "2025-01-01 10:11:12",
            "model_a_name": left,
            "model_b_name": right,
            "chosen_model_name": np.select([won == 0, won == 1], [left, right], ""),
            "both_equal": won == 2,
            "visitor_id": rng.integers(20_000, size=n),
            "conversation_pair_id": [f"{k:032x}" for k in range(n)],
            "selected_category": np.array(["education", "leisure"])[rng.integers(2, size=n)],
            "conv_turns": rng.integers(1, 5, n),
        }
    )


def scores(n: int) -> bytes:
    """Return a table of scores: four outputs of a segment on a judge's screen."""
    rng = np.random.default_rng(4)
    n_judges = 1 + n // (2 * SEGMENTS)
    judge, segment = np.divmod(
        np.repeat(rng.permutation(n_judges * SEGMENTS)[: n // 4], 4), SEGMENTS
    )
    return _csv(
        {
            "pair": "eng-fin",
            "system": SYSTEMS[_shown(rng, n // 4, 4).ravel()],
            "document": np.array([f"news.{k}" for k in range(SEGMENTS // 10)])[segment // 10],
            "segment": segment,
            "domain": np.array(["news", "speech"])[segment % 2],
            "judge": np.array([f"judge{k}" for k in range(n_judges)])[judge],
            "score": rng.integers(101, size=n),
            "seconds": rng.integers(5, 90, n),
        }
    )


def appraise_direct(n: int) -> bytes:
    """Return direct assessments with times, as Appraise exports them."""
    columns, _ = _appraise(np.random.default_rng(5), n)
    return _csv(columns, header=False)


def appraise_errors(n: int) -> bytes:
    """Return scores of outputs in documents, three of ten with marked errors."""
    rng = np.random.default_rng(6)
    columns, document = _appraise(rng, n)
    spans = ["[]"] * n
    marked = np.flatnonzero(rng.random(n) < 0.3)
    starts, lengths = rng.integers(1, 400, (2, len(marked), 2))
    for row, start, length in zip(marked.tolist(), starts.tolist(), lengths.tolist(), strict=True):
        spans[row] = _errors(start, length)
    times = {name: columns.pop(name) for name in ("start", "end")}
    columns |= {"document": document, "complete": False, "spans": spans}
    return _csv({**columns, **times}, header=False)


def _errors(starts: list[int], lengths: list[int]) -> str:
    return json.dumps(
        [
            {
                "start_i": start,
                "end_i": start + length,
                "severity": "minor" if length % 3 else "major",
                "error_type": None,
            }
            for start, length in zip(starts, lengths, strict=True)
        ],
        separators=(",", ":"),
    )


def _appraise(rng: np.random.Generator, n: int) -> tuple[dict[str, object], np.ndarray]:
    """Return tasks of a hundred items, ten of a document, of which the last ten are degraded."""
    task, item = np.arange(n) // 100, np.arange(n) % 100
    place = item // 10 + 10 * task
    document, system = rng.integers(500, size=n // 10 + 1)[place], place % 14
    segment = 10 * document + item % 10
    bad = item >= 90
    name = np.char.add(np.char.mod("news.%d#", document), np.char.mod("sys-%d", system))
    start = 1.7e9 + 20.0 * np.arange(n) + rng.random(n)
    columns: dict[str, object] = {
        "user": np.array([f"engfin{k:04x}" for k in range(n // 100 + 1)])[task],
        "system": np.array([f"sys-{k}" for k in range(14)])[system],
        "item": segment,
        "type": np.where(bad, "BAD", "TGT"),
        "source": "eng",
        "target": "fin",
        "score": rng.integers(101, size=n),
        "start": np.round(start, 3),
        "end": np.round(start + 9, 3),
    }
    return columns, np.where(bad, np.char.add(name, "#bad1"), name)


def webmushra(n: int) -> bytes:
    """Return ratings of five stimuli a trial."""
    rng = np.random.default_rng(7)
    trial = np.arange(n) // 5
    stimuli = np.array(["reference", "anchor35", "codec-a", "codec-b", "codec-c"])
    return _csv(
        {
            "session_test_id": "codecs",
            "session_uuid": [f"{k:032x}" for k in (trial // 30).tolist()],
            "age": 20 + trial // 30 % 40,
            "trial_id": np.char.mod("piece%d", trial % 30),
            "rating_stimulus": stimuli[np.arange(n) % 5],
            "rating_score": rng.integers(101, size=n),
            "rating_time": np.repeat(rng.integers(9_000, 90_000, n // 5 + 1), 5)[:n],
            "rating_comment": "",
        }
    )


def mqm(n: int) -> bytes:
    """Return errors with their texts, two an output, a line each."""
    rng = np.random.default_rng(8)
    output = np.arange(n) // 2
    segment, text = output // 14 % SEGMENTS, "A sentence as long as sentences are, say"
    kind = rng.integers(3, size=n)
    return _csv(
        {
            "system": SYSTEMS[output % 14],
            "doc": np.char.mod("talk.%d", segment // 20),
            "doc_id": segment % 20,
            "seg_id": segment,
            "rater": np.char.mod("rater%d", output // (14 * SEGMENTS)),
            "source": [f"{text} {k}." for k in segment.tolist()],
            "target": [f"{text} {k}." for k in output.tolist()],
            "category": np.array(["Fluency/Punctuation", "Accuracy/Addition", "No-error"])[kind],
            "severity": np.array(["Minor", "Major", "No-error"])[kind],
        },
        sep="\t",
    )


def direct_assessment(n: int) -> bytes:
    """Return the scores of systems' segments as WMT publishes them."""
    rng = np.random.default_rng(9)
    return _csv(
        {
            "SYS": SYSTEMS[np.arange(n) % 14],
            "SID": np.arange(n) // 14,
            "RAW.SCR": np.round(100 * rng.random(n), 4),
            "Z.SCR": np.round(rng.normal(size=n), 6),
            "N": rng.integers(1, 4, n),
        },
        sep=" ",
    )


KINDS: dict[str, tuple[Callable[[int], bytes], str]] = {
    "WMT 5-way": (five_way, ","),
    "WMT 2-way": (two_way, ","),
    "WMT 2-way without ids": (two_way_without_ids, ","),
    "arena votes": (arena, ","),
    "compar:IA votes": (comparia, ","),
    "scores": (scores, ","),
    "Appraise, direct assessment": (appraise_direct, ","),
    "Appraise, marked errors": (appraise_errors, ","),
    "webMUSHRA": (webmushra, ","),
    "MQM errors": (mqm, "\t"),
    "WMT direct assessment": (direct_assessment, " "),
}
"""Tables by what they hold, with the sign between their fields."""


def votes(n: int, n_systems: int, seed: int) -> pd.DataFrame:
    """Return votes of an arena: systems, winner, judge and question, as categories."""
    rng = np.random.default_rng(seed)
    ability = np.linspace(-2, 2, n_systems)
    left, right = _two(rng, n, n_systems)
    won = rng.random(n) < 1 / (1 + np.exp(ability[right] - ability[left]))
    outcome = np.where(rng.random(n) < 0.2, 2, ~won)

    def column(codes: np.ndarray, names: list[str]) -> pd.Categorical:
        return pd.Categorical.from_codes(codes, names)

    models = [f"model-{k:03}" for k in range(n_systems)]
    return pd.DataFrame(
        {
            "model_a": column(left, models),
            "model_b": column(right, models),
            "winner": column(outcome, ["model_a", "model_b", "tie"]),
            "judge": column(rng.integers(20_000, size=n), [f"judge{k}" for k in range(20_000)]),
            "question_id": column(rng.integers(50_000, size=n), [f"q{k}" for k in range(50_000)]),
        }
    )


def parquet(table: pd.DataFrame) -> bytes:
    """Return a table as Parquet, its words as text."""
    file = io.BytesIO()
    words = pa.Table.from_pandas(table, preserve_index=False)
    words = words.cast(pa.schema([(name, pa.string()) for name in words.column_names]))
    pq.write_table(words, file)
    return file.getvalue()


def _tasks(rng: np.random.Generator, n: int, times: int = 1) -> dict[str, object]:
    segment = np.repeat(rng.integers(1, SEGMENTS, n // times), times)
    judge = np.repeat(JUDGES[rng.integers(100, size=n // times)], times)
    return {"srclang": "fi", "trglang": "en", "segmentId": segment, "judgeId": judge}


def _pairs(n: int) -> dict[str, object]:
    rng = np.random.default_rng(10)
    five, ranks = SYSTEMS[_shown(rng, n // 10)], rng.integers(1, 6, (n // 10, 5))
    left, right = np.triu_indices(5, 1)
    return {
        **_tasks(rng, n, 10),
        "system1Id": five[:, left].ravel(),
        "system1rank": ranks[:, left].ravel(),
        "system2Id": five[:, right].ravel(),
        "system2rank": ranks[:, right].ravel(),
    }


def _shown(rng: np.random.Generator, rows: int, many: int = 5) -> np.ndarray:
    return np.argsort(rng.random((rows, 14), dtype=np.float32), axis=1)[:, :many]


def _two(rng: np.random.Generator, n: int, n_systems: int) -> tuple[np.ndarray, np.ndarray]:
    left = rng.integers(n_systems, size=n)
    return left, (left + 1 + rng.integers(n_systems - 1, size=n)) % n_systems


def _csv(columns: dict[str, object], sep: str = ",", *, header: bool = True) -> bytes:
    return pd.DataFrame(columns).to_csv(index=False, sep=sep, header=header).encode()
