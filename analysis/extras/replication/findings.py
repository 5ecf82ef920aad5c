"""What came of computing published numbers again, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from analysis.extras.replication.replication import BASES, REPLICATED, Basis, Replication
from analysis.extras.replication.running import Outcome
from analysis.wording import count, percent, thousands


def replication_finding(outcomes: Sequence[Outcome]) -> str:
    """Say how many numbers were replicated: from judgments, and by the paper's own method."""
    said = "; ".join(filter(None, (_matches(outcomes, basis) for basis in REPLICATED)))
    checks = "; ".join(filter(None, (_matches(outcomes, basis) for basis in BASES)))
    if said or not checks:
        return said or "No published number was recomputed."
    return f"{checks}. This checks a table or a sample, and replicates nothing."


def _matches(outcomes: Sequence[Outcome], basis: Basis) -> str:
    """Say how many of a class's numbers match, and how many a guess would.

    "90% of 645 published numbers reproduced from independent judgments (31% by guessing)"
    """
    of_basis = [outcome for outcome in outcomes if outcome.replication.basis == basis]
    n = sum(len(outcome.numbers) for outcome in of_basis)
    same, null = (sum(getattr(o, part) for o in of_basis) for part in ("same", "null_same"))
    if not n:
        return ""
    how = "reproduced from" if basis in REPLICATED else "agree with"
    words = f"{percent(same / n)} of {count(n, 'published number')} {how} {BASES[basis]}"
    return f"{words} ({percent(null / n)} by guessing)"


def classes_frame(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return one row per class and paper: what was replicated, from what, and how much matches."""
    order = [*BASES]
    rows = [
        (order.index(o.replication.basis), o.replication.source, o.replication.what, o)
        for o in outcomes
    ]
    frame = pd.DataFrame(
        [
            (BASES[order[k]], source, what, len(o.numbers), o.same, o.null_same)
            for k, source, what, o in sorted(rows, key=lambda row: row[:3])
        ],
        columns=["from", "paper", "what", "numbers", "match", "null"],
    )
    by = frame.groupby(["from", "paper"], sort=False, as_index=False)
    return by.agg({"what": "; ".join, "numbers": "sum", "match": "sum", "null": "sum"})


def closeness_finding(outcomes: Sequence[Outcome]) -> str:
    """Say how many of all numbers, of whatever class, are the printed ones to the last digit."""
    numbers = [number for outcome in outcomes for number in outcome.numbers]
    exact = sum(number.closeness == "same" for number in numbers)
    return f"{thousands(exact)} of all {thousands(len(numbers))} numbers agree to the last digit"


def replication_notes(outcomes: Sequence[Outcome]) -> list[str]:
    """Say what the other classes prove, what the null predictor is, and what is missing."""
    others = [basis for basis in BASES if basis not in REPLICATED]
    said = [part for part in (_matches(outcomes, basis) for basis in others) if part]
    notes = []
    if said:
        notes.append(
            f"Not replicated, but checks of tables and samples: {'; '.join(said)}. A campaign "
            "that is fitted to a number tests the fit, not the number."
        )
    if any(outcome.numbers for outcome in outcomes):
        notes.append(
            "The guess knows the published values but no method: a number is the median "
            "of the others of its kind, a rank the system's place in its table, a mark the most "
            "common one. The more of a class it matches, the less a match means."
        )
    for outcome in outcomes:
        if outcome.missing:
            notes.append(f"{outcome.replication.title}: {outcome.missing}")
    return notes


def replication_explained(replication: Replication) -> list[str]:
    """Say how one table's numbers are made, and when two count as the same."""
    words = [f"How: {replication.how}", f"Tolerance: {replication.tolerance}"]
    if replication.differs:
        words.append(f"Reason for differences: {replication.differs}")
    return words
