"""The figures that papers printed, as typed tables: what results are compared with.

The files lie in ``data/published``. A language pair may be given in any spelling.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign import FloatArray
from analysis.errors import PodiumError
from analysis.languages import pair_key
from analysis.shipped import DATA

FOLDER = DATA / "published"

WMT14 = "Bojar et al. 2014, Findings of the 2014 Workshop on Statistical Machine Translation"
WMT15 = "Bojar et al. 2015, Findings of the 2015 Workshop on Statistical Machine Translation"

MISPRINTS = {
    ("Hindi-English", "ONLINE-B", "IIIT-HYDERABAD"): 0.06,
    ("English-Russian", "PROMT-RULE", "RBMT1"): 0.09,
}
"""Cells (pair, row, column) of WMT14's tables printed .00, and what the opposite cell implies."""

KOEHN_FIGURE3 = {
    ("bojar", 10_000): 0.132,
    ("expected-wins", 10_000): 0.131,
    ("lopez", 10_000): 0.176,
    ("bojar", 50_000): 0.064,
    ("expected-wins", 50_000): 0.064,
}
"""Ranking errors by method and judgments that Koehn 2012, §4.4, prints beside its Figure 3.

Lopez's 17.6% is printed for 50,000 judgments once more, surely by a slip.
"""

_MARKS = {"": "", "*": "*", "+": "†", "++": "‡"}


@dataclass(frozen=True, eq=False)
class HeadToHead:
    """One of WMT14's tables 28–37, in its own order of systems.

    ``beats[i, j]`` is the share of decided judgments in which i was preferred to j (ties ignored,
    two decimals, nan where i is j), ``marks[i, j]`` its significance: ``*`` p ≤ .10, ``†`` p ≤ .05,
    ``‡`` p ≤ .01. ``misprints`` are the cells (i, j) that were printed .00 and are mended here.
    """

    pair: str
    table: int
    systems: tuple[str, ...]
    beats: FloatArray
    marks: npt.NDArray[np.str_]
    misprints: tuple[tuple[int, int], ...]


def wmt14_pairs() -> tuple[str, ...]:
    """Return the ten language pairs of WMT14 as its tables spell them, in their order."""
    return tuple(_table("wmt14_head_to_head")["language_pair"].unique())


def wmt14_pair(pair: str) -> str:
    """Return WMT14's own spelling of a language pair.

    >>> wmt14_pair("deu-eng")
    'German-English'
    """
    return _spelling(pair, wmt14_pairs(), "WMT14")


@cache
def wmt14_head_to_head(pair: str) -> HeadToHead:
    """Return how often each system of a pair beat each other one (WMT14, appendix A)."""
    name = wmt14_pair(pair)
    rows = _of_pair("wmt14_head_to_head", name)
    systems = tuple(wmt14_scores(name)["system"])
    place = {system: k for k, system in enumerate(systems)}
    beaten, winner = rows["row_system"].map(place), rows["column_system"].map(place)
    beats = np.full((len(systems), len(systems)), np.nan)
    beats[winner, beaten] = rows["percent_column_beats_row"]
    marks = np.full(beats.shape, "", dtype="<U1")
    marks[winner, beaten] = rows["significance"].fillna("").map(_MARKS)
    misprints = []
    for (misprinted_pair, row, column), share in MISPRINTS.items():
        if misprinted_pair == name:
            misprints.append((place[column], place[row]))
            beats[misprints[-1]] = share
    for array in (beats, marks):
        array.setflags(write=False)
    return HeadToHead(name, int(rows["table"].iloc[0]), systems, beats, marks, tuple(misprints))


def wmt14_printed_cells(pair: str) -> pd.DataFrame:
    """Return a pair's cells as they were printed, misprints too: beaten, winner, share, mark.

    ``one_dagger``: the source at hand shows † and ‡ alike.
    """
    rows = _of_pair("wmt14_head_to_head", wmt14_pair(pair))
    return pd.DataFrame(
        {
            "beaten": rows["row_system"],
            "winner": rows["column_system"],
            "share": rows["percent_column_beats_row"],
            "mark": rows["significance"].fillna("").map(_MARKS),
            "one_dagger": rows["dagger_kinds_merged_in_source"] == 1,
        }
    )


def wmt14_scores(pair: str) -> pd.DataFrame:
    """Return position, system, score (Expected Wins, cut after two decimals), rank_low, rank_high.

    ``column_mean`` is the mean of the head-to-head column, which tells scores of one print apart.
    Rank ranges are at 95%, English–German's at 90%.
    """
    return _of_pair("wmt14_score_rank", wmt14_pair(pair))


def wmt14_clusters(pair: str) -> pd.DataFrame:
    """Return system and cluster, derived from WMT14's rank ranges."""
    return _of_pair("wmt14_clusters_derived", wmt14_pair(pair))


def wmt14_n_judgments(pair: str) -> int:
    """Return how many pairwise judgments a pair collected (WMT14, Table 3: rankings)."""
    return int(_of_pair("wmt14_table3_data_sizes", wmt14_pair(pair))["rankings"].iloc[0])


def wmt14_data_sizes() -> pd.DataFrame:
    """Return Table 3: language_pair, systems, rankings, average (per system)."""
    return _table("wmt14_table3_data_sizes").drop(columns="recomputed_average")


def wmt14_accuracy(pair: str) -> pd.Series:
    """Return Table 7's accuracies as shares: EW, HM, TS and the oracle's."""
    rows = _table("wmt14_table7_accuracy")
    row = rows[rows["task"] == wmt14_pair(pair)].iloc[0]
    return row[["EW", "HM", "TS", "oracle"]].astype(float) / 100


def wmt14_orders_en_de() -> pd.DataFrame:
    """Return Table 9: English–German's order by Expected Wins, Hopkins & May and TrueSkill."""
    return _table("wmt14_table9_orders_en-de").copy()


def kappas(pair: str) -> pd.DataFrame:
    """Return published inter and intra κ of a pair, a row per campaign (WMT11–WMT15).

    WMT13 has three rows: all judges, researchers, and crowd workers (``wmt13_mturk``). WMT15 is
    the one with identical outputs counted once.
    """
    later = wmt15_kappas().query("variant == 'collapsed'")
    names = (*wmt14_pairs(), *later["language_pair"].unique())
    name = _spelling(pair, tuple(dict.fromkeys(names)), "WMT11 to WMT15")
    table = pd.DataFrame(columns=["inter", "intra"], dtype=float)
    if name in wmt14_pairs():
        table = pd.DataFrame(
            {
                kind: _of_pair(f"wmt14_table{number}_kappa_{kind}", name).iloc[0]
                for number, kind in ((4, "inter"), (5, "intra"))
            }
        ).drop("language_pair")
    for kind, rows in later[later["language_pair"] == name].groupby("kind"):
        table.loc["wmt15", str(kind)] = rows["kappa"].item()
    return table.astype(float).rename_axis("campaign")


def wmt15_pairs() -> tuple[str, ...]:
    """Return the ten language pairs of WMT15 as the official rankings spell them."""
    return tuple(_table("wmt15_official_rankings")["language_pair"].unique())


def wmt15_rankings(pair: str) -> pd.DataFrame:
    """Return WMT15's official table: position, system, mu, rank_low, rank_high, cluster."""
    name = _spelling(pair, wmt15_pairs(), "WMT15")
    return _of_pair("wmt15_official_rankings", name).drop(columns="year")


def wmt15_kappas() -> pd.DataFrame:
    """Return the 40 published κ of WMT15 with their counts, and the strict ones beside them."""
    return _table("wmt15_kappa").copy()


def koehn_table1() -> pd.DataFrame:
    """Return Koehn 2012, Table 1: rank ranges and clusters by judgments.

    Columns ``pw_*`` are the pairwise method's, ``bs_*`` the bootstrap's: mean size of the rank
    range, violations in percent of systems, number of clusters, violations by cluster in percent.
    """
    return _table("koehn2012_table1").copy()


def koehn_rankings(table: int) -> pd.DataFrame:
    """Return Koehn 2012, Table 2 or 3: rank, rank range, score and system."""
    rows = _table("koehn2012_table2_3")
    return rows[rows["table"] == table].drop(columns="table").reset_index(drop=True)


def koehn_table4() -> pd.DataFrame:
    """Return Koehn 2012, Table 4: judgments needed to separate a share of the system pairs.

    One row a cell: ``n`` systems, ``sd`` of an output's quality (the paper writes σ², its numbers
    need a standard deviation), ``share`` of pairs separated, ``judgments``.
    """
    wide = _table("koehn2012_table4").rename(columns={"sigma2": "sd"})
    cells = wide.melt(["n", "sd"], var_name="share", value_name="judgments")
    cells["share"] = cells["share"].str.removeprefix("j").astype(int) / 100
    return cells.sort_values(["n", "sd", "share"]).reset_index(drop=True)


def otani_table1() -> pd.DataFrame:
    """Return Otani et al. 2016, Table 1: WMT13 Spanish–English with noisy judges.

    One row a share of noise and a measure (``correlation``, ``ndcg``): the graded response model's,
    and by how much Hopkins & May and Expected Wins exceed it, as printed.
    """
    return _table("otani2016_table1").copy()


def sakaguchi_table1() -> pd.DataFrame:
    """Return WMT13's official French–English ranking: rank_low, rank_high, score, system."""
    table = _table("sakaguchi2014_table1_wmt13_fr-en")
    ends = table["rank_range"].astype(str).str.split("-")
    return pd.DataFrame(
        {
            "rank_low": ends.str[0].astype(int),
            "rank_high": ends.str[-1].astype(int),
            "score": table["score"],
            "system": table["system"],
        }
    )


def of_the_field(dataset: str) -> pd.DataFrame:
    """Return what was published of other campaigns: quantity, key, value, source."""
    table = _table("field_expected")
    return table[table["dataset"] == dataset].drop(columns="dataset").reset_index(drop=True)


@cache
def _table(name: str) -> pd.DataFrame:
    return pd.read_csv(FOLDER / f"{name}.csv")


def _of_pair(table: str, pair: str) -> pd.DataFrame:
    """Return a pair's rows; the names are one file's own."""
    rows = _table(table)
    return rows[rows["language_pair"] == pair].reset_index(drop=True)


def _spelling(pair: str, known: tuple[str, ...], campaign: str) -> str:
    for name in known:
        if pair_key(name) == pair_key(pair):
            return name
    raise PodiumError(
        "Language pair", f"{campaign} published no {pair!r}", f"It has {', '.join(known)}."
    )
