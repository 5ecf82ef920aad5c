"""Search: lists of documents against people's judgments of relevance.

The measures of Bojar et al. 2014, section 5, as NIST's trec_eval computes them. A query that a
system left unanswered counts 0, as under trec_eval's option ``-c``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
import pytrec_eval

from analysis.extras.scores.estimates import mean
from analysis.extras.scores.scoreboard import Measure, Values

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
