"""From outcomes of simulations to a table: shares with standard errors, and a verdict for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tests.tools.audit.measures import CLAIMS, Claim, Outcome
from tests.tools.audit.rows import Row

FEWEST = 30
"""Simulations that have something to say on a claim, under which it gets no verdict."""

VERDICTS = ("holds", "misses", "too few")


@dataclass(frozen=True)
class Line:
    """One claim in one world: what was promised, what was measured."""

    what: str
    world: str
    claim: str
    nominal: float
    promise: str
    measured: float
    error: float
    simulations: int
    verdict: str

    @property
    def row(self) -> str:
        """The name of the row that it sums up."""
        return f"{self.what}: {self.world}"


def lines_of(row: Row, simulations: Sequence[dict[str, Outcome]]) -> list[Line]:
    """Sum up a row: one line for every claim that has something to say."""
    lines = []
    for name, claim in CLAIMS.items():
        outcomes = [s[name] for s in simulations if name in s and s[name][1]]
        if outcomes and name not in row.left_out:
            lines.append(_line(row, name, claim, outcomes))
    return lines


def _line(row: Row, name: str, claim: Claim, outcomes: Sequence[Outcome]) -> Line:
    share, error = share_with_error([o[:2] for o in outcomes])
    nominal, low, high = claim.nominal, claim.low, claim.high
    if nominal is None:
        nominal = sum(o[2] for o in outcomes if len(o) == 3) / sum(o[1] for o in outcomes)
        low, high = max(nominal + low, 0.0), min(nominal + high, 1.0)
    if len(outcomes) < FEWEST:
        verdict = "too few"
    else:
        verdict = "holds" if low - 2 * error <= share <= high + 2 * error else "misses"
    promise = _promise(claim, low, high)
    return Line(row.what, row.world, name, nominal, promise, share, error, len(outcomes), verdict)


def share_with_error(outcomes: Sequence[tuple[float, ...]]) -> tuple[float, float]:
    """Return Σa/Σn with its standard error; simulations are the independent facts.

    Where all came out alike, the error is that of one more success and one more failure.

    >>> share_with_error([(1, 1)] * 98)[0]
    1.0
    >>> round(share_with_error([(1, 1), (0, 1)] * 50)[1], 3)
    0.05
    """
    a, n = np.array(outcomes, dtype=np.float64).T
    m, share = len(a), float(a.sum() / n.sum())
    scatter = float(((a - share * n) ** 2).sum()) * m / max(m - 1, 1)
    if scatter > 1e-12:
        return share, float(np.sqrt(scatter) / n.sum())
    shrunk = (share * m + 1) / (m + 2)
    return share, float(np.sqrt(shrunk * (1 - shrunk) / m))


def _promise(claim: Claim, low: float, high: float) -> str:
    if claim.low == 0:
        return f"at most {high:.2f}"
    if claim.high == 1:
        return f"at least {low:.2f}"
    return f"{low:.2f} to {high:.2f}"
