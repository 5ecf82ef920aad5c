"""Adjacent systems of a ranking, and those of them that are too close to call.

Also what a ranking is based on, in a few words: judgments of two outputs, or scores of single ones.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from analysis.campaign import Judgments
from analysis.languages import NO_PAIR
from analysis.rankers import ranker_class
from analysis.ranking.ranking import Ranking
from analysis.wording import capital, count

Name = Callable[[str], str]
"""How a system's name is written in a sentence."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class Neighbors:
    """Two systems next to each other; ``p`` is adjusted for all pairs, nan where they never met."""

    upper: str
    lower: str
    difference: float
    p: float
    apart: bool


def neighbors(ranking: Ranking) -> tuple[Neighbors, ...]:
    """Return all systems next to each other, best first; none where nothing can be significant."""
    verdict = ranking.verdict
    if verdict is None or ranking.ranges is None:
        return ()
    return tuple(
        Neighbors(
            ranking.systems[upper],
            ranking.systems[lower],
            float(ranking.scores[upper] - ranking.scores[lower]),
            float(verdict.p_adjusted[upper, lower]),
            bool(verdict.significant[upper, lower]),
        )
        for upper, lower in itertools.pairwise(ranked(ranking))
    )


def too_close(ranking: Ranking) -> tuple[Neighbors, ...]:
    """Return the neighbors that are not separated."""
    return tuple(pair for pair in neighbors(ranking) if not pair.apart)


def number_word(n: int) -> str:
    """Write small numbers as words.

    >>> number_word(3), number_word(12)
    ('three', '12')
    """
    return _NUMBERS[n] if n < len(_NUMBERS) else str(n)


def ranked(ranking: Ranking) -> list[int]:
    """Return the systems that have a score, best first."""
    return [int(k) for k in ranking.order if not np.isnan(ranking.scores[k])]


def evidence_size(judgments: Judgments) -> int:
    """Return how many scores count where judges gave scores, else how many judgments."""
    return len(judgments) if judgments.scores is None else len(judgments.scores)


def evidence(judgments: Judgments) -> str:
    """Say how many there are: "12,345 judgments", "26,919 votes", "6,877 ratings"."""
    return count(evidence_size(judgments), evidence_noun(judgments))


def evidence_noun(judgments: Judgments) -> str:
    """Return what one of them is called: a rating, an arena's vote, else a judgment."""
    if judgments.scores is not None:
        return "rating"
    return "vote" if judgments.are_votes else "judgment"


def ranks_ratings(judgments: Judgments, method: str) -> bool:
    """Return whether the method of that name averages ratings, not the pairs that follow."""
    return judgments.scores is not None and ranker_class(method).needs_scores


def ranked_size(judgments: Judgments, method: str) -> int:
    """Return how many there are of what a method ranks by: ratings, or judgments of pairs."""
    return evidence_size(judgments) if ranks_ratings(judgments, method) else len(judgments)


def ranked_evidence(judgments: Judgments, method: str) -> str:
    """Say how many there are of what a method ranks by: "2,484 ratings", "491 judgments"."""
    return count(ranked_size(judgments, method), own_words(judgments, "judgment", method))


_OF_RATINGS = {"ranking task": "rating", "task": "rating", "judgment": "rating"}
_OF_ARENAS = {"ranking task": "vote", "task": "vote", "judgment": "vote", "segment": "prompt"}


def own_words(judgments: Judgments, words: str, method: str = "") -> str:
    """Write a sentence without names as an arena would: of votes on prompts.

    With a ``method`` that averages ratings, it is of ratings.
    """
    nouns = _OF_ARENAS if judgments.are_votes and judgments.pair == NO_PAIR else {}
    if method and ranks_ratings(judgments, method):
        nouns = _OF_RATINGS
    for general, own in nouns.items():
        words = words.replace(general, own).replace(capital(general), capital(own))
    return words
