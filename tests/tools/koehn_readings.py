"""Which reading of Koehn 2012's bootstrap gives the bootstrap column of his Table 1.

``python -m tests.tools.koehn_readings [EXPERIMENTS]`` simulates campaigns as his §3 says, draws
1,000 resamples of each, and reads rank ranges off them in every way that the text may mean: by
resampled judgments or ranking tasks, with so many runs left out at each end, or as mean rank and
1.96 standard deviations. A cell matches within half a printed unit and 1.96 standard errors of the
difference of two studies of 400 campaigns.
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd

from analysis import published
from analysis.campaign import FloatArray, PairCounts
from analysis.extras.validation.simulation import koehn2012
from analysis.extras.validation.simulation.campaigns import simulate_cells
from analysis.parallel import map_items
from analysis.rankers.ratios import ExpectedWins

RESAMPLES, PRINTED_EXPERIMENTS = 1000, 400
CHOPPED = (0, 1, 2, 3, 5, 6, 8, 10, 12, 25, 50)
COLUMNS = {"bs_range": 1.0, "bs_viol": 100.0, "bs_clusters": 1.0, "bs_cl_viol": 100.0}
READINGS = [
    *((unit, f"{n} left out at each end") for unit in ("rows", "task") for n in CHOPPED),
    *((unit, "mean rank ± 1.96 sd") for unit in ("rows", "task")),
]


def measure(experiment: int, rng: np.random.Generator) -> FloatArray:
    """Return [reading, size, column] of one simulated campaign."""
    simulation = koehn2012.FIFTEEN_SYSTEMS
    (ability,) = simulation.draw_abilities(1, rng)
    n, names = len(ability), len(READINGS)
    found = np.empty((names, len(koehn2012.SIZES), 4))
    every = simulate_cells(simulation, ability, simulation.n_tasks(max(koehn2012.SIZES)), rng)
    for s, size in enumerate(koehn2012.SIZES):
        cells = every[: simulation.n_tasks(size)]
        table = np.bincount(cells.ravel(), minlength=2 * n * n).astype(np.float64)
        for unit in ("rows", "task"):
            tables = koehn2012._resampled_tables(unit, cells, table, RESAMPLES, rng)
            scores = ExpectedWins().scores_from_counts(PairCounts.from_cells(tables, n))
            ranks = 1 + (scores[:, None, :] > scores[:, :, None]).sum(axis=-1)
            ordered, mean = np.sort(ranks, axis=0), scores.mean(axis=0)
            for k, (of, how) in enumerate(READINGS):
                if of != unit:
                    continue
                if how.startswith("mean"):
                    reach = 1.96 * ranks.std(axis=0)
                    low = np.maximum(np.round(ranks.mean(axis=0) - reach), 1).astype(np.int64)
                    high = np.minimum(np.round(ranks.mean(axis=0) + reach), n).astype(np.int64)
                else:
                    out = int(how.split()[0])
                    low, high = ordered[out], ordered[-1 - out]
                quality = koehn2012.range_quality(low, high, mean, ability)
                found[k, s] = list(vars(quality).values())
    return found


def main() -> None:
    """Print how many of the 20 printed cells each reading gives, best first, and its values."""
    experiments = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    found = np.array(map_items(measure, range(experiments), seed=7))
    printed = published.koehn_table1().set_index("judgments").loc[list(koehn2012.SIZES)]
    target, unit = printed[list(COLUMNS)].to_numpy(), np.array(list(COLUMNS.values()))
    mean = found.mean(axis=0) * unit
    error = found.std(axis=0, ddof=1) * unit
    error *= np.sqrt(1 / experiments + 1 / PRINTED_EXPERIMENTS)
    distance = np.abs(mean - target)
    rows = [
        {
            "unit": READINGS[k][0],
            "reading": READINGS[k][1],
            "cells": int((distance[k] <= 0.05 + 1.96 * error[k]).sum()),
            **{
                column.removeprefix("bs_"): int((distance[k] <= 0.05 + 1.96 * error[k])[:, c].sum())
                for c, column in enumerate(COLUMNS)
            },
            "values": " ".join(f"{value:.2f}" for value in mean[k].T.ravel()),
        }
        for k in range(len(READINGS))
    ]
    frame = pd.DataFrame(rows).sort_values("cells", ascending=False, kind="stable")
    print(frame.to_string(index=False))
    print("printed", " ".join(f"{value:.2f}" for value in target.T.ravel()))


if __name__ == "__main__":
    main()
