"""What came of computing published numbers again, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from analysis.extras.validation.replication.replication import BASES, REPLICATED, Basis, Replication
from analysis.extras.validation.replication.running import Outcome
from analysis.wording import count, percent


def replication_finding(outcomes: Sequence[Outcome]) -> str:
    """Say how many numbers match, by the strongest evidence that there is."""
    said = next(filter(None, (_matches(outcomes, basis) for basis in BASES)), "")
    if said and not any(o.numbers for o in outcomes if o.replication.basis in REPLICATED):
        return f"{said}. This checks a table or a sample, and replicates nothing."
    return said or "No published number was recomputed."


def _matches(outcomes: Sequence[Outcome], basis: Basis) -> str:
    """Say how many of a class's numbers match, and how many a guess would.

    "90% of 645 published numbers are reproduced from independent judgments (31% by guessing)"
    """
    of_basis = [outcome for outcome in outcomes if outcome.replication.basis == basis]
    n = sum(len(outcome.numbers) for outcome in of_basis)
    same, null = (sum(getattr(o, part) for o in of_basis) for part in ("same", "null_same"))
    if not n:
        return ""
    how = ("is" if n == 1 else "are") + " reproduced from"
    if basis not in REPLICATED:
        how = "agrees with" if n == 1 else "agree with"
    words = f"{percent(same / n)} of {count(n, 'published number')} {how} {BASES[basis]}"
    return f"{words} ({percent(null / n)} by guessing)"


def classes_frame(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return one row per class: what ours are computed from, of which papers, what matches."""
    rows = []
    for basis, words in BASES.items():
        of_basis = [outcome for outcome in outcomes if outcome.replication.basis == basis]
        papers = "; ".join(dict.fromkeys(o.replication.source for o in of_basis))
        numbers = sum(len(outcome.numbers) for outcome in of_basis)
        same, null = (sum(getattr(o, part) for o in of_basis) for part in ("same", "null_same"))
        rows += [(words, papers, numbers, same, null)] if of_basis else []
    return pd.DataFrame(rows, columns=["from", "paper", "numbers", "match", "null"])


def replication_notes(outcomes: Sequence[Outcome]) -> list[str]:
    """Say what the weaker classes prove, what the null predictor is, and what is missing."""
    notes = []
    if any(outcome.replication.basis not in REPLICATED for outcome in outcomes):
        notes.append(
            "Arithmetic on published figures checks a table; it is not a replication. A campaign "
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
