"""How sure a ranking is said to be, in words: beside a figure, and for a paper."""

from __future__ import annotations

from analysis.campaign import UNITS
from analysis.ranking.apart import TARGETS
from analysis.ranking.certainty import Certainty
from analysis.ranking.ranking import Ranking
from analysis.wording import thousands


def certainty_words(chosen: Certainty) -> str:
    """Say what intervals and rank ranges hold."""
    if chosen.is_published:
        return (
            f"As published: intervals and ranks hold {chosen.level:.0%} of "
            f"{thousands(chosen.runs)} runs; {UNITS[chosen.unit].interval_words}."
        )
    return (
        f"Intervals at {chosen.level:.0%} for {TARGETS[chosen.target]}; rank ranges hold for all "
        "systems at once."
    )


def ranking_words(ranking: Ranking) -> str:
    """Say the same of a ranking, or why nothing can be said of it."""
    if ranking.is_preview:
        return "Preview: the scores alone; how sure they are follows."
    if ranking.ranges is None:
        if ranking.can_tell:
            return "The runs do not differ: nothing is resampled and the method has no randomness."
        return "These judgments cannot tell how sure the scores are."
    words = certainty_words(ranking.certainty)
    if not ranking.certainty.is_published and ranking.apart is not None:
        words = " ".join([words, *ranking.apart.missing.values()])
    return words
