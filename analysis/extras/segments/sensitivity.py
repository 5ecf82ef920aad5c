"""Judges' sensitivity under the graded response model, in words."""

from __future__ import annotations

from analysis.rankers.graded_response import Sensitivities
from analysis.wording import fixed, listed

DRAWN = (
    "Estimates of judges and segments with few comparisons are shrunk toward the average; check "
    "the number of comparisons before drawing conclusions."
)
"""What to bear in mind with every estimate."""

SENSITIVITY = (
    "The larger the gap between two systems, the more often a judge prefers the better one. At "
    "sensitivity 0 answers are uninformative; at 3 even small gaps decide. It is the a of the "
    "graded response model (Otani et al. 2016)."
)

MOST_NAMED = 12


def sensitivity_title(found: Sensitivities) -> str:
    """Say how far they reach: "Judges' sensitivity ranges from 0.06 to 9.89"."""
    if len(found.judges) == 1:
        return f"The only judge has a sensitivity of {fixed(float(found.sensitivity[0]))}"
    low, high = fixed(float(found.sensitivity.min())), fixed(float(found.sensitivity.max()))
    return f"Judges' sensitivity ranges from {low} to {high}"


def without_sensitivity(found: Sensitivities, judges: tuple[str, ...], baseline: str) -> str:
    """Name the judges who compared nothing with the baseline; empty where there is none."""
    known = set(found.judges)
    names = [name for name in judges if name not in known]
    if not names:
        return ""
    return f"No sensitivity without a comparison with {baseline}: {listed(names, MOST_NAMED)}."
