"""Bojar et al. 2015, *Findings of the 2015 Workshop on Statistical Machine Translation*.

Its judgments, official rankings and kappas are public (mjpost/wmt15). The rankings of three pairs
were made from an earlier extraction of the judgments than the one that is public.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from analysis import published
from analysis.campaign import Campaign
from analysis.extras.validation.replication.number import Number, between, rounded, rows_of
from analysis.extras.validation.replication.replication import NotRecomputed, Replication
from analysis.formats import read_path
from analysis.judges.agreement import agreement, judged_once
from analysis.judges.kappa import Kappa
from analysis.languages import pair_key
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.certainty import replicate
from analysis.ranking.clusters import clusters_from_ends
from analysis.ranking.rank_ranges import left_out_at_each_end

SOURCE = "Bojar et al. 2015"
FILE = "wmt15/wmt15.xml.gz"
RUNS = 1000
EARLIER = ("ces-eng", "eng-deu", "rus-eng")
EARLIER_EXTRACTION = (
    "The official ranking of this pair comes from an earlier extraction of the judgments than "
    "the public one."
)


def _clusters(pair: str, _: Path) -> list[Number]:
    table = published.wmt15_rankings(pair)
    ends = (table["rank_low"].to_numpy(), table["rank_high"].to_numpy())
    clusters = clusters_from_ends(*ends, table["mu"].to_numpy())
    return [
        rounded(f"{pair}, cluster of {_short(row.system)}", row.cluster, cluster, 0)
        for row, cluster in zip(rows_of(table), clusters, strict=True)
    ]


def _short(system: str) -> str:
    return system.removeprefix("newstest2015.").removesuffix(".txt")


def _kappas(_part: str, _: Path) -> list[Number]:
    numbers = []
    for row in rows_of(published.wmt15_kappas()):
        made = Kappa(row.agree, row.comparable, row.ties, row.total)
        where = f"{row.language_pair.replace('-', '–')}, {row.kind}, {row.variant}"
        for name, printed, ours in (
            ("observed agreement", row.pA, made.p_agree),
            ("agreement by chance", row.pE, made.p_chance),
            ("kappa", row.kappa, made.kappa),
        ):
            numbers.append(rounded(f"{where}: {name}", printed, ours, 3))
    return numbers


def _campaign(folder: Path) -> Campaign:
    return read_path(folder / FILE)[0]


def _counts(_part: str, folder: Path) -> list[Number]:
    campaign, numbers = _campaign(folder), []
    for row in rows_of(published.wmt15_kappas()):
        pair = next(p for p in campaign.pairs if pair_key(p) == pair_key(row.language_pair))
        found = agreement(judged_once(campaign, pair, identical=row.variant), runs=0).published
        made = found.inter if row.kind == "inter" else found.intra
        where = f"{row.language_pair.replace('-', '–')}, {row.kind}, {row.variant}"
        for name in ("agree", "comparable", "ties", "total"):
            printed, ours = getattr(row, name), getattr(made, name)
            numbers.append(rounded(f"{where}: labels, {name}", printed, ours, 0))
    return numbers


def _rankings(pair: str, folder: Path) -> list[Number]:
    judgments = _campaign(folder).judgments(pair)
    runs = replicate(TrueSkill().fit(judgments), runs=RUNS, unit="none", seed=1).scores
    of = {system: k for k, system in enumerate(judgments.systems)}
    error = 1.96 * np.sqrt(2 / RUNS) * runs.std(axis=0)
    ranks = np.sort(1 + (runs[:, None, :] > runs[:, :, None]).sum(axis=2), axis=0)
    out = left_out_at_each_end(RUNS, 0.95)
    reach = round(1.96 * np.sqrt(2 * out))
    reason = EARLIER_EXTRACTION if pair in EARLIER else ""
    numbers = []
    for row in rows_of(published.wmt15_rankings(pair)):
        k, where = of[row.system], f"{pair}, {_short(row.system)}"
        mean = runs[:, k].mean()
        numbers.append(rounded(f"{where}: score", row.mu, mean, 3, error[k], reason))
        for name, printed, middle in (
            ("best rank", row.rank_low, out),
            ("worst rank", row.rank_high, RUNS - 1 - out),
        ):
            low, high = ranks[max(middle - reach, 0), k], ranks[min(middle + reach, RUNS - 1), k]
            ours = ranks[middle, k]
            numbers.append(between(f"{where}: {name}", printed, ours, low, high, 0, reason))
    return numbers


REPLICATIONS = (
    Replication(
        "wmt15-clusters", SOURCE, "official rankings, clusters", "the cluster of each system",
        "From the published rank ranges by Koehn's rule (2012, equation 6): a cluster ends where "
        "no range reaches across.",
        "None: the rule has no rounding.",
        "print", _clusters, published.wmt15_pairs(),
    ),
    Replication(
        "wmt15-kappas", SOURCE, "table of kappas", "agreement, chance and kappa",
        "From the published counts of equal labels, comparable labels, ties and all labels.",
        "Half a unit of the last published digit.",
        "print", _kappas,
    ),
    Replication(
        "wmt15-kappa-counts", SOURCE, "table of kappas, counts", "the counts behind the kappas",
        "Counted in the public judgments by the published definition: items in displayed order, "
        "by any judges.",
        "None: these are counts.",
        "judgments", _counts, needs=FILE,
        command=f"podium agreement {FILE}",
    ),
    Replication(
        "wmt15-rankings", SOURCE, "official rankings", "score and rank range of each system",
        "TrueSkill runs 1,000 times on the public judgments, each run with its own active "
        "selection; 25 runs are left out at each end.",
        "Two samples of 1,000 runs: 1.96 standard errors of the difference of two means; for an "
        "end of a range, the ranks from the 11th to the 39th of 1,000 runs instead of the 25th.",
        "judgments", _rankings, published.wmt15_pairs(), needs=FILE, slow=True,
        command=f"podium rank {FILE} --lang-pair eng-fin --unit none",
        differs=(
            "The published means differ from ours almost three times as widely as two samples of "
            "1,000 runs would, though never by more than 0.010: they must come from fewer runs, "
            "or from judgments that are not quite the public ones."
        ),
    ),
)  # fmt: skip

NOT_RECOMPUTED: tuple[NotRecomputed, ...] = ()
