"""Judge-aware Bradley–Terry against a general optimizer, plain Bradley–Terry, and known truth."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize

from analysis.campaign import FloatArray, Judgments
from analysis.comparing.fewest import fewest, with_rows_turned, without_rows
from analysis.errors import NotConvergedError, PodiumError
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.judge_aware import JudgeAware, JudgeAwareFit, judge_aware, posterior
from analysis.rankers.judge_aware.posterior import State
from analysis.ranking.covariance import UNITS, Unit, covariance_readable, covariances
from analysis.ranking.replicates import replicate
from tests.building import CampaignBuilder

SYSTEMS = 6


def drawn(
    sensitivity: FloatArray,
    bias: FloatArray,
    tying: FloatArray | None = None,
    *,
    n: int = 900,
    deviation: float = 0.5,
    seed: int = 0,
    n_systems: int = SYSTEMS,
) -> tuple[FloatArray, Judgments]:
    """Return true abilities, in the order of the systems, and judgments by the model's chances."""
    rng = np.random.default_rng(seed)
    theta = rng.normal(0, deviation, n_systems)
    builder = CampaignBuilder()
    for task in range(n):
        judge = rng.integers(len(sensitivity))
        i, j = rng.choice(n_systems, 2, replace=False)
        d = sensitivity[judge] * (theta[i] - theta[j]) + bias[judge]
        tie = -0.5 + (0 if tying is None else tying[judge])
        p = np.exp([d / 2, tie, -d / 2])
        ranks = [(1, 2), (1, 1), (2, 1)][rng.choice(3, p=p / p.sum())]
        shown = [(f"s{i}",), (f"s{j}",)]
        builder.add_task("aa-bb", str(task % 80), f"judge{judge:03d}", shown, ranks)
    judgments = builder.build().judgments()
    return theta[[int(name[1:]) for name in judgments.systems]], judgments


@cache
def mixed() -> tuple[FloatArray, Judgments]:
    """Judges of several kinds."""
    rng = np.random.default_rng(4)
    return drawn(rng.normal(1, 0.5, 8), rng.normal(0, 0.5, 8), rng.normal(0, 0.4, 8))


@pytest.fixture(scope="module")
def fit() -> JudgeAwareFit:
    return JudgeAware().fit(mixed()[1])


# --- the mode ------------------------------------------------------------------------------------


def printed(x: FloatArray, judgments: Judgments, ranker: JudgeAware) -> float:
    """Minus the log-posterior, judgment by judgment, as the docstring prints it."""
    k, n_judges = judgments.n_systems, len(judgments.judges)
    theta, tau, traits = x[:k], x[k], x[k + 1 :].reshape(n_judges, 3)
    total = (theta @ theta + tau**2) / (2 * ranker.prior**2)
    away = (traits - [1, 0, 0]) / [ranker.sensitivity, ranker.side, ranker.tying]
    total += (away**2).sum() / 2
    a, b, t = traits[judgments.task_judge[judgments.task]].T
    d = a * (theta[judgments.left] - theta[judgments.right]) + b
    weights = np.exp([d / 2, tau + t, -d / 2])
    chosen = weights[1 - judgments.outcome, np.arange(len(judgments))]
    total -= np.log(chosen / weights.sum(axis=0)).sum()
    return float(total)


def flat(state: State) -> FloatArray:
    return np.concatenate([state.abilities, [state.tau], state.traits.ravel()])


def unflat(x: FloatArray, k: int) -> State:
    return State(x[:k], float(x[k]), x[k + 1 :].reshape(-1, 3))


def test_newton_meets_a_general_optimizer_of_the_printed_formula() -> None:
    _, judgments = drawn(np.array([1.4, 0.2, 0.9]), np.array([0.0, 0.8, -0.3]), n=150)
    ranker = JudgeAware()
    fit = ranker.fit(judgments)
    start = flat(fit.mode.posterior.start())
    found = minimize(
        printed, start, args=(judgments, ranker), method="L-BFGS-B",
        options={"ftol": 1e-15, "gtol": 1e-8, "maxfun": 100_000},
    )  # fmt: skip
    np.testing.assert_allclose(flat(fit.mode.state), found.x, atol=2e-4)
    value = fit.mode.posterior.value(fit.mode.state)
    assert printed(flat(fit.mode.state), judgments, ranker) <= found.fun + 1e-9
    apart = fit.mode.posterior.value(unflat(found.x, SYSTEMS)) - value
    assert apart == pytest.approx(-found.fun + printed(flat(fit.mode.state), judgments, ranker))


def test_slopes_and_curvature_are_the_derivatives(fit: JudgeAwareFit) -> None:
    p = fit.mode.posterior

    def value(y: FloatArray) -> float:
        return p.value(unflat(y, SYSTEMS))

    x = flat(fit.mode.state) + np.random.default_rng(1).normal(0, 0.3, len(flat(fit.mode.state)))
    at = unflat(x, SYSTEMS)
    shared, traits = p.slopes(at)
    numeric = approx_fprime(x, value, 1e-6)
    np.testing.assert_allclose(np.concatenate([shared, traits.ravel()]), numeric, atol=2e-3)
    curvature = p.curvature(at)
    k = SYSTEMS + 1
    whole = np.zeros((len(x), len(x)))
    whole[:k, :k] = curvature.shared
    for judge, (border, own) in enumerate(zip(curvature.border, curvature.own, strict=True)):
        place = slice(k + 3 * judge, k + 3 * judge + 3)
        whole[:k, place], whole[place, :k], whole[place, place] = border, border.T, own

    def slope(y: FloatArray) -> FloatArray:
        shared, traits = p.slopes(unflat(y, SYSTEMS))
        return np.concatenate([shared, traits.ravel()])

    second = [(slope(x + step) - slope(x - step)) / 2e-6 for step in 1e-6 * np.eye(len(x))]
    np.testing.assert_allclose(whole, -np.array(second), atol=1e-3)
    inverse = np.linalg.inv(whole)
    np.testing.assert_allclose(curvature.inverse, inverse[:k, :k], rtol=1e-6)
    deviations = np.sqrt(np.diag(inverse)[k:].reshape(-1, 3))
    np.testing.assert_allclose(curvature.trait_deviations(), deviations, rtol=1e-6)


def test_the_mode_does_not_depend_on_where_the_climb_starts(fit: JudgeAwareFit) -> None:
    rng = np.random.default_rng(7)
    p = fit.mode.posterior
    for _ in range(3):
        start = unflat(flat(p.start()) + rng.normal(0, 0.5, len(flat(p.start()))), SYSTEMS)
        np.testing.assert_allclose(flat(p.mode(start)), flat(fit.mode.state), atol=1e-6)


def test_a_tighter_tolerance_hardly_moves_the_mode(
    fit: JudgeAwareFit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posterior, "TOLERANCE", 1e-5)
    rough = JudgeAware().fit(fit.judgments)
    assert np.abs(rough.standings.scores - fit.standings.scores).max() < 1e-5


def test_a_climb_that_does_not_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posterior, "MAX_STEPS", 1)
    with pytest.raises(NotConvergedError, match="1 Newton steps"):
        JudgeAware().fit(mixed()[1])


def test_judges_who_may_not_differ_give_bradley_terry() -> None:
    """Another algorithm for the same model: tables instead of cells."""
    _, judgments = mixed()
    alike = JudgeAware(sensitivity=0.01, side=0.01, tying=0.01).fit(judgments)
    plain = BradleyTerry(ties="davidson").fit(judgments)
    np.testing.assert_allclose(alike.standings.scores, plain.standings.scores, atol=2e-3)
    spread, plainly = alike.standings.spread, plain.standings.spread
    assert spread is not None
    assert plainly is not None
    np.testing.assert_allclose(spread, plainly, rtol=0.01)


def test_too_many_judges_are_refused_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_aware, "MOST_NUMBERS", 10)
    with pytest.raises(PodiumError, match="8 judges and 6 systems are too many"):
        JudgeAware().fit(mixed()[1])


# --- how sure ------------------------------------------------------------------------------------


def refitted(fit: JudgeAwareFit, weight: FloatArray) -> FloatArray:
    p = fit.ranker.posterior(fit.mode.posterior.cells.weighted(weight))
    state = p.mode(fit.mode.state)
    return judge_aware.mean_sensitivity(state, p.work()) * state.abilities


def test_an_influence_is_the_derivative_of_the_scores(fit: JudgeAwareFit) -> None:
    influence = fit.influence()
    step = 1e-4
    for row in (0, 17, 200, 512):
        change = np.zeros(len(fit.judgments))
        change[row] = step
        slope = (refitted(fit, 1 + change) - refitted(fit, 1 - change)) / (2 * step)
        found = [influence.along(axis, fit.judgments)[row] for axis in np.eye(SYSTEMS)]
        np.testing.assert_allclose(found, slope, atol=1e-6)


def test_turning_a_judgment_is_taking_it_out_and_adding_the_other(fit: JudgeAwareFit) -> None:
    influence = fit.influence()
    axis = np.eye(SYSTEMS)[1] - np.eye(SYSTEMS)[4]
    turned = influence.along(axis, fit.judgments, turned=True)
    facts = fit.judgments.observations
    cells = {}
    for row, value in enumerate(influence.along(axis, fit.judgments)):
        judge = fit.judge[row]
        cells[judge, facts.left[row], facts.right[row], facts.outcome[row]] = value
    met = 0
    for row, value in enumerate(turned):
        key = fit.judge[row], facts.left[row], facts.right[row], -facts.outcome[row]
        if key in cells:
            met += 1
            assert value == pytest.approx(cells[key], abs=1e-12)
    assert met > 100


def test_leaving_out_a_judgment_moves_the_scores_as_its_influence_says(fit: JudgeAwareFit) -> None:
    influence, judgments = fit.influence(), fit.judgments
    axis = np.eye(SYSTEMS)[0] - np.eye(SYSTEMS)[1]
    said = influence.along(axis, judgments)
    row = int(np.argmax(np.abs(said)))
    less = JudgeAware().fit(without_rows(judgments, np.array([row]))).standings.scores
    assert axis @ (fit.standings.scores - less) == pytest.approx(said[row], rel=0.1)


@pytest.mark.parametrize("unit", UNITS)
def test_the_fast_sum_is_the_readable_one(unit: Unit, fit: JudgeAwareFit) -> None:
    found = covariances(fit.judgments, fit.influence())[unit].matrix
    np.testing.assert_allclose(
        found, covariance_readable(fit.judgments, fit.influence(), unit), atol=1e-12
    )


def test_the_closed_form_is_what_resampling_gives() -> None:
    """To first order: of 900 judgments by 8 judges it is .93, of 6,000 .99 (200 resamples)."""
    _, judgments = drawn(np.linspace(0.3, 1.7, 8), np.linspace(-0.6, 0.6, 8), n=2500, deviation=1.0)
    fit = JudgeAware().fit(judgments)
    found = deviations(covariances(judgments, fit.influence())["task"].matrix)
    runs = replicate(fit, runs=150, unit="task", seed=2).scores
    ratio = found / deviations(np.cov(runs, rowvar=False))
    assert abs(ratio.mean() - 1) < 0.08


def deviations(matrix: FloatArray) -> FloatArray:
    """Return those of the differences of all pairs."""
    first, second = np.triu_indices(SYSTEMS, 1)
    own = np.diag(matrix)
    return np.asarray(np.sqrt((own[:, None] + own - 2 * matrix)[first, second]))


def test_a_judge_drawn_twice_is_two_judges(fit: JudgeAwareFit) -> None:
    """The same as a campaign in which another judge gave the same judgments."""
    judgments = fit.judgments
    builder = CampaignBuilder()
    tasks = [*range(judgments.n_tasks), *np.flatnonzero(judgments.task_judge == 2)]
    for place, task in enumerate(tasks):
        name = judgments.judges[judgments.task_judge[task]]
        name += "'" if place >= judgments.n_tasks else ""
        entries = slice(judgments.task_start[task], judgments.task_start[task + 1])
        shown = [(judgments.systems[code],) for code in judgments.entry_output[entries]]
        builder.add_task("aa-bb", "1", name, shown, judgments.entry_rank[entries].tolist())
    twice = builder.build().judgments()
    expected = dict(
        zip(twice.systems, JudgeAware().fit(twice).standings.scores.tolist(), strict=True)
    )
    times = np.where(np.array(judgments.judges)[fit.who] == judgments.judges[2], 2.0, 1.0)
    cells = fit.mode.posterior.cells.weighted(times[fit.judge])
    p = JudgeAware().posterior(cells, times)
    state = p.mode()
    scores = judge_aware.mean_sensitivity(state, p.work()) * state.abilities
    np.testing.assert_allclose(scores, [expected[name] for name in judgments.systems], atol=1e-7)


def test_the_fewest_judgments_that_turn_two_systems_do_it() -> None:
    """Judgments of the best judges weigh most, so that it takes few of them."""
    _, judgments = drawn(np.linspace(0.2, 1.8, 8), np.zeros(8), n=400, deviation=0.6)
    fit = JudgeAware().fit(judgments)
    above, below = fit.standings.ranked_systems[:2]
    for deed in ("drop", "turn"):
        found = fewest(fit, above, below, deed)
        assert found.rows is not None
        assert not found.alike
        change = without_rows if deed == "drop" else with_rows_turned
        scores = JudgeAware().fit(change(judgments, found.rows)).standings
        assert scores.ranked_systems.index(below) < scores.ranked_systems.index(above)
        at_random = np.random.default_rng(1).permutation(len(judgments))[: len(found.rows)]
        kept = JudgeAware().fit(change(judgments, at_random)).standings.ranked_systems
        assert kept.index(above) < kept.index(below)


def test_what_a_judge_unknown_to_the_fit_would_add_is_the_usual_judges(fit: JudgeAwareFit) -> None:
    judgments = fit.judgments
    rest = judgments.take_tasks(np.flatnonzero(judgments.task_judge != fit.who[0]))
    rows = JudgeAware().fit(rest).rows_of(judgments)
    new = judgments.task_judge[judgments.task] == fit.who[0]
    assert (rows.sensitivity[new] == 1).all()
    assert not rows.loads[rows.judge[new]].any()
    assert len(rows.by_lead) == len(judgments)


# --- judges --------------------------------------------------------------------------------------


def test_noisy_reversed_and_one_sided_judges_are_known() -> None:
    sensitivity, bias = np.ones(10), np.zeros(10)
    sensitivity[:2], bias[2:4] = (0.0, -1.0), (1.5, -1.5)
    _, judgments = drawn(sensitivity, bias, n=4000, deviation=0.8)
    traits = JudgeAware().fit(judgments).traits().set_index("judge").sort_index()
    assert abs(traits["sensitivity"].iloc[0]) < 0.5
    assert traits["sensitivity"].iloc[1] < -0.3
    assert (traits["sensitivity"].iloc[4:] > 0.6).all()
    assert traits["prefers_first_low"].iloc[2] > 0.6
    assert traits["prefers_first_high"].iloc[3] < 0.4
    honest = traits.iloc[4:]
    holds = (honest["prefers_first_low"] < 0.5) & (honest["prefers_first_high"] > 0.5)
    assert holds.sum() >= 5  # of six, each to 95%


def test_the_fewer_judgments_a_judge_gave_the_more_the_usual_judge_counts() -> None:
    _, judgments = drawn(np.ones(8), np.zeros(8), n=1500, deviation=1.2)
    few = np.flatnonzero(judgments.task_judge != 0).tolist()
    few += np.flatnonzero(judgments.task_judge == 0)[:3].tolist()
    traits = JudgeAware().fit(judgments.take_tasks(np.array(sorted(few)))).traits()
    traits = traits.sort_values("judgments")
    assert traits["shrinkage"].iloc[0] > 0.9
    assert traits["shrinkage"].iloc[1:].max() < 0.6
    assert (traits["judgments"].iloc[0], len(traits)) == (3, 8)


def test_without_named_judges_all_count_as_one_and_that_is_said() -> None:
    builder = CampaignBuilder()
    for k in range(40):
        ranks = [1, 2] if k % 4 else [2, 1]
        builder.add_task("aa-bb", str(k), "unknown", [("a",), ("b",)], ranks)
    standings = JudgeAware().fit(builder.build().judgments()).standings
    assert any("no judges" in note for note in standings.notes)


def test_chances_are_those_of_a_judge_and_a_side_drawn_at_random(fit: JudgeAwareFit) -> None:
    """Against the mean over all judgments of the chances that the mode gives their judges."""
    preferences = fit.preferences()
    gap = fit.mode.state.abilities[2] - fit.mode.state.abilities[5]
    total = np.zeros(3)
    for judge in fit.judge:
        a, b, t = fit.mode.state.traits[judge]
        for side in (b, -b):
            d = a * gap + side
            weights = np.exp([d / 2, fit.mode.state.tau + t, -d / 2])
            total += weights / weights.sum() / (2 * len(fit.judge))
    assert preferences.win[2, 5] == pytest.approx(total[0])
    assert preferences.tie[2, 5] == pytest.approx(total[1])
    np.testing.assert_allclose(preferences.win + preferences.win.T + preferences.tie, 1)


# --- what it is for ------------------------------------------------------------------------------


def recovered(judgments: Judgments, true: FloatArray, ranker: JudgeAware | BradleyTerry) -> float:
    """Return the correlation of the scores with the truth."""
    return float(np.corrcoef(ranker.fit(judgments).standings.scores, true)[0, 1])


def gains(sensitivity: FloatArray, bias: FloatArray, n: int = 15) -> FloatArray:
    """Return by how much the correlation with the truth is higher than Bradley–Terry's."""
    found = []
    for seed in range(n):
        true, judgments = drawn(
            sensitivity, bias, n=1500, deviation=0.4, seed=seed + 100, n_systems=8
        )
        found.append(
            recovered(judgments, true, JudgeAware()) - recovered(judgments, true, BradleyTerry())
        )
    return np.array(found)


def test_it_finds_the_truth_better_where_half_the_judges_are_noisy_or_one_sided() -> None:
    """Measured with 20 campaigns of 20 judges: .913 by Bradley–Terry, .939 with judges known."""
    good = np.arange(20) % 2 == 0
    side = np.random.default_rng(0).choice([-1.5, 1.5], 20)
    found = gains(np.where(good, 1.5, 0.1), np.where(good, 0.0, side))
    assert found.mean() > 2 * found.std(ddof=1) / np.sqrt(len(found))


def test_it_does_not_lose_where_judges_are_alike() -> None:
    """Measured with 20 campaigns: -.001 ± .002 with 20 judges, -.002 ± .002 with 200."""
    found = gains(np.ones(20), np.zeros(20))
    assert found.mean() > -0.008
