"""Koehn's fit of the spread: simulated campaigns that separate as many pairs as a real one does.

The share of system pairs that a sign test separates grows as judgments come in. It is looked at in
the campaign at hand, in random orders of its ranking tasks, and in simulated campaigns of as many
systems, whose outputs scatter by whole numbers around abilities even over 0 to 10. The spread whose
mean curve is nearest, by the sum of squared differences, is the campaign's.

The paper's fits are 7 to 12: 10 for French–English with 15 systems, 9 for English–Czech with 13.

Reference: Koehn 2012, *Simulating Human Judgment in Machine Translation Evaluation Campaigns*, §3,
Figure 2.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, IntArray, Judgments, PairCounts
from analysis.errors import UndefinedResultError
from analysis.extras.validation.simulation.campaigns import Simulation
from analysis.extras.validation.simulation.koehn2012 import separations, significant_share
from analysis.parallel import Progress, map_items
from analysis.rankers.ranker import require_judgments

SPREADS = tuple(range(1, 31))
"""Spreads that are tried."""

ORDERS, EXPERIMENTS = 20, 30
"""Orders of the tasks, and campaigns simulated for each spread."""

STEPS = 12
"""Sizes at which the curves are compared, evenly spaced from the first to the last judgment."""


@dataclass(frozen=True, eq=False)
class SpreadFit:
    """Shares of pairs separated, by rising ``sizes[S]``: observed, and simulated for each spread.

    ``observed[S]`` is the mean over the orders of the tasks, ``simulated[N, S]`` that over the
    campaigns of each of the ``spreads[N]``. ``simulation`` is the one that fits best.
    """

    simulation: Simulation
    sizes: IntArray
    observed: FloatArray
    spreads: IntArray
    simulated: FloatArray

    @property
    def misfit(self) -> FloatArray:
        """The root mean squared difference from the observed curve, for each spread."""
        return np.asarray(np.sqrt(((self.simulated - self.observed) ** 2).mean(axis=1)))

    @property
    def best(self) -> int:
        """The spread of least misfit."""
        return int(self.spreads[self.misfit.argmin()])

    def to_frame(self) -> pd.DataFrame:
        """Return the curves: judgments, observed share, and that of the spread that fits best."""
        best = self.simulated[self.misfit.argmin()]
        columns = {"judgments": self.sizes, "observed": self.observed, "simulated": best}
        return pd.DataFrame(columns)


def observed_separation(
    judgments: Judgments, sizes: IntArray, orders: int = ORDERS, seed: int = 0
) -> FloatArray:
    """Return shares[orders, sizes] of the pairs separated as tasks come in, in random orders.

    A size is a number of pairwise judgments, ties among them, and is reached with the first task
    that completes it. Only systems that were ever compared make pairs.
    """
    met = np.flatnonzero(judgments.counts.compared.sum(axis=1) > 0)
    facts, k = judgments.observations, judgments.n_systems
    task = judgments.task[facts.row]
    rng = np.random.default_rng(seed)
    shares = np.empty((orders, len(sizes)))
    for order in range(orders):
        place = rng.permutation(judgments.n_tasks)[task]
        sorted_facts = np.argsort(place, kind="stable")
        ends = np.searchsorted(place[sorted_facts], place[sorted_facts][sizes - 1], side="right")
        cells = facts.cells(k)[sorted_facts]
        tables = np.stack([np.bincount(cells[:end], minlength=2 * k * k) for end in ends])
        counts = PairCounts.from_cells(tables.astype(np.float64), k)
        among = np.ix_(np.arange(len(sizes)), met, met)
        shares[order] = significant_share(PairCounts(counts.wins[among], counts.ties[among]))
    return shares


def fit_spread(
    judgments: Judgments,
    *,
    spreads: Sequence[int] = SPREADS,
    experiments: int = EXPERIMENTS,
    seed: int = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> SpreadFit:
    """Return the whole-number spread whose simulation separates pairs as the judgments do."""
    require_judgments(judgments)
    n = len(judgments.observations)
    if n < 10 * STEPS:
        raise UndefinedResultError(
            "Fitting the standard deviation",
            f"{n} judgments are too few for a curve of the share of separated pairs",
            f"Use at least {10 * STEPS}.",
        )
    sizes = np.linspace(n / STEPS, n, STEPS).astype(np.int64)
    simulation = simulation_like(judgments)
    trials = [dataclasses.replace(simulation, spread=float(spread)) for spread in spreads]
    function = partial(_mean_separation, experiments, tuple(sizes.tolist()))
    curves = map_items(function, trials, seed=seed, executor=executor, progress=progress)
    observed = observed_separation(judgments, sizes, seed=seed).mean(axis=0)
    found = SpreadFit(simulation, sizes, observed, np.array(spreads), np.stack(curves))
    return dataclasses.replace(
        found, simulation=dataclasses.replace(simulation, spread=float(found.best))
    )


def simulation_like(judgments: Judgments) -> Simulation:
    """Return a simulation of as many systems, and as many to a task, as the judgments have."""
    met = int((judgments.counts.compared.sum(axis=1) > 0).sum())
    shown = int(np.median(np.diff(judgments.task_start)))
    return Simulation(systems=met, n_way=min(max(shown, 2), 10))


def _mean_separation(
    experiments: int, sizes: tuple[int, ...], simulation: Simulation, rng: np.random.Generator
) -> FloatArray:
    return np.asarray(separations(simulation, sizes, experiments, rng).mean(axis=0))
