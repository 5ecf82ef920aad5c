"""How often each procedure is wrong, as the audit measured it: read from its recorded table."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache

import pandas as pd

from analysis.shipped import DATA
from analysis.wording import fixed

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
    found["cell"] = [
        f"{fixed(100 * row.accuracy, 1)}%, {fixed(row.perplexity, 3)}" for row in found.itertuples()
    ]
    wide = found.pivot_table("cell", ["campaign", "judgments"], "method", "first", sort=False)
    return wide.reset_index()
