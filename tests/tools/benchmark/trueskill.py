"""TrueSkill: the official procedure of WMT14–16, and the preview that follows its limit."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from analysis.rankers.ranker import Fit
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.certainty import replicate
from analysis.samples import sample_campaign
from tests.tools.benchmark.made import tenth_whole_and_tenfold
from tests.tools.benchmark.peers import named, peer
from tests.tools.benchmark.timing import Action, Row, exponent, once, peak_megabytes

RUNS, PACKAGE_UPDATES, GROWTH_RUNS = 1000, 2000, 100


def rows() -> Iterator[Row]:
    """An update of one core against the package's; the preview against 1,000 runs."""
    package = peer("trueskill")
    assert package is not None  # one of Podium's own requirements
    judgments = sample_campaign("wmt14-en-cs").judgments()
    environment = package.TrueSkill(backend="scipy")
    one, other = environment.create_rating(), environment.create_rating()
    ranker = TrueSkill()
    fit = ranker.fit(judgments)

    def rate() -> None:
        for _ in range(PACKAGE_UPDATES):
            environment.rate_1vs1(one, other)

    def official(runs: int, workers: int) -> None:
        _procedure(fit, runs, workers)()

    rate()
    memory = peak_megabytes(lambda: official(RUNS, 2))
    both = min(once(lambda: official(RUNS, 2)) for _ in range(2))
    sizes = tenth_whole_and_tenfold(judgments)
    growing = [once(_procedure(ranker.fit(some), GROWTH_RUNS)) for some in sizes]
    pairs = [(once(lambda: official(100, 1)), once(rate)) for _ in range(5)]
    updates = len(judgments)
    ratios = sorted(
        (package_s / PACKAGE_UPDATES) / (ours / (100 * updates)) for ours, package_s in pairs
    )
    ours, theirs = pairs[2]
    each = theirs / PACKAGE_UPDATES
    yield Row(
        f"TrueSkill, official procedure, 1,000 runs of {updates:,} judgments",
        both,
        named("trueskill"),
        each * RUNS * updates,
        ratios[2],
        "≥ 2,000 times an update and core",
        ratios[2] >= 2000,
        memory,
        exponent([len(some) for some in sizes], growing),
        note=f"{ours / (100 * updates) * 1e9:.0f} ns an update and core, "
        f"the package's {each * 1e6:.0f} μs; "
        f"ratios of five turns {ratios[0]:,.0f} to {ratios[-1]:,.0f}; "
        f"{GROWTH_RUNS} runs of a tenth of the tasks, all, each ten times: "
        + ", ".join(f"{t:.2f} s" for t in growing),
    )
    ranker.fluid_preview(judgments)
    memory = peak_megabytes(lambda: ranker.fluid_preview(judgments))
    preview = min(once(lambda: ranker.fluid_preview(judgments)) for _ in range(5))
    ratio = both / preview
    yield Row(
        "TrueSkill, fluid preview of the same",
        preview,
        "our 1,000 runs",
        both,
        ratio,
        "≥ 500 times",
        ratio >= 500,
        memory,
    )


def _procedure(fit: Fit, runs: int, workers: int = 2) -> Action:
    """Return the official procedure's runs on some threads."""

    def run() -> None:
        with ThreadPoolExecutor(workers) as executor:
            replicate(fit, runs=runs, unit="none", executor=executor)

    return run
