"""How sure a ranking is said to be, in words: beside a figure, and for a paper."""

from __future__ import annotations

from analysis.campaign import UNITS
from analysis.ranking.apart import TARGETS
from analysis.ranking.certainty import Certainty
from analysis.ranking.ranking import Ranking
from analysis.wording import thousands


def whom(ranking: Ranking) -> str:
    """Say for whom the intervals hold: a unit that the file does not name is these ones only.

    "other sentences, but these judges only"
    """
    told = ranking.apart
    missing = set() if told is None else set(told.missing)
    if ranking.certainty.target == "these" or missing >= {"segment", "judge"}:
        return TARGETS["these"]
    if "judge" in missing:
        return "other sentences, but these judges only"
    if "segment" in missing:
        return "other judges, but these sentences only"
    return TARGETS["others"]


def certainty_words(chosen: Certainty, target: str = "") -> str:
    """Say what intervals and rank ranges hold; ``target`` says for whom, if not the chosen one."""
    if chosen.is_published:
        return (
            f"As published: intervals and ranks hold {chosen.level:.0%} of "
            f"{thousands(chosen.runs)} runs; {UNITS[chosen.unit].interval_words}."
        )
    target = target or TARGETS[chosen.target]
    return (
        f"Intervals at {chosen.level:.0%} for {target}; rank ranges hold for all systems at once."
    )


def ranking_words(ranking: Ranking) -> str:
    """Say the same of a ranking, or why nothing can be said of it."""
    if ranking.is_preview:
        return "Preview: the scores alone; how sure they are follows."
    if ranking.ranges is None:
        if ranking.can_tell:
            return "The runs do not differ: nothing is resampled and the method has no randomness."
        return "These judgments cannot tell how sure the scores are."
    words = certainty_words(ranking.certainty, whom(ranking))
    if not ranking.certainty.is_published and ranking.apart is not None:
        words = " ".join([words, *ranking.apart.missing.values()])
    return words
