"""Bojar et al. 2014, *Findings of the 2014 Workshop on Statistical Machine Translation*.

The campaign's single judgments were not published. Many of its numbers follow from others that it
printed; the rest is compared with the sample campaigns, which are drawn from the printed figures.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np

from analysis import published
from analysis.campaign import FloatArray, Judgments
from analysis.extras.validation.prediction.cross_validation import cross_validate
from analysis.extras.validation.prediction.paired import oracle_accuracy
from analysis.extras.validation.prediction.predict import model_named
from analysis.extras.validation.prediction.splits import k_fold
from analysis.extras.validation.replication.number import Number, between, rounded, rows_of, word
from analysis.extras.validation.replication.replication import NotRecomputed, Replication
from analysis.judges.agreement import agreement, judged_once
from analysis.languages import language_pair
from analysis.rankers import ranker_class
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.certainty import replicate
from analysis.ranking.clusters import clusters_from_radius
from analysis.ranking.rank_ranges import rank_ranges
from analysis.ranking.significance import MARKS, sign_test, significance_marks
from analysis.samples import published_tie_share, sample_campaign

SOURCE = "Bojar et al. 2014"
PAIRS = published.wmt14_pairs()
SIDES: tuple[tuple[str, Literal[1, 2]], ...] = (("one-sided", 1), ("two-sided", 2))
TOTAL_OF_WMT12 = "The published judgments over the published systems give 990.0, not 999.6."
MISPRINT = "Published as 0.00, which its opposite cell contradicts: a misprint."


def _judgments(pair: str) -> Judgments:
    return sample_campaign(pair).judgments()


def _wins(pair: str) -> tuple[published.HeadToHead, FloatArray]:
    """Return the printed table, and the wins of the drawn campaign in its order of systems."""
    table, judgments = published.wmt14_head_to_head(pair), _judgments(pair)
    codes = [judgments.systems.index(system) for system in table.systems]
    return table, judgments.counts.wins[np.ix_(codes, codes)]


def _head_to_head(pair: str, _: Path) -> list[Number]:
    table, wins = _wins(pair)
    place = {system: k for k, system in enumerate(table.systems)}
    numbers = []
    for row in rows_of(published.wmt14_printed_cells(pair)):
        winner, beaten = place[row.winner], place[row.beaten]
        decided = wins[winner, beaten] + wins[beaten, winner]
        ours = wins[winner, beaten] / decided
        reason = MISPRINT if (winner, beaten) in table.misprints else ""
        where = f"Table {table.table}, {row.winner} over {row.beaten}"
        numbers.append(rounded(where, row.share, ours, 2, 0.005, reason))
    return numbers


def _marks(sides: Literal[1, 2], pair: str, _: Path) -> list[Number]:
    table = published.wmt14_head_to_head(pair)
    place = {system: k for k, system in enumerate(table.systems)}
    k = len(table.systems)
    n = published.wmt14_n_judgments(pair) * (1 - published_tie_share(pair)) / (k * (k - 1) / 2)
    numbers = []
    for row in rows_of(published.wmt14_printed_cells(pair)):
        lead = abs(table.beats[place[row.winner], place[row.beaten]] - 0.5)
        least = _mark(max(lead - 0.005, 0.0), n - 2 * np.sqrt(n), sides)
        most = _mark(min(lead + 0.005, 0.5), n + 2 * np.sqrt(n), sides)
        ours, ranks = _mark(lead, n, sides), ["", *reversed(MARKS)]
        possible = ranks[ranks.index(least) : ranks.index(most) + 1]
        printed = row.mark
        if row.one_dagger and printed == "†":
            same, printed = bool({"†", "‡"} & set(possible)), "† or ‡"
            ours = "† or ‡" if ours in {"†", "‡"} else ours
        else:
            same = printed in possible
        reason = MISPRINT if (place[row.winner], place[row.beaten]) in table.misprints else ""
        where = f"Table {table.table}, mark of {row.winner} over {row.beaten}, {sides}-sided"
        numbers.append(word(where, printed or "none", ours or "none", same=same, reason=reason))
    return numbers


def _mark(lead: float, n: float, sides: Literal[1, 2]) -> str:
    """Return the mark of a share of .5 + lead among n decided judgments."""
    return str(significance_marks(sign_test((0.5 + lead) * n, (0.5 - lead) * n, sides)))


def _scores(pair: str, _: Path) -> list[Number]:
    table = published.wmt14_head_to_head(pair)
    mean = dict(zip(table.systems, np.nanmean(table.beats, axis=1), strict=True))
    return [
        between(
            f"Table {table.table}, score of {row.system}",
            row.score,
            mean[row.system],
            mean[row.system] - 0.01,
            mean[row.system] + 0.01,
            2,
        )
        for row in rows_of(published.wmt14_scores(pair))
    ]


def _rank_ranges(pair: str, _: Path) -> list[Number]:
    ranker, judgments = TrueSkill(selection="shuffled"), _judgments(pair)
    level = 0.90 if pair == "English-German" else 0.95
    runs = replicate(ranker.fit(judgments), runs=1000, unit="judgment", seed=0)
    ranges = rank_ranges(runs, level)
    ends = {
        s: (int(a), int(b))
        for s, a, b in zip(ranges.systems, ranges.rank_best, ranges.rank_worst, strict=True)
    }
    table, numbers = published.wmt14_head_to_head(pair).table, []
    for row in rows_of(published.wmt14_scores(pair)):
        low, high = ends[row.system]
        for name, printed, ours in (("best", row.rank_low, low), ("worst", row.rank_high, high)):
            where = f"Table {table}, {name} rank of {row.system}"
            numbers.append(between(where, printed, ours, ours, ours, 0))
    return numbers


def _orders(_part: str, _: Path) -> list[Number]:
    judgments, table = _judgments("en-de"), published.wmt14_orders_en_de()
    numbers = []
    for column in ("expected_wins", "hopkins_may", "trueskill"):
        ranker = ranker_class(column.replace("_", "-"))()
        standings = ranker.fit(judgments).standings
        order = [standings.systems[k] for k in np.argsort(-standings.scores, kind="stable")]
        for printed, system in enumerate(table[column], start=1):
            ours = order.index(system) + 1
            where = f"Table 9, {ranker.title}, place of {system}"
            numbers.append(between(where, printed, ours, ours, ours, 0))
    return numbers


def _kappas(pair: str, _: Path) -> list[Number]:
    printed = dict(published.kappas(pair).loc["wmt14"])
    found = agreement(judged_once(sample_campaign(pair)), runs=0).strict
    return [
        rounded(
            f"Table {table}, {language_pair(pair)}, {kind}",
            float(printed[kind]),
            kappa.kappa,
            3,
            0.01,
        )
        for table, kind, kappa in ((4, "inter", found.inter), (5, "intra", found.intra))
    ]


def _averages(_part: str, _: Path) -> list[Number]:
    return [
        between(
            f"Table 3, {row.language_pair.replace('-', '–')}, judgments per system",
            row.average,
            row.rankings / row.systems,
            row.rankings / row.systems - 0.1,
            row.rankings / row.systems + 0.05,
            1,
            TOTAL_OF_WMT12 if row.language_pair == "WMT12" else "",
        )
        for row in rows_of(published.wmt14_data_sizes())
    ]


def _accuracies(pair: str, _: Path) -> list[Number]:
    printed = published.wmt14_accuracy(pair)
    split = k_fold(_judgments(pair), 100, np.random.default_rng(0), "judgment")
    where = f"Table 7, {language_pair(pair)}"
    numbers = []
    for column, method in (("EW", "expected-wins"), ("HM", "hopkins-may"), ("TS", "trueskill")):
        model = model_named(method)
        ours = cross_validate(split, model, seed=0).accuracy
        numbers.append(rounded(f"{where}, {model.title}", printed[column], ours, 3, 0.005))
    ours = oracle_accuracy(split)
    return [*numbers, rounded(f"{where}, oracle", printed["oracle"], ours, 3, 0.005)]


PARTIAL_ORDER = {
    "B": (0.60, 1), "D": (0.44, 2), "E": (0.39, 2), "A": (0.25, 2), "F": (-0.09, 3),
    "C": (-0.22, 3),
}  # fmt: skip
"""Table 6: a system's score, and the rank of its cluster where gaps up to .15 count for nothing."""


def _partial_order(_part: str, _: Path) -> list[Number]:
    scores = np.array([score for score, _ in PARTIAL_ORDER.values()])
    clusters = clusters_from_radius(scores, 0.15)
    return [
        rounded(f"Table 6, rank of {system}", rank, int(cluster), 0)
        for (system, (_, rank)), cluster in zip(PARTIAL_ORDER.items(), clusters, strict=True)
    ]


CONFUSION = np.array([[4172, 1482, 193], [1819, 1333, 214], [198, 133, 69]], dtype=float)
"""Words by predicted (row) and true label: good, fluency, accuracy (section 4.3)."""


def _word_labels(_part: str, _: Path) -> list[Number]:
    said, true = CONFUSION.sum(axis=1), CONFUSION.sum(axis=0)
    f1 = 2 * CONFUSION.diagonal() / (said + true)
    ours = {
        "F1 of good words": (0.6932, f1[0]),
        "F1 of fluency": (0.4222, f1[1]),
        "F1 of accuracy": (0.1575, f1[2]),
        "F1 of all classes": (0.5836, np.average(f1, weights=true)),
        "F1 of errors": (0.3854, np.average(f1[1:], weights=true[1:])),
    }
    return [
        between(f"Section 4.3, {name}", printed, value, value - 1e-4, value + 5e-5, 4)
        for name, (printed, value) in ours.items()
    ]


_DRAWN = (
    "The single judgments were not published. Podium's sample is simulated from the published "
    "shares of wins, numbers of judgments, kappas, accuracies (Table 7) and orders (Table 9)"
)

REPLICATIONS = (
    Replication(
        "wmt14-head-to-head", SOURCE, "Tables 28–37", "shares of wins, cell by cell",
        f"{_DRAWN}; the share of wins of each system against each other one in it, excluding ties.",
        "0.01, the last published digit.",
        "fitted", _head_to_head, PAIRS,
        differs=(
            "This pair's wins, its ties and the judges' agreement could not all be matched at "
            "once."
        ),
    ),
    *(Replication(
        f"wmt14-marks-{name}", SOURCE, f"Tables 28–37, marks, {name}",
        f"significance marks by a {name} test",
        f"The paper does not state the number of sides of its sign test. This is a {name} test of "
        "the published share with the average number of decided judgments per pair: judgments by "
        "Table 3, minus ties, over the number of pairs.",
        "A mark that some share within half a unit of the last digit gives, with two standard "
        "deviations more or fewer judgments, since no table has the number per pair.",
        "print", partial(_marks, sides), PAIRS,
        differs=(
            "The paper does not state the number of judgments per pair of systems; this pair "
            "must have far more or fewer than the average one, or far more ties."
        ),
    ) for name, sides in SIDES),
    Replication(
        "wmt14-scores", SOURCE, "Tables 28–37, scores", "Expected Wins of each system",
        "The mean of the system's published shares of wins, with the two misprinted cells taken "
        "from the opposite ones.",
        "0.01, the last published digit, which is cut and not rounded.",
        "print", _scores, PAIRS,
    ),
    Replication(
        "wmt14-rank-ranges", SOURCE, "Tables 28–37, ranks", "both ends of each rank range",
        f"{_DRAWN}, not from the ranges. TrueSkill runs 1,000 times on resampled judgments, and "
        "25 runs are left out at each end (50 for English–German, at 90%).",
        "None: a rank is a whole number.",
        "drawn", _rank_ranges, PAIRS, slow=True,
        differs=(
            "The simulated judgments are not the campaign's: scores of adjacent systems differ "
            "by less than their sampling error."
        ),
    ),
    Replication(
        "wmt14-orders", SOURCE, "Table 9", "English–German's systems in three methods' orders",
        f"{_DRAWN}; each method ranks it.",
        "None: a place is a whole number.",
        "fitted", _orders,
        command="podium compare sample:wmt14-en-de "
        "--methods expected-wins,hopkins-may,trueskill",
        differs=(
            "ONLINE-A has 125 of 233 wins over UEDIN-STANFORD in the sample, where half is "
            "published: this pair's wins, its ties and the judges' agreement could not all be "
            "matched at once. Five wins for the other side would give all 54 places."
        ),
    ),
    Replication(
        "wmt14-kappas", SOURCE, "Tables 4 and 5, WMT14", "inter and intra kappa",
        f"{_DRAWN}; the agreement in it, between different judges and within one.",
        ".01.",
        "fitted", _kappas, PAIRS,
        differs="Even the best round of the simulation misses this κ by as much.",
        command="podium agreement sample:wmt14-fr-en",
    ),
    Replication(
        "wmt14-averages", SOURCE, "Table 3", "judgments per system",
        "The published number of judgments over the published number of systems.",
        "One unit of the last published digit: some are rounded, some cut.",
        "print", _averages,
    ),
    Replication(
        "wmt14-accuracy", SOURCE, "Table 7", "accuracy of three methods and the oracle",
        f"{_DRAWN}, with ties per pair fitted to these accuracies. Single judgments are split "
        "into 100 folds, and each method predicts the outcomes of the fold that it has not seen.",
        "0.005, half a percent.",
        "fitted", _accuracies, PAIRS, slow=True,
        command="podium research validate sample:wmt14-fr-en --split judgment --folds 100",
    ),
    Replication(
        "wmt14-partial-order", SOURCE, "Table 6", "ranks where gaps up to 0.15 are ties",
        "From the top of the published scores, a new rank begins where the gap is more than the "
        "radius.",
        "None: the rule has no rounding.",
        "print", _partial_order,
    ),
    Replication(
        "wmt14-word-labels", SOURCE, "Section 4.3", "F1 of word labels",
        "From the table of words by predicted and true label.",
        "One unit of the last published digit: some are rounded, some cut.",
        "print", _word_labels,
        command="podium scores data/examples/scores/words-counted.csv",
    ),
)  # fmt: skip

NOT_RECOMPUTED = (
    NotRecomputed(
        SOURCE, "Tables 4 and 5, WMT11–WMT13", "kappas of earlier campaigns",
        "The judgments of those campaigns are not available, and no other published numbers "
        "imply them.",
    ),
    NotRecomputed(
        SOURCE, "Tables 10–27", "quality estimation and medical translation",
        "They need the participants' submissions. `scores` computes the same measures from files.",
    ),
)  # fmt: skip
