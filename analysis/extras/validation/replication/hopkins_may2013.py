"""Hopkins and May 2013, *Models of Translation Competitions*: its small examples.

Its experiments need the judgments of WMT10–WMT12, which are not at hand.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from analysis.campaign import PairCounts
from analysis.extras.validation.replication.number import Number, rounded
from analysis.extras.validation.replication.replication import NotRecomputed, Replication
from analysis.rankers.ratios import Bojar, OrigWMT

SOURCE = "Hopkins & May 2013"
TABLE_1 = {"bbn": 1, "uedin": 2, "jhu": 2, "cmu": 4, "kit": 5}
TABLE_2 = {
    "bbn cmu": 1, "bbn jhu": 1, "bbn kit": 1, "bbn uedin": 1, "cmu jhu": 2, "cmu kit": 1,
    "cmu uedin": 2, "jhu kit": 1, "jhu uedin": 0, "kit uedin": 2,
}  # fmt: skip


def _preferences(_part: str, _: Path) -> list[Number]:
    numbers = []
    for systems, printed in TABLE_2.items():
        first, second = systems.split()
        lead = TABLE_1[second] - TABLE_1[first]
        where = f"Table 2, {first} against {second}"
        numbers.append(rounded(where, printed, 0 if lead == 0 else 1 if lead > 0 else 2, 0))
    return numbers


def _twins(_part: str, _: Path) -> list[Number]:
    # a against b: 20 wins, 20 ties, 20 losses; then c with b's outputs, which ties with b
    wins = np.array([[0, 20, 20], [20, 0, 0], [20, 0, 0.0]])
    ties = np.array([[0, 20, 20], [20, 0, 60], [20, 60, 0.0]])
    two, three = PairCounts(wins[:2, :2], ties[:2, :2]), PairCounts(wins, ties)
    before, after = (OrigWMT().scores_from_counts(counts) for counts in (two, three))
    bojar = Bojar().scores_from_counts(three)
    return [
        rounded("Section 2, ORIGWMT of A, two systems", 2 / 3, before[0], 6),
        rounded("Section 2, ORIGWMT of B, two systems", 2 / 3, before[1], 6),
        rounded("Section 2, ORIGWMT of A, B entered twice", 2 / 3, after[0], 6),
        rounded("Section 2, ORIGWMT of B, B entered twice", 5 / 6, after[1], 6),
        rounded("Section 2, BOJAR of A, B entered twice", 1 / 2, bojar[0], 6),
    ]


REPLICATIONS = (
    Replication(
        "hm13-preferences", SOURCE, "Table 2", "ten pairs of one ranking",
        "From the ranks of Table 1: 1 if the first is preferred, 2 if the second, 0 if neither.",
        "None.", "print", _preferences,
        command="podium rank data/examples/hm13-il-ne-va-pas.csv "
        "--method expected-wins",
    ),
    Replication(
        "hm13-twins", SOURCE, "Section 2", "scores before and after a system enters twice",
        "A and B win, tie and lose a third each; C is a copy of B and ties with it.",
        "None.", "print", _twins,
    ),
)  # fmt: skip

NOT_RECOMPUTED = (
    NotRecomputed(
        SOURCE, "Table 3, Figures 2–6", "sizes of the data; perplexity and accuracy",
        "The judgments of WMT10–WMT12 are not available, and the figures show no numbers.",
    ),
)  # fmt: skip
