"""Bradley–Terry: one fit of a million votes, and 1,000 resamples of 192,000."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from analysis.campaign import FloatArray, Judgments, PairCounts
from analysis.campaign.counts import LOSS, TIE, Observations
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.ranking.certainty import replicate
from tests.tools.benchmark.made import votes
from tests.tools.benchmark.peers import NOT_BESIDE_US, missing, named, peer
from tests.tools.benchmark.timing import Row, against, exponent, once, peak_megabytes

RUNS, CHOIX_RUNS, EVALICA_RUNS = 1000, 40, 8
OURS = BradleyTerry(ties="half")


def rows() -> Iterator[Row]:
    """Yield the rows of resamples, of the single fit, and of growth."""
    for n_systems in (60, 200):
        yield from _resamples(votes(192_000, n_systems), n_systems)
    yield from _one_fit()
    yield from _growth()
    for name, reason in NOT_BESIDE_US.items():
        yield Row(f"Bradley–Terry by {name}", float("nan"), name, note=reason)


def _resamples(judgments: Judgments, n_systems: int) -> Iterator[Row]:
    fit = OURS.fit(judgments)
    what = f"Bradley–Terry, 1,000 resamples of 192,000 votes, {n_systems} systems"
    rng = np.random.default_rng(0)

    def ours() -> object:
        return replicate(fit, runs=RUNS, unit="judgment")

    choix = peer("choix")
    if choix is None:
        yield Row(what, once(ours), note=missing("choix"))
    else:
        counts = judgments.counts
        cells = np.concatenate([counts.wins.ravel(), np.triu(counts.ties).ravel()])
        kinds = np.flatnonzero(cells)

        def loop() -> None:
            for _ in range(CHOIX_RUNS):
                drawn = np.zeros(len(cells))
                drawn[kinds] = rng.multinomial(len(judgments), cells[kinds] / len(judgments))
                wins, ties = drawn.reshape(2, n_systems, n_systems)
                choix.ilsr_pairwise_dense(wins + (ties + ties.T) / 2, alpha=1e-3)

        note = "the peer draws by NumPy's multinomial and solves by ilsr_pairwise_dense"
        yield against(
            what, ours, named("choix"), loop, share=CHOIX_RUNS / RUNS, at_least=10, note=note
        )
        whole = counts.wins + counts.ties / 2

        def solve() -> None:
            for _ in range(CHOIX_RUNS):
                choix.ilsr_pairwise_dense(whole, alpha=1e-3)

        yield against(
            what, ours, f"{named('choix')}, tables at hand", solve, share=CHOIX_RUNS / RUNS,
            at_least=10, rounds=1, note="ours with drawing, the peer's without",
        )  # fmt: skip
    evalica = peer("evalica")
    if evalica is None:
        yield Row(what, once(ours), note=missing("evalica"))
        return
    coded = _Coded(evalica, judgments)

    def coded_loop() -> None:
        for _ in range(EVALICA_RUNS):
            coded.fit(rng.integers(len(judgments), size=len(judgments)))

    yield against(
        what, ours, f"{named('evalica')}, coded, in a loop", coded_loop,
        share=EVALICA_RUNS / RUNS, at_least=300, rounds=2,
    )  # fmt: skip


class _Coded:
    """Votes as evalica's compiled function takes them, without looking names up."""

    def __init__(self, evalica: Any, judgments: Judgments) -> None:
        self.evalica, self.total = evalica, judgments.n_systems
        winners = (evalica.Winner.Y, evalica.Winner.Draw, evalica.Winner.X)
        self.left, self.right = judgments.left, judgments.right
        self.winners = np.array(winners, dtype=object)[judgments.outcome + 1]

    def fit(self, rows: np.ndarray) -> object:
        """Fit to some of the votes."""
        return self.evalica._brzo.bradley_terry(
            xs=self.left[rows].tolist(),
            ys=self.right[rows].tolist(),
            winners=self.winners[rows].tolist(),
            weights=[1.0] * len(rows),
            total=self.total,
            win_weight=1.0,
            tie_weight=0.5,
            tolerance=1e-6,
            limit=100,
        )


def _one_fit() -> Iterator[Row]:
    judgments = votes(1_000_000, 60)
    left, right, outcome = judgments.left, judgments.right, judgments.outcome
    what = "Bradley–Terry, one fit of a million coded votes, 60 systems"

    def ours() -> FloatArray:
        """Count coded votes and fit to the counts."""
        facts = Observations(left, right, outcome, left)
        return OURS.scores_from_counts(PairCounts.of(facts, 60))

    evalica = peer("evalica")
    if evalica is None:
        yield Row(what, once(ours), note=missing("evalica"))
    else:
        coded, every = _Coded(evalica, judgments), np.arange(len(judgments))
        yield against(what, ours, named("evalica"), lambda: coded.fit(every), at_least=10)
    leaderbot = peer("leaderbot")
    if leaderbot is None:
        yield Row(what, once(ours), note=missing("leaderbot"))
        return
    data = _leaderbot_data(left, right, outcome, 60)

    def theirs() -> FloatArray:
        model = leaderbot.models.BradleyTerry(data, k_cov=None)  # else each system has a variance
        model.train()
        return np.asarray(model.param)

    counts, found = judgments.counts, theirs()
    apart = np.abs((ours() - ours().mean()) - (found - found.mean())).max()
    yield against(
        "Bradley–Terry, one fit to the counts of these votes",
        lambda: OURS.scores_from_counts(counts), named("leaderbot"), theirs, at_least=1,
        note="the peer's plain model, ties as half a win; "
        f"abilities differ by {apart:.1g} at most (priors)",
    )  # fmt: skip


def _leaderbot_data(left: np.ndarray, right: np.ndarray, outcome: np.ndarray, k: int) -> dict:
    low, high = np.minimum(left, right).astype(int), np.maximum(left, right).astype(int)
    won = np.where(outcome == TIE, 1, np.where((outcome == LOSS) == (left < right), 2, 0))
    table = np.bincount((low * k + high) * 3 + won, minlength=3 * k * k).reshape(-1, 3)
    met = np.flatnonzero(table.any(axis=1))
    return {
        "X": np.stack([met // k, met % k], axis=1),
        "Y": table[met][:, [0, 2, 1]],
        "models": [str(number) for number in range(k)],
    }


def _growth() -> Iterator[Row]:
    sizes = (19_200, 192_000, 1_920_000)
    times, memory = [], 0.0
    for n in sizes:
        fit = OURS.fit(votes(n, 60))

        def resample(fit=fit) -> object:  # type: ignore[no-untyped-def]
            return replicate(fit, runs=250, unit="task")

        memory = peak_megabytes(resample)
        times.append(min(once(resample) for _ in range(2)) * RUNS / 250)
    steep = exponent(sizes, times)
    yield Row(
        "Bradley–Terry, 1,000 resamples of 19,200, 192,000 and 1,920,000 votes, 60 systems",
        times[-1], goal="exponent ≤ 1.05", reached=steep <= 1.05, megabytes=memory, exponent=steep,
        note=", ".join(f"{t:.2f} s" for t in times),
    )  # fmt: skip
