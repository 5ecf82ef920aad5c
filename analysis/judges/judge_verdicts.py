"""One verdict per judge, with its reason.

Whoever disagrees with the others may be careless or hold an honest minority view: agreement cannot
tell the two apart. Carelessness shows in a judge's own work: answers that contradict earlier ones,
a side of the display that decides, whatever the system. The first finding of `VERDICT_OF_FLAG` that
was raised decides.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple

JudgeVerdictName = Literal[
    "careless", "reversed", "disagrees", "unproven", "adds little", "unremarkable", "unknown"
]

VERDICT_WORDS: dict[JudgeVerdictName, str] = {
    "careless": "careless",
    "reversed": "order reversed",
    "disagrees": "disagrees with the others",
    "unproven": "does not seem to read",
    "adds little": "mostly ties",
    "unremarkable": "nothing unusual",
    "unknown": "too little work",
}
"""Each verdict in a few words."""

QUIET: tuple[JudgeVerdictName, ...] = ("unremarkable", "unknown")
"""The verdicts that give no reason to look at a judge's work."""


class JudgeVerdict(NamedTuple):
    """A verdict and the sentence that says why."""

    name: JudgeVerdictName
    reason: str


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
        "than they agree with each other; this may be an honest minority view.",
    ),
    "coin-toss": JudgeVerdict(
        "disagrees",
        "Follows the others' order of the systems no better than by chance, and worse than they "
        "do; this may be an honest minority view.",
    ),
    "unsure": JudgeVerdict(
        "unproven", "Does not clearly score degraded outputs lower than their originals."
    ),
    "hasty": JudgeVerdict("unproven", "Takes less than a third of the usual time per task."),
    "undecided": JudgeVerdict("adds little", "Ties in more than 80% of the comparisons."),
}
"""What each finding about a judge amounts to, the most telling first."""

UNREMARKABLE = JudgeVerdict("unremarkable", "Works and agrees like the others.")


def judge_verdict(flags: Collection[str], tasks: int, enough_tasks: int) -> JudgeVerdict:
    """Return the verdict on a judge of so many tasks about whom these findings were raised.

    >>> judge_verdict({"coin-toss", "fickle"}, 50, 10).name
    'careless'
    >>> judge_verdict({"coin-toss"}, 50, 10).name, judge_verdict((), 3, 10).name
    ('disagrees', 'unknown')
    """
    for flag, verdict in VERDICT_OF_FLAG.items():
        if flag in flags:
            return verdict
    if tasks < enough_tasks:
        return JudgeVerdict("unknown", f"Has fewer than {enough_tasks} tasks.")
    return UNREMARKABLE
