"""What came of computing published numbers again, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.replication.replication import BASES, Replication
from analysis.replication.running import Outcome
from analysis.wording import count, thousands


def replication_finding(outcomes: Sequence[Outcome]) -> str:
    """Say how many numbers were computed again, and how many come out as printed."""
    total = sum(len(outcome.numbers) for outcome in outcomes)
    same = sum(outcome.same for outcome in outcomes)
    if not total:
        return "No published number was computed again."
    lead = f"{count(total, 'published number')} computed again: "
    if same == total:
        return lead + "all match."
    return lead + f"{thousands(same)} match, {thousands(total - same)} do not."


def closeness_finding(outcomes: Sequence[Outcome]) -> str:
    """Say how many numbers are the printed ones to the last digit."""
    numbers = [number for outcome in outcomes for number in outcome.numbers]
    exact = sum(number.closeness == "same" for number in numbers)
    return f"{thousands(exact)} of {thousands(len(numbers))} are the same to the last digit"


def replication_notes(outcomes: Sequence[Outcome]) -> list[str]:
    """Say how strong the evidence is, and what is not among the numbers."""
    of_basis = {
        basis: sum(len(o.numbers) for o in outcomes if o.replication.basis == basis)
        for basis in BASES
    }
    parts = [f"{thousands(n)} from {BASES[basis]}" for basis, n in of_basis.items() if n]
    notes = [f"Ours were computed: {'; '.join(parts)}."]
    if of_basis["fitted"]:
        notes.append(
            "A campaign that is drawn to have a number tests the drawing, not the number: those "
            f"{thousands(of_basis['fitted'])} say that the samples are what they claim to be."
        )
    same = sum(outcome.same for outcome in outcomes)
    if same:
        notes.append(
            "A number matches where it lies within the rounding of the print and the sampling "
            "error that its table states below."
        )
    for outcome in outcomes:
        if outcome.missing:
            notes.append(f"{outcome.replication.title}: {outcome.missing}")
    return notes


def replication_explained(replication: Replication) -> list[str]:
    """Say how one table's numbers are made, and when two count as the same."""
    words = [f"How: {replication.how}", f"The same: {replication.tolerance}"]
    if replication.differs:
        words.append(f"Where they differ: {replication.differs}")
    return words
