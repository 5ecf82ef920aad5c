"""Koehn's fit of the spread to the observed share of separated pairs."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.special import ndtr

from analysis.campaign import FloatArray, Judgments
from analysis.errors import UndefinedResultError
from analysis.extras.validation.simulation.campaigns import Simulation, simulate_campaign
from analysis.extras.validation.simulation.koehn2012 import significant_share
from analysis.extras.validation.simulation.spread_fit import (
    fit_spread,
    observed_separation,
    simulation_like,
)
from tests import printed


def drawn(abilities: FloatArray, spread: float, n_tasks: int, seed: int) -> Judgments:
    simulation = Simulation(systems=len(abilities), spread=spread)
    rng = np.random.default_rng(seed)
    return simulate_campaign(simulation, abilities, n_tasks, rng, n_segments=10**6).judgments()


def abilities_of(scores: FloatArray) -> FloatArray:
    """Return abilities, outputs scattering by 1, that win against any other as often as printed."""
    k = len(scores)

    def miss(ability: FloatArray) -> FloatArray:
        wins = ndtr((ability[:, None] - ability) / np.sqrt(2))
        return np.append((wins.sum(axis=1) - 0.5) / (k - 1) - scores, ability.mean())

    return np.asarray(least_squares(miss, np.linspace(0.3, -0.3, k)).x)


@pytest.mark.parametrize("table", list(printed.KOEHN_SPREADS))
def test_campaigns_of_the_printed_scores_have_the_printed_spread(table: int) -> None:
    """Koehn 2012, Figure 2: 10 for French–English (15 systems), 9 for English–Czech (13).

    Its judgments are not at hand: campaigns are drawn from the Expected Wins of Tables 2 and 3.
    One campaign's fit scatters by about .8; the mean of three is to be within 1.
    """
    abilities = abilities_of(printed.koehn_ranges(table)["score"].to_numpy())
    found = [
        fit_spread(drawn(abilities, 1, 1300, seed), spreads=range(6, 15), experiments=15, seed=seed)
        for seed in range(3)
    ]
    assert {fit.simulation.systems for fit in found} == {len(abilities)}
    mean = float(np.mean([fit.best for fit in found]))
    assert mean == pytest.approx(printed.KOEHN_SPREADS[table], abs=1.01)
    assert all(6 < fit.best < 14 for fit in found)


@pytest.mark.parametrize("spread", [5.0, 12.0])
def test_the_spread_of_a_simulated_campaign_is_found(spread: float) -> None:
    judgments = drawn(np.arange(0.5, 12) * 10 / 12, spread, 2000, seed=1)
    fit = fit_spread(judgments, spreads=range(2, 18), experiments=10)
    assert fit.best == pytest.approx(spread, abs=2)
    assert fit.misfit.min() < 0.06
    frame = fit.to_frame()
    assert frame["judgments"].iloc[-1] == len(judgments)
    np.testing.assert_array_equal(frame["observed"], fit.observed)


def test_all_judgments_together_separate_what_their_counts_separate() -> None:
    judgments = drawn(np.linspace(0, 10, 8), 6.0, 300, seed=2)
    sizes = np.array([400, len(judgments)])
    shares = observed_separation(judgments, sizes, orders=5, seed=3)
    assert (shares[:, 1] == significant_share(judgments.counts)).all()
    assert shares[:, 0].mean() < shares[0, 1]
    assert len(set(shares[:, 0])) > 1


def test_the_workers_change_nothing_and_the_seed_does() -> None:
    judgments = drawn(np.linspace(0, 10, 6), 6.0, 100, seed=2)
    found = []
    for workers, seed in ((1, 0), (3, 0), (1, 1)):
        with ThreadPoolExecutor(workers) as executor:
            fit = fit_spread(judgments, spreads=(4, 8), experiments=5, seed=seed, executor=executor)
        found.append(fit.simulated.tobytes())
    assert found[0] == found[1] != found[2]


def test_the_simulation_has_as_many_systems_and_places_as_the_judgments() -> None:
    judgments = drawn(np.linspace(0, 10, 6), 6.0, 100, seed=2)
    assert dataclasses.astuple(simulation_like(judgments))[0] == 6
    assert simulation_like(judgments).n_way == 5


def test_a_handful_of_judgments_has_no_curve_to_fit() -> None:
    with pytest.raises(UndefinedResultError, match="at least 120"):
        fit_spread(drawn(np.array([0.0, 1.0, 2.0]), 1.0, 5, seed=0))
