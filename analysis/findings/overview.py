"""Who won, and what to look at before trusting it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from analysis.campaign import Judgments
from analysis.findings.certainty import few_took_part
from analysis.judges.agreement import Agreement
from analysis.judges.score_agreement import ScoreAgreement
from analysis.ranking.comparison_checks import SEVERITIES, Finding
from analysis.ranking.preflight import DUPLICATE_SHARE
from analysis.ranking.ranking import Ranking
from analysis.wording import count, fixed, percent, thousands

CONNECTED = ("nothing-to-rank", "never-compared", "disconnected", "only-ties")
FIRST = ("deciding-judge", "narrow-win", "position")
"""Warnings shown before others: they may make another system the winner."""
ENOUGH = ("nothing-to-rank", "few-judgments", "only-ties")


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
    low = np.nan if inter.is_scarce else inter.low
    return f"κ {fixed(inter.kappa)}", f", {inter.word}", low


def checks_passed(
    judgments: Judgments,
    findings: tuple[Finding, ...],
    agreement: Agreement | ScoreAgreement | None = None,
    *,
    by_scores: bool = False,
    more: Iterable[str] = (),
) -> tuple[str, ...]:
    """Say which checks found nothing wrong, with the number that each rests on.

    ``by_scores`` is true of a method that averages scores, to which who met whom is nothing;
    ``more`` is what checks of extras say that found nothing.
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
        passed.append(f"Every system has at least {thousands(int(per_system.min()))} ratings.")
    judge = judgments.task_judge[judgments.task] if scores is None else scores.judge
    per_judge = np.bincount(judge, minlength=len(judgments.judges))
    share = per_judge.max() / per_judge.sum()
    if not failed & {"one-judge", "dominant-judge", "deciding-judge", "narrow-win"} and share < 1:
        what = "judgments" if scores is None else "ratings"
        passed.append(
            f"No judge outweighs the others: the busiest gave {percent(share)} of the {what}."
        )
    number, word, low = _agreed(agreement)
    if low > 0:
        passed.append(f"Judges agree better than by chance: {number}{word}.")
    if "duplicates" not in failed:
        passed.append(f"Fewer than {100 * DUPLICATE_SHARE:g}% of the tasks are copies of others.")
    return (*passed, *more)


def gravest(findings: Iterable[Finding]) -> Finding | None:
    """Return the problem or warning to show with a result, the first of `FIRST` before others.

    One judgment that decides a score is left to the checks: it concerns that score alone. Copies
    come last: they have a notice of their own.
    """
    grave = [f for f in findings if f.severity != "note" and f.kind != "heavy-pair"]
    return min(
        grave,
        key=lambda f: (
            SEVERITIES.index(f.severity),
            *(f.kind != kind for kind in FIRST),
            f.kind == "duplicates",
        ),
        default=None,
    )


def under_headline(findings: Sequence[Finding]) -> list[Finding]:
    """Return what is said under a result's headline: the gravest finding, and copies."""
    top = gravest(findings)
    return sorted(
        (one for one in findings if one is top or one.kind == "duplicates"),
        key=lambda one: one is not top,
    )


def caution_words(found: Finding | None) -> str:
    """Say what the gravest finding is and means, in a line; empty without one."""
    if found is None:
        return ""
    return f"{found.finding} {found.meaning.split('. ')[0].removesuffix('.')}."


LINE = 110
"""Letters that fit on a line of a slide."""


def caution_in_line(found: Finding | None) -> str:
    """Say the same in one line of a slide, without meaning and details where they are too long."""
    words = caution_words(found)
    if found is None or len(words) <= LINE:
        return words
    short, _, details = found.finding.partition(": ")
    return f"{short}." if details and len(found.finding) > LINE else found.finding


def caution_of(ranking: Ranking, found: Finding | None) -> str:
    """Return what an exported result has to say of its limits: the gravest, or few judges."""
    return caution_in_line(found) or few_took_part(ranking)


def trust_state(passed: Sequence[str], findings: Sequence[Finding]) -> str:
    """Count what the checks of a result found: "4 checks passed, 1 warning, 2 notes"."""
    found = [finding.severity for finding in findings]
    number = {severity: found.count(severity) for severity in SEVERITIES}
    parts = [count(n, severity) for severity, n in number.items() if n]
    return ", ".join([f"{count(len(passed), 'check')} passed", *parts])


def _counts_passed(judgments: Judgments, failed: set[str]) -> list[str]:
    """Say that all systems are joined, each by enough judgments."""
    counts, passed = judgments.counts, []
    decided = counts.decided.sum(axis=1)
    met = counts.compared.sum(axis=1) > 0
    if not failed & {*CONNECTED}:
        passed.append("A chain of judgments joins all systems.")
    if not failed & {*ENOUGH}:
        passed.append(
            f"Every system has enough judgments: at least {thousands(int(decided[met].min()))} "
            "are decided."
        )
    return passed
