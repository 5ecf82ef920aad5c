"""Models of outputs and judges: 1,000 resamples of 55,900 judgments."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.rankers import RANKERS
from analysis.ranking.replicates import replicate
from analysis.simulation.samples import sample_campaign
from tests.benchmark.timing import Row, alone

RUNS = 1000
WORKLOADS = {"graded-response": (60.0, 50), "hopkins-may-categorical": (30.0, 200)}
"""The seconds that 1,000 resamples may take, and how many of them are timed."""


def rows() -> Iterator[Row]:
    """Time a part of the resamples of each method."""
    judgments = sample_campaign("wmt14-en-cs").judgments()
    for name, (allowed, runs) in WORKLOADS.items():
        ranker = RANKERS[name]()
        fit = ranker.fit(judgments)

        def resample(fit=fit, runs=runs):  # type: ignore[no-untyped-def]
            return replicate(fit, runs=runs)

        yield alone(
            f"{ranker.title}, 1,000 resamples of {len(judgments):,} judgments",
            resample,
            share=runs / RUNS,
            at_most=allowed,
            note=f"{runs} resamples, scaled",
        )
