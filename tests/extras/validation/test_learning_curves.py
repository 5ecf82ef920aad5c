"""Learning curves: more judgments predict better, and every point can be made again by itself."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from analysis.campaign import FloatArray, IntArray, Judgments
from analysis.errors import PodiumError
from analysis.extras.validation.prediction.learning_curves import (
    cluster_point,
    curve_point,
    draw_training,
    learning_curve,
    mean_curve,
)
from analysis.extras.validation.prediction.predict import model_named
from analysis.extras.validation.prediction.radius import DIFFERENCE, Tuning
from analysis.extras.validation.prediction.splits import DRAWS, Draw, Split, k_fold, random_share
from analysis.extras.validation.prediction.splits import test_file as predict_file
from analysis.extras.validation.simulation.campaigns import Simulation, simulate_campaign
from analysis.formats import read_path
from analysis.rankers import ExpectedWins
from analysis.rankers.trueskill import TrueSkill, active_draw
from analysis.rankers.trueskill.active_draw import choose_rows
from analysis.rankers.trueskill.kernels import closeness, match_quality, update_pair_readable

SETTINGS = Simulation(systems=6, spread=3, radius=2, n_way=4)
ABILITY = np.array([0.0, 1, 2.5, 3, 6, 7])


@cache
def simulated(n_tasks: int = 900) -> Judgments:
    return simulate_campaign(SETTINGS, ABILITY, n_tasks, np.random.default_rng(3)).judgments()


@cache
def split() -> Split:
    return random_share(simulated(), 0.3, np.random.default_rng(0))


@pytest.mark.parametrize("draw", list(DRAWS))
def test_more_judgments_predict_better(draw: Draw) -> None:
    models = {name: model_named(name) for name in ("expected-wins", "hopkins-may")}
    curve = learning_curve(split(), models, sizes=(30, 2000), trials=8, draw=draw)
    for name in models:
        few, many = curve.point(name, 30), curve.point(name, 2000)
        assert few.accuracy.mean() < many.accuracy.mean() - 0.01
        assert few.perplexity.mean() > many.perplexity.mean() + 0.02
        assert many.accuracy.max() <= curve.oracle


def test_a_point_is_the_same_alone_and_in_a_curve_and_trials_can_be_added() -> None:
    model = ExpectedWins()
    models = {"bojar": model_named("bojar"), "expected-wins": model}
    curve = learning_curve(split(), models, sizes=(100, 200), trials=5, seed=4)
    alone = curve_point(split(), model, 200, label="expected-wins", trials=3, seed=4)
    np.testing.assert_array_equal(alone.accuracy, curve.point("expected-wins", 200).accuracy[:3])
    assert len(set(curve.point("expected-wins", 200).perplexity)) == 5


def test_all_models_learn_from_the_same_draws() -> None:
    twin = learning_curve(
        split(), {"one": ExpectedWins(), "two": ExpectedWins()}, sizes=(150,), trials=4
    )
    np.testing.assert_array_equal(
        twin.point("one", 150).perplexity, twin.point("two", 150).perplexity
    )


def test_rows_are_drawn_once_each_and_tasks_stay_whole() -> None:
    pool, rng = split().train(0), np.random.default_rng(0)
    rows = draw_training(pool, len(pool), "row", rng)
    np.testing.assert_array_equal(rows.counts.wins, pool.counts.wins)
    tasks = draw_training(pool, 100, "task", rng)
    assert set(np.diff(tasks.task_start)) == {4}
    assert 100 <= len(tasks) < 106


def draw_active_readable(
    left: IntArray,
    right: IntArray,
    outcome: IntArray,
    start: IntArray,
    members: IntArray,
    compared: FloatArray,
    n_draws: int,
    sigma0: float,
    beta: float,
    margin: float,
    tau: float,
    by_quality: bool,
    rng: np.random.Generator,
) -> IntArray:
    """Do as the kernel, one step after the other, with the same random numbers."""
    k = len(compared)
    nearness = match_quality if by_quality else closeness
    mu, variance = np.zeros(k), np.full(k, sigma0**2)
    candidates = np.flatnonzero(compared.any(axis=1))
    chosen = np.empty(n_draws, dtype=np.int64)
    for draw in range(n_draws):
        a = int(max(candidates, key=lambda i: (float(variance[i]), int(i))))
        reach = np.cumsum(np.where(compared[a] > 0, nearness(mu, variance, a, beta), 0.0))
        b = int(np.searchsorted(reach, rng.random() * reach[-1], side="right"))
        pair = min(a, b) * k + max(a, b)
        fact = members[start[pair] + int(rng.random() * (start[pair + 1] - start[pair]))]
        update_pair_readable(
            mu, variance, left[fact], right[fact], outcome[fact], beta, margin, tau
        )
        chosen[draw] = fact
    return chosen


def choose_rows_readable(
    pool: Judgments, n_draws: int, rng: np.random.Generator, settings: TrueSkill
) -> IntArray:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(active_draw, "_draw_active", draw_active_readable)
        return choose_rows(pool, n_draws, rng, settings)


def test_the_fast_active_draw_takes_the_rows_that_the_readable_one_takes() -> None:
    pool = split().train(0)
    for settings in (
        TrueSkill(),
        TrueSkill(sigma0=1.0, draw_probability=0.1, tau=0.01),
        TrueSkill(opponent="quality", beta=0.4),
    ):
        fast = choose_rows(pool, 400, np.random.default_rng(9), settings)
        slow = choose_rows_readable(pool, 400, np.random.default_rng(9), settings)
        np.testing.assert_array_equal(fast, slow)
        assert len(set(fast.tolist())) > 200


def test_active_draws_prefer_systems_of_similar_skill() -> None:
    pool = split().train(0)
    chosen = pool.take_rows(
        choose_rows(pool, 3000, np.random.default_rng(1), TrueSkill())
    ).counts.compared
    uniform = pool.counts.compared
    neighbors, extremes = chosen[0, 1] / uniform[0, 1], chosen[0, 5] / uniform[0, 5]
    assert neighbors > 1.2 * extremes


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_draw_by_matches_has_so_many_or_so_many_pairs(players: int) -> None:
    """SPV14, Tables 3 and 4: 400 matches of N outputs, or N-way matches of 400 pairs in all."""
    pool, rng = simulated(), np.random.default_rng(1)
    matches = draw_training(pool, 400, "matches", rng, players)
    assert matches.n_tasks == 400
    assert set(np.diff(matches.task_start)) == {players}
    assert len(set(matches.tasks.tolist())) == 400, "one match a task while tasks last"
    pairs = draw_training(pool, 400, "match-pairs", rng, players)
    assert abs(len(pairs) - 400) <= players * (players - 1) / 4
    ranks = {
        (task, output): rank
        for task, start, end in zip(
            pool.tasks, pool.task_start[:-1], pool.task_start[1:], strict=True
        )
        for output, rank in zip(
            pool.entry_output[start:end], pool.entry_rank[start:end], strict=True
        )
    }
    owners = np.repeat(matches.tasks, players)
    played = zip(owners, matches.entry_output, matches.entry_rank, strict=True)
    assert all(ranks[task, output] == rank for task, output, rank in played)


def test_more_matches_than_tasks_cut_the_tasks_anew() -> None:
    pool = simulated(30)
    matches = draw_training(pool, 75, "matches", np.random.default_rng(1), 3)
    times = np.bincount(np.searchsorted(np.sort(pool.tasks), matches.tasks), minlength=30)
    assert set(times.tolist()) == {2, 3}
    with pytest.raises(PodiumError, match="no ranking task that may train has 6 outputs"):
        draw_training(pool, 5, "matches", np.random.default_rng(1), 6)


def test_larger_matches_tell_more_a_match_and_less_a_pair() -> None:
    """As in SPV14: .479 → .492 for N = 2 → 5 at 400 matches (Table 3), → .459 at 400 pairs."""
    models = {n: TrueSkill(players=n, selection="shuffled") for n in (2, 4)}

    def accuracy(draw: Draw, players: int) -> float:
        point = curve_point(split(), models[players], 40, label="", trials=8, draw=draw)
        return float(point.accuracy.mean())

    assert accuracy("matches", 4) > accuracy("matches", 2) + 0.01
    assert accuracy("match-pairs", 4) < accuracy("matches", 4)
    assert accuracy("match-pairs", 2) == accuracy("matches", 2)


def test_matches_of_more_players_learn_too() -> None:
    models = {f"{n} players": TrueSkill(players=n, selection="shuffled") for n in (2, 3, 4)}
    curve = learning_curve(split(), models, sizes=(60, 1800), trials=4, draw="task")
    for name in models:
        assert curve.point(name, 60).accuracy.mean() < curve.point(name, 1800).accuracy.mean()


def test_more_judgments_make_more_clusters() -> None:
    few, many = (
        cluster_point(split().train(0), ExpectedWins(), size, trials=4, draw="task")
        for size in (60, 3000)
    )
    assert few.max() < many.min() <= 6


def test_a_size_larger_than_what_may_train_takes_all_of_it() -> None:
    """HM13, footnote 12."""
    pool = split().train(0)
    curve = learning_curve(
        split(), {"ew": ExpectedWins()}, sizes=(len(pool), 10**6), trials=2, draw="row"
    )
    whole, larger = curve.points
    np.testing.assert_array_equal(whole.accuracy, larger.accuracy)
    np.testing.assert_allclose(whole.perplexity, larger.perplexity)
    assert "1,000,000" in curve.notes[-1]


def test_with_its_own_draws_trueskill_keeps_its_run_and_others_learn_from_uniform_ones() -> None:
    def trained(name: str, draw: Draw) -> tuple[float, ...]:
        point = curve_point(split(), model_named(name), 400, label=name, trials=3, draw=draw)
        return tuple(point.perplexity)

    assert trained("expected-wins", "own") == trained("expected-wins", "row")
    shuffled = "trueskill:selection=shuffled"
    assert trained(shuffled, "own") == trained(shuffled, "row")
    assert trained("trueskill", "own") != trained("trueskill", "active")


def test_the_run_that_trueskill_keeps_is_that_over_its_draws_one_after_the_other() -> None:
    pool, n, skills = split().train(0), 300, TrueSkill()
    fit = skills.draw_own(pool, n, np.random.default_rng(5))
    assert fit is not None
    assert fit.standings.spread is not None
    rows = choose_rows_readable(pool, n, np.random.default_rng(5), skills)
    mu, variance = np.zeros(pool.n_systems), np.full(pool.n_systems, 0.25)
    beta, margin = skills.scale(n + 1)
    for row in rows:
        i, j, outcome = pool.left[row], pool.right[row], pool.outcome[row]
        update_pair_readable(mu, variance, i, j, outcome, beta, margin, 0.0)
    np.testing.assert_allclose(fit.standings.scores, mu, atol=1e-12)
    np.testing.assert_allclose(fit.standings.spread**2, variance, atol=1e-12)
    assert len(fit.judgments) == n


def test_the_mean_of_curves_is_that_of_their_trials() -> None:
    other = random_share(simulated(600), 0.3, np.random.default_rng(1))
    curves = {
        pair: learning_curve(part, {"ew": ExpectedWins()}, sizes=(100, 200), trials=3)
        for pair, part in (("a-b", split()), ("c-d", other))
    }
    mean = mean_curve(curves)
    for size in (100, 200):
        both = [curve.point("ew", size).accuracy for curve in curves.values()]
        np.testing.assert_allclose(mean.point("ew", size).accuracy, np.mean(both, axis=0))
    assert mean.oracle == np.mean([curve.oracle for curve in curves.values()])
    assert mean.notes[0] == "Mean over 2 language pairs: a-b and c-d."


def test_progress_counts_the_points() -> None:
    seen: list[tuple[int, int]] = []
    learning_curve(
        split(),
        {"expected-wins": ExpectedWins()},
        sizes=(50, 100),
        trials=1,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(1, 2), (2, 2)]


def test_an_impossible_curve_is_refused_in_words() -> None:
    def point(held_out: Split, size: int = 50, trials: int = 1, draw: str = "row") -> None:
        curve_point(held_out, ExpectedWins(), size, label="ew", trials=trials, draw=draw)  # type: ignore[arg-type]

    folds = k_fold(simulated(), 3, np.random.default_rng(0))
    with pytest.raises(PodiumError, match="3 test sets"):
        point(folds)
    with pytest.raises(PodiumError, match="0 is too few"):
        point(split(), size=0)
    with pytest.raises(PodiumError, match="too few"):
        point(split(), trials=0)
    with pytest.raises(PodiumError, match="not known"):
        point(split(), draw="sideways")


@pytest.fixture(scope="module")
def wmt13(campaigns_dir):  # type: ignore[no-untyped-def]
    """WMT13 French–English as SPV14 released it: 9,996 tasks to learn from, 200 to predict."""
    train, test = (
        read_path(campaigns_dir / "wmt13" / f"fr-en.{part}.csv.gz")[0].judgments()
        for part in ("train", "test")
    )
    return predict_file(train, test)


@pytest.mark.slow
def test_on_wmt13_three_models_rise_alike_and_saturate(wmt13: Split) -> None:
    """From about .468 to about .483, with a standard error of .011 by the test set alone.

    On the same 400 rows the three differ by less than the test set's error, so the tolerance is
    that error and a bit for the 40 draws. With other sentences and judges in mind it is .018, as
    the test set's judgments are not independent.
    """
    names = ("expected-wins", "hopkins-may", "trueskill")
    models = {name: model_named(name) for name in names}
    curve = learning_curve(wmt13, models, trials=40, tuning=Tuning(DIFFERENCE))
    assert curve.oracle == 0.5105
    assert curve.test_error == pytest.approx(0.0182, abs=0.0001)
    for name in names:
        means = [curve.point(name, size).accuracy.mean() for size in (400, 800, 1600, 3200, 6400)]
        assert means[0] == pytest.approx(0.468, abs=0.0125)
        assert means[4] == pytest.approx(0.483, abs=0.005)
        assert means == sorted(means)
        assert means[4] - means[3] < (means[1] - means[0]) / 2
        assert np.median(curve.point(name, 6400).accuracy_radius) <= 0.1


@pytest.mark.slow
def test_on_wmt13_perplexity_of_hopkins_and_may_falls_with_a_tie_radius_of_a_half(
    wmt13: Split,
) -> None:
    """2.89 at 400 and 2.86 at 6,400 comparisons, best at r = .5 (SPV14, Figure 3)."""
    models = {"hopkins-may": model_named("hopkins-may")}
    curve = learning_curve(wmt13, models, sizes=(400, 6400), trials=40)
    few, many = (curve.point("hopkins-may", size) for size in (400, 6400))
    assert few.perplexity.mean() == pytest.approx(2.89, abs=0.02)
    assert many.perplexity.mean() == pytest.approx(2.86, abs=0.03)
    assert many.perplexity.mean() < few.perplexity.mean()
    assert np.median(few.perplexity_radius) == np.median(many.perplexity_radius) == 0.5


@pytest.mark.slow
def test_on_wmt13_clusters_grow_with_the_training_data(wmt13: Split) -> None:
    """SPV14, Figure 8."""
    for model, draw in ((TrueSkill(), "active"), (ExpectedWins(), "row")):
        few, many = (
            cluster_point(wmt13.train(0), model, size, trials=3, draw=draw)  # type: ignore[arg-type]
            for size in (400, 6400)
        )
        assert few.mean() < many.mean()


def test_on_wmt13_larger_matches_tell_more_a_match_and_less_a_pair(wmt13: Split) -> None:
    """SPV14, Tables 3 and 4 at 400, means of ten pairs: N = 5 less N = 2 is +.013 and -.020.

    Measured here, on fr-en alone: +.015 and -.021; an accuracy has a standard error of .011.
    """

    def accuracy(draw: Draw, players: int) -> float:
        model = TrueSkill(players=players, selection="shuffled")
        point = curve_point(wmt13, model, 400, label="", trials=6, draw=draw)
        return float(point.accuracy.mean())

    pairs = accuracy("matches", 2)
    assert accuracy("matches", 5) - pairs == pytest.approx(0.492 - 0.479, abs=0.012)
    assert accuracy("match-pairs", 5) - pairs == pytest.approx(0.459 - 0.479, abs=0.012)
