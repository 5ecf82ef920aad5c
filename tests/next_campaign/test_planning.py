"""Plans: the honest covariance, futures against simulations, back-tests, and what is advised."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from analysis.campaign import Campaign, Judgments, Selection
from analysis.errors import PodiumError
from analysis.findings.planning import advise, back_test_words
from analysis.next_campaign.back_test import BackTest, back_test
from analysis.next_campaign.elicitation import next_tasks
from analysis.next_campaign.evidence import SPREADS, fit_evidence
from analysis.next_campaign.outlook import look_ahead, rank_ends, rank_ends_readable, told_apart
from analysis.next_campaign.planning import HORIZON, Cost, needed, plan
from analysis.rankers.hopkins_may import HopkinsMay
from analysis.rankers.ranker import CountRanker
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.clusters import clusters_from_ranges
from analysis.ranking.rank_ranges import rank_ranges
from analysis.ranking.replicates import replicate
from analysis.simulation.campaigns import Simulation, simulate_campaign
from analysis.simulation.samples import SAMPLES, sample_campaign

Task = tuple[str, str, dict[str, int]]


def simulated(
    simulation: Simulation, ability: np.ndarray, n_tasks: int, seed: int = 0
) -> Judgments:
    rng = np.random.default_rng(seed)
    return simulate_campaign(simulation, ability, n_tasks, rng, n_segments=100_000).judgments()


def first_fifth(judgments: Judgments, seed: int) -> Judgments:
    order = np.random.default_rng(seed).permutation(judgments.n_tasks)
    return judgments.take_tasks(order[: judgments.n_tasks // 5])


def outcome_of(judgments: Judgments, ranker: CountRanker) -> tuple[float, int]:
    """What a campaign tells by resampling tasks: share of pairs told apart, and clusters."""
    replicates = replicate(ranker, judgments, runs=1000, unit="task")
    scores = replicates.scores
    above = (scores[:, :, None] > scores[:, None]).mean(axis=0)
    first, second = np.triu_indices(scores.shape[1], 1)
    told = np.maximum(above, above.T)[first, second] >= 0.95
    return float(told.mean()), int(clusters_from_ranges(rank_ranges(replicates)).max())


@pytest.mark.parametrize("sample", ["wmt14-cs-en", "wmt14-de-en"])
def test_the_design_effect_is_the_variance_ratio_of_both_bootstraps(sample: str) -> None:
    judgments = sample_campaign(sample).judgments()
    variances = []
    for unit in ("task", "rows"):
        scores = replicate(HopkinsMay(), judgments, runs=1000, unit=unit).scores  # type: ignore[arg-type]
        first, second = np.triu_indices(scores.shape[1], 1)
        variances.append((scores[:, first] - scores[:, second]).var(axis=0))
    by_bootstrap = np.mean(variances[0] / variances[1])
    # 1,000 resamples leave 4.5% of error in each variance.
    assert fit_evidence(judgments).design_effect == pytest.approx(by_bootstrap, rel=0.06)


def test_pairs_judged_alone_are_independent_and_pairs_of_five_are_not() -> None:
    ability = np.linspace(0, 8, 6)
    alone = simulated(Simulation(spread=10, n_way=2), ability, 8000)
    together = simulated(Simulation(spread=10, n_way=5), ability, 2000)
    assert fit_evidence(alone).design_effect == pytest.approx(1, abs=0.08)
    assert fit_evidence(together).design_effect > 1.7


def test_abilities_and_spread_are_those_of_the_simulation() -> None:
    ability = np.random.default_rng(5).normal(0, 6, 40)
    evidence = fit_evidence(simulated(Simulation(systems=40, spread=10, radius=4), ability, 8000))
    truth = (ability - ability.mean()) / (10 * np.sqrt(2))
    z = (evidence.abilities - truth) / np.sqrt(np.diag(evidence.covariance))
    assert np.abs(z).max() < 4
    assert np.sqrt(np.mean(z**2)) == pytest.approx(1, abs=0.35)
    assert evidence.spread == pytest.approx(truth.std(), rel=0.15)
    assert evidence.spread_weights.sum() == pytest.approx(1)
    assert SPREADS[evidence.spread_weights.argmax()] == pytest.approx(truth.std(), rel=0.2)


def test_the_kernel_of_rank_ends_does_as_its_readable_twin() -> None:
    rng = np.random.default_rng(2)
    estimates, noise = rng.normal(size=(20, 9)), rng.normal(size=(101, 9)) * 0.4
    for alpha in (0, 3, 50):
        for fast, slow in zip(
            rank_ends(estimates, noise, alpha),
            rank_ends_readable(estimates, noise, alpha),
            strict=True,
        ):
            np.testing.assert_array_equal(fast, slow)


@pytest.mark.parametrize("sample", ["wmt14-en-cs", "wmt14-en-de", "wmt14-fr-en"])
def test_the_outlook_on_the_present_is_what_resampling_tasks_tells(sample: str) -> None:
    judgments = sample_campaign(sample).judgments()
    evidence = fit_evidence(judgments)
    now = look_ahead(evidence, np.array([evidence.n_tasks]), draws=2)
    share, clusters = outcome_of(judgments, HopkinsMay())
    k = judgments.n_systems
    # Over 1,000 resamples a pair told apart at .95 by a hair may come out on either side.
    assert now.share[0] == pytest.approx([share] * 2, abs=max(1.01 / (k * (k - 1) / 2), 0.025))
    assert abs(now.clusters[0, 0] - clusters) <= 1


@pytest.mark.parametrize(
    ("ranker", "least", "least_of_a_campaign"),
    [(HopkinsMay(), 93, 6), (ExpectedWins(), 85, 0)],
    ids=["hopkins-may", "expected-wins"],
)
def test_the_first_fifth_of_a_campaign_foretells_the_whole(
    ranker: CountRanker, least: int, least_of_a_campaign: int
) -> None:
    # Ten sample campaigns, ten draws of a fifth each, intervals at 90%. Measured: 99 hits of the
    # share and 98 of the clusters by abilities, which are what is foretold, 91 and 98 by Expected
    # Wins, which tells one pair more apart in English–Hindi than any interval holds.
    share_hits, cluster_hits = [], []
    for sample in SAMPLES:
        judgments = sample_campaign(sample).judgments()
        share, clusters = outcome_of(judgments, ranker)
        found = []
        for seed in range(10):
            evidence = fit_evidence(first_fifth(judgments, seed))
            outlook = look_ahead(evidence, np.array([judgments.n_tasks]), seed=seed)
            (low,), (high,) = outlook.share_interval()
            (fewest,), (most,) = outlook.clusters_interval()
            found.append((low <= share + 1e-9 and share <= high + 1e-9, fewest <= clusters <= most))
            assert high - low < 0.45
            assert most - fewest < 6
        share_hits.append(sum(hit for hit, _ in found))
        cluster_hits.append(sum(hit for _, hit in found))
    assert sum(share_hits) >= least
    assert sum(cluster_hits) >= least
    assert min(share_hits + cluster_hits) >= least_of_a_campaign


@pytest.mark.slow
def test_intervals_hold_as_often_as_they_say_over_campaigns_of_known_truth() -> None:
    hits = []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        ability = rng.normal(0, rng.uniform(1, 6), 10)
        whole = simulated(Simulation(systems=10, spread=10), ability, 2000, seed)
        outlook = look_ahead(fit_evidence(first_fifth(whole, seed)), np.array([2000]), seed=seed)
        truth = look_ahead(fit_evidence(whole), np.array([2000]), draws=1)
        (low,), (high,) = outlook.share_interval()
        (fewest,), (most,) = outlook.clusters_interval()
        hits.append(
            (
                low - 1e-9 <= truth.share[0, 0] <= high + 1e-9,
                fewest <= truth.clusters[0, 0] <= most,
            )
        )
    share, clusters = np.mean(hits, axis=0)
    # Shares and clusters are discrete, so an interval holds a little more than it must.
    assert 0.87 < share < 0.985
    assert 0.87 < clusters < 0.995


def test_a_probability_that_grows_with_the_logarithm_is_inverted_exactly() -> None:
    sizes = 100 * 2.0 ** np.arange(7)
    low, likely, high = needed(np.arange(7) / 8, sizes, certainty=0.5)
    assert (low, likely) == (300, 1500)
    assert high == 6300
    assert needed(np.arange(7) / 8, sizes, certainty=0.6)[2] == np.inf
    assert needed(np.ones(7), sizes, 0.9) == (0, 0, 0)


def test_a_probability_that_falls_back_is_not_counted_down() -> None:
    sizes = np.array([100.0, 200, 400])
    assert (
        needed(np.array([0.0, 0.6, 0.4]), sizes, 0.9)[1]
        == needed(np.array([0.0, 0.6, 0.6]), sizes, 0.9)[1]
    )


def test_more_is_asked_for_by_larger_shares_and_more_clusters() -> None:
    result = plan(first_fifth(sample_campaign("wmt14-en-de").judgments(), 0), clusters=6)
    for kind in ("pairs", "clusters"):
        goals = [goal for goal in result.goals if goal.kind == kind]
        assert [goal.wanted for goal in goals] == sorted(goal.wanted for goal in goals)
        for name in ("low", "likely", "high"):
            times = [getattr(goal, name) for goal in goals]
            assert times == sorted(times)
        assert all(goal.low <= goal.likely <= goal.high for goal in goals)
    assert result.aim.wanted == 6
    assert len([goal for goal in result.goals if goal.kind == "neighbors"]) == 17


@pytest.mark.slow
def test_a_plan_is_kept_by_the_campaign_that_follows() -> None:
    # Planned on 200 tasks; then as many more are done as the plan says, in the same campaign.
    simulation, reached = Simulation(systems=8, spread=10), []
    for seed in range(80):
        ability = np.random.default_rng(seed).normal(0, 4, 8)
        everything = simulated(simulation, ability, 12_000, seed)
        result = plan(everything.take_tasks(np.arange(200)), share=0.8, seed=seed)
        if result.aim.reached or result.aim.high > 11_000:
            continue
        shares = []
        for further in (result.aim.low, result.aim.likely, result.aim.high):
            grown = fit_evidence(everything.take_tasks(np.arange(200 + int(further))))
            now = look_ahead(grown, np.array([grown.n_tasks]), draws=1)
            shares.append(now.share[0, 0] >= 0.8 - 1e-9)
        reached.append(shares)
    at_low, at_likely, at_high = np.mean(reached, axis=0)
    assert len(reached) >= 25
    assert at_low < 0.25
    assert 0.3 < at_likely < 0.8
    assert at_high > 0.85


def test_who_has_reached_the_aim_is_told_to_stop() -> None:
    judgments = sample_campaign("wmt14-en-cs").judgments()
    result = plan(judgments, share=0.9)
    assert result.stop
    assert advise(result) == (
        "Stop: 41 of 45 pairs (91.1%) are told apart, which is what you aimed at."
    )
    assert (result.aim.low, result.aim.likely, result.aim.high) == (0, 0, 0)
    assert "there are 5 clusters, which is what" in advise(plan(judgments, clusters=5))


def test_systems_that_are_all_alike_are_not_worth_more_money() -> None:
    judgments = simulated(Simulation(systems=6, spread=10), np.zeros(6), 3000, seed=3)
    result = plan(judgments, share=0.9)
    assert result.stop
    assert not result.aim.within_reach
    assert advise(result).startswith(
        f"Stop, or aim lower: even {HORIZON} times the tasks would hardly bring 90% of the pairs"
    )


def test_who_continues_hears_what_it_takes() -> None:
    judgments = first_fifth(sample_campaign("wmt14-fr-en").judgments(), 1)
    result = plan(judgments, share=0.8, cost=Cost(minutes_per_task=1.5, per_hour=30))
    aim = result.aim
    assert not result.stop
    assert advise(result).startswith("Continue: about ")
    for part in (" more tasks (", " hours, at a cost of ", "should bring 80% of the pairs"):
        assert part in advise(result)
    (row,) = result.to_frame().query("goal == @aim.label").to_dict("records")
    assert row["hours"] == pytest.approx(aim.likely * 1.5 / 60)
    assert row["money"] == pytest.approx(row["hours"] * 30)
    assert row["judgments"] == pytest.approx(aim.likely * 10)
    without = plan(judgments, share=0.8, cost=Cost(per_hour=30))
    assert "hours" not in advise(without)
    assert "cost of" not in advise(without)
    assert "Say how many minutes a task takes, and the cost can be told." in without.notes


def test_the_usual_time_of_a_task_is_taken_from_the_file() -> None:
    judgments = first_fifth(sample_campaign("wmt14-cs-en").judgments(), 1)
    seconds = np.full(judgments.n_tasks, 90, dtype=np.float32)
    seconds[:5] = np.nan
    all_seconds = np.full(judgments.campaign.n_tasks, np.nan, dtype=np.float32)
    all_seconds[judgments.tasks] = seconds
    timed_campaign = dataclasses.replace(judgments.campaign, task_seconds=all_seconds)
    timed = dataclasses.replace(judgments, campaign=timed_campaign)
    assert plan(timed).cost.minutes_per_task == pytest.approx(1.5)
    assert plan(timed, cost=Cost(2)).cost.minutes_per_task == 2


def test_the_same_seed_plans_the_same_and_another_seed_nearly() -> None:
    judgments = first_fifth(sample_campaign("wmt14-ru-en").judgments(), 2)
    first, again, other = (plan(judgments, seed=seed).outlook for seed in (1, 1, 2))
    assert first.share.tobytes() == again.share.tobytes()
    assert first.share.tobytes() != other.share.tobytes()
    np.testing.assert_allclose(first.share.mean(axis=1), other.share.mean(axis=1), atol=0.02)


def test_a_system_never_compared_is_left_out_and_said_so(
    make_campaign: Callable[[Sequence[Task]], Campaign],
) -> None:
    tasks: list[Task] = [
        (str(s), "ann", {"a": 1 + s % 3, "b": 2, "c": 1 + (s % 2)}) for s in range(30)
    ]
    judgments = make_campaign([*tasks, ("99", "ann", {"lonely": 1})]).judgments()
    result = plan(judgments)
    assert set(result.evidence.systems) == {"a", "b", "c"}
    assert "Never compared, and left out: lonely." in result.notes


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"share": 1.2}, "outside 0–1"),
        ({"clusters": 9}, "cannot be made of 5 systems"),
        ({"certainty": 0.0}, "outside 0–1"),
    ],
)
def test_an_impossible_aim_is_refused(settings: dict[str, float], expected: str) -> None:
    with pytest.raises(PodiumError, match=expected):
        plan(sample_campaign("wmt14-cs-en").judgments(), **settings)  # type: ignore[arg-type]


def test_a_negative_price_is_refused() -> None:
    with pytest.raises(PodiumError, match="no amount"):
        Cost(minutes_per_task=-1)


def test_the_standing_is_where_the_outlook_begins() -> None:
    for name in ("wmt14-fr-en", "wmt14-en-de"):
        evidence = fit_evidence(sample_campaign(name).judgments())
        now = look_ahead(evidence, np.array([evidence.n_tasks]), draws=2)
        clusters, share = told_apart(evidence)
        assert share == pytest.approx(now.share[0, 0])
        assert abs(int(clusters.max()) - int(now.clusters[0, 0])) <= 1
        order = clusters[evidence.order]
        assert (np.diff(order) >= 0).all()
        assert (np.diff(order) <= 1).all()


def test_the_outlook_is_checked_on_the_campaign_itself() -> None:
    judgments = sample_campaign("wmt14-fr-en").judgments()
    test = back_test(judgments, trials=8, seed=3)
    assert test is not None
    assert test == back_test(judgments, trials=8, seed=3)
    assert min(test.share_held, test.clusters_held) >= 6
    lax = back_test(judgments, trials=8, level=0.6, seed=3)
    assert lax is not None
    assert lax.share_held >= 6  # both sides are told apart at the same level
    narrow = back_test(judgments, trials=8, certainty=0.02)
    assert narrow is not None
    assert narrow.share_held < test.share_held
    assert back_test(judgments.take_tasks(np.arange(99))) is None


def test_the_check_is_told_in_words_and_a_poor_one_with_a_warning() -> None:
    assert back_test_words(BackTest(20, 0.9, 19, 18)) == (
        "Checked on this campaign: from a random fifth of its tasks the outlook held 19 of 20 "
        "times for the pairs told apart and 18 for the clusters; 18 are to be expected."
    )
    assert "apart and for the clusters" in back_test_words(BackTest(20, 0.9, 18, 18))
    assert back_test_words(BackTest(20, 0.9, 12, 20)).endswith("so take it with care.")


def votes(make_campaign: Callable[..., Campaign], *results: tuple[str, str, int]) -> Judgments:
    """Each result is how often the one system beat the other."""
    tasks: list[Task] = []
    for better, worse, times in results:
        tasks += [(str(len(tasks) + s), "ann", {better: 1, worse: 2}) for s in range(times)]
    return make_campaign(tasks).judgments()


def test_a_clean_sweep_makes_nothing_better_known_than_it_is(
    make_campaign: Callable[..., Campaign],
) -> None:
    known = []
    for n in (19, 20, 21):
        evidence = fit_evidence(votes(make_campaign, ("a", "b", n)))
        assert evidence.design_effect == pytest.approx(1.0)
        known.append(float(evidence.covariance[0, 0]))
    assert known == pytest.approx([known[0]] * 3, rel=0.2)
    both = [("a", "b", 40), ("c", "d", 20), ("d", "c", 20)]
    apart = votes(make_campaign, *both, ("b", "c", 1))
    assert fit_evidence(apart).design_effect == pytest.approx(1.0, abs=0.05)


def test_groups_that_never_met_are_to_be_compared_first(
    make_campaign: Callable[..., Campaign],
) -> None:
    judgments = votes(make_campaign, ("a", "b", 20), ("c", "d", 12), ("d", "c", 12))
    apart = plan(judgments)
    assert advise(apart).startswith("Compare across first: the systems are two groups")
    assert not apart.stop
    met = votes(make_campaign, ("a", "b", 20), ("c", "d", 12), ("d", "c", 12), ("a", "c", 1))
    assert "across" not in advise(plan(met))


def test_ties_alone_tell_nobody_apart(make_campaign: Callable[..., Campaign]) -> None:
    tasks: list[Task] = [(str(s), f"j{s % 3}", {"a": 1, "b": 1, "c": 1}) for s in range(30)]
    judgments = make_campaign(tasks).judgments()
    found = plan(judgments)
    assert not found.aim.reached
    assert "0 of 3 pairs" in advise(found)
    batch = next_tasks(judgments, 30, n_way=2, segments=[str(s) for s in range(100, 140)])
    assert len({frozenset(task.systems) for task in batch.tasks}) == 3


def test_few_tasks_a_system_are_told_of(make_campaign: Callable[..., Campaign]) -> None:
    rng = np.random.default_rng(0)
    tasks: list[Task] = []
    for s in range(200):
        a, b = rng.choice(40, 2, replace=False)
        tasks.append((str(s), "ann", {f"s{a:02}": 1, f"s{b:02}": 2}))
    assert any(
        "too few for a good outlook" in n for n in plan(make_campaign(tasks).judgments()).notes
    )
    sample = sample_campaign("wmt14-fr-en").judgments()
    assert not any("too few" in note for note in plan(sample).notes)


def test_the_check_counts_tasks_that_compare() -> None:
    campaign = sample_campaign("wmt14-en-de")
    kept = Selection(exclude_systems=tuple(campaign.systems[2:]))
    test = back_test(campaign.judgments(selection=kept), trials=6)
    assert test is not None
    assert test.share_held >= 4
