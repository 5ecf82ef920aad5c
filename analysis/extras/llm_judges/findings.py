"""What machine judges do beside people, in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.campaign import FloatArray
from analysis.extras.llm_judges.agreement import Estimate, MachineAgreement
from analysis.extras.llm_judges.prediction_powered import PredictionPowered
from analysis.judges.agreement import landis_koch
from analysis.ranking.verdict import Verdict
from analysis.wording import count, fixed, listed, percent, significant

SIDES_DIFFER = 0.1
"""A share of first-shown outputs so far from people's is a leaning worth a warning."""

WHY_NOT_ALONE = (
    "Why not the machine alone: its many votes make its own interval narrow, around its own "
    "answer. For the 12 language models of Chatzi et al. (2024), 95% intervals of GPT-4, Claude 3 "
    "and GPT-3.5 alone held the score by people for 3, 5 and 2 of 12. With 1,000 votes of people "
    "and the machine's on all items, over 400 draws, they held it in 95% of cases, and "
    "standard errors were .92, .97 and 1.00 times those of the 1,000 votes."
)
"""Measured by the audit on the votes of `sample:arena-people`."""


COHENS = (
    "Cohen's κ: chance is how often both would give the same answer, given how often people and "
    "the machine give each. The page Agreement has the κ of WMT, where chance comes from the share "
    "of ties alone; the two do not compare."
)

HOW_POWERED = (
    "People's score plus what the machine says of all items less what it says of those that "
    "people judged: its mistakes stand in both and cancel, where the latter were drawn at random. "
    "A weight between 0 and 1 makes the variance least; a machine that knows nothing gets hardly "
    "any."
)

NO_MACHINES = (
    "Upload a machine's votes on the same systems and questions below, or name the judges of this "
    "campaign who are machines. You will see how far each agrees with people, whether it prefers a "
    "side or the longer output, and what its votes add to those of people. The sample LLM arena "
    "brings three."
)


def machines_headline(measured: Sequence[MachineAgreement]) -> str:
    """Return the finding: which machine agrees most, and how far."""
    known = [agreed for agreed in measured if agreed.kappa.is_known]
    if not known:
        return "No machine judge can be held against people"
    best = max(known, key=lambda agreed: agreed.kappa.value)
    word = landis_koch(best.kappa.value)
    lead = f"{best.judge} agrees with people in {percent(best.agreement.value)} of votes"
    if len(known) > 1:
        worst = min(known, key=lambda agreed: agreed.kappa.value)
        return (
            f"{lead}, {worst.judge} in {percent(worst.agreement.value)}; beyond chance that is "
            f"{word} and {landis_koch(worst.kappa.value)}"
        )
    return f"{lead}; beyond chance that is {word}"


def agreement_sentence(agreed: MachineAgreement) -> str:
    """Say how a machine votes beside people, in a line or two."""
    parts = [
        f"{agreed.judge}: Cohen's κ {fixed(agreed.kappa.value)} "
        f"({fixed(agreed.kappa.low)} to {fixed(agreed.kappa.high)}) on "
        f"{count(agreed.n, 'vote')} of people"
    ]
    if agreed.decided_agreement.is_known:
        parts.append(
            f"where both name a winner, it is the same in {percent(agreed.decided_agreement.value)}"
        )
    return "; ".join([*parts, *_leanings(agreed)]) + "."


def _leanings(agreed: MachineAgreement) -> list[str]:
    said = []
    own, theirs = agreed.first_shown, agreed.people_first_shown
    if own.is_known and theirs.is_known and _differs(own, theirs):
        said.append(
            f"what it sees first wins in {percent(own.value)}, with people in "
            f"{percent(theirs.value)}"
        )
    longer, their_longer = agreed.longer, agreed.people_longer
    if longer.is_known and their_longer.is_known:
        said.append(
            f"the longer output wins in {percent(longer.value)}, with people in "
            f"{percent(their_longer.value)}"
        )
    if agreed.consistency.is_known:
        said.append(
            f"shown in the other order, it says the same in {percent(agreed.consistency.value)} of "
            f"{count(agreed.consistency.n, 'item')}"
        )
    return said


def _differs(own: Estimate, theirs: Estimate) -> bool:
    apart = own.low > theirs.high or own.high < theirs.low
    return apart and abs(own.value - theirs.value) >= SIDES_DIFFER / 2


def side_warning(measured: Sequence[MachineAgreement]) -> str:
    """Warn of machines that prefer a side; nothing where none does."""
    leaning = [
        f"{agreed.judge} ({percent(agreed.first_shown.value)})"
        for agreed in measured
        if agreed.first_shown.is_known
        and agreed.people_first_shown.is_known
        and _differs(agreed.first_shown, agreed.people_first_shown)
        and abs(agreed.first_shown.value - agreed.people_first_shown.value) >= SIDES_DIFFER
    ]
    if not leaning:
        return ""
    return (
        f"A place counts with {listed(leaning)}: so often wins what is shown first. Show each item "
        "in both orders, or let the machine's votes count only with votes of people."
    )


def powered_headline(result: PredictionPowered) -> str:
    """Say what the machine's votes add to those of people."""
    saved = 1 - result.se_ratio
    votes = count(result.n_votes, "vote")
    if result.weight == 0 or saved < 0.005:
        return f"{result.judge} adds next to nothing to {votes} of people"
    return (
        f"With {result.judge}, {votes} of people tell as much as "
        f"{count(round(result.n_votes * result.gain), 'vote')} would alone"
    )


def powered_sentences(result: PredictionPowered) -> list[str]:
    """Say how standings with a machine's votes were made, and what they gain."""
    n = len(result.people.systems)
    return [
        f"{powered_headline(result)}.",
        f"{result.judge}'s votes on {count(result.n_all, 'item')} count with weight "
        f"{significant(result.weight, 2)}; standard errors are {fixed(result.se_ratio)} times "
        f"those of people alone.",
        f"Significant: {_apart(result.people)} of {count(n * (n - 1) // 2, 'pair')} of systems by "
        f"people alone, {_apart(result.powered)} with {result.judge}.",
    ]


def _apart(verdict: Verdict) -> int:
    return int(verdict.significant.sum()) // 2


def alone_sentence(result: PredictionPowered, truth: FloatArray) -> str:
    """Say how often the machine's own intervals hold what all votes of people say."""
    inside = result.machine_covers(truth)
    if not len(inside):
        return ""
    return (
        f"The intervals of {result.judge} alone hold the score by all votes of people for "
        f"{int(np.sum(inside))} of {len(inside)} systems."
    )
