"""Every ranker: one fit and 1,000 task resamples."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.campaign import Judgments
from analysis.rankers import RANKERS, Ranker, rankers_for
from analysis.ranking.certainty import replicate
from analysis.samples import sample_campaign
from tests.tools.benchmark.timing import seconds


def ranker_speed() -> Iterator[dict[str, object]]:
    """One fit and 1,000 task resamples of every ranker on the two largest sample campaigns.

    The unit is the time of 1,000 resamples of Expected Wins in the same run.
    """
    for sample in ("wmt14-en-cs", "wmt14-en-de"):
        judgments = sample_campaign(sample).judgments()
        unit = 0.0
        for name in ("expected-wins", *(n for n in rankers_for(judgments) if n != "expected-wins")):
            fit, resamples = _ranker_seconds(RANKERS[name](), judgments)
            unit = unit or resamples
            yield {
                "sample": sample,
                "method": name,
                "fit ms": fit * 1e3,
                "1,000 resamples s": resamples,
                "as Expected Wins": resamples / unit,
            }


def _ranker_seconds(ranker: Ranker, judgments: Judgments) -> tuple[float, float]:
    """Time one fit and 1,000 task resamples, of which slow methods run 50 or 4 alone."""
    fit = seconds(lambda: ranker.fit(judgments).standings, repeats=1)
    runs = 4 if fit > 0.1 else 50 if fit > 0.02 else 1000
    return fit, seconds(
        lambda: replicate(ranker.fit(judgments), runs=runs), repeats=1
    ) * 1000 / runs
