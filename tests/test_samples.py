"""The sample campaigns against the published figures that they are drawn from."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from analysis import published
from analysis.campaign import FloatArray, Judgments
from analysis.comparing.what_if import sweep_radius
from analysis.errors import PodiumError
from analysis.formats import read_path
from analysis.judges.agreement import agreement
from analysis.rankers.hopkins_may.gaussian import HopkinsMay
from analysis.rankers.ratios import ExpectedWins
from analysis.rankers.trueskill.trueskill import TrueSkill
from analysis.samples import (
    FOLDER,
    REAL_SAMPLES,
    SAMPLES,
    _one_pair,
    drawn_file,
    published_tie_share,
    sample_campaign,
)
from tests.tools import wmt13_sample, wmt14_sample

EVERY_SAMPLE = pytest.mark.parametrize("name", SAMPLES)

KAPPA_TOLERANCE = 0.021


def in_published_order(judgments: Judgments, table: published.HeadToHead) -> FloatArray:
    """Return the win table with the systems in the published table's order."""
    codes = [judgments.systems.index(system) for system in table.systems]
    return judgments.counts.wins[np.ix_(codes, codes)]


@EVERY_SAMPLE
def test_systems_and_number_of_judgments_are_exactly_the_published_ones(name: str) -> None:
    campaign = sample_campaign(name)
    judgments = campaign.judgments()
    pair = SAMPLES[name].pair
    assert sorted(judgments.systems) == sorted(published.wmt14_scores(pair)["system"])
    assert len(judgments) == published.wmt14_n_judgments(pair)
    assert set(np.diff(campaign.task_start)) == {5}
    systems_of_task = np.sort(judgments.entry_output.reshape(-1, 5), axis=1)
    assert (np.diff(systems_of_task, axis=1) > 0).all(), "a task shows a system twice"
    assert len(campaign.segments) <= 3003


@EVERY_SAMPLE
def test_head_to_head_percentages_are_the_published_ones_within_sampling_error(name: str) -> None:
    table = published.wmt14_head_to_head(SAMPLES[name].pair)
    wins = in_published_order(sample_campaign(name).judgments(), table)
    upper = np.triu_indices(len(wins), 1)
    n = (wins + wins.T)[upper]
    share = table.beats[upper]
    deviations = (wins[upper] / n - share) / np.sqrt(share * (1 - share) / n)
    assert np.abs(deviations).max() < 2
    # A table drawn from the published shares would have about one per cell.
    assert (deviations**2).sum() < 0.2 * len(n)


@EVERY_SAMPLE
def test_expected_wins_order_systems_as_published_where_scores_differ(name: str) -> None:
    scores = published.wmt14_scores(SAMPLES[name].pair).set_index("system")["score"]
    standings = ExpectedWins().fit(sample_campaign(name).judgments()).standings
    ours = dict(zip(standings.systems, standings.scores, strict=True))
    for better in scores.index:
        for worse in scores.index[scores <= scores[better] - 0.0199]:
            assert ours[better] > ours[worse]
    # The print cuts after two decimals; the mended cells move two systems' means by about .01.
    assert max(abs(ours[s] - scores[s] - 0.005) for s in scores.index) < 0.017


@EVERY_SAMPLE
def test_judges_agree_with_each_other_and_with_themselves_as_published(name: str) -> None:
    expected = published.kappas(SAMPLES[name].pair).loc["wmt14"]
    found = agreement(sample_campaign(name).judgments())
    assert found.strict.inter.kappa == pytest.approx(expected["inter"], abs=KAPPA_TOLERANCE)
    assert found.strict.intra.kappa == pytest.approx(expected["intra"], abs=KAPPA_TOLERANCE)
    # The published definition takes a judge's repeats for another's, and pairs in one order only.
    assert found.published.inter.kappa == pytest.approx(expected["inter"], abs=0.055)
    assert found.published.intra.kappa == pytest.approx(expected["intra"], abs=0.065)


@EVERY_SAMPLE
def test_share_of_ties_gives_table_7s_oracle_its_published_accuracy(name: str) -> None:
    pair = SAMPLES[name].pair
    judgments = sample_campaign(name).judgments()
    counts = judgments.counts
    upper = np.triu_indices(judgments.n_systems, 1)
    most_frequent = np.maximum.reduce(
        [counts.wins[upper], counts.losses[upper], counts.ties[upper]]
    )
    oracle = (most_frequent / counts.compared[upper]).mean()
    # The maximum of noisy shares is a little too high where a pair has few judgments.
    assert oracle == pytest.approx(published.wmt14_accuracy(pair)["oracle"], abs=0.006)
    assert 0.1 < published_tie_share(pair) < 0.3


@EVERY_SAMPLE
def test_three_methods_at_their_tuned_radius_have_table_7s_accuracies(name: str) -> None:
    judgments = sample_campaign(name).judgments()
    printed = published.wmt14_accuracy(SAMPLES[name].pair)
    for column, ranker in (("EW", ExpectedWins()), ("HM", HopkinsMay()), ("TS", TrueSkill())):
        sweep = sweep_radius(ranker.fit(judgments).standings.scores, judgments.counts)
        assert sweep.accuracy.max() == pytest.approx(printed[column], abs=0.004)


def test_methods_disagree_in_half_of_the_samples_and_a_radius_is_tuned_in_most() -> None:
    moved = tuned = 0
    for name in SAMPLES:
        judgments = sample_campaign(name).judgments()
        scores = [
            ranker.fit(judgments).standings.scores
            for ranker in (ExpectedWins(), HopkinsMay(), TrueSkill())
        ]
        moved += len({tuple(np.argsort(-one)) for one in scores}) > 1
        tuned += any(sweep_radius(one, judgments.counts).tuned > 0 for one in scores)
    assert moved >= 5
    assert tuned >= 8


def test_all_pairs_in_one_campaign_are_the_ten_samples() -> None:
    everything = sample_campaign("wmt14")
    assert everything.pairs == tuple(sample.pair for sample in SAMPLES.values())
    for name, sample in SAMPLES.items():
        alone, together = sample_campaign(name).judgments(), everything.judgments(sample.pair)
        assert together.systems == alone.systems
        np.testing.assert_array_equal(together.left, alone.left)
        np.testing.assert_array_equal(together.outcome, alone.outcome)
        numbers = [together.segments[s] for s in together.task_segment]
        assert numbers == [alone.segments[s] for s in alone.task_segment]


def test_a_sample_is_the_same_every_time_and_says_that_it_is_simulated() -> None:
    first = sample_campaign("wmt14-cs-en")
    _one_pair.cache_clear()
    again = sample_campaign("ces-eng")
    assert again is not first
    assert again.fingerprint == first.fingerprint
    first = again
    assert first is sample_campaign("WMT14-Czech-English")
    for name in (*SAMPLES, "wmt14"):
        campaign = sample_campaign(name)
        assert "simulated" in campaign.title
        assert campaign.simulated_from.startswith("simulated from the published figures of Bojar")


def test_methods_disagree_on_the_opening_sample_and_a_radius_of_ties_predicts_it_better() -> None:
    """Three orders, a tuned radius above 0 in each; ties and κ near the real .192, .269, .556."""
    campaign = sample_campaign()
    judgments = campaign.judgments()
    orders = set()
    for ranker in (ExpectedWins(), HopkinsMay(), TrueSkill()):
        scores = ranker.fit(judgments).standings.scores
        orders.add(tuple(np.argsort(-scores)))
        assert sweep_radius(scores, judgments.counts).tuned > 0
    assert len(orders) == 3
    assert judgments.n_ties / len(judgments) == pytest.approx(0.192, abs=0.025)
    kappa = agreement(judgments, runs=0).strict
    assert kappa.inter.kappa == pytest.approx(0.269, abs=0.04)
    assert kappa.intra.kappa == pytest.approx(0.556, abs=0.07)
    assert campaign.simulated_from.startswith("simulated from a model")
    assert "no judgment of that campaign" in campaign.simulated_from
    assert len(campaign.judges) == 41
    assert (FOLDER / "wmt13-fr-en" / "rankings.csv.gz").stat().st_size < 50_000


def test_the_opening_sample_is_drawn_from_its_model() -> None:
    model = json.loads((wmt13_sample.FOLDER / "model.json").read_text(encoding="utf-8"))
    rows = wmt13_sample.draw(model, wmt13_sample.N_TASKS, wmt13_sample.SEED).frame()
    there = gzip.decompress((wmt13_sample.FOLDER / "rankings.csv.gz").read_bytes())
    assert rows.to_csv(index=False, lineterminator="\n") == there.decode()


@pytest.mark.slow
def test_the_model_is_fitted_to_the_real_judgments(campaigns_dir: Path) -> None:
    real, _ = read_path(campaigns_dir / wmt13_sample.SOURCE)
    fitted = wmt13_sample.rounded(wmt13_sample.fit(real))
    model = json.loads((wmt13_sample.FOLDER / "model.json").read_text(encoding="utf-8"))
    assert fitted["judges"] == model["judges"]
    for part in ("ability", "covariance", "output_share", "view_share", "document_part", "ties"):
        np.testing.assert_allclose(fitted[part], model[part], rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("name", REAL_SAMPLES)
def test_a_real_sample_stands_beside_its_license_and_is_not_called_simulated(name: str) -> None:
    sample, campaign = REAL_SAMPLES[name], sample_campaign(name)
    assert (FOLDER / sample.file).with_name("LICENSE").read_text().startswith(sample.license[:3])
    assert f"`{name}`" in (FOLDER / "README.md").read_text()
    assert (FOLDER / sample.file).stat().st_size < 2_000_000
    assert campaign.title == sample.title
    assert sample.is_real
    assert not campaign.simulated_from


def test_the_arenas_votes_are_all_there() -> None:
    """9,516 and 9,391 decided votes, 2,880 ties and 5,132 where both were bad (the file's own)."""
    judgments = sample_campaign("arena-people").judgments()
    assert len(judgments) == 26_919
    assert judgments.n_systems == 20
    assert int(judgments.counts.wins.sum()) == 9_516 + 9_391
    assert judgments.n_ties == 2_880 + 5_132


def test_the_errors_of_mqm_make_the_scores_that_were_published() -> None:
    """Counts and the sum of all scores, references too, of the whole file with its texts."""
    campaign = sample_campaign("mqm-ted")
    assert campaign.scores is not None
    assert len(campaign.scores) == 7_406
    assert campaign.scores.value.sum() == pytest.approx(-11_349.6)
    judgments = campaign.judgments()
    assert judgments.n_systems == 13
    assert judgments.scores is not None
    assert len(judgments.scores) == 6_877


def test_an_unknown_sample_lists_those_there_are() -> None:
    with pytest.raises(PodiumError, match="wmt14-cs-en"):
        sample_campaign("wmt14-fi-sv")


@pytest.mark.slow
@EVERY_SAMPLE
def test_a_shipped_sample_is_the_one_that_the_published_figures_draw(name: str) -> None:
    design, ranks = wmt14_sample.draw(name)
    with np.load(drawn_file(name)) as shipped:
        assert np.array_equal(shipped["systems"], design.systems)
        assert np.array_equal(shipped["segment"], design.segment)
        assert np.array_equal(shipped["judge"], design.judge)
        assert np.array_equal(shipped["ranks"], ranks)
