"""Scores that judges gave to single outputs, in columns, one row a scored output.

Direct assessment, SQM, ESA, MQM, mean opinion scores: a judge sees an output and answers with a
number on a scale. What judges preferred follows from scores that stand on one screen. Some outputs
are shown to check the judges: degraded ones, and outputs a second time.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.campaign.ragged import FloatArray, IntArray, Ragged, make_read_only

CHECKS = ("degraded", "repeated")
"""What a check shows: an output made worse on purpose, or one that the judge scored before."""


@dataclass(frozen=True)
class Scale:
    """What a score means: what people call it, its ends, and which end is the good one.

    ``low`` and ``high`` are nan where the scale has no end on that side.
    """

    name: str
    low: float = float("nan")
    high: float = float("nan")
    higher_is_better: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", float(self.low))
        object.__setattr__(self, "high", float(self.high))


@dataclass(frozen=True, eq=False)
class ErrorSpans:
    """Errors that judges marked, one row an error of the scored row ``scored``.

    ``category`` and ``severity`` are codes into their names; ``start`` and ``end`` are positions
    in the output's text, -1 where the file gives none.
    """

    scored: IntArray
    category: IntArray
    categories: tuple[str, ...]
    severity: IntArray
    severities: tuple[str, ...]
    start: IntArray
    end: IntArray

    def take(self, rows: IntArray, n_scored: int) -> ErrorSpans:
        """Return the errors of some of ``n_scored`` rows, as errors of these in their order."""
        order = np.argsort(self.scored, kind="stable")
        sizes = np.bincount(self.scored, minlength=n_scored)
        found = Ragged.from_sizes(sizes, order).take(rows)
        of = found.values
        return dataclasses.replace(
            self,
            scored=found.owners,
            category=self.category[of],
            severity=self.severity[of],
            start=self.start[of],
            end=self.end[of],
        )


@dataclass(frozen=True, eq=False)
class Scores:
    """All scores of a campaign. Pairs, systems, segments and judges are the campaign's codes.

    Rows with equal ``screen`` stood on one screen before one judge. ``document`` and ``domain`` are
    codes into their names, None where the file has none. ``value`` is as the file has it, ``scale``
    says which end is good. ``standardized`` are the values as the file itself standardized them by
    judge, None where it did not; their good end is the scale's. ``seconds`` is how long a score
    took, nan where that is unknown.
    """

    scale: Scale
    pair: IntArray
    system: IntArray
    segment: IntArray
    judge: IntArray
    screen: IntArray
    value: FloatArray
    document: IntArray | None = None
    documents: tuple[str, ...] = ()
    domain: IntArray | None = None
    domains: tuple[str, ...] = ()
    seconds: FloatArray | None = None
    errors: ErrorSpans | None = None
    standardized: FloatArray | None = None

    def __post_init__(self) -> None:
        make_read_only(vars(self).values())

    def __len__(self) -> int:
        return len(self.value)

    @property
    def goodness(self) -> FloatArray:
        """The values with the good end up: turned where less is better."""
        return self.value if self.scale.higher_is_better else -self.value

    @property
    def z(self) -> FloatArray:
        """The good end up in standard deviations from the judge's mean; nan where that is 0.

        They are the file's own where it has them, else of each judge's scores here.
        """
        if self.standardized is None:
            return standardized(self.goodness, self.judge)
        return self.standardized if self.scale.higher_is_better else -self.standardized

    @property
    def has_given_z(self) -> bool:
        """Whether the file itself standardizes all of its ratings."""
        return self.standardized is not None and not np.isnan(self.standardized).any()

    def take(self, rows: IntArray) -> Scores:
        """Return some rows in the order given; a row may come twice."""
        columns: dict[str, Any] = {
            name: column[rows]
            for name, column in vars(self).items()
            if isinstance(column, np.ndarray)
        }
        errors = None if self.errors is None else self.errors.take(rows, len(self))
        return dataclasses.replace(self, **columns, errors=errors)


FEW_RATINGS, REACH = 100, 3.0
"""With fewer ratings of a language pair, none is far from all others; from how many widths of the
middle 98% beyond its ends one is: a long tail of errors stays within that."""


def far_off(scores: Scores) -> npt.NDArray[np.bool_]:
    """Return the ratings far from all others of their language pair, such as typing errors."""
    found = np.zeros(len(scores), dtype=bool)
    for pair in np.unique(scores.pair):
        of_pair = scores.pair == pair
        if np.count_nonzero(of_pair) >= FEW_RATINGS:
            low, high = np.quantile(scores.value[of_pair], (0.01, 0.99))
            reach = REACH * (high - low)
            outside = (scores.value < low - reach) | (scores.value > high + reach)
            found |= of_pair & outside & (reach > 0)
    return found


def standardized(
    values: FloatArray, judge: IntArray, times: FloatArray | None = None
) -> FloatArray:
    """Return values in standard deviations from their judge's mean; nan where that is 0.

    ``times`` says how often each value counts, by default once.

    >>> standardized(np.array([1., 3., 5., 5.]), np.array([0, 0, 1, 1])).round(3).tolist()
    [-0.707, 0.707, nan, nan]
    """
    times = np.ones(len(values)) if times is None else times
    n = np.bincount(judge, times)
    mean = np.bincount(judge, values * times) / np.maximum(n, 1)
    rest = values - mean[judge]
    deviation = np.sqrt(np.bincount(judge, rest**2 * times) / np.maximum(n - 1, 1))
    spread = np.where(deviation > 1e-12 * (1 + np.abs(mean)), deviation, np.nan)
    return np.asarray(rest / spread[judge])


@dataclass(frozen=True, eq=False)
class Checks:
    """Scores of checks beside the same judge's scores of the outputs that they were made from.

    One row a check: ``pair`` and ``judge`` are codes into their names, ``kind`` into `CHECKS`.
    """

    pairs: tuple[str, ...]
    judges: tuple[str, ...]
    pair: IntArray
    judge: IntArray
    kind: IntArray
    value: FloatArray
    original: FloatArray

    def __post_init__(self) -> None:
        make_read_only(vars(self).values())

    def __len__(self) -> int:
        return len(self.value)
