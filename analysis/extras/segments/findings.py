"""What the graded response model says of segments, in words."""

from __future__ import annotations

import numpy as np

from analysis.extras.segments.sensitivity import DRAWN
from analysis.rankers.graded_response import Difficulties
from analysis.wording import count, fixed, thousands

INFORMATION = (
    "The information that one comparison on the segment, by a judge of sensitivity 1, gives "
    "about a system of that ability (Fisher information). A segment is most informative about "
    "systems near its difficulty."
)


def segments_finding(found: Difficulties, baseline: str) -> str:
    """Say where the baseline is hardest and easiest to beat.

    "B is hardest to beat on segment 12, easiest on segment 7"
    """
    if len(found.segments) == 1:
        return f"Only segment {found.segments[0]} compares systems with {baseline}"
    hardest, easiest = np.argmax(found.middle), np.argmin(found.middle)
    return (
        f"{baseline} is hardest to beat on segment {found.segments[hardest]}, easiest on segment "
        f"{found.segments[easiest]}"
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
