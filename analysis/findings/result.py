"""The headline of a result: who won and how certain that is, in fourteen words or fewer."""

from __future__ import annotations

import numpy as np

from analysis.comparing.comparison import OfficialClusters
from analysis.findings.certainty import BOUNDARIES, whom
from analysis.findings.standings import Name, evidence, evidence_size, number_word, ranked
from analysis.names import middle_cut
from analysis.rankers.resampling import ResamplingUnit
from analysis.ranking.comparison_checks import TOO_FEW
from analysis.ranking.ranking import Ranking
from analysis.ranking.variance import SCOPES
from analysis.ranking.verdict import Verdict
from analysis.wording import count, p_value, span, thousands

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
    few = evidence_size(ranking.judgments) < TOO_FEW and not ranking.can_tell
    if few and ranking.ranges is None and not ranking.is_preview:
        return f"Only {evidence(ranking.judgments)}: too few to rank"
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
    if ranking.certainty.is_official:
        return count(ranking.n_clusters or 0, "cluster")
    assert ranking.verdict is not None
    if ranking.verdict.n_tiers < 2:
        return "no significant difference"
    return f"at least {count(ranking.verdict.n_tiers, 'tier')}"


def columns_words(ranking: Ranking) -> str:
    """Explain the columns tier and cluster; empty where they are the same."""
    verdict = ranking.verdict
    if verdict is None or ranking.certainty.is_official:
        return ""
    if np.array_equal(verdict.tiers, verdict.clusters):
        return ""
    return (
        "tier: one below the lowest tier with a significantly better system. cluster: a new one "
        "starts where every system above is better than every system below; boundaries have "
        f"{BOUNDARIES}."
    )


def winner_words(verdict: Verdict | None, name: Name = str, *, briefly: bool = False) -> str:
    """Say why a winner may have a rank range that goes beyond 1; empty where it has none.

    The winner needs one test against each other system, rank ranges all pairs together.
    """
    if verdict is None or verdict.winner is None or verdict.is_official:
        return ""
    best = verdict.systems.index(verdict.winner)
    if verdict.rank_worst[best] == 1:
        return ""
    closest = int(np.nanargmax(verdict.p[best]))
    pairs, p = int(np.triu(verdict.known, 1).sum()), float(verdict.p[best, closest])
    if briefly:
        return f"winner's test: {p_value(p)}"
    second = verdict.systems[verdict.order[1]]
    wide = "" if verdict.systems[closest] == second else ", not the second, as it varies more"
    return (
        f"Tested as the winner against each other system: {p_value(p)} "
        f"(closest: {name(verdict.systems[closest])}{wide}). The rank range "
        f"{span(1, int(verdict.rank_worst[best]))} answers a stricter question, all "
        f"{thousands(pairs)} pairs at once."
    )


def level_text(level: int, ranking: Ranking, system: str) -> str:
    """Write a system's tier or cluster, and whether it is the winner: "1, winner"."""
    return f"{level}, winner" if system == ranking.winner else str(level)


def bridge_sentence(
    procedure: str,
    method: str,
    official: Ranking | None,
    recommended: Ranking | None,
    printed: OfficialClusters | None = None,
    *,
    unit: ResamplingUnit = "judgment",
) -> str:
    """Say what the recommended rule and an official procedure show, and of what each is valid.

    ``printed`` are the clusters that the campaign published, if it is one that Podium knows;
    ``unit`` is what the procedure resamples.
    """
    ours, scope = "", SCOPES["new"]
    if _is_known(recommended) and recommended:
        clusters = f"{count(recommended.n_clusters or 0, 'cluster')}, {levels_words(recommended)}"
        ours, scope = f"{clusters}, ", whom(recommended)
    theirs = ""
    if _is_known(official) and official:
        theirs = f"finds {levels_words(official)}"
        if printed is not None and procedure.startswith(printed.source):
            n = len(printed.sizes(official.systems))
            theirs += f"; {printed.source} published {n}"
        theirs += ". It "
    only = (
        "shows only the method's own randomness, not that of segments or judges."
        if unit == "none"
        else f"treats judgments as independent; at best, that is valid for {SCOPES['these']}."
    )
    return f"Recommended: {ours}valid for {scope}. The {procedure}, by {method}, {theirs}{only}"


def _is_known(ranking: Ranking | None) -> bool:
    return ranking is not None and ranking.verdict is not None and ranking.ranges is not None
