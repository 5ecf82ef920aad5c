"""Quality control: what judges' scores of checks say about their work.

Campaigns mix in outputs that were made worse on purpose (BAD) and outputs that a judge has scored
before. A judge who reads scores a degraded output below its original. Whether one does is told by
the exact sign test over the judge's degraded outputs, one-sided, ties on neither side (WMT21 and
before ask the same of a rank-sum test, at .05); the share scored below has an exact interval
(Clopper & Pearson 1934). Degraded outputs of one document hang together a little, so both are
somewhat too sure. Few checks show nothing: a judge without a difference has not failed, but not
shown to read.

Reference: Graham, Baldwin, Moffat & Zobel 2017, *Can machine translation systems be evaluated by
the crowd alone*, Natural Language Engineering 23.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign import CHECKS, FloatArray, IntArray, RankingTasks
from analysis.ranking.significance import clopper_pearson, sign_test

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
