"""Told apart: the definition by hand, and what must hold whatever the judgments."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from scipy.stats import t as student

from analysis.campaign import Campaign, Judgments
from analysis.errors import PodiumError
from analysis.provenance import Provenance
from analysis.rankers import RANKERS, Ranker
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.hopkins_may import HopkinsMay
from analysis.rankers.ratios import Bojar, ExpectedWins, OrigWMT
from analysis.ranking.certainty import Replicates
from analysis.ranking.clusters import clusters_between
from analysis.ranking.comparison_checks import heavy_pairs
from analysis.ranking.covariance import Unit, UnitCovariance
from analysis.ranking.fit_uncertainty import uncertainty_of
from analysis.ranking.significance import holm
from analysis.ranking.uncertainty import Uncertainty
from analysis.ranking.variance import Differences, Scope, lend_strength, variance_along
from analysis.ranking.verdict import Verdict, reach_verdict, verdict_on
from analysis.samples import sample_campaign

Make = Callable[[Sequence[tuple[str, str, dict[str, int]]]], Campaign]
Task = tuple[str, str, dict[str, int]]

SMOOTH: list[Ranker] = [OrigWMT(), Bojar(), ExpectedWins(), BradleyTerry(), HopkinsMay()]


def name(ranker: Ranker) -> str:
    return ranker.name


@pytest.fixture(scope="module")
def judgments() -> Judgments:
    return sample_campaign("wmt14-fr-en").judgments()


def tasks(n: int, seed: int = 3, judges: int = 6, segments: int = 40) -> list[Task]:
    """Tasks of three of four systems of which a is best and d worst."""
    rng = np.random.default_rng(seed)
    found: list[Task] = []
    for _ in range(n):
        shown = rng.choice(["a", "b", "c", "d"], size=3, replace=False)
        seen = {str(s): "dcba".index(str(s)) * 0.8 + rng.normal() for s in shown}
        ranks = {s: 1 + sum(x > y + 0.3 for x in seen.values()) for s, y in seen.items()}
        found.append((str(rng.integers(segments)), f"judge{rng.integers(judges)}", ranks))
    return found


def by_system(result: Verdict) -> dict[str, tuple[float, float, int, int, int]]:
    return {
        s: (
            result.scores[k],
            result.se[k],
            result.rank_best[k],
            result.rank_worst[k],
            result.clusters[k],
        )
        for k, s in enumerate(result.systems)
    }


def holm_by_the_book(p: np.ndarray) -> np.ndarray:
    """Adjusted p-values of a list, one after the other."""
    adjusted = np.empty(len(p))
    reached = 0.0
    for k, place in enumerate(np.argsort(p)):
        reached = max(reached, min(1.0, (len(p) - k) * p[place]))
        adjusted[place] = reached
    return adjusted


def test_holm_is_the_procedure_of_the_book() -> None:
    rng = np.random.default_rng(1)
    first, second = np.triu_indices(7, 1)
    p = np.full((7, 7), np.nan)
    p[first, second] = p[second, first] = rng.random(len(first)) ** 4
    np.testing.assert_allclose(holm(p)[first, second], holm_by_the_book(p[first, second]))


def test_holm_counts_only_pairs_that_compare() -> None:
    p = np.full((3, 3), np.nan)
    p[0, 1] = p[1, 0] = 0.03
    assert holm(p)[0, 1] == 0.03
    assert np.isnan(holm(p)[0, 2])


def test_the_variance_is_the_two_way_one_by_hand(judgments: Judgments) -> None:
    k = judgments.n_systems
    eye, nothing = np.eye(k), np.zeros((k, k))
    units = {
        "task": UnitCovariance(2.0 * eye, 50),
        "segment": UnitCovariance(3.0 * eye, 11),
        "judge": UnitCovariance(4.0 * eye, 5),
    }
    made = Uncertainty(units, {}, nothing, nothing, nothing, "by hand")

    def variance(found: Uncertainty, scope: Scope = "new") -> float:
        return float(found.along(np.array([1.0, -1.0, *[0.0] * (k - 2)]), scope))

    # the difference of two independent scores has twice the variance of one
    two_way = 2 * (3 * 11 / 10 + 4 * 5 / 4 - 2)
    np.testing.assert_allclose(variance(made), two_way)
    np.testing.assert_allclose(variance(made, "these"), 4)
    np.testing.assert_allclose(variance(made, "these judges"), 2 * 3 * 11 / 10)
    noisy = Uncertainty(units, {}, 0.5 * eye, nothing, nothing, "by hand")
    np.testing.assert_allclose(variance(noisy), 2 * (2.5 * 11 / 10 + 3.5 * 5 / 4 - 1.5))
    floored = Uncertainty(units, {}, nothing, nothing, 20 * eye, "by hand")
    np.testing.assert_allclose(variance(floored), 40)
    alone = Uncertainty({**units, "task": UnitCovariance(9 * eye, 50)}, {}, nothing, nothing,
                        nothing, "by hand")  # fmt: skip
    np.testing.assert_allclose(variance(alone), 2 * 4 * 5 / 4)


def test_the_freedom_of_a_variance_is_that_of_its_segments_and_judges() -> None:
    """By hand: tasks 2, segments 3·11/10, judges 4·5/4; two systems lend each other nothing."""
    eye, nothing = np.eye(2), np.zeros((2, 2))
    units: dict[Unit, UnitCovariance] = {
        "task": UnitCovariance(2.0 * eye, 50),
        "segment": UnitCovariance(3.0 * eye, 11),
        "judge": UnitCovariance(4.0 * eye, 5),
    }
    made = Uncertainty(units, {}, nothing, nothing, nothing, "by hand")
    wanted = (3.3 + 5 - 2) ** 2 / (3.3**2 / 10 + 5**2 / 4)
    assert made.freedom(eye) == pytest.approx(wanted)
    assert made.freedom(eye, "these") == pytest.approx(49)
    grown = {"judge": 100.0, "segment": 100.0}
    more, as_now = made.freedom_one_day(eye, "new", grown, np.array([9.0, 0.0]))
    assert min(more, as_now) > 100  # what 500 judges add is known well
    badly, _ = made.freedom_one_day(eye, "new", {}, np.array([9.0, 0.0]))
    assert badly < made.freedom(eye)
    assert made.freedom_one_day(eye, "these", {}, np.zeros(2)).tolist() == [49, 49]
    assert made.freedom_one_day(eye, "these", {"task": 3.0}, np.zeros(1)).tolist() == [3 * 49]
    by_few = {**units, "judge": UnitCovariance(4000.0 * eye, 5, alike=2.0)}
    alone = Uncertainty(by_few, {}, nothing, nothing, nothing, "by hand")
    assert alone.freedom(eye) == pytest.approx(2, abs=0.01)  # the geometric mean of 4 and 1


def test_of_means_differences_have_the_fewest_units_less_one_and_scores_those_alike() -> None:
    """Of five judges one did most of the work: its lenience falls out of differences only."""
    eye, nothing = np.eye(2), np.zeros((2, 2))
    units: dict[Unit, UnitCovariance] = {
        "task": UnitCovariance(2.0 * eye, 50),
        "judge": UnitCovariance(4.0 * eye, 5, alike=2.5),
    }
    made = Uncertainty(units, {}, nothing, nothing, nothing, "by hand", all_compare=True)
    assert made.freedom(np.array([[1.0, -1.0]])) == 4
    assert made.freedom(eye) == 1.5
    assert made.freedom(eye, "these") == 49
    later = made.freedom_one_day(np.array([[1.0, -1.0]]), "new", {"judge": 3.0}, np.zeros(3))
    assert later.tolist() == [3 * 5 - 1] * 3


def test_what_more_judges_may_add_scatters_as_their_variance_does() -> None:
    """By hand: judges add 5 / 2 - 1 = 1.5 of what tasks add, of four degrees of freedom."""
    eye, nothing = np.eye(2), np.zeros((2, 2))
    units: dict[Unit, UnitCovariance] = {
        "task": UnitCovariance(2.0 * eye, 50),
        "judge": UnitCovariance(4.0 * eye, 5),
    }
    made = Uncertainty(units, {}, nothing, nothing, nothing, "by hand")
    deviates = np.array([0.0, 1.0, -9.0])
    found = made.doubts_of_judges(eye, "new", deviates)
    np.testing.assert_allclose(found, [0, np.sqrt((2 + 4 * 1.5) / 4), -1.5])
    assert made.doubts_of_judges(eye, "these", deviates).tolist() == [0]


def test_a_claim_is_holms_on_the_scores_of_the_method(judgments: Judgments) -> None:
    result = reach_verdict(ExpectedWins().fit(judgments))
    first, second = np.triu_indices(judgments.n_systems, 1)
    z = np.abs(result.scores[first] - result.scores[second])
    z /= result.se_of_difference[first, second]
    p = 2 * student.sf(z, result.freedom)
    np.testing.assert_allclose(result.p[first, second], p, rtol=1e-9)
    np.testing.assert_array_equal(result.significant[first, second], holm_by_the_book(p) <= 0.05)
    assert 0 < result.significant.sum() < len(first) * 2


@pytest.mark.parametrize("ranker", SMOOTH, ids=name)
def test_ranges_and_lines_say_what_is_told_apart_and_no_more(
    ranker: Ranker, judgments: Judgments
) -> None:
    result = reach_verdict(ranker.fit(judgments))
    for i in range(judgments.n_systems):
        better = [j for j in range(judgments.n_systems) if result.significant[i, j]
                  and result.scores[j] > result.scores[i]]  # fmt: skip
        worse = [j for j in range(judgments.n_systems) if result.significant[i, j]
                 and result.scores[j] < result.scores[i]]  # fmt: skip
        assert (result.rank_best[i], result.rank_worst[i]) == (
            1 + len(better), judgments.n_systems - len(worse)
        )  # fmt: skip
    for cluster in range(1, result.n_clusters):
        across = np.ix_(result.clusters <= cluster, result.clusters > cluster)
        assert (result.p[across] <= 0.05).all()
    assert result.n_clusters > 1
    assert result.n_tiers >= 2


def test_one_pair_across_it_that_is_open_forbids_a_boundary() -> None:
    p = np.full((4, 4), 1e-9)
    p[0, 3] = p[3, 0] = 0.06
    scores = np.array([4.0, 3, 2, 1])
    assert clusters_between(scores, p, 0.95).tolist() == [1, 1, 1, 1]
    p[0, 3] = p[3, 0] = 0.05 / 3
    assert clusters_between(scores, p, 0.95).tolist() == [1, 2, 3, 4]


def test_each_boundary_that_is_found_makes_the_next_one_cheaper() -> None:
    """Of K - 1 = 2 places the first needs α/2, the second α."""
    p = np.array([[np.nan, 0.02, 0.02], [0.02, np.nan, 0.04], [0.02, 0.04, np.nan]])
    scores = np.array([3.0, 2, 1])
    assert clusters_between(scores, p, 0.95).tolist() == [1, 2, 3]
    p[0, 1] = p[1, 0] = 0.03
    assert clusters_between(scores, p, 0.95).tolist() == [1, 1, 1]


@pytest.mark.parametrize("ranker", SMOOTH, ids=name)
def test_names_and_sides_change_nothing(ranker: Ranker, make_campaign: Make) -> None:
    made = tasks(200)
    names = {"a": "z", "b": "m", "c": "q", "d": "b"}
    other = [
        (segment, judge, {names[s]: ranks[s] for s in reversed(list(ranks))})
        for segment, judge, ranks in made
    ]
    one = by_system(reach_verdict(ranker.fit(make_campaign(made).judgments())))
    two = by_system(reach_verdict(ranker.fit(make_campaign(other).judgments())))
    for system, values in one.items():
        np.testing.assert_allclose(two[names[system]], values, rtol=1e-6)


def test_groups_that_never_met_are_not_told_apart(make_campaign: Make) -> None:
    made = tasks(200)
    apart_from_them = [
        (segment, judge, {s.upper(): r for s, r in ranks.items()})
        for segment, judge, ranks in tasks(200, seed=4)
    ]
    judgments = make_campaign([*made, *apart_from_them]).judgments()
    result = reach_verdict(ExpectedWins().fit(judgments))
    lower = np.array([s.islower() for s in judgments.systems])
    assert np.isnan(result.p[np.ix_(lower, ~lower)]).all()
    assert not result.significant[np.ix_(lower, ~lower)].any()
    assert result.significant[np.ix_(lower, lower)].any()
    assert result.n_clusters == 1
    assert result.rank_worst.max() == 8


def test_a_system_that_nobody_met_has_no_rank(make_campaign: Make) -> None:
    judgments = make_campaign([*tasks(100), ("1", "judge0", {"lonely": 1})]).judgments()
    result = reach_verdict(BradleyTerry().fit(judgments))
    lonely = judgments.systems.index("lonely")
    assert result.rank_best[lonely] == result.rank_worst[lonely] == result.clusters[lonely] == 0
    assert np.isnan(result.p[lonely]).all()
    assert np.isnan(result.se[lonely])
    assert result.rank_worst.max() == 4
    assert result.to_frame()["rank_best"].isna().sum() == 1


def test_one_judge_and_no_named_judge_leave_sentences_only(make_campaign: Make) -> None:
    made = tasks(200)
    for judge, reason in (
        ("ann", "All judgments carry one judge name."),
        ("unknown", "The file names no judges."),
    ):
        judgments = make_campaign([(s, judge, ranks) for s, _, ranks in made]).judgments()
        result = reach_verdict(ExpectedWins().fit(judgments))
        assert result.missing == {"judge": reason}
        units = result.uncertainty.units
        n = units["segment"].n
        freedom = (units["segment"].freedom * (n - 1)) ** 0.5
        by_task = units["task"].matrix
        by_segment, _ = lend_strength(units["segment"].matrix * n / (n - 1), by_task, freedom)
        expected = np.maximum(np.diag(by_segment), np.diag(by_task))
        expected = np.maximum(
            expected + np.diag(result.uncertainty.few), np.diag(result.uncertainty.least)
        )
        np.testing.assert_allclose(result.se**2, expected)


def test_one_segment_is_said_and_one_task_tells_nothing(make_campaign: Make) -> None:
    made = tasks(200)
    result = reach_verdict(
        Bojar().fit(make_campaign([("1", j, ranks) for _, j, ranks in made]).judgments())
    )
    assert list(result.missing) == ["segment"]
    assert result.significant.any()
    single = reach_verdict(Bojar().fit(make_campaign(made[:1]).judgments()))
    assert set(single.missing) == {"task", "segment", "judge"}
    assert np.isnan(single.p).all()
    assert not single.significant.any()
    assert single.rank_best.tolist() == [1, 1, 1]
    assert single.rank_worst.tolist() == [3, 3, 3]


@pytest.mark.parametrize("ranker", SMOOTH, ids=name)
def test_an_undefeated_system_has_an_interval_of_some_width(
    ranker: Ranker, make_campaign: Make
) -> None:
    made = [(s, j, {**ranks, "top": 0 + min(ranks.values())}) for s, j, ranks in tasks(60)]
    made = [(s, j, {n: r + (n != "top") for n, r in ranks.items()}) for s, j, ranks in made]
    result = reach_verdict(ranker.fit(make_campaign(made).judgments()))
    top = result.systems.index("top")
    assert result.rank_best[top] == 1
    assert result.se[top] > 0
    n = 180
    if ranker.name in ("orig-wmt", "bojar"):
        share = (n + 1) / (n + 2)
        np.testing.assert_allclose(result.se[top], np.sqrt(share * (1 - share) / n))


def test_a_stricter_level_tells_fewer_apart(judgments: Judgments) -> None:
    verdict = [
        reach_verdict(ExpectedWins().fit(judgments), level=level).significant.sum()
        for level in (0.5, 0.95, 0.999999)
    ]
    assert verdict[0] > verdict[1] > verdict[2]


def test_these_sentences_and_judges_are_known_better(judgments: Judgments) -> None:
    others = reach_verdict(BradleyTerry().fit(judgments))
    these = reach_verdict(BradleyTerry().fit(judgments), scope="these")
    assert (these.se < others.se).all()
    assert these.significant.sum() >= others.significant.sum()
    assert "scope:these" in these.signature


def test_a_wrong_level_or_target_is_refused(judgments: Judgments) -> None:
    with pytest.raises(PodiumError, match="Level"):
        reach_verdict(Bojar().fit(judgments), level=1.5)
    with pytest.raises(PodiumError, match="new or these"):
        reach_verdict(Bojar().fit(judgments), scope="everyone")  # type: ignore[arg-type]


def test_the_tables_hold_every_system_and_every_pair(judgments: Judgments) -> None:
    result = reach_verdict(ExpectedWins().fit(judgments))
    frame, pairs = result.to_frame(), result.pairs_frame()
    assert sorted(frame["system"]) == sorted(judgments.systems)
    assert frame["score"].is_monotonic_decreasing
    assert len(pairs) == 28
    assert (pairs["difference"] >= 0).all()
    assert ((pairs["verdict"] == "better") == (pairs["p_adjusted"] <= 0.05)).all()
    assert not (pairs["exploratory"] & (pairs["verdict"] != "open")).any()
    assert {"tier", "cluster", "se", "ci_low", "ci_high", "rank_best", "rank_worst"} <= set(frame)


@pytest.mark.parametrize("ranker", [RANKERS["lopez"](), RANKERS["elo"]()], ids=name)
def test_methods_without_a_derivative_are_resampled(ranker: Ranker, make_campaign: Make) -> None:
    judgments = make_campaign(tasks(150)).judgments()
    done: list[tuple[int, int]] = []
    result = reach_verdict(
        ranker.fit(judgments, 5), runs=60, progress=lambda n, total: done.append((n, total))
    )
    again = reach_verdict(ranker.fit(judgments, 5), runs=60)
    assert result.how == "resampled"
    assert "variance:resampled|runs:60|seed:5" in result.signature
    np.testing.assert_array_equal(result.p, again.p)
    assert result.se.min() > 0
    assert done[-1] == (240, 240)


def test_a_pair_of_one_judgment_that_carries_a_score_is_named(make_campaign: Make) -> None:
    made = [(s, j, {n: r for n, r in ranks.items() if n != "d"}) for s, j, ranks in tasks(300)]
    lone: Task = ("1", "judge0", {"a": 1, "d": 2})
    more = [("2", "judge1", {"d": 1 + k % 2, "b": 2 - k % 2}) for k in range(100)]
    judgments = make_campaign([*made, lone, *more]).judgments()
    ranker = ExpectedWins()
    result = reach_verdict(ranker.fit(judgments))
    found = heavy_pairs(ranker.fit(judgments), result)
    assert {tuple(sorted(pair)) for pair in zip(found["a"], found["b"], strict=True)} == {
        ("a", "d")
    }
    turned = ("1", "judge0", {"a": 2, "d": 1})
    other = ranker.fit(make_campaign([*made, turned, *more]).judgments()).standings.scores
    a = judgments.systems.index("a")
    assert found["decided"].tolist() == [1] * len(found)
    moves = found.set_index("a").loc["a", "moves"]
    np.testing.assert_allclose(moves, result.scores[a] - other[a])
    assert heavy_pairs(BradleyTerry().fit(judgments), result).empty


def test_a_heavy_pair_has_few_judgments_and_moves_a_score_by_half_its_error(
    make_campaign: Make,
) -> None:
    def votes(n: int) -> Judgments:
        lone: list[Task] = [("1", "judge0", {"a": 1 + k % 2, "d": 2 - k % 2}) for k in range(n)]
        rest: list[Task] = [
            ("2", "judge1", {x: 1 + k % 2, y: 2 - k % 2})
            for x, y in (("a", "b"), ("b", "d"))
            for k in range(400)
        ]
        return make_campaign([*lone, *rest]).judgments()

    for n, is_few in ((29, True), (30, False)):
        judgments = votes(n)
        fit = ExpectedWins().fit(judgments)
        result = reach_verdict(fit)
        half = np.full(3, 0.5 / n)  # one of n, and half of the opponents
        for factor, is_heavy in ((1.999, True), (2.001, False)):
            found = heavy_pairs(fit, dataclasses.replace(result, se=factor * half))
            assert len(found) == (2 if is_few and is_heavy else 0), (n, factor)
            assert (found["moves"] == 0.5 / n).all()


def test_a_score_that_is_a_place_has_the_variance_of_what_rounding_loses(
    make_campaign: Make,
) -> None:
    judgments = make_campaign(tasks(60)).judgments()
    places = np.random.default_rng(0).integers(1, 5, (50, 4)).astype(float)
    drawn = Replicates(judgments.systems, places, "task", 0, Provenance())
    fit = RANKERS["lopez"]().fit(judgments)
    found = uncertainty_of(fit, lambda unit: dataclasses.replace(drawn, unit=unit))
    np.testing.assert_allclose(found.few, np.eye(4) / 12)
    lost = np.random.default_rng(1).uniform(0, 1, 200_000)
    assert (np.round(lost) - lost).var() == pytest.approx(found.few[0, 0], rel=0.01)
    with_parts = dataclasses.replace(drawn, scores=places + 0.25)
    exact = uncertainty_of(fit, lambda unit: dataclasses.replace(with_parts, unit=unit))
    assert not exact.few.any()


def test_of_a_pair_that_one_system_always_won_the_share_still_varies(make_campaign: Make) -> None:
    """By hand: won 3 of 3, p = 4/5, p(1 - p)/3; the difference of both scores is 2p - 1."""
    votes: list[Task] = [(str(k), f"judge{k}", {"a": 1, "b": 2}) for k in range(3)]
    judgments = make_campaign(votes).judgments()
    found = uncertainty_of(ExpectedWins().fit(judgments))
    by_hand = 4 * 0.8 * 0.2 / 3
    (few,) = variance_along(Differences(np.array([0]), np.array([1])), found.few)
    assert few == pytest.approx(by_hand)
    assert found.along(np.array([1.0, -1.0]), "these") >= by_hand - 1e-12


def test_conclusions_can_be_drawn_from_given_scores(make_campaign: Make) -> None:
    judgments = make_campaign(tasks(50)).judgments()
    k = judgments.n_systems
    nothing = np.zeros((k, k))
    sure = Uncertainty(
        {"task": UnitCovariance(1e-6 * np.eye(k), 50)}, {}, nothing, nothing, nothing, "by hand"
    )
    result = verdict_on(judgments, np.array([3.0, 1, 4, 2]), sure)
    assert result.rank_best.tolist() == result.rank_worst.tolist() == [2, 4, 1, 3]
    assert result.clusters.tolist() == [2, 4, 1, 3]
