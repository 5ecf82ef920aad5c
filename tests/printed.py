"""Figures that papers printed and that only tests and the benchmark are compared with."""

from __future__ import annotations

import pandas as pd

from analysis.published import FOLDER


def koehn_table1() -> pd.DataFrame:
    """Return Koehn 2012, Table 1: rank ranges and clusters by judgments.

    Columns ``pw_*`` are the pairwise method's, ``bs_*`` the bootstrap's: mean size of the rank
    range, violations in percent of systems, number of clusters, violations by cluster in percent.
    """
    return _read("koehn2012_table1")


def koehn_rankings(table: int) -> pd.DataFrame:
    """Return Koehn 2012, Table 2 or 3: rank, rank range, score and system."""
    rows = _read("koehn2012_table2_3")
    return rows[rows["table"] == table].drop(columns="table").reset_index(drop=True)


def sakaguchi_table1() -> pd.DataFrame:
    """Return WMT13's official French–English ranking: rank_low, rank_high, score, system."""
    table = _read("sakaguchi2014_table1_wmt13_fr-en")
    ends = table["rank_range"].astype(str).str.split("-")
    return pd.DataFrame(
        {
            "rank_low": ends.str[0].astype(int),
            "rank_high": ends.str[-1].astype(int),
            "score": table["score"],
            "system": table["system"],
        }
    )


def _read(name: str) -> pd.DataFrame:
    return pd.read_csv(FOLDER / f"{name}.csv")
