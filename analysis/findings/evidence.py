"""What a ranking goes on, in a few words: judgments of two outputs, or scores of single ones."""

from __future__ import annotations

from analysis.campaign import Judgments
from analysis.wording import count


def evidence_size(judgments: Judgments) -> int:
    """Return how many scores count where judges gave scores, else how many judgments."""
    return len(judgments) if judgments.scores is None else len(judgments.scores)


def evidence(judgments: Judgments) -> str:
    """Say how many there are: "12 345 judgments", of scores "6 877 scores"."""
    noun = "judgment" if judgments.scores is None else "score"
    return count(evidence_size(judgments), noun)
