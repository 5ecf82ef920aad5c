"""One verdict per judge, with its reason.

Whoever disagrees with the others may be careless or hold an honest minority view: agreement cannot
tell the two apart. Carelessness shows in a judge's own work: answers that contradict earlier ones,
a side of the display that decides, whatever the system. The first finding of `VERDICT_OF_FLAG` that
was raised decides.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple

from analysis.wording import count, fixed

JudgeVerdictName = Literal[
    "careless",
    "reversed",
    "disagrees",
    "unproven",
    "adds little",
    "one rating",
    "low",
    "unremarkable",
    "unknown",
]

VERDICT_WORDS: dict[JudgeVerdictName, str] = {
    "careless": "careless",
    "reversed": "order reversed",
    "disagrees": "disagrees with the others",
    "unproven": "perhaps not attentive",
    "adds little": "mostly ties",
    "one rating": "mostly one rating",
    "low": "low agreement, unexplained",
    "unremarkable": "nothing unusual",
    "unknown": "cannot be checked",
}
"""Each verdict in a few words."""

QUIET: tuple[JudgeVerdictName, ...] = ("low", "unremarkable", "unknown")
"""The verdicts that are not certain enough to call for a look at a judge's work."""


ENOUGH_TASKS, ENOUGH_COMPARISONS = 10, 30
"""Tasks, and comparisons with other judges, under which a judge cannot be checked."""

FEW_TASKS = f"Has fewer than {ENOUGH_TASKS} tasks."

REPEATS, HARDLY_REPEATS = 0.4, 0.2
"""κ of a judge with oneself from which answers are stable, and under which they are not."""


LOW = 0.1
"""κ with the others under which agreement is hardly above chance."""


class JudgeVerdict(NamedTuple):
    """A verdict and the sentence that says why."""

    name: JudgeVerdictName
    reason: str


class Work(NamedTuple):
    """A judge's tasks and comparisons with others, κ with others and oneself, and remarks.

    ``is_attentive``: scored degraded outputs clearly lower than their originals.
    """

    tasks: int
    comparisons: int
    inter: float = float("nan")
    intra: float = float("nan")
    remarks: str = ""
    is_attentive: bool = False


VERDICT_OF_FLAG: dict[str, JudgeVerdict] = {
    "fickle": JudgeVerdict(
        "careless",
        "Contradicts their own earlier answers, excluding ties, as often as not, and more than "
        "two different judges contradict each other.",
    ),
    "position": JudgeVerdict(
        "careless",
        "Prefers the output on one side of the display, regardless of the system, unless the "
        "order of display was not random.",
    ),
    "upside-down": JudgeVerdict(
        "reversed", "Prefers the systems that all others rank lower: the ranks may be reversed."
    ),
    "at-odds": JudgeVerdict(
        "disagrees",
        "Agrees with the other judges, excluding ties, about as often as by chance, and less "
        "than they agree with each other.",
    ),
    "coin-toss": JudgeVerdict(
        "disagrees",
        "Follows the others' order of the systems no better than by chance, and worse than they "
        "do.",
    ),
    "opposed": JudgeVerdict(
        "disagrees", "Ratings do not rise with those of other judges of the same outputs."
    ),
    "unsure": JudgeVerdict(
        "unproven", "Does not clearly score degraded outputs lower than their originals."
    ),
    "hasty": JudgeVerdict("unproven", "Takes less than a third of the usual time."),
    "undecided": JudgeVerdict(
        "adds little", "Ties in most comparisons, far more often than other judges."
    ),
    "one_rating": JudgeVerdict(
        "one rating", "Gave the same rating in most cases, more often than other judges."
    ),
}
"""What each finding about a judge amounts to, the most telling first."""

UNREMARKABLE = JudgeVerdict("unremarkable", "No check found a problem.")
ATTENTIVE = JudgeVerdict(
    "unremarkable", "Scores degraded outputs clearly lower than their originals."
)


def judge_verdict(flags: Collection[str], work: Work) -> JudgeVerdict:
    """Return the verdict on a judge of this work about whom these findings were raised.

    >>> judge_verdict({"coin-toss", "fickle"}, Work(50, 90)).name
    'careless'
    >>> judge_verdict({"coin-toss"}, Work(50, 90)).name, judge_verdict((), Work(50, 0)).reason
    ('disagrees', 'No outputs in common with other judges.')
    >>> judge_verdict((), Work(50, 300, inter=0.03)).reason
    'κ with the others is only 0.03; no check is certain of the cause.'
    """
    found = next((v for flag, v in VERDICT_OF_FLAG.items() if flag in flags), UNREMARKABLE)
    if found.name == "disagrees":
        found = found._replace(reason=_disagreement(found.reason, work))
    elif found == UNREMARKABLE and work.is_attentive:
        found = ATTENTIVE
    elif found == UNREMARKABLE and (why := _why_unchecked(work)):
        found = JudgeVerdict("unknown", why)
    elif found == UNREMARKABLE and work.inter < LOW:
        why = f"κ with the others is only {fixed(work.inter)}; no check is certain of the cause."
        found = JudgeVerdict("low", why)
    return found._replace(reason=f"{found.reason} {work.remarks.strip()}".strip())


def _disagreement(reason: str, work: Work) -> str:
    """Name the strongest evidence first: a minority view would be repeated."""
    if work.intra < HARDLY_REPEATS:
        own = f"Rarely repeats their own answers (κ {fixed(work.intra)})"
        others = "" if work.inter != work.inter else f" (κ {fixed(work.inter)})"
        return f"{own} and disagrees with the others{others}."
    if work.intra >= REPEATS:
        repeats = f"Repeats own answers (κ {fixed(work.intra)})"
        return f"{reason} {repeats}: this may be an honest minority view."
    return reason


def _why_unchecked(work: Work) -> str:
    if work.tasks < ENOUGH_TASKS:
        return FEW_TASKS
    if not work.comparisons:
        return "No outputs in common with other judges."
    if work.comparisons < ENOUGH_COMPARISONS:
        return (
            f"Only {count(work.comparisons, 'comparison')} with other judges; a check needs "
            f"{ENOUGH_COMPARISONS}."
        )
    return ""
