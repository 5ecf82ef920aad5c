"""Agreement of judges: κ with 1,000 resamples of ten million judgments, and Krippendorff's α."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from analysis.judges.agreement import agreement
from analysis.judges.other_coefficients import coefficients
from tests.tools.benchmark.made import rankings
from tests.tools.benchmark.peers import missing, named, peer
from tests.tools.benchmark.timing import Row, exponent, once, peak_megabytes

SIZES = (10_000, 100_000, 1_000_000)


def rows() -> Iterator[Row]:
    """κ at three sizes beside scikit-learn's on ready arrays, then α beside the package's."""
    times, memory = [], 0.0
    for n_tasks in SIZES:
        judgments = rankings(n_tasks)
        judgments.left  # noqa: B018  reading ends with the rows

        def measure(judgments=judgments):  # type: ignore[no-untyped-def]
            return agreement(judgments, runs=1000)

        memory = peak_megabytes(measure)
        times.append(once(measure))
    sklearn = peer("sklearn.metrics")
    theirs, name, note = float("nan"), "", missing("scikit-learn")
    if sklearn is not None:
        rng = np.random.default_rng(1)
        first, second = rng.integers(-1, 2, (2, 10_000_000))
        one = once(lambda: sklearn.cohen_kappa_score(first, second))
        theirs, name = one * 1001, f"{named('scikit-learn')}, ready arrays"
        note = f"one κ of ready arrays of ten million takes the peer {one:.2f} s"
    yield Row(
        "κ of all judges with 1,000 resamples, ten million judgments",
        times[-1], name, theirs, theirs / times[-1], "≤ 5 s", times[-1] <= 5, memory,
        exponent(SIZES, times), note + "; " + ", ".join(f"{t:.2f} s" for t in times),
    )  # fmt: skip
    yield from _alpha()


def _alpha() -> Iterator[Row]:
    """α of a hundred thousand judgments: ours with 1,000 resamples, the package's without."""
    krippendorff = peer("krippendorff")
    judgments = rankings(10_000)

    def ours() -> object:
        return coefficients(judgments, runs=1000)

    ours()
    took, what = once(ours), "α, AC1 and agreement with 1,000 resamples, 100,000 judgments"
    if krippendorff is None:
        yield Row(what, took, note=missing("krippendorff"))
        return
    counts = np.random.default_rng(1).multinomial(2, [0.4, 0.2, 0.4], size=50_000)
    one = once(lambda: krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))
    yield Row(
        what, took, f"{named('krippendorff')}, counts at hand", one * 1001, one * 1001 / took,
        note=f"one α takes the peer {one:.2f} s",
    )  # fmt: skip
