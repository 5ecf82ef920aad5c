"""The headline of a result: who won and how certain that is, in fourteen words or fewer."""

from __future__ import annotations

from analysis.findings.standings import Name, number_word, ranked
from analysis.names import middle_cut
from analysis.ranking.ranking import Ranking
from analysis.wording import count

NAME_WIDTH = 60
"""Letters of a system's name in a headline, which is only cut where it is a sentence itself."""


def result_headline(ranking: Ranking, name: Name = str) -> str:
    """Name the winner, or who could have won.

    "uedin-nmt wins; at least 5 tiers", "Too close to call: KIT and three others could be best"
    """
    order = ranked(ranking)
    if not order:
        return "No system has a score"

    def named(system: str) -> str:
        return middle_cut(name(system), NAME_WIDTH)

    tied = int((ranking.scores == ranking.scores[order[0]]).sum())
    if tied == len(order) > 1:
        return "All systems have the same score"
    if ranking.verdict is None or ranking.ranges is None:
        several = f"{number_word(tied)} systems have".capitalize()
        leads = several if tied > 1 else f"{named(ranking.systems[order[0]])} has"
        return f"{leads} the highest score; {_why_no_intervals(ranking)}"
    best = ranking.possible_winners
    if len(best) == 1:
        return f"{named(best[0])} wins; {levels_words(ranking)}"
    if len(best) == len(order) > 2:
        return f"Too close to call: any of the {len(order)} systems could be best"
    if len(best) == 2:
        return f"Too close to call: {named(best[0])} or {named(best[1])} could be best"
    others = number_word(len(best) - 1)
    return f"Too close to call: {named(best[0])} and {others} others could be best"


def _why_no_intervals(ranking: Ranking) -> str:
    if ranking.is_preview:
        return "computing intervals"
    if ranking.can_tell:
        return "resampling shows its uncertainty"
    return "its uncertainty is unknown: too few judgments differ"


def levels_words(ranking: Ranking) -> str:
    """Say how many levels there are: clusters of an official procedure, else tiers.

    "at least 5 tiers"
    """
    if ranking.certainty.is_published:
        return count(ranking.n_clusters or 0, "cluster")
    assert ranking.verdict is not None
    return f"at least {count(ranking.verdict.n_tiers, 'tier')}"


def bridge_sentence(procedure: str, official: Ranking | None, recommended: Ranking | None) -> str:
    """Say what the recommended rule and an official procedure show, and why they differ."""
    ours = f": {levels_words(recommended)}" if _is_known(recommended) and recommended else ""
    theirs = f": {levels_words(official)}" if _is_known(official) and official else ""
    return (
        f"The recommended rule tests all pairs together, for new segments and judges{ours}. "
        f"The {procedure} ranks each system alone, as if judgments were independent{theirs}."
    )


def _is_known(ranking: Ranking | None) -> bool:
    return ranking is not None and ranking.verdict is not None and ranking.ranges is not None
