"""Sakaguchi, Post and Van Durme 2014, *Efficient Elicitation of Annotations for MT Evaluation*."""

from __future__ import annotations

from pathlib import Path

from analysis import published
from analysis.extras.validation.replication.number import Number, between, rounded, rows_of
from analysis.extras.validation.replication.replication import NotRecomputed, Replication
from analysis.formats import read_path
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.certainty import replicate
from analysis.ranking.clusters import clusters_from_ends
from analysis.ranking.rank_ranges import rank_ranges

SOURCE = "Sakaguchi et al. 2014"
FILE = "wmt13/fr-en.train.csv.gz"


def _clusters(_part: str, _: Path) -> list[Number]:
    table = published.sakaguchi_table1()
    ends = (table["rank_low"].to_numpy(), table["rank_high"].to_numpy())
    clusters = clusters_from_ends(*ends, table["score"].to_numpy())
    return [rounded("Table 1, number of clusters", 8, clusters.max(), 0)]


def _table1(_part: str, folder: Path) -> list[Number]:
    judgments = read_path(folder / FILE)[0].judgments()
    fit = ExpectedWins().fit(judgments)
    ranges = rank_ranges(replicate(fit, runs=1000, unit="judgment", seed=0))
    printed, numbers = published.sakaguchi_table1(), []
    # Scores are far enough apart for the order to tell which system is which.
    for row, k in zip(rows_of(printed), ranges.order, strict=True):
        where, score = f"Table 1, {row.system}", float(fit.standings.scores[k])
        numbers.append(rounded(f"{where}: score", row.score, score, 3, 0.002))
        for name, end, ours in (
            ("best rank", row.rank_low, int(ranges.rank_best[k])),
            ("worst rank", row.rank_high, int(ranges.rank_worst[k])),
        ):
            numbers.append(between(f"{where}: {name}", end, ours, ours, ours, 0))
    return numbers


REPLICATIONS = (
    Replication(
        "spv14-clusters", SOURCE, "Table 1", "number of clusters",
        "From the published rank ranges by Koehn's rule (2012, equation 6).",
        "None: the rule has no rounding.",
        "print", _clusters,
    ),
    Replication(
        "wmt13-ranking", SOURCE, "Table 1, WMT13", "scores and rank ranges of French–English",
        "Expected Wins of the public sample of rankings; its ranges from 1,000 resamples of single "
        "judgments.",
        "A score: 0.002, since the public file is a sample of the campaign's rankings. An end of "
        "a range: none.",
        "judgments", _table1, needs=FILE,
        command=f"podium rank {FILE} --method expected-wins --unit judgment",
        differs=(
            "The public file is a sample of the campaign's rankings, and it may or may not "
            "separate two systems whose scores are nearly equal."
        ),
    ),
)  # fmt: skip

NOT_RECOMPUTED = (
    NotRecomputed(
        SOURCE, "Tables 2, 3 and 4", "accuracy by model and size of the training data",
        "They are means of ten language pairs of WMT13; one of the ten is public.",
    ),
)  # fmt: skip
