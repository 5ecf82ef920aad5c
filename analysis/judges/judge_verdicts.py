"""One verdict per judge, with its reason.

Whoever disagrees with the others may be careless or hold an honest minority view: agreement cannot
tell the two apart. Carelessness shows in a judge's own work: answers that contradict earlier ones,
a side of the display that decides, whatever the system. The first finding of `VERDICT_OF_FLAG` that
was raised decides.

Quality control: campaigns mix in outputs that were made worse on purpose (BAD) and outputs that a
judge has scored before. A judge who reads scores a degraded output below its original. Whether one
does is told by the exact sign test over the judge's degraded outputs, one-sided, ties on neither
side (WMT21 and before ask the same of a rank-sum test, at .05); the share scored below has an exact
interval (Clopper & Pearson 1934). Degraded outputs of one document hang together a little, so both
are somewhat too sure. Few checks show nothing: a judge without a difference has not failed, but not
shown to read.

Reference: Graham, Baldwin, Moffat & Zobel 2017, *Can machine translation systems be evaluated by
the crowd alone*, Natural Language Engineering 23.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign import CHECKS, FloatArray, IntArray, RankingTasks
from analysis.ranking.significance import clopper_pearson, sign_test
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


LIMIT = 0.05
"""The p-value up to which a judge counts as telling degraded outputs apart."""

ENOUGH_CHECKS = 30
"""Degraded outputs under which the audit found that judges who read may not pass."""


@dataclass(frozen=True, eq=False)
class QualityControl:
    """The checks of one language pair, in the order of ``judges``, the most checked first.

    ``degraded`` counts degraded outputs with a score of their original by the same judge,
    ``below`` those scored lower, ``tied`` those scored the same; ``share`` is ``below`` of
    ``degraded`` with its exact interval from ``low`` to ``high`` at ``level``, and ``p`` the
    one-sided sign test's. ``repeated`` counts outputs scored a second time, ``difference`` is the
    mean distance of the two scores, ``shift`` the mean of the second minus the first. ``seconds``
    is the median time of a score. What has no data is nan.
    """

    pair: str
    level: float
    judges: tuple[str, ...]
    degraded: IntArray
    below: IntArray
    tied: IntArray
    share: FloatArray
    low: FloatArray
    high: FloatArray
    p: FloatArray
    repeated: IntArray
    difference: FloatArray
    shift: FloatArray
    seconds: FloatArray

    @property
    def attentive(self) -> tuple[str, ...]:
        """The judges who separate degraded outputs by the sign test."""
        return self._those(self.p <= LIMIT)

    @property
    def unsure(self) -> tuple[str, ...]:
        """The judges who do not, with enough degraded outputs for one who reads to do so."""
        return self._those((self.p > LIMIT) & (self.degraded >= ENOUGH_CHECKS))

    @property
    def undecided(self) -> tuple[str, ...]:
        """The judges who do not, with too few degraded outputs to say why."""
        return self._those((self.p > LIMIT) & (self.degraded < ENOUGH_CHECKS))

    def _those(self, chosen: npt.NDArray[np.bool_]) -> tuple[str, ...]:
        return tuple(self.judges[k] for k in np.flatnonzero(chosen).tolist())

    @property
    def total_share(self) -> tuple[float, float, float]:
        """The share scored below over all judges, with its interval as of one judge."""
        n, x = float(self.degraded.sum()), float(self.below.sum())
        if not n:
            return (float("nan"),) * 3
        low, high = clopper_pearson(np.array([x]), np.array([n]), self.level)
        return x / n, float(low[0]), float(high[0])

    def to_frame(self) -> pd.DataFrame:
        """Return a table, one line a judge."""
        columns = {k: v for k, v in vars(self).items() if k not in ("pair", "level", "judges")}
        return pd.DataFrame({"judge": self.judges, **columns})


def quality_control(
    campaign: RankingTasks, pair: str, level: float = 0.95
) -> QualityControl | None:
    """Return what the checks of a language pair show; None where the campaign holds none."""
    checks = campaign.checks
    if checks is None or pair not in checks.pairs:
        return None
    own = np.flatnonzero(checks.pair == checks.pairs.index(pair))
    if not len(own):
        return None
    judge, kind = checks.judge[own], checks.kind[own]
    change = checks.value[own] - checks.original[own]
    if campaign.scores is not None and not campaign.scores.scale.higher_is_better:
        change = -change
    n = len(checks.judges)

    def counted(which: np.ndarray) -> IntArray:
        return np.bincount(judge[which], minlength=n)

    is_degraded = kind == CHECKS.index("degraded")
    degraded = counted(is_degraded)
    below, tied = counted(is_degraded & (change < 0)), counted(is_degraded & (change == 0))
    again = ~is_degraded
    repeated = counted(again)
    low, high = clopper_pearson(below.astype(float), np.maximum(degraded, 1).astype(float), level)
    none = degraded == 0
    table = {
        "degraded": degraded,
        "below": below,
        "tied": tied,
        "share": np.where(none, np.nan, below / np.maximum(degraded, 1)),
        "low": np.where(none, np.nan, low),
        "high": np.where(none, np.nan, high),
        "p": np.where(none, np.nan, sign_test(below, degraded - below - tied, sides=1)),
        "repeated": repeated,
        "difference": _mean_by(judge[again], np.abs(change[again]), n),
        "shift": _mean_by(judge[again], change[again], n),
        "seconds": _median_seconds(campaign, pair, checks.judges),
    }
    order = np.argsort(-(degraded + repeated), kind="stable")
    order = order[(degraded + repeated)[order] > 0]
    return QualityControl(
        pair=pair,
        level=level,
        judges=tuple(checks.judges[k] for k in order.tolist()),
        **{name: column[order] for name, column in table.items()},
    )


def _mean_by(judge: IntArray, value: FloatArray, n: int) -> FloatArray:
    """Return each judge's mean, nan for who has no value."""
    number = np.bincount(judge, minlength=n)
    total = np.bincount(judge, weights=value, minlength=n)
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)


def _median_seconds(campaign: RankingTasks, pair: str, judges: tuple[str, ...]) -> FloatArray:
    """Return the median time of the scores that count, by judge."""
    scores = campaign.scores
    if scores is None or scores.seconds is None or pair not in campaign.pairs:
        return np.full(len(judges), np.nan)
    own = (scores.pair == campaign.pairs.index(pair)) & ~np.isnan(scores.seconds)
    names = np.array(campaign.judges, dtype=object)[scores.judge[own]]
    medians = pd.Series(scores.seconds[own]).groupby(names).median()
    return medians.reindex(list(judges)).to_numpy(dtype=np.float64)
