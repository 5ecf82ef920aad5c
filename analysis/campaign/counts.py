"""How often each system beat and tied each other, and the facts that these tables count."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from analysis.campaign.ragged import FloatArray, IntArray

WIN, TIE, LOSS = 1, 0, -1
"""Outcomes of a judgment, from the left output's side."""

UNRANKED = 0
"""Rank of an output that the judge was shown and left without one (-1 in the files)."""

THIN_PAIR = 10
"""Decided judgments of two systems under which one judgment moves their share by ten points."""

FACTS_AT_ONCE = 1 << 20
"""Facts that are counted together: what keeps their codes in little memory."""


@dataclass(frozen=True)
class Observations:
    """Facts about two systems: left, right, outcome, and the row that each comes from."""

    left: IntArray
    right: IntArray
    outcome: npt.NDArray[np.int8]
    row: IntArray

    def __len__(self) -> int:
        return len(self.left)

    def take(self, some: slice) -> Observations:
        """Return facts that follow each other."""
        return Observations(self.left[some], self.right[some], self.outcome[some], self.row[some])

    def cells(self, n_systems: int) -> IntArray:
        """Return the index of each fact in a flat table of wins[K, K] followed by ties[K, K]."""
        is_lost = self.outcome == LOSS
        cells = np.where(is_lost, self.right, self.left).astype(np.int32)
        cells *= n_systems
        cells += np.where(is_lost, self.left, self.right)
        cells[self.outcome == TIE] += n_systems**2
        return cells


@dataclass(frozen=True)
class PairCounts:
    """How often each system beat (``wins[..., i, j]``: i over j) and tied each other.

    ``ties`` is symmetric. Any leading axes are replicates.
    """

    wins: FloatArray
    ties: FloatArray

    @classmethod
    def of(cls, facts: Observations, n_systems: int) -> PairCounts:
        """Count facts, by the two systems and the outcome at once."""
        n = n_systems
        table = np.zeros(3 * n * n, dtype=np.int64)
        for first in range(0, len(facts), FACTS_AT_ONCE):
            some = facts.take(slice(first, first + FACTS_AT_ONCE))
            code = some.left.astype(np.int32)
            for factor, digit in ((n, some.right), (3, some.outcome)):
                code *= factor
                code += digit
            code += 1
            table += np.bincount(code, minlength=len(table))
        lost, tied, won = np.moveaxis(table.reshape(n, n, 3), 2, 0).astype(np.float64)
        return cls(won + lost.T, tied + tied.T)

    @classmethod
    def from_cells(cls, cells: FloatArray, n_systems: int) -> PairCounts:
        """Make the tables from flat ones as `Observations.cells` indexes them."""
        tables = cells.reshape(*cells.shape[:-1], 2, n_systems, n_systems)
        wins, ties = tables[..., 0, :, :], tables[..., 1, :, :]
        return cls(np.ascontiguousarray(wins), ties + ties.swapaxes(-1, -2))

    def __getitem__(self, replicate: int) -> PairCounts:
        return PairCounts(self.wins[replicate], self.ties[replicate])

    @property
    def n_systems(self) -> int:
        return self.wins.shape[-1]

    @property
    def losses(self) -> FloatArray:
        return self.wins.swapaxes(-1, -2)

    @property
    def compared(self) -> FloatArray:
        """How often two systems met, ties included."""
        return self.wins + self.losses + self.ties

    @property
    def decided(self) -> FloatArray:
        """How often one of two systems was preferred."""
        return self.wins + self.losses

    @property
    def group(self) -> IntArray:
        """Each system's group: a chain of judgments joins systems of one group, none others."""
        return np.asarray(
            scipy.sparse.csgraph.connected_components(self.compared > 0, directed=False)[1]
        )
