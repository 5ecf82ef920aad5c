"""Citations among four statistics journals (Stigler 1994), ranked by Bradley and Terry's model.

The abilities stand in the vignette of the R package BradleyTerry2 (Turner and Firth 2012).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from analysis.campaign import PairCounts
from analysis.extras.validation.replication.number import Number, rounded
from analysis.extras.validation.replication.replication import Replication
from analysis.rankers.bradley_terry import BradleyTerry

JOURNALS = ("Biometrika", "Communications in Statistics", "JASA", "JRSS B")
CITED = np.array([[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]])
"""How often each journal (row) was cited by each other one."""
PRINTED = {1: -2.94907, 2: -0.47957, 3: 0.26895}


def _abilities(_part: str, _: Path) -> list[Number]:
    counts = PairCounts(CITED.astype(float), np.zeros(CITED.shape))
    scores = BradleyTerry(ties="half", prior=10.0).scores_from_counts(counts)
    return [
        rounded(f"Ability of {JOURNALS[k]}", printed, scores[k] - scores[0], 5, 0.001)
        for k, printed in PRINTED.items()
    ]


REPLICATIONS = (
    Replication(
        "journals", "Turner & Firth 2012", "Section 2", "abilities of journals, in log-odds",
        "Bradley–Terry on the published table of citations, relative to Biometrika.",
        "0.001: our abilities have a prior (at its widest setting), theirs have none.",
        "print", _abilities,
    ),
)  # fmt: skip
