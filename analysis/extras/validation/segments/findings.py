"""What the graded response model says of segments, in words."""

from __future__ import annotations

import numpy as np

from analysis.rankers.graded_response import Difficulties, Sensitivities
from analysis.wording import count, fixed, listed, thousands

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


INFORMATION = (
    "The information that one comparison on the segment, by a judge of sensitivity 1, gives "
    "about a system of that ability (Fisher information). A segment is most informative about "
    "systems near its difficulty."
)


def segments_finding(found: Difficulties, baseline: str) -> str:
    """Say where the baseline is hardest and easiest to beat.

    "The baseline B is hardest to beat on segment 12, easiest on segment 7"
    """
    if len(found.segments) == 1:
        return f"Only segment {found.segments[0]} compares systems with {baseline}"
    hardest, easiest = np.argmax(found.middle), np.argmin(found.middle)
    return (
        f"The baseline {baseline} is hardest to beat on segment {found.segments[hardest]}, "
        f"easiest on segment {found.segments[easiest]}"
    )


def segments_words(found: Difficulties, baseline: str, n_segments: int) -> str:
    """Say how much stands behind the difficulties."""
    n = len(found.segments)
    of = f"{thousands(n)} of {thousands(n_segments)}" if n < n_segments else f"All {thousands(n)}"
    usual = int(np.median(found.comparisons))
    return (
        f"{of} segments have a comparison with the baseline {baseline}, half of them "
        f"{count(usual, 'comparison')} or fewer. {DRAWN}"
    )


def information_title(found: Difficulties) -> str:
    """Say of which systems the segments tell most."""
    low, high = (fixed(float(q)) for q in np.quantile(found.middle, (0.1, 0.9)))
    return f"Eight of ten segments are most informative about abilities of {low} to {high}"


def telling_segments(found: Difficulties) -> list[str]:
    """Return the segments whose difficulty is nearest to the outer fifths and the middle of all.

    Of those with as many comparisons as half of the segments have.
    """
    firm = np.flatnonzero(found.comparisons >= np.median(found.comparisons))
    places = np.quantile(found.middle[firm], (0.1, 0.5, 0.9))
    nearest = [int(firm[np.argmin(np.abs(found.middle[firm] - place))]) for place in places]
    return list(dict.fromkeys(found.segments[k] for k in nearest))


def curves_title(segment: str, judge: str | None, sensitivity: float) -> str:
    """Say whose chances a figure shows."""
    who = "an average judge" if judge is None else judge
    return f"Segment {segment}, {who} (a = {fixed(sensitivity)})"
