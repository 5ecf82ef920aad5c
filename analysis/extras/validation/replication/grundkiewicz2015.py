"""Grundkiewicz, Junczys-Dowmunt and Gillian 2015: grammatical error correction, ranked by people.

The judgments are public (grammatical/evaluation), the numbers stand in its tables 1 and 3.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from analysis import published
from analysis.campaign import Judgments, Selection
from analysis.extras.validation.replication.number import Number, rounded, rows_of
from analysis.extras.validation.replication.replication import Replication
from analysis.formats import read_path
from analysis.rankers.ratios import ExpectedWins
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.certainty import replicate
from analysis.ranking.rank_ranges import RankRanges, rank_ranges

SOURCE = "Grundkiewicz et al. 2015"
FILE = "gec15/judgments.xml.gz"


def _judgments(folder: Path, identical: str = "expanded") -> Judgments:
    campaign = read_path(folder / FILE)[0]
    return campaign.judgments(None, Selection(identical=identical))  # type: ignore[arg-type]


def _expected_wins(_part: str, folder: Path) -> list[Number]:
    judgments, table = _judgments(folder), published.of_the_field("gec15")
    fit = ExpectedWins().fit(judgments)
    of = {system: k for k, system in enumerate(judgments.systems)}
    printed = table[table["quantity"] == "expected wins"]
    numbers = [
        rounded(
            f"Table 3b, {row.key}: score", float(row.value), fit.standings.scores[of[row.key]], 3
        )
        for row in rows_of(printed)
    ]
    ranges = rank_ranges(replicate(fit, runs=1000, unit="judgment", seed=0))
    return numbers + _ends("Table 3b", list(printed["key"]), _value(table, "EW ranges"), ranges)


def _trueskill(_part: str, folder: Path) -> list[Number]:
    judgments, table = _judgments(folder), published.of_the_field("gec15")
    runs = replicate(TrueSkill().fit(judgments), runs=1000, unit="none", seed=1)
    (row,) = rows_of(table[table["quantity"] == "trueskill"])
    ranges, systems = rank_ranges(runs), row.key.split()
    of = {system: k for k, system in enumerate(judgments.systems)}
    error = 1.96 * np.sqrt(2 / runs.runs) * ranges.se
    numbers = [
        rounded(
            f"Table 3c, {system}: score",
            float(value),
            ranges.mean[of[system]],
            3,
            error[of[system]],
        )
        for system, value in zip(systems, row.value.split(), strict=True)
    ]
    return numbers + _ends("Table 3c", systems, _value(table, "TS ranges"), ranges)


def _value(table: pd.DataFrame, quantity: str) -> list[str]:
    (value,) = table.loc[table["quantity"] == quantity, "value"]
    return [part.strip() for part in value.split("|")]


def _ends(where: str, systems: list[str], printed: list[str], ranges: RankRanges) -> list[Number]:
    of, numbers = {system: k for k, system in enumerate(ranges.systems)}, []
    for system, span in zip(systems, printed, strict=True):
        low, high = (span.split("-") * 2)[:2] if "-" not in span else span.split("-")
        k = of[system]
        for name, end, ours in (
            ("best", low, ranges.rank_best[k]),
            ("worst", high, ranges.rank_worst[k]),
        ):
            at = f"{where}, {system}: {name} rank"
            numbers.append(rounded(at, float(end), float(ours), 0))
    return numbers


def _sizes(_part: str, folder: Path) -> list[Number]:
    once, all_pairs = _judgments(folder, "collapsed"), _judgments(folder)
    return [
        rounded("Table 1, rankings", 2319, once.campaign.n_tasks, 0),
        rounded("Table 1, pairs, identical outputs once", 20516, len(once), 0),
        rounded("Table 1, ties, identical outputs once", 5694, once.n_ties, 0),
        rounded("Table 1, pairs", 109098, len(all_pairs), 0),
        rounded("Table 1, ties", 59117, all_pairs.n_ties, 0),
    ]


_EXACT = (
    "A score: half a unit of the last published digit, for TrueSkill also two samples of 1,000 "
    "runs. An end of a range: none."
)

REPLICATIONS = (
    Replication(
        "gec15-sizes", SOURCE, "Table 1", "rankings, pairs and ties",
        "Counted in the public judgments.", "None: these are counts.",
        "judgments", _sizes, needs=FILE,
        differs="The public file has 13 fewer informative rankings.",
        command=f"podium summary {FILE}",
    ),
    Replication(
        "gec15-expected-wins", SOURCE, "Table 3b", "Expected Wins and rank ranges",
        "Expected Wins of the public judgments; ranges from 1,000 resamples of single judgments.",
        _EXACT, "judgments", _expected_wins, needs=FILE,
        differs="The two systems swap a rank in the resamples: their scores are nearly equal.",
        command=f"podium rank {FILE} --method expected-wins --unit judgment",
    ),
    Replication(
        "gec15-trueskill", SOURCE, "Table 3c", "TrueSkill and rank ranges",
        "TrueSkill runs 1,000 times on the public judgments, each with its own active selection.",
        _EXACT, "judgments", _trueskill, needs=FILE, slow=True,
        command=f"podium rank {FILE} --unit none",
    ),
)  # fmt: skip
