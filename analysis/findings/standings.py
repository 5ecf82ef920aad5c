"""Findings in words: who leads, who is certainly below whom, which neighbors are too close to call.

"Significant" is said in one sense alone: that of `analysis.ranking.verdict`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from analysis.ranking.ranking import Ranking
from analysis.wording import count, span

Name = Callable[[str], str]
"""How a system's name is written in a sentence."""

LONGEST_TITLE = 64
"""Letters that fit into one line over a figure of half a screen."""

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
        for upper, lower in itertools.pairwise(_ranked(ranking))
    )


def too_close(ranking: Ranking) -> tuple[Neighbors, ...]:
    """Return the neighbors that are not separated."""
    return tuple(pair for pair in neighbors(ranking) if not pair.apart)


def headline(ranking: Ranking, name: Name = str) -> str:
    """Say the finding of a campaign in one sentence.

    "online-B ranks 1–3: 9 of the 11 others differ significantly from it; 3 clusters; 4 of 11
    neighbors are too close to call"
    """
    if ranking.is_preview:
        return f"{_best(ranking, name)}; computing intervals"
    if ranking.ranges is None:
        why = "resampling shows its uncertainty" if ranking.can_tell else _CANNOT_SAY
        return f"{_best(ranking, name)}; {why}"
    if ranking.certainty.is_published:
        return _as_published(ranking, name)
    parts = [_lead(ranking, name)]
    if ranking.n_clusters != 1:
        parts.append(count(ranking.n_clusters or 0, "cluster"))
    parts.append(_close_calls(ranking))
    return "; ".join(part for part in parts if part)


def standings_title(ranking: Ranking, name: Name = str) -> str:
    """Say what the standings figure shows, short enough for a narrow figure.

    "online-B ranks 1–3: 9 of the 11 others differ significantly from it"
    """
    if ranking.ranges is None:
        return _best(ranking, name)
    if ranking.certainty.is_published:
        return f"By the official procedure {_short_lead(ranking, name)}"
    title = _lead(ranking, name)
    return title if len(title) <= LONGEST_TITLE else _short_lead(ranking, name)


def number_word(n: int) -> str:
    """Write small numbers as words.

    >>> number_word(3), number_word(12)
    ('three', '12')
    """
    return _NUMBERS[n] if n < len(_NUMBERS) else str(n)


_CANNOT_SAY = "its uncertainty is unknown: too few judgments differ"


def _ranked(ranking: Ranking) -> list[int]:
    return [int(k) for k in ranking.order if not np.isnan(ranking.scores[k])]


def _best(ranking: Ranking, name: Name) -> str:
    """Say who has the highest score, and nothing of how sure that is."""
    ranked = _ranked(ranking)
    if not ranked:
        return "No system has a score"
    best = np.flatnonzero(ranking.scores == ranking.scores[ranked[0]])
    if len(best) == len(ranking.systems) > 1:
        return "All systems have the same score"
    if len(best) > 1:
        return f"{number_word(len(best))} systems have the highest score".capitalize()
    return f"{name(ranking.systems[ranked[0]])} has the highest score"


def _as_published(ranking: Ranking, name: Name) -> str:
    """Say what the official procedure finds, by its own rule alone."""
    clusters = count(ranking.n_clusters or 0, "cluster")
    return f"By the official procedure {_short_lead(ranking, name)}; {clusters}"


def _lead(ranking: Ranking, name: Name) -> str:
    """Say the rank range of the best system, and how many others differ significantly from it."""
    verdict, ranked = ranking.verdict, _ranked(ranking)
    assert verdict is not None
    first, others = ranked[0], ranked[1:]
    best, below = name(ranking.systems[first]), int(verdict.significant[first, others].sum())
    if not verdict.significant[np.ix_(ranked, ranked)].any():
        if len(np.unique(ranking.scores[ranked])) == 1 < len(ranked):
            return _best(ranking, name)
        if len(ranked) == 2:
            return f"{best} and {name(ranking.systems[others[0]])} do not differ significantly yet"
        return f"None of the {len(ranked)} systems differ significantly yet"
    if below == len(others):
        if len(others) == 1:
            return f"{best} leads and differs significantly from {name(ranking.systems[others[0]])}"
        return f"{best} leads and differs significantly from all {len(others)} others"
    if not below:
        tied = (ranking.scores == ranking.scores[first]).sum() > 1
        it = best if tied else "it"
        return f"{_best(ranking, name)}, and no system differs significantly from {it}"
    verb = "differs" if below == 1 else "differ"
    return (
        f"{_short_lead(ranking, name)}: {below} of the {len(others)} others {verb} significantly "
        "from it"
    )


def _short_lead(ranking: Ranking, name: Name) -> str:
    ranges, first = ranking.ranges, _ranked(ranking)[0]
    assert ranges is not None
    places = span(int(ranges.rank_best[first]), int(ranges.rank_worst[first]))
    return f"{name(ranking.systems[first])} ranks {places}"


def _close_calls(ranking: Ranking) -> str:
    """Count the neighbors that are too close to call; nothing where no two systems are apart."""
    verdict = ranking.verdict
    assert verdict is not None
    if not verdict.significant.any():
        return ""
    found, close = neighbors(ranking), too_close(ranking)
    if not close:
        return "all neighbors differ significantly" if len(found) > 1 else ""
    verb = "is" if len(close) == 1 else "are"
    return f"{len(close)} of {len(found)} neighbors {verb} too close to call"
