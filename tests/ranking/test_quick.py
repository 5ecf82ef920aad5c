"""Rankings at once: the method's own where its scores have derivatives, a marked preview else."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.campaign import Judgments, Selection
from analysis.rankers import RANKERS, Ranker
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.elo import Elo
from analysis.rankers.hopkins_may import HopkinsMay
from analysis.rankers.ratios import ExpectedWins
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.certainty import Certainty, replicate
from analysis.ranking.ranking import quick_ranking, rank
from analysis.samples import sample_campaign


@pytest.fixture(scope="module")
def judgments() -> Judgments:
    return sample_campaign("wmt14-hi-en").judgments()


@pytest.mark.parametrize("ranker", [ExpectedWins(), BradleyTerry(), HopkinsMay()])
def test_where_scores_have_derivatives_the_quick_ranking_is_the_ranking(
    ranker: Ranker, judgments: Judgments
) -> None:
    certainty = Certainty(scope="these", level=0.9)
    quick, slow = quick_ranking(judgments, ranker, certainty), rank(judgments, ranker, certainty)
    assert quick.to_frame().equals(slow.to_frame())
    assert quick.verdict is not None
    assert slow.verdict is not None
    np.testing.assert_array_equal(quick.verdict.p_adjusted, slow.verdict.p_adjusted)
    assert "stand-in" not in quick.signature


def test_ranges_as_published_need_runs_so_that_quick_ones_are_simultaneous(
    judgments: Judgments,
) -> None:
    quick = quick_ranking(judgments, ExpectedWins(), Certainty("marginal", unit="task"))
    assert quick.certainty.ranges == "simultaneous"
    assert quick.to_frame().equals(rank(judgments, ExpectedWins()).to_frame())


@pytest.mark.parametrize("ranker", [TrueSkill(), Elo()], ids=lambda ranker: ranker.name)
def test_quick_deviations_are_those_of_resampled_tasks_less_the_methods_own_noise(
    ranker: Ranker, judgments: Judgments
) -> None:
    """TrueSkill has a derivative, for Elo Bradley–Terry stands in."""
    quick = quick_ranking(judgments, ranker, Certainty(scope="these")).verdict
    assert quick is not None
    task, none = (
        replicate(ranker.fit(judgments), runs=120, unit=unit).scores.var(axis=0)
        for unit in ("task", "none")
    )
    ratio = quick.se / np.sqrt(task - none)
    # Measured on this campaign: 1.00 for TrueSkill, 1.02 for Elo; 120 runs leave .065 of noise.
    assert 0.85 < ratio.mean() < 1.15
    assert ratio.min() > 0.7
    assert ratio.max() < 1.4


@pytest.mark.parametrize("name", [n for n in RANKERS if not RANKERS[n].needs_scores])
def test_a_stand_in_is_named_in_the_signature_where_there_is_one(
    name: str, judgments: Judgments
) -> None:
    quick = quick_ranking(judgments, RANKERS[name]())
    derived = RANKERS[name]().quick_form().fit(judgments).influence() is not None
    assert ("stand-in:bradley-terry" in quick.signature) is not derived
    assert quick.ranges is not None


def test_a_stand_in_keeps_the_methods_scores_and_takes_its_scale(judgments: Judgments) -> None:
    """Elo's points are hundreds where Bradley–Terry's abilities are tenths."""
    scores = Elo().fit(judgments).standings.scores
    quick = quick_ranking(judgments, Elo())
    np.testing.assert_array_equal(quick.scores, scores)
    assert quick.verdict is not None
    stand_in = rank(judgments, BradleyTerry(ties="half")).verdict
    assert stand_in is not None
    factor = quick.verdict.se / stand_in.se
    np.testing.assert_allclose(factor, factor[0])
    abilities = stand_in.scores
    np.testing.assert_allclose(factor[0], np.polyfit(abilities, scores, 1)[0])


def test_a_sampler_is_answered_by_its_analytic_form() -> None:
    sampler = HopkinsMay(sigma_a=0.7, inference="gibbs")
    assert sampler.quick_form() == HopkinsMay(sigma_a=0.7)
    assert BradleyTerry().quick_form() == BradleyTerry()


def test_without_a_system_its_judgments_are_gone(judgments: Judgments) -> None:
    out = judgments.systems[2]
    rest = judgments.campaign.judgments(None, Selection(exclude_systems=(out,)))
    assert out not in quick_ranking(rest, TrueSkill()).systems
