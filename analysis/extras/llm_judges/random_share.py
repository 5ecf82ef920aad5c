"""Whether the items that people judged look like a random share of those the machine judged.

What the machine says of the items that people judged stands in for what it says of all. That holds
where the former were drawn at random. Each segment either has votes of people or has none; were
they drawn at random, any other choice of as many segments would be as likely. With n_c rows of the
machine in cell c (two systems and the outcome), a_c of them on segments with votes of people, and
f = Σ a_c / Σ n_c,

    T = Σ_c (a_c - f n_c)² / n_c,

and p is the share of random choices of segments whose T is as large (this one counted among them).
A large p proves nothing: people may have chosen what they judged in ways that no machine sees.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from analysis.campaign import FloatArray, IntArray
from analysis.errors import PodiumError, control
from analysis.extras.llm_judges.beside import Beside

CHOICES = 999
"""Random choices of segments, this one not counted."""

REFUSED_AT = 0.005
"""p at or below which the items are no random share."""


@dataclass(frozen=True)
class ShareCheck:
    """How likely a random share would look as special as this one."""

    p: float
    n_judged: int
    n_segments: int

    @property
    def is_random(self) -> bool:
        return self.p > REFUSED_AT


def require_random_share(found: Beside, stated: bool, seed: int = 0) -> ShareCheck:
    """Refuse prediction-powered standings where the items of people are no random share.

    ``stated``: the user says that they were drawn at random, which no file can tell.
    """
    where = f"Ranking with the LLM judge {found.judge}"
    if found.n_shared == found.n_items:
        raise PodiumError(
            where,
            "humans judged every item that the LLM judged, so its votes add nothing",
            "To see how well fewer human votes would do, choose "
            f"{control(f'--labels {max(2, found.n_items // 20)}', 'a number of random votes')}.",
        )
    check = check_share(found, seed)
    if not check.is_random:
        raise PodiumError(
            where,
            f"the human-judged items are not a random sample of the LLM's: of {CHOICES} random "
            f"choices, only {round(check.p * (CHOICES + 1)) - 1} differ as much from the rest in "
            "systems and in the LLM's votes",
            "Choose the items for humans at random from those that the LLM judged.",
        )
    if not stated:
        raise PodiumError(
            where,
            "the LLM's errors cancel only if the human-judged items are a random sample of its "
            "own, and no file states that",
            f"If it is true, {control('add --random-share', 'switch on “Random sample”')}.",
        )
    return check


def check_share(found: Beside, seed: int = 0) -> ShareCheck:
    """Hold the segments that people judged against random choices of as many."""
    machine = found.machine
    segments, code = np.unique(found.machine_segment, return_inverse=True)
    judged = np.zeros(len(segments), dtype=bool)
    judged[code[found.seen_by_people]] = True
    k = machine.n_systems
    cells, cell = np.unique(machine.observations.cells(k), return_inverse=True)
    rows = sparse.csr_array((np.ones(len(cell)), (code, cell)), shape=(len(segments), len(cells)))
    of_cell: FloatArray = np.asarray(rows.sum(axis=0)).ravel()
    rng = np.random.default_rng([seed, 41])
    n_judged = int(judged.sum())
    seen = _distance(rows, of_cell, np.flatnonzero(judged))
    # As far from a fair share as the segments chosen are those not chosen: the fewer are drawn.
    few = min(n_judged, len(segments) - n_judged)
    larger = sum(
        _distance(rows, of_cell, rng.choice(len(segments), few, replace=False, shuffle=False))
        >= seen * (1 - 1e-9)
        for _ in range(CHOICES)
    )
    return ShareCheck((1 + int(larger)) / (1 + CHOICES), n_judged, len(segments))


def _distance(rows: sparse.csr_array, of_cell: FloatArray, chosen: IntArray) -> float:
    inside = np.asarray(rows[chosen].sum(axis=0)).ravel()
    expected = of_cell * (inside.sum() / of_cell.sum())
    return float(((inside - expected) ** 2 / of_cell).sum())
