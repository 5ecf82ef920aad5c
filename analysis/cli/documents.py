"""Answers in JSON that several commands give; docs/json.md describes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from analysis.campaign import IntArray, Judgments
from analysis.cli.output import SCHEMA
from analysis.findings.certainty import few_judges_words
from analysis.formats.report import ReadReport
from analysis.ranking.equivalence import cheapest_not_worse, costs_of, equal_within
from analysis.ranking.few_judges import few_judges
from analysis.ranking.ranking import Ranking
from analysis.ranking.verdict import Verdict


def ranking_document(
    ranking: Ranking, margin: float | None = None, cost: str | None = None
) -> dict[str, Any]:
    """Return a ranking: what the evidence shows of all systems, and of every pair.

    With a ``margin``, pairs may be practically equal within it. With a ``cost`` as well, a column
    about the systems, the cheapest system is named that is not worse than the best by the margin.
    """
    verdict = ranking.verdict
    systems = ranking.to_frame()
    counts = dict(zip(ranking.systems, n_judgments(ranking.judgments), strict=True))
    systems["judgments"] = [counts[system] for system in systems["system"]]
    named = {} if cost is None or margin is None else {"cheapest": _cheapest(ranking, margin, cost)}
    return {
        "schema": SCHEMA,
        "lang_pair": ranking.judgments.pair,
        "method": ranking.standings.method,
        "procedure": None,
        "scope": ranking.certainty.scope,
        "level": ranking.level,
        "signature": ranking.signature,
        "ranges": ranking.certainty.ranges,
        "resamples": ranking.runs,
        "judgments": len(ranking.judgments),
        "winner": ranking.winner,
        "possible_winners": list(ranking.possible_winners),
        "tiers": None if verdict is None or ranking.ranges is None else verdict.n_tiers,
        "clusters": ranking.n_clusters,
        "systems": systems.to_dict("records"),
        "equal_within": margin,
        "pairs": [] if verdict is None else pairs_frame(verdict, margin).to_dict("records"),
        "these_judges": _these_judges(ranking),
        **named,
    }


def unused(report: ReadReport | None, pair: str) -> dict[str, int]:
    """Return how many of a pair's tasks the judges skipped, and how many rows are unusable."""
    if report is None:
        return {"skipped": 0, "left_out": 0}
    return {"skipped": report.skipped.get(pair, 0), "left_out": report.n_left_out}


def _these_judges(ranking: Ranking) -> dict[str, Any] | None:
    """Return what few judges settle for new segments, and how many would settle it for all."""
    verdict = ranking.verdict
    found = None if verdict is None else few_judges(ranking.judgments, verdict)
    if found is None:
        return None
    return {
        "judges": found.for_new.units["judge"],
        "winner": found.for_these.winner,
        "possible_winners": list(found.for_these.possible_winners),
        "tiers": found.for_these.n_tiers,
        "clusters": found.for_these.n_clusters,
        "judges_for_winner": found.judges_for_winner,
        "judges_for_pairs": found.judges_for_pairs,
        "sentence": few_judges_words(ranking.judgments, verdict),
    }


def _cheapest(ranking: Ranking, margin: float, cost: str) -> str | None:
    costs = costs_of(ranking.judgments, cost)
    return None if ranking.verdict is None else cheapest_not_worse(ranking.verdict, margin, costs)


def pairs_frame(verdict: Verdict, margin: float | None) -> pd.DataFrame:
    """Return a row per pair of systems; with a ``margin`` also which are practically equal."""
    return verdict.pairs_frame() if margin is None else equal_within(verdict, margin)


def n_judgments(judgments: Judgments) -> IntArray:
    """Return how many judgments each system is part of: scores if there are any, else pairs."""
    n, scores = judgments.n_systems, judgments.scores
    if scores is None:
        sizes = np.diff(judgments.task_start)
        others = np.repeat(sizes - 1, sizes)
        shown = np.bincount(judgments.entry_output, others, minlength=n).astype(np.int64)
    else:
        shown = np.bincount(scores.system, minlength=n)
    counts = shown[:n]
    for members, times in zip(judgments.groups, shown[n:], strict=False):
        counts[list(members)] += times  # one output that several systems made
    return counts
