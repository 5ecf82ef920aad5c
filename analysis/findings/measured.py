"""How often each procedure is wrong, as the audit measured it: read from its recorded table."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache

import pandas as pd

from analysis.shipped import DATA

TABLE = DATA / "audit.csv"
DEFAULT_METHOD_TABLE = DATA / "default_method.csv"

ROW = "procedure {}"
"""What the audit calls the rows of a procedure."""

OWN_ROW = "Mean score"
"""What the audit calls the rows of Podium's own rule, by the mean, on the same campaigns."""

PAIR_WON, SOME_WON, SOME_LINE = "a pair wrongly won", "some pair wrongly won", "some wrong line"
"""What the audit counts, of equal systems: wins, campaigns with a win, campaigns with a line."""


@dataclass(frozen=True)
class ErrorRate:
    """A share of simulated campaigns or pairs with its standard error."""

    world: str
    claim: str
    share: float
    error: float
    simulations: int


def error_rates(name: str) -> tuple[ErrorRate, ...]:
    """Return what was measured of a procedure; nothing where the table is not there."""
    return rates_of(ROW.format(name))


@cache
def rates_of(what: str) -> tuple[ErrorRate, ...]:
    """Return the lines of the audit that are about ``what``."""
    if not TABLE.is_file():
        return ()
    with TABLE.open(newline="", encoding="utf-8") as file:
        return tuple(
            ErrorRate(
                world=row["world"],
                claim=row["claim"],
                share=float(row["measured"]),
                error=float(row["standard_error"]),
                simulations=int(row["simulations"]),
            )
            for row in csv.DictReader(file)
            if row["row"] == what
        )


def default_method_frame() -> pd.DataFrame:
    """Return how well methods predicted unseen judgments: a row per campaign, a column per method.

    A cell has the share of outcomes named correctly and the perplexity, as in docs/statistics.md.
    """
    found = pd.read_csv(DEFAULT_METHOD_TABLE)
    accuracy, perplexity = 100 * found["accuracy"], found["perplexity"]
    found["cell"] = accuracy.map("{:.1f}%, ".format) + perplexity.map("{:.3f}".format)
    wide = found.pivot_table("cell", ["campaign", "judgments"], "method", "first", sort=False)
    return wide.reset_index()
