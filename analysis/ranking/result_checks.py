"""Checks of a result: what only its method shows, and what extras check.

The checks of the judgments are in `preflight`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from contextlib import suppress

import numpy as np

from analysis.campaign import Judgments
from analysis.errors import NotConvergedError, UndefinedResultError, control
from analysis.rankers.ranker import Fit, Ranker
from analysis.ranking.certainty import DEFAULT_CERTAINTY, Certainty
from analysis.ranking.comparison_checks import ABILITIES, Finding, heavy_pairs, likewise
from analysis.ranking.preflight import gravest_first, preflight, that_limit
from analysis.ranking.ranking import (
    SAMPLES,
    Ranking,
    quick_verdict,
    quick_winner,
    wins_in_samples,
)
from analysis.ranking.verdict import Verdict
from analysis.registry import hooks
from analysis.wording import count, percent, thousands

MOST_LEFT_OUT, BUSY_JUDGE = 5, 0.1
"""Judges that are left out in turn to see whether the winner stays, and their least share."""

FEW_LOST = 0.05
"""Of the random samples that leave out as many tasks as a judge has, this share may lose the winner
if the result is to depend on that judge."""


def limits_of_ranking(fit: Fit, verdict: Verdict) -> tuple[Finding, ...]:
    """Return what limits a ranking by the chosen method: judges, pairs or votes that decide."""
    checks = (doubt_of_winner, heavy_pairs_found, both_bad_found)
    found = (check(fit, verdict) for check in checks)
    return tuple(finding for finding in found if finding is not None)


def checks_of_extras(
    judgments: Judgments, ranker: Ranker | None = None, certainty: Certainty = DEFAULT_CERTAINTY
) -> tuple[Finding | str, ...]:
    """Return what the checks of extras found, and the words of those that found nothing.

    A check that these judgments do not allow is left out. Without a ``ranker`` it uses its own.
    """
    answers = (module.check(judgments, ranker, certainty) for module in hooks("checks"))
    return tuple(answer for answer in answers if answer is not None)


def findings_of_extras(answers: Iterable[Finding | str]) -> tuple[Finding, ...]:
    """Return the findings among the answers of `checks_of_extras`."""
    return tuple(answer for answer in answers if isinstance(answer, Finding))


def limits_of(ranking: Ranking, ranker: Ranker) -> tuple[Finding, ...]:
    """Return all that limits a ranking, the gravest first: of its judgments, and of the result."""
    judgments, verdict = ranking.judgments, ranking.verdict
    found = that_limit(preflight(judgments), judgments, ranker)
    found += findings_of_extras(checks_of_extras(judgments, ranker, ranking.certainty))
    if verdict is not None:
        found += limits_of_ranking(ranker.fit(judgments), verdict)
    return gravest_first(found)


def doubt_of_winner(fit: Fit, verdict: Verdict) -> Finding | None:
    """Return the finding that a winner is named narrowly, or only with one judge's judgments.

    Each of the `MOST_LEFT_OUT` judges with the most tasks is left out in turn, if at least a
    `BUSY_JUDGE` of the tasks are theirs; methods whose verdict needs resamples are not asked.
    """
    judgments, winner = fit.judgments, verdict.winner
    tasks = np.bincount(judgments.task_judge, minlength=len(judgments.judges))
    if winner is None or verdict.is_official or np.count_nonzero(tasks) < 2:
        return None
    if fit.influence() is None:
        return None
    chosen = dataclasses.replace(DEFAULT_CERTAINTY, level=verdict.level, scope=verdict.scope)
    busiest = np.argsort(-tasks, kind="stable")[:MOST_LEFT_OUT]
    deciding = [
        int(judge)
        for judge in busiest[tasks[busiest] >= BUSY_JUDGE * judgments.n_tasks]
        if quick_winner(_without(judgments, judge), fit.ranker, chosen) != winner
    ]
    if not deciding:
        return None
    top = deciding[0]
    share = tasks[top] / judgments.n_tasks
    n = SAMPLES
    lost = n - wins_in_samples(judgments, fit.ranker, chosen, winner, 1 - share, n)
    who = f"{judgments.judges[top]} ({share:.0%} of the tasks)"
    others = likewise(len(deciding) - 1, "judge")
    system = judgments.short_names[winner]
    kind = "deciding-judge" if lost <= FEW_LOST * n else "narrow-win"
    if kind == "deciding-judge":
        found = f"Without {who}, {system} would not win{others}."
        meaning = (
            f"Without as many random tasks it wins in {n - lost} of {n} samples, so the result "
            "depends on this judge."
        )
        remedy = "Check this judge's work before you announce a winner."
    else:
        found = (
            f"{system} wins narrowly: not without {who}{others}, nor in {lost} of {n} samples "
            "without as many random tasks."
        )
        meaning = "The judge need not be at fault: there are barely enough judgments."
        remedy = "Say that the win is narrow, or collect more judgments first."
    return Finding(kind, "warning", found, meaning, remedy)


def _without(judgments: Judgments, judge: int) -> Judgments:
    return judgments.take_tasks(np.flatnonzero(judgments.task_judge != judge))


def heavy_pairs_found(fit: Fit, verdict: Verdict) -> Finding | None:
    """Return a finding where one judgment of a pair carries a score under the chosen method."""
    heavy = heavy_pairs(fit, verdict)
    if heavy.empty:
        return None
    short = fit.judgments.short_names
    a, b, moves = short[heavy["a"][0]], short[heavy["b"][0]], float(heavy["moves"][0])
    return Finding(
        "heavy-pair",
        "warning",
        f"One judgment of {a} and {b} changes {a}'s score by "
        f"{moves:.2g}{likewise(len(heavy) - 1, 'case')}.",
        "This method weights all pairs equally, even those with few decided judgments (here "
        f"{thousands(heavy['decided'][0])}).",
        f"{ABILITIES}, or collect more on this pair.",
    )


def both_bad_found(fit: Fit, verdict: Verdict) -> Finding | None:
    """Say how many ties are votes that both outputs are bad, and what changes without them."""
    bad = fit.judgments.both_bad
    n = int(bad.sum())
    if not n:
        return None
    without = None
    if not verdict.is_official and fit.influence() is not None:
        chosen = dataclasses.replace(DEFAULT_CERTAINTY, level=verdict.level, scope=verdict.scope)
        rest = fit.judgments.take_tasks(np.flatnonzero(~bad))
        with suppress(UndefinedResultError, NotConvergedError):
            without = quick_verdict(fit.ranker.quick_form().fit(rest, chosen.seed), chosen)
    drop = control("--both-bad dropped", "“Drop both-bad votes” on Data")
    return Finding(
        "both-bad",
        "warning" if without is not None and without.winner != verdict.winner else "note",
        f"{thousands(n)} votes are “both bad” and count as ties ({percent(n / len(bad))} of all).",
        "" if without is None else _without_both_bad(verdict, without, fit.judgments),
        f"Leave them out: {drop}.",
        "data",
    )


def _without_both_bad(verdict: Verdict, without: Verdict, judgments: Judgments) -> str:
    """Say who wins without these votes, and with how many tiers."""
    still = "still " if without.winner == verdict.winner else ""
    wins = f"{still}no winner can be named"
    if without.winner is not None:
        wins = f"{judgments.short_names[without.winner]} {still}wins"
    tiers = f"at least {count(without.n_tiers, 'tier')}"
    if without.n_tiers == verdict.n_tiers:
        return f"Without them, {wins}, also with {tiers}."
    return f"Without them, {wins}, with {tiers} instead of {verdict.n_tiers}."
