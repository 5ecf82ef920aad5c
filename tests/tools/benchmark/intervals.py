"""Intervals in closed form: what is told apart on ten million judgments, after reading."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.rankers import RANKERS
from analysis.ranking.certainty import replicate
from analysis.ranking.verdict import reach_verdict
from tests.tools.benchmark.made import rankings
from tests.tools.benchmark.timing import Row, exponent, once, peak_megabytes

METHODS = ("expected-wins", "bradley-terry", "trueskill")
SIZES = (10_000, 100_000, 1_000_000)
RESAMPLES = 20


def rows() -> Iterator[Row]:
    """Each method at 100,000, a million and ten million judgments."""
    for name in METHODS:
        ranker = RANKERS[name]()
        times, again, memory = [], 0.0, 0.0
        for n_tasks in SIZES:
            judgments = rankings(n_tasks)
            judgments.observations  # noqa: B018  reading ends with them

            def tell(judgments=judgments, ranker=ranker):  # type: ignore[no-untyped-def]
                return reach_verdict(ranker.fit(judgments))

            memory = peak_megabytes(tell)
            times.append(min(once(tell) for _ in range(2)))
        if name != "trueskill":
            fit = ranker.fit(judgments)
            replicate(fit, runs=1)
            again = once(lambda fit=fit: replicate(fit, runs=RESAMPLES))  # type: ignore[misc]
        slow = again * 1000 / RESAMPLES
        steep = exponent(SIZES, times)
        yield Row(
            f"Intervals and what is told apart, ten million judgments, {ranker.title}",
            times[-1],
            "our 1,000 task resamples" if again else "",
            slow or float("nan"),
            slow / times[-1] if again else float("nan"),
            "≤ 3 s",
            times[-1] <= 3,
            memory,
            steep,
            note=", ".join(f"{t:.2f} s" for t in times),
        )
