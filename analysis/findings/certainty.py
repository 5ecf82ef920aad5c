"""How sure a ranking is said to be, in words: beside a figure, and for a paper."""

from __future__ import annotations

from analysis.campaign import UNITS
from analysis.ranking.apart import TARGETS
from analysis.ranking.certainty import Certainty
from analysis.ranking.ranking import Ranking
from analysis.wording import count, thousands

ALL_ONCE = 0.95
"""Segments for each task from which on nearly every sentence was judged once."""

FEW_A_SYSTEM = 25
"""Judgments of a system under which intervals were measured to be a little too wide."""


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
        words = " ".join([words, *ranking.apart.missing.values(), *_too_wide(ranking)])
    return words


def _too_wide(ranking: Ranking) -> list[str]:
    """Say where simulated campaigns of that kind held scores in more intervals than promised."""
    told = ranking.apart
    if told is None or ranking.certainty.target != "others" or not told.units:
        return []
    tasks, segments = told.units.get("task", 0), told.units.get("segment", 0)
    if "judge" in told.units and segments >= ALL_ONCE * tasks:
        return [
            "Nearly every sentence was judged once: such 95% intervals held 96% of the scores in "
            "simulated campaigns, so they are a little too wide."
        ]
    n = 2 * len(ranking.judgments) / len(ranking.systems)
    # of means nothing rests on who was preferred
    if n < FEW_A_SYSTEM and not told.uncertainty.all_compare:
        return [
            f"A system has {count(round(n), 'judgment')} on average: with so few, 95% intervals "
            "held 95% to 97% of the scores in simulated campaigns, by method."
        ]
    return []
