"""Sentence-level quality estimation: predicted scores against people's.

Bojar et al. 2014, section 4.2. Scoring is measured by the mean absolute error and the root of the
mean squared error, ranking by DeltaAvg and Spearman's ρ; Pearson's r says how far scores lie on a
line. Every measure is a function of how often each sentence counts, so that a resample is no
special case (`scoreboard`).
"""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from analysis.campaign import FloatArray, IntArray
from analysis.extras.scores.scoreboard import Measure, Values

MAE = Measure(
    "mae", "Mean absolute error",
    "average distance between predictions and human scores", high_is_good=False,
)  # fmt: skip
RMSE = Measure(
    "rmse", "Root mean squared error",
    "as the mean absolute error, but large errors count more", high_is_good=False,
)  # fmt: skip
DELTA_AVG = Measure(
    "delta_avg", "DeltaAvg",
    "how much better than average a system's top-ranked sentences are: the mean, over cuts of "
    "the ranking into 2, 3, … parts, of the quality of the top parts minus that of all "
    "(Callison-Burch et al. 2012)",
)  # fmt: skip
DELTA_AVG_EVEN = Measure(
    "delta_avg_even", "DeltaAvg, even cuts",
    "as DeltaAvg, but the parts are as equal as possible; DeltaAvg cuts every ⌊N/n⌋ sentences and "
    "leaves the rest to the last part. The paper does not say which",
)  # fmt: skip
SPEARMAN = Measure("spearman", "Spearman's ρ", "agreement of the two orders of the sentences")
PEARSON = Measure("pearson", "Pearson's r", "linear agreement of predictions and scores")


def measures(
    gold: FloatArray, predicted: FloatArray, *, high_is_good: bool
) -> list[tuple[Measure, Values]]:
    """Return the measures of ``predicted[S, n]`` against ``gold[n]``.

    ``high_is_good`` is False for scores like TER, where a low one is a good sentence's; DeltaAvg
    then ranks from the lowest up and tells how much lower the scores of those on top are.
    """
    sign = 1 if high_is_good else -1
    return [
        (MAE, partial(mean, np.abs(predicted - gold))),
        (RMSE, lambda counts: np.sqrt(mean((predicted - gold) ** 2, counts))),
        (DELTA_AVG, partial(_by_system, delta_avg, sign * gold, sign * predicted)),
        (DELTA_AVG_EVEN, partial(_by_system, even_delta_avg, sign * gold, sign * predicted)),
        (SPEARMAN, partial(_by_system, spearman, gold, predicted)),
        (PEARSON, partial(_by_system, pearson, gold, predicted)),
    ]


def _by_system(
    of: object, gold: FloatArray, predicted: FloatArray, counts: FloatArray
) -> FloatArray:
    assert callable(of)
    return np.stack([of(gold, row, counts) for row in predicted], axis=1)


def mean(values: FloatArray, counts: FloatArray) -> FloatArray:
    """Return the means[R, S] of ``values[S, n]``, unit k counting ``counts[:, k]`` times."""
    return np.asarray((counts @ values.T) / counts.sum(axis=1, keepdims=True))


def delta_avg(
    gold: FloatArray, predicted: FloatArray, counts: FloatArray, even: bool = False
) -> FloatArray:
    """Return DeltaAvg of one system in each resample.

    With V(m) the mean gold score of the m sentences predicted best, of N,

        DeltaAvg = mean over n = 2 … ⌊N/2⌋ of  mean over k = 1 … n−1 of V(k⌊N/n⌋)  −  V(N):

    each part has ⌊N/n⌋ sentences, the last one the rest; ``even`` cuts at the whole number nearest
    to kN/n instead. Sentences predicted alike share their
    places evenly, so that the order of the file does not matter.
    """
    order = np.argsort(-predicted, kind="stable")
    gold, predicted, counts = gold[order], predicted[order], counts[:, order]
    end = counts.cumsum(axis=1).astype(np.int64)
    last = np.flatnonzero(np.append(np.diff(predicted) != 0, True))  # of the sentences alike
    place = np.concatenate([np.zeros((len(counts), 1), np.int64), end[:, last]], axis=1)
    total = (counts * gold).cumsum(axis=1)[:, last]
    gain = np.diff(total, axis=1, prepend=0)
    size = np.diff(place, axis=1)
    result = np.empty(len(counts))
    for r, n in enumerate(place[:, -1]):
        if n < 4:
            result[r] = np.nan
            continue
        share = np.diff(_weight_of_places(int(n), even)[place[r]])
        alike = np.divide(gain[r], size[r], out=np.zeros_like(gain[r]), where=size[r] > 0)
        result[r] = alike @ share - gain[r].sum() / n
    return result


even_delta_avg = partial(delta_avg, even=True)


@cache
def _weight_of_places(n: int, even: bool) -> FloatArray:
    """Return the cumulated weights of places 0 … n: DeltaAvg is their sum over sentences, less V.

    V(m) gives each of the first m places 1/m.
    """
    of_prefix = np.zeros(n + 1)
    parts = range(2, n // 2 + 1)
    for cut in parts:
        k = np.arange(1, cut)
        of_prefix[np.rint(k * n / cut).astype(int) if even else k * (n // cut)] += 1 / (cut - 1)
    of_prefix /= len(parts)
    per_place = of_prefix[1:] / np.arange(1, n + 1)
    of_place = per_place[::-1].cumsum()[::-1]
    weights = np.concatenate([[0.0], of_place.cumsum()])
    weights.setflags(write=False)
    return weights


def pearson(x: FloatArray, y: FloatArray, counts: FloatArray) -> FloatArray:
    """Return Pearson's r in each resample; nan where either never varies."""
    x, y = x - x.mean(), y - y.mean()
    return _correlation(np.broadcast_to(x, counts.shape), np.broadcast_to(y, counts.shape), counts)


def spearman(x: FloatArray, y: FloatArray, counts: FloatArray) -> FloatArray:
    """Return Spearman's ρ in each resample: Pearson's r of the ranks, equal values sharing them."""
    return _correlation(_ranks(x, counts), _ranks(y, counts), counts)


def _ranks(values: FloatArray, counts: FloatArray) -> FloatArray:
    """Return the mid-rank of every unit, centered, where unit k stands ``counts[:, k]`` times."""
    _, level = np.unique(values, return_inverse=True)
    order: IntArray = np.argsort(level, kind="stable")
    ends = np.flatnonzero(np.append(np.diff(level[order]) != 0, True))
    upto = counts[:, order].cumsum(axis=1)[:, ends]
    middle = (upto + np.concatenate([np.zeros((len(counts), 1)), upto[:, :-1]], axis=1)) / 2
    return np.asarray(middle[:, level] - counts.sum(axis=1, keepdims=True) / 2)


def _correlation(x: FloatArray, y: FloatArray, counts: FloatArray) -> FloatArray:
    n = counts.sum(axis=1)
    mean_x, mean_y = (counts * x).sum(axis=1) / n, (counts * y).sum(axis=1) / n
    xy = (counts * x * y).sum(axis=1) / n - mean_x * mean_y
    xx = (counts * x * x).sum(axis=1) / n - mean_x**2
    yy = (counts * y * y).sum(axis=1) / n - mean_y**2
    scale = np.sqrt(np.maximum(xx, 0) * np.maximum(yy, 0))
    tiny = 1e-12 * np.sqrt(np.maximum((x**2).max(), 1e-300) * np.maximum((y**2).max(), 1e-300))
    return np.divide(xy, scale, out=np.full(len(n), np.nan), where=scale > tiny)
