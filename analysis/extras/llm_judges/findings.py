"""What machine judges do beside people, in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.campaign import FloatArray
from analysis.drawing.rows import Cell, Column, Row, Rows
from analysis.extras.llm_judges.agreement import Estimate, MachineAgreement
from analysis.extras.llm_judges.prediction_powered import PredictionPowered
from analysis.judges.kappa import landis_koch
from analysis.names import middle_cut
from analysis.ranking.verdict import Verdict
from analysis.reporting.deck.slides import Slide
from analysis.wording import (
    EN_DASH,
    claim,
    count,
    fixed,
    listed,
    percent,
    significant,
    thousands,
)

SIDES_DIFFER = 0.1
"""A share of first-shown outputs so far from people's is a clear preference."""
NAME_WIDTH, ROOM = 18, 0.02
"""Letters of a name on a slide, and the room at both ends of its axis."""
SLIGHT = 0.02
"""One so far is a slight preference, if the intervals do not overlap either."""

WHY_NOT_ALONE = (
    "Why not rank by the LLM judge alone? Its many votes make the interval narrow, but around "
    "its own opinion: for the 12 language models of Chatzi et al. (2024), 95% intervals of "
    "GPT-4, Claude 3 and GPT-3.5 alone covered the human score for only 3, 5 and 2 of 12. "
    "Together with 1,000 human votes they covered it in 95% of simulations; standard errors were "
    "0.92, 0.97 and 1.00 times those of the human votes alone."
)
"""Measured by the audit on the votes of `sample:arena-people`."""


COHENS = (
    "Cohen's κ: its chance term comes from how often humans and the LLM give each answer. The "
    "page Agreement shows the κ of WMT, whose chance term comes from the share of ties alone; "
    "the two values are not comparable."
)

HOW_POWERED = (
    "Human score + weight × (LLM mean over all items − LLM mean over the human-judged items). If "
    "the human-judged items are a random sample, the LLM's errors cancel. The weight, between 0 "
    "and 1, minimizes the variance; an uninformative LLM gets a weight near 0."
)


def machines_headline(measured: Sequence[MachineAgreement]) -> str:
    """Return the finding: which machine agrees most, and how far."""
    known = [agreed for agreed in measured if agreed.kappa.is_known]
    if not known:
        return "No LLM judge can be compared with human judges"
    best = max(known, key=lambda agreed: agreed.kappa.value)
    lead = f"{best.judge} agrees with humans in {percent(best.agreement.value)} of votes"
    if best.decided_agreement.is_known:
        lead += f", {percent(best.decided_agreement.value)} where both name a winner"
    if len(known) > 1:
        worst = min(known, key=lambda agreed: agreed.kappa.value)
        return (
            f"{lead}; the lowest agreement is {percent(worst.agreement.value)}, by {worst.judge}; "
            f"Cohen's κ is {_kappa(best)} for {best.judge} and {_kappa(worst)} for {worst.judge}"
        )
    return f"{lead}; Cohen's κ is {_kappa(best)}"


def machines_slide(measured: Sequence[MachineAgreement]) -> Slide:
    """Return the slide of a meeting: each machine's agreement with people, the best on top.

    At least one machine's kappa must be known.
    """
    known = sorted(
        (agreed for agreed in measured if agreed.kappa.is_known), key=lambda one: -one.kappa.value
    )
    shares = {"agrees": "agreement", "first shown wins": "first_shown"}
    rows = [
        Row(
            agreed.judge, middle_cut(agreed.judge, NAME_WIDTH), agreed.kappa.value,
            thin=(agreed.kappa.low, agreed.kappa.high),
            cells=tuple(_share_cell(getattr(agreed, name)) for name in shares.values()),
        )
        for agreed in known
    ]  # fmt: skip
    low, high = (min(a.kappa.low for a in known), max(a.kappa.high for a in known))
    ends = min(low, 0.0) - ROOM, max(high, 0.0) + ROOM
    alt = "; ".join(f"{agreed.judge}: κ {_kappa(agreed)}" for agreed in known)
    human = next((a.human_first_shown for a in known if a.human_first_shown.is_known), None)
    said = f"; the output shown first wins {percent(human.value)} with humans" if human else ""
    return Slide(
        "llm-judges",
        claim(machines_headline(measured)),
        Rows(
            tuple(rows), "Cohen's κ with humans, 95% interval", alt,
            columns=tuple(Column(head, percent(1.0)) for head in shares), axis=ends,
        ),
        "agreement",
        "Agreement",
        key_words=f"{count(known[0].n, 'human vote')}{said}",
    )  # fmt: skip


def _share_cell(share: Estimate) -> Cell:
    return Cell(percent(share.value) if share.is_known else EN_DASH)


def _kappa(agreed: MachineAgreement) -> str:
    return f"{fixed(agreed.kappa.value)} ({landis_koch(agreed.kappa.value)})"


def agreement_sentence(agreed: MachineAgreement) -> str:
    """Say how a machine votes beside people, in a line or two."""
    parts = [
        f"{agreed.judge}: Cohen's κ {fixed(agreed.kappa.value)} "
        f"({fixed(agreed.kappa.low)}–{fixed(agreed.kappa.high)}) on "
        f"{count(agreed.n, 'human vote')}"
    ]
    if agreed.decided_agreement.is_known:
        parts.append(
            "if both name a winner, they name the same one in "
            f"{percent(agreed.decided_agreement.value)}"
        )
    return "; ".join([*parts, *_leanings(agreed)]) + "."


def _leanings(agreed: MachineAgreement) -> list[str]:
    said = []
    own, theirs = agreed.first_shown, agreed.human_first_shown
    if own.is_known and theirs.is_known and _differs(own, theirs):
        said.append(
            f"prefers the output shown first in {percent(own.value)}, humans in "
            f"{percent(theirs.value)}"
        )
    longer, their_longer = agreed.longer, agreed.human_longer
    if longer.is_known and their_longer.is_known:
        said.append(
            f"prefers the longer output in {percent(longer.value)}, humans in "
            f"{percent(their_longer.value)}"
        )
    if agreed.consistency.is_known:
        said.append(
            f"repeats its answer in the reverse order in {percent(agreed.consistency.value)} of "
            f"{count(agreed.consistency.n, 'item')}"
        )
    return said


def _differs(own: Estimate, theirs: Estimate) -> bool:
    apart = own.low > theirs.high or own.high < theirs.low
    return apart and abs(own.value - theirs.value) >= SLIGHT


def side_warning(measured: Sequence[MachineAgreement]) -> str:
    """Warn of machines that prefer a side; nothing where none does."""
    leaning = [
        f"{agreed.judge} {_prefers(agreed)} the {_preferred_side(agreed)} output "
        f"(the first output wins {percent(agreed.first_shown.value)} of its decided votes, "
        f"{percent(agreed.human_first_shown.value)} with humans)"
        for agreed in sorted(measured, key=_lean, reverse=True)
        if _lean(agreed) and _differs(agreed.first_shown, agreed.human_first_shown)
    ]
    if not leaning:
        return ""
    return (
        f"Position bias: {listed(leaning)}. Show each item in both orders, or use the LLM's votes "
        "only together with human votes."
    )


def _lean(agreed: MachineAgreement) -> float:
    """Return how much more or less often than humans the LLM prefers the output shown first.

    The difference of the two shares; 0 if either is unknown.
    """
    own, theirs = agreed.first_shown, agreed.human_first_shown
    return abs(own.value - theirs.value) if own.is_known and theirs.is_known else 0.0


def _prefers(agreed: MachineAgreement) -> str:
    return "prefers" if _lean(agreed) >= SIDES_DIFFER else "slightly prefers"


def _preferred_side(agreed: MachineAgreement) -> str:
    return "first" if agreed.first_shown.value > agreed.human_first_shown.value else "second"


def powered_headline(result: PredictionPowered) -> str:
    """Say what the machine's votes add to those of people."""
    saved = 1 - result.se_ratio
    votes = count(result.n_votes, "human vote")
    if result.weight == 0 or saved < 0.005:
        return f"{result.judge} adds almost nothing to {votes}"
    worth = float(f"{result.n_votes * result.gain:.2g}")
    return f"With {result.judge}, {votes} are worth about {count(round(worth), 'vote')}"


def powered_sentences(result: PredictionPowered) -> list[str]:
    """Say how standings with a machine's votes were made, and what they gain."""
    n = len(result.people.systems)
    return [
        f"{powered_headline(result)}.",
        f"{result.judge}'s votes on {count(result.n_all, 'item')} have weight "
        f"{significant(result.weight, 2)}; standard errors are {fixed(result.se_ratio)} times "
        "those of the human votes alone.",
        f"Significant: {_apart(result.people)} of {count(n * (n - 1) // 2, 'pair')} of systems "
        f"by the {thousands(result.n_votes)} human votes alone, {_apart(result.powered)} with "
        f"{result.judge}.",
    ]


def _apart(verdict: Verdict) -> int:
    return int(verdict.significant.sum()) // 2


def order_words(title: str, method: str) -> str:
    """Say by which score rows are in order, which is not that of the ranking's method."""
    return f"Rows are in the order of all human votes by “{title}”; Result ranks by “{method}”."


def alone_sentence(result: PredictionPowered, truth: FloatArray) -> str:
    """Say how often the machine's own intervals hold what all votes of people say."""
    inside = result.machine_covers(truth)
    if not len(inside):
        return ""
    return (
        f"The intervals of {result.judge} alone cover the score by all human votes for "
        f"{int(np.sum(inside))} of {len(inside)} systems."
    )
