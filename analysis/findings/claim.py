"""A claim of two systems in words: the verdict, the evidence for it, and what would decide it."""

from __future__ import annotations

import math

import numpy as np

from analysis.campaign import LOSS, TIE, Judgments
from analysis.comparing.claim import MORE, Claim, check_claim
from analysis.comparing.fewest import Fewest
from analysis.comparing.stability import APART, TURNED, Change, Stability
from analysis.comparing.two_systems import two_means
from analysis.findings.scored import two_means_sentences
from analysis.findings.standings import Name, own_words, ranked_size, ranks_ratings
from analysis.next_campaign.planning import round_up
from analysis.rankers.ranker import Standings
from analysis.ranking.uncertainty import scope_words
from analysis.ranking.verdict import Verdict
from analysis.wording import capital, count, listed, p_value, significant, thousands


def claim_from(
    judgments: Judgments, method: str, verdict: Verdict, better: str, worse: str
) -> Claim:
    """Check a claim; what would decide it is counted in what the method ranks by."""
    unit = "ratings" if ranks_ratings(judgments, method) else "judgments"
    return check_claim(verdict, better, worse, ranked_size(judgments, method), unit)


def answer_words(claim: Claim, name: Name = str, method: str = "") -> str:
    """Say the verdict and what it means, and by which method if that is given."""
    better, worse = name(claim.better), name(claim.worse)
    is_winner = claim.verdict.winner == claim.better
    if claim.answer == "open" and not is_winner:
        how = f"{method}, " if method else ""
        p = p_value(claim.p_adjusted)
        return f"Not shown: {better} is not significantly better than {worse} ({how}adjusted {p})"
    says = {
        "supported": "supported; the difference is significant",
        "contradicted": "contradicted; the difference is significant in the other direction",
        "open": "supported by the winner’s own test; among all pairs not separated",
    }[claim.answer]
    return f"{better} is better than {worse}: {says}{f', by {method}' if method else ''}"


KINDS: dict[Change, str] = {
    "method": "method",
    "ties": "ties",
    "judge": "judges",
    "system": "systems",
    "segments": "tenths of the data",
}
"""What is changed, in a word each."""


def evidence(
    claim: Claim,
    judgments: Judgments,
    score_label: str,
    stable: Stability | None = None,
    drops: Fewest | None = None,
    name: Name = str,
    standings: Standings | None = None,
) -> list[str]:
    """Say what every page knows of it: scores, judgments, judges, changes, the fewest judgments.

    With ``standings`` of averaged ratings, it is what Head to head says of these ratings.
    """
    verdict, a = claim.verdict, name(claim.better)
    scope = own_words(judgments, scope_words(verdict.scope, verdict.missing))
    judged = _judged(claim, judgments, name)
    if standings is not None and ranks_ratings(judgments, standings.method):
        means = two_means(judgments, claim.better, claim.worse, of_z=standings.is_z)
        judged = [f"Head to head: {two_means_sentences(means, name)[0]}"]
    said = [
        f"{capital(score_label)}: {a} minus {name(claim.worse)} is "
        f"{_signed(claim.difference)}, {verdict.level:.0%} CI {_signed(claim.low)} to "
        f"{_signed(claim.high)} for {scope}. "
        f"For this pair alone {p_value(claim.p)}, adjusted for all pairs "
        f"{p_value(claim.p_adjusted)}.",
        *judged,
    ]
    if stable is not None:
        said.append(_changed(claim, stable, name))
    if drops is not None and drops.n:
        said.append(
            f"Leaving out {count(drops.n, own_words(judgments, 'judgment'))} of "
            f"{thousands(len(judgments))} puts {name(drops.below)} above {name(drops.above)}."
        )
    return said


def needed_sentences(claim: Claim, judgments: Judgments, method: str) -> list[str]:
    """Say what would decide an open claim, if the difference stays as it is."""
    said = []
    for needed in claim.needed:
        if math.isinf(needed.alone):
            said.append(f"{capital(MORE[needed.more])}: no amount would settle it.")
            continue
        alone = f"{_about(needed.alone)} {needed.unit}" if needed.alone else "none"
        said.append(
            f"{capital(MORE[needed.more])}: {alone} for this pair alone, "
            f"{_about(needed.among_all)} with all pairs tested together."
        )
    return [own_words(judgments, one, method) for one in said]


def _about(needed: float) -> str:
    """Write a forecast with two digits."""
    return "no amount" if math.isinf(needed) else f"about {thousands(round_up(needed))} more"


def _judged(claim: Claim, judgments: Judgments, name: Name) -> list[str]:
    """Say how often each was preferred, and by how many judges more often."""
    facts = judgments.observations
    a, b = judgments.systems.index(claim.better), judgments.systems.index(claim.worse)
    forward, backward = (
        (facts.left == first) & (facts.right == second) for first, second in ((a, b), (b, a))
    )
    met = forward | backward
    if not met.any():
        return [
            ("These two were never compared directly; the comparison runs through other systems.")
        ]
    outcome = np.where(forward, facts.outcome, -facts.outcome)[met]
    judge = judgments.task_judge[judgments.task[facts.row[met]]]
    lead = np.bincount(judge, weights=outcome, minlength=len(judgments.judges))
    won, lost, tied = (int((outcome == result).sum()) for result in (1, LOSS, TIE))
    said = [
        f"Head to head: {name(claim.better)} was preferred {count(won, 'time')}, "
        f"{name(claim.worse)} {count(lost, 'time')}, {count(tied, 'tie')}."
    ]
    judges = len(np.unique(judge))
    if judges > 1:
        said.append(
            f"{int((lead > 0).sum())} of {judges} judges of the two preferred "
            f"{name(claim.better)} more often, {int((lead < 0).sum())} {name(claim.worse)}."
        )
    return said


def _changed(claim: Claim, stable: Stability, name: Name) -> str:
    """Say in how many changes the claim's order holds; its statement is the only one."""
    (states,) = stable.states
    known = states[states >= 0]
    kept = int((known != TURNED).sum())
    apart = int((known == APART).sum())
    kinds = [words for change, words in KINDS.items() if change in stable.changes]
    return (
        f"Robustness: {kept} of {count(len(known), 'change')} of {listed(kinds)} put "
        f"{name(claim.better)} above {name(claim.worse)}, {apart} of them significantly."
    )


def _signed(number: float) -> str:
    return ("+" if number > 0 else "") + significant(number)
