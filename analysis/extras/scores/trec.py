"""Search: lists of documents against people's judgments of relevance, from TREC's files.

The measures of Bojar et al. 2014, section 5, as NIST's trec_eval computes them. A query that a
system left unanswered counts 0, as under trec_eval's option ``-c``. Files are judgments of
relevance (four fields) and runs (six fields).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pytrec_eval

from analysis.errors import ReadingError
from analysis.extras.scores.estimates import mean
from analysis.extras.scores.scoreboard import Measure, Values
from analysis.formats.rankings import number
from analysis.wording import listed

Relevance = Mapping[str, Mapping[str, int]]
"""By query and document."""
Run = Mapping[str, Mapping[str, float]]
"""A system's score by query and document; trec_eval sorts by it."""

MEASURES = {
    "P_5": Measure("p@5", "Precision at 5", "share of relevant documents among the first 5"),
    "P_10": Measure("p@10", "Precision at 10", "share of relevant documents among the first 10"),
    "ndcg_cut_5": Measure("ndcg@5", "NDCG at 5", "gain of the first 5, as a share of the maximum"),
    "ndcg_cut_10": Measure(
        "ndcg@10", "NDCG at 10", "gain of the first 10, as a share of the maximum"
    ),
    "map": Measure("map", "Mean average precision", "precision at every relevant document"),
    "Rprec": Measure("rprec", "R-precision", "precision after as many documents as are relevant"),
    "bpref": Measure("bpref", "bpref", "share of relevant documents above judged irrelevant ones"),
    "num_rel_ret": Measure("rel_ret", "Relevant retrieved", "relevant documents found per query"),
}
REL = Measure("rel", "Relevant retrieved, total", "relevant documents found, over all queries")
FIELDS = {4: "query, 0, document, relevance", 6: "query, Q0, document, rank, score, name"}
_VALUE = {4: 3, 6: 4}
"""Which field has the relevance or the score."""
MOST = 1_000_000
"""A grade of relevance beyond which it is none; the evaluation holds them in 64 bits."""


def is_trec(text: bytes) -> bool:
    """Return whether the first line has a number where one of the two has it.

    >>> is_trec(b"q1 0 doc7 1"), is_trec(b"q1 Q0 doc7 1 12.5 mine"), is_trec(b"gold,a,b,c")
    (True, True, False)
    """
    fields = text.lstrip().partition(b"\n")[0].decode(errors="replace").split()
    return len(fields) in FIELDS and number(fields[_VALUE[len(fields)]]) == number(
        fields[_VALUE[len(fields)]]
    )


def read(contents: Sequence[tuple[str, bytes]]) -> tuple[Relevance, dict[str, Run]]:
    """Read files, as (name, text); what each is, its first line tells."""
    relevance: dict[str, dict[str, int]] = defaultdict(dict)
    runs: dict[str, Run] = {}
    for where, text in contents:
        rows = [(k, line.split()) for k, line in enumerate(text.decode().splitlines(), start=1)]
        rows = [(k, row) for k, row in rows if row]
        n_fields = len(rows[0][1])
        run: dict[str, dict[str, float]] = defaultdict(dict)
        for k, row in rows:
            value = _value(f"{where}, line {k}", row, n_fields)
            if n_fields == 6:
                run[row[0]][row[2]] = value
            else:
                relevance[row[0]][row[2]] = int(value)
        if n_fields == 6:
            name = rows[0][1][5]
            runs[name if name not in runs else f"{name} ({where})"] = run
    if not relevance or not runs:
        raise ReadingError(
            listed([where for where, _ in contents]),
            "search needs judgments of relevance and at least one run",
            f"Give both: {FIELDS[4]}; {FIELDS[6]}.",
        )
    return relevance, runs


def _value(where: str, row: Sequence[str], n_fields: int) -> float:
    if len(row) != n_fields:
        raise ReadingError(
            where,
            f"it has {len(row)} fields, the first line {n_fields}",
            f"Give {FIELDS[n_fields]}.",
        )
    text = row[_VALUE[n_fields]]
    value = number(text)
    if value != value or (n_fields == 4 and not (abs(value) <= MOST and value == int(value))):
        kind = "score" if n_fields == 6 else f"whole number up to {MOST}"
        raise ReadingError(where, f"{text!r} is not a {kind}", f"Give {FIELDS[n_fields]}.")
    return value


def measures(relevance: Relevance, runs: Mapping[str, Run]) -> list[tuple[Measure, Values]]:
    """Return the measures of each system over the queries, in the order of ``relevance``."""
    evaluator = pytrec_eval.RelevanceEvaluator(
        {query: dict(judged) for query, judged in relevance.items()},
        {"P", "ndcg_cut", "map", "Rprec", "bpref", "num_rel_ret"},
    )
    found = [
        evaluator.evaluate({query: dict(scores) for query, scores in run.items()})
        for run in runs.values()
    ]
    tables = {
        name: np.array([[by.get(q, {}).get(name, 0.0) for q in relevance] for by in found])
        for name in MEASURES
    }
    return [
        *((measure, partial(mean, tables[name])) for name, measure in MEASURES.items()),
        (REL, lambda counts: counts @ tables["num_rel_ret"].T),
    ]
