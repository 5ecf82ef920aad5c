"""Whose work needs a check, how well judges agree, and what quality control shows, in words."""

from __future__ import annotations

import numpy as np

from analysis.campaign import UNNAMED_JUDGE, Judgments
from analysis.judges.judge_table import JudgeTable
from analysis.judges.judge_verdicts import (
    ENOUGH_CHECKS,
    FEW_TASKS,
    LIMIT,
    QUIET,
    VERDICT_WORDS,
    QualityControl,
)
from analysis.ranking.comparison_checks import Finding
from analysis.wording import count, fixed, listed, percent, thousands

MOST_NAMED = 6

SHARE = "Share of the degraded outputs that the judge scored below their originals."
P_VALUE = (
    "Probability of at least this many scores below the original if the judge does not see the "
    "difference (sign test, one-sided)."
)
SECONDS = "The judge's median time per score."
DIFFERENCE = "Mean distance between the two scores of an output that the judge scored twice."


def quality_finding(found: QualityControl) -> str:
    """Say in one sentence how well degraded outputs were seen."""
    share, low, high = found.total_share
    if np.isnan(share):
        return repeats_words(found)
    return (
        f"Judges scored {percent(share)} of {count(int(found.degraded.sum()), 'degraded output')} "
        f"below their originals ({percent(found.level)} interval {percent(low)} to {percent(high)})"
    )


def quality_sentences(found: QualityControl) -> list[str]:
    """Say who has not shown to see degraded outputs, how scores repeat, and what they took."""
    said = []
    checked = int((found.degraded > 0).sum())
    unsure = found.unsure
    for who, advice in (
        (unsure, "Review their work."),
        (
            found.undecided,
            f"With fewer than {ENOUGH_CHECKS} degraded outputs, good judges can fail too.",
        ),
    ):
        if who:
            said.append(
                f"{count(len(who), 'judge')} of {checked} did not clearly score degraded outputs "
                f"below their originals (sign test, p above {LIMIT:g}): "
                f"{listed(who, MOST_NAMED)}. {advice}"
            )
    if checked and len(found.attentive) == checked:
        said.append(
            f"All {thousands(checked)} judges with degraded outputs scored them below their "
            f"originals significantly often (sign test, p at most {LIMIT:g})."
        )
    if found.repeated.any() and checked:
        said.append(f"{repeats_words(found)}.")
    known = found.seconds[~np.isnan(found.seconds)]
    if len(known):
        fast = found.judges[int(np.nanargmin(found.seconds))]
        said.append(
            f"Half of the judges took {np.median(known):.0f} s or less per score, the fastest "
            f"({fast}) {known.min():.0f} s (medians of their scores)."
        )
    return said


def repeats_words(found: QualityControl) -> str:
    """Say how far second scores of the same output are from the first."""
    n = found.repeated
    if not n.any():
        return "No output was scored twice by one judge"
    mean = float(np.nansum(found.difference * n) / n.sum())
    return (
        f"Judges' second scores of {count(int(n.sum()), 'output')} were {mean:.1f} points from "
        "their first on average"
    )


def flagged_judges(table: JudgeTable) -> tuple[Finding, ...]:
    """Return a finding if a judge needs a check; nothing else, nor of a single judge."""
    if len(table.judges) < 2 or not table.noticed:
        return ()
    return (
        Finding(
            "flagged-judges",
            "note",
            f"{judges_finding(table)}.",
            "A flag is a reason to check a judge's work, not a verdict.",
            # The same words from page and command: an archive's report is written by either.
            "The table of judges shows the reasons. Compare with the ranking without them.",
        ),
    )


def judges_finding(table: JudgeTable) -> str:
    """Say how many judges need a check, and how many cannot be checked."""
    n, flagged = len(table.judges), len(table.noticed)
    unknown = [k for k, verdict in enumerate(table.verdicts) if verdict.name == "unknown"]
    reasons = [table.verdicts[k].reason for k in unknown]
    if table.judges == (UNNAMED_JUDGE,):
        return "The file names no judges"
    if n == 1:
        return "The only judge needs a check" if flagged else "There is only one judge"
    if len(reasons) == n:
        is_small = all(reason.startswith(FEW_TASKS) for reason in reasons)
        why = "too few tasks" if is_small else "too few outputs in common"
        return f"None of {n} judges can be checked: {why}"
    gave = percent(table.judgments[unknown].sum() / table.judgments.sum()) if reasons else ""
    more = f"; {len(reasons)} ({gave} of the judgments) cannot be checked" if reasons else ""
    if not flagged:
        return f"No check finds a problem with {n} judges{more}"
    return f"{flagged} of {n} judges {'needs' if flagged == 1 else 'need'} a check{more}"


def judge_sentences(table: JudgeTable) -> list[str]:
    """Say of each judge who needs a check why; what a verdict means is said once."""
    said, explained = [], set[str]()
    for name, verdict in zip(table.judges, table.verdicts, strict=True):
        if verdict.name in QUIET:
            continue
        meaning, _, numbers = verdict.reason.partition(". ")
        reason = numbers if numbers and meaning in explained else verdict.reason
        explained.add(meaning)
        said.append(f"{name}: {VERDICT_WORDS[verdict.name]}. {reason}")
    return said


def ties_heading(judgments: Judgments) -> str:
    """Name the share of ties, which leaves out those of identical outputs judged once."""
    return "Ties (without identical outputs)" if judgments.groups else "Ties"


def figure_title(table: JudgeTable) -> str:
    """Say from which to which kappa judges agree with the others, without those of too few labels.

    "Agreement of each judge with the others ranges from κ 0.19 to 0.63"
    """
    told = table.inter[~np.isnan(table.inter)]
    if not len(told):
        return "Too few judges judged the same items to compare them"
    low, high = (fixed(float(k)) for k in (told.min(), told.max()))
    if low == high:
        return f"Agreement of each judge with the others is κ {low}"
    return f"Agreement of each judge with the others ranges from κ {low} to {high}"


def without_kappa(table: JudgeTable, most: int = 12) -> str:
    """Name the judges who share too little with others for a kappa; empty if there are none."""
    names = [name for name, kappa in zip(table.judges, table.inter, strict=True) if np.isnan(kappa)]
    if not names:
        return ""
    who = listed(names, most)
    return f"Too few comparisons with others for κ, so not in the figure: {who}."
