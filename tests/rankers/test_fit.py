"""A fit is one object: scores, chances and resamples come from it, nothing is fitted twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from analysis.campaign import Judgments, PairCounts
from analysis.errors import PodiumError
from analysis.rankers import registered
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.graded_response import GradedResponse, graded_response
from analysis.rankers.hopkins_may import categorical
from analysis.rankers.hopkins_may.categorical import HopkinsMayCategorical
from analysis.rankers.influence import relative
from analysis.rankers.ratios import ExpectedWins
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.certainty import replicate
from analysis.samples import sample_campaign


@pytest.fixture(scope="module")
def judgments() -> Judgments:
    whole = sample_campaign("wmt14-cs-en").judgments()
    return whole.take_tasks(np.arange(0, whole.n_tasks, 20))


def count(monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> list[tuple[Any, ...]]:
    calls: list[tuple[Any, ...]] = []
    original = getattr(owner, name)

    def counted(self: Any, *arguments: Any) -> Any:
        calls.append(arguments)
        return original(self, *arguments)

    monkeypatch.setattr(owner, name, counted)
    return calls


def test_bradley_terry_finds_its_mode_once_for_scores_spread_and_chances(
    judgments: Judgments, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = count(monkeypatch, BradleyTerry, "_fit")
    fit = BradleyTerry().fit(judgments)
    assert fit.standings.spread is not None
    fit.preferences()
    assert len(calls) == 1


def test_the_graded_response_model_is_fitted_once_for_all_chunks_of_resamples(
    judgments: Judgments, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = count(monkeypatch, graded_response.MarginalPosterior, "maximize")
    replicate(GradedResponse().fit(judgments), runs=7, unit="task")
    steps = [most for _, most in calls]
    assert steps.count(graded_response.MAX_ITERATIONS) == 1
    # a resample is searched for only where scoring steps from the fit do not settle
    assert steps.count(graded_response.RESAMPLE_ITERATIONS) == len(steps) - 1 <= 7


def test_the_categorical_chain_runs_once_for_scores_and_chances(
    judgments: Judgments, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = count(monkeypatch, categorical._Chain, "run")
    HopkinsMayCategorical().fit(judgments).preferences()
    assert len(calls) == 1


def test_a_fit_read_with_other_settings_of_prediction_is_what_fitting_anew_gives(
    judgments: Judgments,
) -> None:
    other = TrueSkill(radius=0.3, zone="one-sided")
    assert other.as_fitted() == TrueSkill()
    read, anew = TrueSkill().fit(judgments).read_by(other), other.fit(judgments)
    assert read.standings.signature == anew.standings.signature
    np.testing.assert_array_equal(read.preferences().tie, anew.preferences().tie)


def test_what_does_nothing_asks_for_no_other_fit() -> None:
    assert BradleyTerry(prior=1.0).as_fitted() != BradleyTerry()
    assert TrueSkill(sigma0=1.0, radius=0.3).as_fitted() == TrueSkill(sigma0=1.0)


def test_a_ranker_without_a_reference_cannot_be_registered() -> None:
    class Nameless(ExpectedWins):
        name = "nameless"
        references = ()

    with pytest.raises(PodiumError, match="nameless"):
        registered(ExpectedWins, Nameless)


def test_a_ranker_whose_reference_is_not_in_the_bibliography_cannot_be_registered() -> None:
    class Unpublished(ExpectedWins):
        name = "unpublished"
        references = (*ExpectedWins.references, "nobody-2031-nothing")

    with pytest.raises(PodiumError, match="no entry 'nobody-2031-nothing'"):
        registered(Unpublished)


@pytest.mark.parametrize(
    "settings",
    [
        {"selection": "active"},
        {"selection": "active", "opponent": "quality", "epsilon": 0.25},
        {"selection": "shuffled"},
        {"selection": "shuffled", "players": 4},
        {"selection": "shuffled", "tau": 0.05, "beta": 3.0},
    ],
)
def test_the_package_gives_the_scores_of_the_kernels(
    judgments: Judgments, settings: dict[str, Any]
) -> None:
    few = judgments.take_tasks(np.arange(0, judgments.n_tasks, 4))
    kernels, package = (
        TrueSkill(**settings, engine=engine).replicate_scores(
            few, "task", 2, np.random.default_rng(5)
        )
        for engine in ("kernels", "package")
    )
    np.testing.assert_allclose(package, kernels, rtol=0, atol=1e-6)


def test_what_is_not_known_of_the_level_of_a_group_does_not_count() -> None:
    rng = np.random.default_rng(5)
    wins = np.zeros((5, 5))
    wins[0, 1] = wins[1, 2] = wins[2, 0] = wins[3, 4] = wins[4, 3] = 6.0
    counts = PairCounts(wins, np.zeros((5, 5)))
    errors = rng.normal(size=(5, 9))
    level = np.repeat(rng.normal(size=(2, 9)), [3, 2], axis=0)
    found = relative(errors @ errors.T, counts)
    np.testing.assert_allclose(relative((errors + level) @ (errors + level).T, counts), found)
    centered = np.concatenate([part - part.mean(axis=0) for part in np.split(errors, [3])])
    np.testing.assert_allclose(found, centered @ centered.T)
