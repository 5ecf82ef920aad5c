"""Koehn 2012, *Simulating Human Judgment in Machine Translation Evaluation Campaigns*.

His tables come from campaigns that he simulated; ours from campaigns simulated alike.
"""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from analysis import published
from analysis.extras.validation.replication.number import Number, between, rounded, rows_of
from analysis.extras.validation.replication.replication import NotRecomputed, Replication
from analysis.extras.validation.simulation import koehn2012
from analysis.extras.validation.simulation.koehn2012 import RangeMethod
from analysis.rankers.feedback_arc import Lopez
from analysis.rankers.ratios import Bojar, ExpectedWins
from analysis.ranking.clusters import clusters_from_ends

SOURCE = "Koehn 2012"
EXPERIMENTS, BATCHES = 400, 8
"""As many experiments as his Table 1 has, in batches whose scatter gives the standard error."""
KINDS = {"pw": "pairwise", "bs": "bootstrap"}
COLUMNS = {
    "range": ("size", 1.0, "size of the rank ranges"),
    "viol": ("violations", 100.0, "violations of the ranges, percent"),
    "clusters": ("clusters", 1.0, "clusters"),
    "cl_viol": ("cluster_violations", 100.0, "violations of the clusters, percent"),
}
SLIP = "Published once at 10,000 and once at 50,000 judgments; the second must be a slip."
LOPEZ = (
    "With every way of breaking ties between orders, Lopez's method errs in about 16.5% here; "
    "the cause of 17.6 is unknown."
)
BOOTSTRAP = (
    "Leaving out 25 of 1,000 runs at each end, as the text states, gives none of the 20 cells. Of "
    "24 readings (runs left out, judgments or tasks resampled, normal intervals), 5 or 6 left out, "
    "a level of 99%, gives all 20."
)
JHU = (
    "The text counts 6 clusters, its published ranges make 5: JHU's range ends at 12 in the "
    "paper and must end at 13."
)


def _table1(method: RangeMethod, prefix: str, reason: str, _part: str, _: Path) -> list[Number]:
    printed = published.koehn_table1().set_index("judgments")
    batches = [
        koehn2012.study_rank_ranges(
            methods=(method,), experiments=EXPERIMENTS // BATCHES, seed=100 + batch
        ).set_index("judgments")
        for batch in range(BATCHES)
    ]
    numbers = []
    for column, (name, unit, words) in COLUMNS.items():
        decimals = 0 if (prefix, column) == ("pw", "cl_viol") else 1
        for size in koehn2012.SIZES:
            values = unit * np.array([batch[name][size] for batch in batches])
            error = values.std(ddof=1) / math.sqrt(BATCHES)
            where = f"Table 1, {KINDS[prefix]}: {words}, {size:,} judgments"
            value = float(printed[f"{prefix}_{column}"][size])
            slack = 1.96 * math.sqrt(2) * error
            numbers.append(rounded(where, value, values.mean(), decimals, slack, reason))
    return numbers


def _figure3(_part: str, _: Path) -> list[Number]:
    table = koehn2012.study_ranking_error(
        (10_000, 50_000), (Bojar(), ExpectedWins(), Lopez()), experiments=EXPERIMENTS, seed=2
    )
    found = {(row.method, row.judgments): row for row in rows_of(table)}
    numbers = []
    printed = published.KOEHN_FIGURE3 | {("lopez", 50_000): 0.176}
    for (method, size), value in printed.items():
        reason = {10_000: LOPEZ, 50_000: SLIP}[size] if method == "lopez" else ""
        cell = found[method, size]
        slack = 100 * 1.96 * math.sqrt(2) * cell.standard_error
        where = f"Section 4.4, error of {method} at {size:,} judgments, percent"
        numbers.append(rounded(where, round(100 * value, 1), 100 * cell.error, 1, slack, reason))
    return numbers


def _table4(_part: str, _: Path) -> list[Number]:
    printed, off = published.koehn_table4(), 0.015
    asked = [printed.assign(share=printed["share"] + step) for step in (0.0, -off, off)]
    table = koehn2012.study_judgments_needed(pd.concat(asked), experiments=240, seed=3)
    needed = {(r.n, r.sd, round(r.share, 3)): r.needed for r in rows_of(table)}
    numbers = []
    for row in rows_of(printed):
        ours, fewer, more = (
            needed[row.n, row.sd, round(row.share + step, 3)] for step in (0.0, -off, off)
        )
        unit = 1000 if row.judgments < 20_000 else 5000
        most = math.inf if math.isnan(more) else more + unit
        where = f"Table 4, {row.n} systems, σ {row.sd:g}, {row.share:.0%} of pairs significant"
        numbers.append(between(where, row.judgments, ours, fewer - unit, most, -3))
    return numbers


def _clusters(_part: str, _: Path) -> list[Number]:
    table = published.koehn_rankings(2)
    ends = (table["lo"].to_numpy(), table["hi"].to_numpy())
    ours = clusters_from_ends(*ends, table["score"].to_numpy()).max()
    return [rounded("Section 5.2, number of clusters in Table 2", 6, ours, 0, reason=JHU)]


_SIMULATED = (
    "Simulated as in section 3: abilities uniform in 0–10, five systems per task, quality "
    "scattered normally around them. The text's σ² of 10 must be a standard deviation, as its "
    "numbers show. "
)

REPLICATIONS = (
    Replication(
        "koehn-table-1-pairwise", SOURCE, "Table 1, pairwise", "rank ranges by sign tests",
        _SIMULATED + "400 campaigns of 15 systems, one-sided sign tests at 0.05.",
        "Half a unit of the last published digit, and 1.96 standard errors of the difference of "
        "two studies of 400 campaigns.",
        "method", partial(_table1, "pairwise", "pw", ""),
        command="podium research simulate --study rank-ranges --experiments 400",
        differs="When numbers are compared at 95%, one in twenty differs by chance.",
    ),
    Replication(
        "koehn-table-1-bootstrap", SOURCE, "Table 1, bootstrap", "rank ranges by resampling",
        _SIMULATED + "400 campaigns of 15 systems, 1,000 resamples of single judgments each, 25 "
        "left out at each end.",
        "Half a unit of the last published digit, and 1.96 standard errors of the difference of "
        "two studies of 400 campaigns.",
        "method", partial(_table1, "rows", "bs", BOOTSTRAP), slow=True,
        command="podium research simulate --study rank-ranges --experiments 400",
        differs=BOOTSTRAP,
    ),
    Replication(
        "koehn-figure-3", SOURCE, "Section 4.4", "error of the ranking by method",
        _SIMULATED + "One constant is fitted to these numbers: a standard deviation of 20, where "
        "Tables 1 and 4 need 10; 400 campaigns of 15 systems.",
        "Half a unit of the last published digit, and 1.96 standard errors of the difference of "
        "two studies of 400 campaigns.",
        "fitted", _figure3,
        command="podium research simulate --study ranking-error --experiments 400",
    ),
    Replication(
        "koehn-table-4", SOURCE, "Table 4", "judgments needed to separate systems",
        _SIMULATED + (
            "240 campaigns for each number of systems and standard deviation, at other sizes "
            "than the published ones."
        ),
        "The judgments at which 1.5 percent more or fewer of the pairs are significant (two "
        "standard errors of 240 campaigns), and one unit of the published values: 1,000, from "
        "20,000 on 5,000.",
        "method", _table4, slow=True,
        differs=(
            "The published numbers come from fewer campaigns, at sizes that the paper does not "
            "state."
        ),
        command="podium research simulate --study judgments-needed",
    ),
    Replication(
        "koehn-clusters", SOURCE, "Table 2", "number of clusters",
        "From the published rank ranges by the paper's own rule (equation 6).",
        "None: the rule has no rounding.",
        "print", _clusters,
    ),
)  # fmt: skip

NOT_RECOMPUTED = (
    NotRecomputed(
        SOURCE, "Tables 2 and 3", "scores and rank ranges of WMT12",
        "The judgments of WMT12 are not available. The clusters that follow from the ranges are.",
    ),
)  # fmt: skip
