"""Models of outputs and judges: 1,000 resamples of 55,900 judgments, and how time grows with n."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from analysis.campaign import Judgments
from analysis.rankers import RANKERS
from analysis.ranking.certainty import replicate
from analysis.samples import sample_campaign
from tests.tools.benchmark.made import tenth_whole_and_tenfold
from tests.tools.benchmark.timing import Row, alone, exponent, once

RUNS = 1000
WORKLOADS = {"graded-response": (60.0, 50), "hopkins-may-categorical": (30.0, 200)}
"""The seconds that 1,000 resamples may take, and how many of them are timed."""


def rows() -> Iterator[Row]:
    """Time a part of the resamples of each method."""
    judgments = sample_campaign("wmt14-en-cs").judgments()
    for name, (allowed, runs) in WORKLOADS.items():
        ranker = RANKERS[name]()

        def action(some: Judgments, runs: int, ranker=ranker):  # type: ignore[no-untyped-def]
            fit = ranker.fit(some)
            return lambda: replicate(fit, runs=runs)

        row = alone(
            f"{ranker.title}, 1,000 resamples of {len(judgments):,} judgments",
            action(judgments, runs),
            share=runs / RUNS,
            at_most=allowed,
        )
        sizes = tenth_whole_and_tenfold(judgments)
        times = [once(action(some, runs // 5)) * 5 * RUNS / runs for some in sizes]
        yield dataclasses.replace(
            row,
            exponent=exponent([len(some) for some in sizes], times),
            note=f"{runs} resamples, scaled; a tenth of the tasks, all, each ten times: "
            + ", ".join(f"{t:.1f} s" for t in times),
        )
