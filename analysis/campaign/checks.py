"""What campaigns show judges to see how they work: degraded outputs, and outputs a second time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.campaign.ragged import FloatArray, IntArray

CHECKS = ("degraded", "repeated")
"""What a check shows: an output made worse on purpose, or one that the judge scored before."""


@dataclass(frozen=True, eq=False)
class Checks:
    """Scores of checks beside the same judge's scores of the outputs that they were made from.

    One row a check: ``pair`` and ``judge`` are codes into their names, ``kind`` into `CHECKS`.
    """

    pairs: tuple[str, ...]
    judges: tuple[str, ...]
    pair: IntArray
    judge: IntArray
    kind: IntArray
    value: FloatArray
    original: FloatArray

    def __post_init__(self) -> None:
        for column in vars(self).values():
            if isinstance(column, np.ndarray):
                column.setflags(write=False)

    def __len__(self) -> int:
        return len(self.value)
