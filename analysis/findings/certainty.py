"""How certain a ranking is, in words: next to a figure, and for a paper.

Also what few judges settle, and what is open for new judges.
"""

from __future__ import annotations

from analysis.campaign import Judgments
from analysis.findings.standings import Name, own_words
from analysis.rankers.resampling import UNITS
from analysis.ranking.certainty import Certainty
from analysis.ranking.few_judges import MOST_JUDGES, few_judges
from analysis.ranking.ranking import Ranking
from analysis.ranking.significance import FALSE_SHARE
from analysis.ranking.uncertainty import scope_words
from analysis.ranking.variance import SCOPES
from analysis.ranking.verdict import FEW_JUDGES, Verdict
from analysis.wording import count, thousands

ALL_ONCE = 0.95
"""Segments for each task from which on nearly every sentence was judged once."""

FEW_A_SYSTEM = 25
"""Judgments of a system under which intervals were measured to be a little too wide."""


def whom(ranking: Ranking) -> str:
    """Say for whom the intervals are valid, as `scope_words` does."""
    missing = {} if ranking.verdict is None else ranking.verdict.missing
    return own_words(ranking.judgments, scope_words(ranking.certainty.scope, missing))


def certainty_words(chosen: Certainty, scope: str = "", *, with_ranks: bool = True) -> str:
    """Say what intervals and rank ranges cover; ``scope`` says for whom, if not the chosen one."""
    if chosen.is_official:
        unit = UNITS[chosen.unit]
        return (
            f"Official procedure: intervals and ranks cover {chosen.level:.0%} of "
            f"{thousands(chosen.runs)} {runs_word(chosen)}; {unit.interval_words}."
        )
    scope = scope or SCOPES[chosen.scope]
    ranks = "; rank ranges are simultaneous" * with_ranks
    return f"Intervals at {chosen.level:.0%} for {scope}{ranks}."


def runs_word(chosen: Certainty) -> str:
    """Return what the runs of an official procedure are called."""
    return "resamples" if UNITS[chosen.unit].drawn else "runs"


def covered_words(ranking: Ranking, *, briefly: bool = False) -> str:
    """Say what the ranges of an official procedure cover: "95% of 1,000 resamples"."""
    words = f"{ranking.level:.0%} of {thousands(ranking.runs)} {runs_word(ranking.certainty)}"
    if UNITS[ranking.certainty.unit].drawn:
        return words
    if briefly:
        return f"{words}, the method's randomness only"
    return f"{words} on the same judgments (the method's own randomness only)"


def ranking_words(ranking: Ranking, *, with_ranks: bool = True) -> str:
    """Say the same of a ranking, or why nothing can be said of it."""
    if ranking.is_preview:
        return "Preview: scores only. Intervals are being computed."
    if ranking.ranges is None:
        if ranking.can_tell:
            return (
                "The resamples do not differ: nothing is resampled and the method has no "
                "randomness."
            )
        return "There is not enough data to estimate the uncertainty of the scores."
    words = certainty_words(ranking.certainty, whom(ranking), with_ranks=with_ranks)
    if not ranking.certainty.is_official and ranking.verdict is not None:
        more = (*ranking.verdict.missing.values(), *by_document(ranking.verdict))
        words = " ".join([words, *more, *_too_wide(ranking)])
    return words


TIER = "Each system of a tier is significantly worse than one in the tier above."
BOUNDARIES = "a test of their own, so that one may lie within a tier"
"""What boundaries have: it is adjusted for boundaries alone; that of tiers, for all pairs."""


def figure_words(ranking: Ranking) -> str:
    """Say how to read the figure of the standings, and what its intervals are valid for."""
    if ranking.ranges is None:
        return ranking_words(ranking)
    lines = f"Thick lines: 50%; thin: {ranking.level:.0%}."
    if ranking.standings.is_z:
        lines = f"Scores are means of ratings standardized by judge (z). {lines}"
    chosen = ranking.certainty
    if chosen.is_official and ranking.ranges.ranks is not None:
        lines += f" Boxes: half of the {runs_word(chosen)}; whiskers: the range of ranks."
    if ranking.verdict is None or ranking.verdict.n_tiers < 2:
        return f"{lines} {ranking_words(ranking)}"
    bands = "clusters." if ranking.certainty.is_official else f"tiers. {TIER}"
    if (ranking.n_clusters or 0) > 1:
        own = "" if ranking.certainty.is_official else f", with {BOUNDARIES}"
        bands += f" Dashed: cluster boundaries{own}."
    return f"{lines} Bands: {bands} {ranking_words(ranking)}"


def mark_words(ranking: Ranking, *, of_ratings: bool = False) -> str:
    """Say what a mark in a cell of the matrix tests, which is not the cell's percentage."""
    verdict = ranking.verdict
    if verdict is None or ranking.ranges is None or verdict.is_official:
        return f"{ranking_words(ranking)} "
    uses = "all ratings of both" if of_ratings else "all opponents, not the cell’s percentage"
    return (
        f"Marks test the difference of the two scores, which uses {uses}, at {verdict.level:.0%} "
        f"for {whom(ranking)}. Of exploratory marks (°), about {FALSE_SHARE:.0%} may be wrong. "
    )


def by_document(verdict: Verdict) -> list[str]:
    """Say that documents, not segments, are what the uncertainty counts; nothing otherwise."""
    n = verdict.units.get("segment", 0)
    if verdict.source == "segment" or verdict.scope != "new" or not n:
        return []
    return [f"Segments of one document are treated as one unit: there are {count(n, 'document')}."]


def _too_wide(ranking: Ranking) -> list[str]:
    """Say where simulated campaigns of that kind held scores in more intervals than promised."""
    verdict = ranking.verdict
    if verdict is None or ranking.certainty.scope != "new" or not verdict.units:
        return []
    tasks, segments = verdict.units.get("task", 0), verdict.units.get("segment", 0)
    if "judge" in verdict.units and segments >= ALL_ONCE * tasks:
        return [
            "Almost every segment was judged only once. In simulations of such campaigns, 95% "
            "intervals covered the score 97% of the time, so they are slightly too wide."
        ]
    n = 2 * len(ranking.judgments) / len(ranking.systems)
    # of means nothing rests on who was preferred
    if n < FEW_A_SYSTEM and not verdict.uncertainty.all_compare:
        return [
            f"Systems have {count(round(n), own_words(ranking.judgments, 'judgment'))} each on "
            "average. With this few, 95% intervals covered the score 95–97% of the time in "
            "simulations, depending on the method."
        ]
    return []


def few_judges_words(judgments: Judgments, verdict: Verdict | None, name: Name = str) -> str:
    """Say what the judges at hand settle and what is open for new judges.

    "These 4 judges settle that A wins, with at least 5 tiers; for new judges, at least 3. About 11
    judges would settle as much for new ones."
    """
    found = None if verdict is None else few_judges(judgments, verdict)
    if found is None:
        return ""
    these, n = found.for_these, found.for_new.units["judge"]
    if not these.significant.any():
        return f"Even for these {n} judges alone, no difference is significant."
    tiers = f"at least {count(these.n_tiers, 'tier')}"
    wins = f"that {name(these.winner)} wins, with {tiers}" if these.winner else ""
    words = f"These {n} judges settle {wins or f'{tiers}, but no winner'}; for new judges, "
    if not found.settled_by_these_alone.any():
        return f"{words}all of it, too."
    left = found.for_new.n_tiers
    words += f"at least {left}. " if left > 1 else "no difference is significant. "
    if found.judges_for_pairs is None:
        return f"{words}{MOST_JUDGES} judges would not settle as much for new ones."
    return f"{words}About {found.judges_for_pairs} judges would settle as much for new ones."


def few_took_part(ranking: Ranking) -> str:
    """Warn of statements for new judges that rest on few; empty where they are many."""
    n = 0 if ranking.verdict is None else ranking.verdict.units.get("judge", 0)
    if ranking.certainty.scope != "new" or not 1 < n < FEW_JUDGES:
        return ""
    return f"Only {n} judges took part, so new judges may differ from them."
