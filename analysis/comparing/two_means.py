"""Two systems by their scores: on the segments of both, and what paired tests say.

On every segment that both were scored on stand the means of their scores there, x_a and x_b. Tests
of the differences d = x_a - x_b over segments take segments for independent and judges for given:
a paired t test of the mean of d, and Wilcoxon's signed-rank test, zeros left out, ties with the
mean rank. Neither knows of other judges, as "told apart" does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from analysis.campaign import Judgments
from analysis.errors import PodiumError

FEWEST_SEGMENTS = 6
"""Differences other than 0 under which no test of two sides can reach 5%."""


@dataclass(frozen=True)
class TwoMeans:
    """What the common segments say of a and b, the good end of the scale up.

    ``better``, ``equal`` and ``worse`` count segments from a's side; ``difference`` is the mean of
    the differences with its interval at 95%, ``t`` and ``wilcoxon`` the p-values of two sides, nan
    where there are too few segments.
    """

    a: str
    b: str
    segments: int
    better: int
    equal: int
    worse: int
    difference: float
    low: float
    high: float
    t: float
    wilcoxon: float


def two_means(judgments: Judgments, a: str, b: str) -> TwoMeans:
    """Compare two systems on the segments that both were scored on."""
    differences = segment_differences(judgments, a, b)
    n = len(differences)
    decided = differences[differences != 0]
    is_enough = n >= FEWEST_SEGMENTS and len(decided) >= FEWEST_SEGMENTS
    spread = float(np.std(differences, ddof=1) / np.sqrt(n)) if n > 1 else float("nan")
    mean = float(differences.mean()) if n else float("nan")
    reach = float(stats.t.ppf(0.975, n - 1)) * spread if n > 1 else float("nan")
    t = float(stats.ttest_1samp(differences, 0).pvalue) if is_enough and spread > 0 else np.nan
    wilcoxon = float(stats.wilcoxon(decided).pvalue) if is_enough else np.nan
    return TwoMeans(
        a=a,
        b=b,
        segments=n,
        better=int((differences > 0).sum()),
        equal=int((differences == 0).sum()),
        worse=int((differences < 0).sum()),
        difference=mean,
        low=mean - reach,
        high=mean + reach,
        t=t,
        wilcoxon=wilcoxon,
    )


def segment_differences(judgments: Judgments, a: str, b: str) -> np.ndarray:
    """Return a's mean less b's on every segment that both were scored on."""
    scores = judgments.scores
    if scores is None:
        raise PodiumError(
            "Two means", "the judges ranked outputs", "Look at who beat whom how often."
        )
    table = pd.DataFrame(
        {"segment": scores.segment, "system": scores.system, "value": scores.goodness}
    )
    wide = table.pivot_table(index="segment", columns="system", values="value", aggfunc="mean")
    codes = [judgments.systems.index(name) for name in (a, b)]
    if not set(codes) <= set(wide.columns):
        return np.zeros(0)
    return np.asarray((wide[codes[0]] - wide[codes[1]]).dropna(), dtype=np.float64)
