"""All kernels compiled ahead: ``python -m analysis.kernels``, which setting up runs.

A kernel is compiled when it is first called with such arguments, and kept on disk. What would be in
the first user's way is called here with a small campaign: reading its files, every method's default
path and its resamples, and what says how sure scores are.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from analysis.errors import PodiumError
from analysis.formats import read_many
from analysis.formats.writing import write
from analysis.judges.judge_table import judges
from analysis.next_campaign.planning import plan
from analysis.rankers import RANKERS
from analysis.ranking.certainty import replicate
from analysis.ranking.ranking import quick_verdict
from analysis.samples import DEFAULT_SAMPLE, sample_campaign

FILES = (("arena-people", "arena"), (DEFAULT_SAMPLE, "wmt-2way"), (DEFAULT_SAMPLE, "wmt-5way"))
"""Samples and formats to read them from, whose kernels are those of all formats."""

TASKS = 300
"""Ranking tasks that are ranked: enough for every method, and little to wait for."""


def compile_kernels() -> None:
    """Compile all kernels, or load those that were compiled before."""
    for sample, written_as in FILES:
        data = write(sample_campaign(sample), written_as)
        campaign, _ = read_many([("kernels.csv", data)])
    judgments = campaign.judgments(campaign.pairs[0])
    judges(judgments)
    some = judgments.take_tasks(np.arange(TASKS))
    for method in RANKERS.values():
        ranker = method()
        with suppress(PodiumError):
            fit = ranker.quick_form().fit(some)
            verdict = quick_verdict(fit)
            replicate(fit, runs=2, unit="task")
    plan(some, verdict, draws=2)


if __name__ == "__main__":
    compile_kernels()
