"""What an organizer asks first: who won, how sure that is, what is open. A sentence each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.campaign import Judgments
from analysis.findings.certainty import whom
from analysis.findings.standings import Name, too_close
from analysis.judges.agreement import Agreement
from analysis.judges.score_agreement import ScoreAgreement
from analysis.ranking.preflight import Finding
from analysis.ranking.ranking import Ranking
from analysis.wording import chance, count, fixed, percent, thousands

CONNECTED = ("nothing-to-rank", "never-compared", "disconnected", "only-ties")
ENOUGH = ("nothing-to-rank", "few-judgments", "only-ties")
MOST_NAMED = 2
"""Pairs of neighbors that a sentence names."""


def who_won(ranking: Ranking, name: Name = str) -> str:
    """Say how likely the systems at the top are to be first.

    "online-B is first with a probability of 88%, online-A with 12%."
    """
    if ranking.ranges is None:
        return "How likely a system is to be first is not known yet."
    first = ranking.ranges.probability_of_top(1)
    if np.isnan(first).all():
        return "Some systems were never compared with the others, so no first place is known."
    likely = [int(k) for k in np.argsort(-np.nan_to_num(first), kind="stable")]
    best, second = name(ranking.systems[likely[0]]), likely[1] if len(likely) > 1 else None
    if ranking.certainty.is_published:
        words = f"{best} is first in {percent(first[likely[0]])} of the runs"
    else:
        words = f"{best} is first with a probability of {chance(first[likely[0]])}"
    if second is not None and first[second] >= 0.005:
        joint = "in" if ranking.certainty.is_published else "with"
        words += f", {name(ranking.systems[second])} {joint} {percent(first[second])}"
    return f"{words}."


def how_sure(ranking: Ranking) -> str:
    """Say how many pairs are told apart, at which level, and for whom."""
    told = ranking.apart
    if told is None or np.isnan(told.p).all():
        return "These judgments cannot tell how sure the scores are."
    known = np.triu(~np.isnan(told.p), 1)
    pairs = int(known.sum())
    apart = int((told.apart & known).sum())
    return (
        f"{thousands(apart)} of {count(pairs, 'pair')} of systems {'is' if apart == 1 else 'are'} "
        f"told apart at {told.level:.0%}, for {whom(ranking)}."
    )


def what_is_open(ranking: Ranking, name: Name = str) -> str:
    """Name the neighbors that are too close to call."""
    close = too_close(ranking)
    told = ranking.apart
    if told is None or ranking.ranges is None:
        return "Only the scores are known."
    if not close:
        return "No two neighbors are too close to call."
    shown = [f"{name(pair.upper)} and {name(pair.lower)}" for pair in close[:MOST_NAMED]]
    words, more = "; ".join(shown), len(close) - len(shown)
    if more:
        words += f"; {count(more, 'more pair')} of neighbors"
    return f"Too close to call: {words}."


def what_next(ranking: Ranking) -> str:
    """Say what to do with the result."""
    if ranking.ranges is not None and not too_close(ranking):
        return "The order is settled. Carry the result into a report."
    return "Collect judgments of the pairs that are too close to call, or report the open places."


@dataclass(frozen=True)
class Check:
    """One of three things to look at before trusting a ranking; ``passed`` is None if unknown."""

    title: str
    passed: bool | None
    words: str


def trust_checks(
    judgments: Judgments,
    findings: tuple[Finding, ...],
    agreement: Agreement | ScoreAgreement | None = None,
    *,
    by_scores: bool = False,
) -> tuple[Check, ...]:
    """Say whether judgments join all systems, whether there are enough, whether judges agree.

    ``by_scores`` is true of a method that averages scores, to which who met whom is nothing.
    """
    failed = {finding.kind: finding.finding for finding in findings}
    checks = []
    for title, kinds, well in (
        ("Systems connected", CONNECTED, "A chain of judgments joins all systems."),
        ("Enough judgments", ENOUGH, "Every system has enough decided judgments."),
    ):
        if by_scores:
            break
        wrong = [failed[kind] for kind in kinds if kind in failed]
        checks.append(Check(title, not wrong, " ".join(wrong) or well))
    number, word, low = _agreed(agreement)
    if not number:
        if by_scores:
            return ()
        words = "No two judges gave an answer to the same question, so nobody knows."
        return (*checks, Check("Judges agree", None, words))
    if isinstance(agreement, Agreement) and agreement.strict.inter.is_scarce:
        met = count(agreement.strict.inter.comparable, "comparison")
        words = f"Only {met} between judges, too few to tell."
        return (*checks, Check("Judges agree", None, words))
    better = bool(low > 0)
    than = (
        "Judges agree better than by chance" if better else "Judges may agree no more than chance"
    )
    return (*checks, Check("Judges agree", better, f"{than}: {number}{word}."))


def _agreed(agreement: Agreement | ScoreAgreement | None) -> tuple[str, str, float]:
    """Return how far judges agree, a word for it, and the lower end of its interval.

    Of preferences that is κ, of scores the intraclass correlation; empty where nobody knows.
    """
    if isinstance(agreement, ScoreAgreement):
        icc = agreement.icc
        return ("", "", np.nan) if np.isnan(icc.value) else (f"ICC {fixed(icc.value)}", "", icc.low)
    if agreement is None or np.isnan(agreement.strict.inter.kappa):
        return "", "", np.nan
    inter = agreement.strict.inter
    return f"κ {fixed(inter.kappa)}", f", {inter.word}", inter.low


def checks_passed(
    judgments: Judgments,
    findings: tuple[Finding, ...],
    agreement: Agreement | ScoreAgreement | None = None,
    *,
    by_scores: bool = False,
) -> tuple[str, ...]:
    """Say which checks found nothing wrong, with the number that each rests on.

    ``by_scores`` is as in `trust_checks`.
    """
    failed = {finding.kind for finding in findings}
    scores = judgments.scores if by_scores else None
    if "nothing-to-rank" in failed or (scores is None and not len(judgments)):
        return ()
    passed = []
    if scores is None:
        passed += _counts_passed(judgments, failed)
    else:
        per_system = np.bincount(scores.system, minlength=judgments.n_systems)
        passed.append(f"Every system has {thousands(int(per_system.min()))} scores or more.")
    judge = judgments.task_judge[judgments.task] if scores is None else scores.judge
    per_judge = np.bincount(judge, minlength=len(judgments.judges))
    share = per_judge.max() / per_judge.sum()
    if not failed & {"one-judge", "dominant-judge"} and share < 1:
        what = "judgments" if scores is None else "scores"
        passed.append(
            f"No judge outweighs the others: the busiest gave {percent(share)} of the {what}."
        )
    number, word, low = _agreed(agreement)
    if low > 0:
        passed.append(f"Judges agree better than by chance: {number}{word}.")
    if "duplicates" not in failed:
        passed.append("Few ranking tasks, if any, are saved twice.")
    return tuple(passed)


def _counts_passed(judgments: Judgments, failed: set[str]) -> list[str]:
    """Say that all systems are joined, each by enough judgments."""
    counts, passed = judgments.counts, []
    decided = (counts.wins + counts.losses).sum(axis=1)
    met = counts.compared.sum(axis=1) > 0
    if not failed & {*CONNECTED}:
        passed.append("A chain of judgments joins all systems.")
    if not failed & {*ENOUGH}:
        passed.append(
            f"Every system has enough judgments: at least {thousands(int(decided[met].min()))} "
            "are decided."
        )
    return passed
