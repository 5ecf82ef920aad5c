"""A claim of two systems in words: the verdict, the evidence for it, and what would decide it."""

from __future__ import annotations

import math

import numpy as np

from analysis.campaign import LOSS, TIE, Judgments
from analysis.comparing.claim import MORE, Claim
from analysis.comparing.fewest import Fewest
from analysis.comparing.stability import APART, TURNED, Change, Stability
from analysis.findings.standings import Name
from analysis.ranking.uncertainty import SCOPES
from analysis.wording import capital, count, listed, p_value, significant, thousands

VERDICTS = {
    "supported": "{a} is better than {b}: supported",
    "contradicted": "{a} is better than {b}: contradicted",
    "open": "{a} is better than {b}: open",
}


def answer_words(claim: Claim, name: Name = str) -> str:
    """Say the verdict and what it means."""
    a, b = name(claim.better), name(claim.worse)
    reason = {
        "supported": "the difference is significant",
        "contradicted": "the difference is significant in the other direction",
        "open": "the difference is not significant yet",
    }[claim.answer]
    return f"{VERDICTS[claim.answer].format(a=a, b=b)}; {reason}"


KINDS: dict[Change, str] = {
    "method": "method",
    "ties": "ties",
    "judge": "judges",
    "system": "systems",
    "segments": "segments",
}
"""What is changed, in a word each."""


def evidence(
    claim: Claim,
    judgments: Judgments,
    score_label: str,
    stable: Stability | None = None,
    drops: Fewest | None = None,
    name: Name = str,
) -> list[str]:
    """Say what every page knows of it: scores, judgments, judges, changes, the fewest judgments."""
    verdict, a = claim.verdict, name(claim.better)
    said = [
        f"{capital(score_label)}: {a} is {_signed(claim.difference)} from {name(claim.worse)}, "
        f"{verdict.level:.0%} CI {_signed(claim.low)} to {_signed(claim.high)} for "
        f"{SCOPES[verdict.scope]}. "
        f"{capital(p_value(claim.p))} for this pair alone, {p_value(claim.p_adjusted)} adjusted "
        "for all pairs.",
        *_judged(claim, judgments, name),
    ]
    if stable is not None:
        said.append(_changed(claim, stable, name))
    if drops is not None and drops.n:
        said.append(
            f"Leaving out {count(drops.n or 0, 'judgment')} of {thousands(len(judgments))} puts "
            f"{name(drops.below)} above {name(drops.above)}."
        )
    return said


def needed_sentences(claim: Claim) -> list[str]:
    """Say what would decide an open claim, if the difference stays as it is."""
    said = []
    for needed in claim.needed:
        if math.isinf(needed.alone):
            said.append(f"{capital(MORE[needed.more])}: no amount would settle it.")
            continue
        among_all = (
            "no amount"
            if math.isinf(needed.among_all)
            else f"{thousands(int(needed.among_all))} more"
        )
        said.append(
            f"{capital(MORE[needed.more])}: {thousands(int(needed.alone))} more {needed.unit} for "
            f"this pair alone, {among_all} with all pairs tested together."
        )
    return said


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
        f"Head to head: {name(claim.better)} was preferred {thousands(won)} times, "
        f"{name(claim.worse)} {thousands(lost)} times, {count(tied, 'tie')}."
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
        f"{name(claim.better)} first, {apart} of them significantly."
    )


def _signed(number: float) -> str:
    return ("+" if number > 0 else "") + significant(number)
