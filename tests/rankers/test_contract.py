"""What every registered ranker promises, whoever wrote it.

A ranker comes in by being in the registry. What it cannot promise stands in `EXEMPT` with the
reason; how closely a ranker that draws at random repeats itself stands in `CLOSENESS`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import get_args

import numpy as np
import pytest

from analysis.campaign import Campaign, Judgments, Scale, Scores, Selection
from analysis.errors import PodiumError, UndefinedResultError
from analysis.parallel import map_chunks
from analysis.parameters import Hyperparameter, hyperparameters
from analysis.rankers import RANKERS, Ranker
from analysis.rankers.ranker import Pace, Standings
from analysis.rankers.resampling import UNITS, ResamplingUnit
from analysis.ranking.certainty import replicate

Row = tuple[str, str, str, str, str]
"""Segment, judge, left system, right system, and one of > = <."""

Make = Callable[[Sequence[tuple[str, str, dict[str, int]]]], Campaign]

QUICK: Mapping[str, dict[str, object]] = {"playoffs": {"tournaments": 20_000}}
"""Settings other than the default ones, so that chance is small and the test short."""

CLOSENESS: Mapping[str, float] = {
    "playoffs": 0.02,
    "hopkins-may-categorical": 0.1,
    "graded-response": 0.001,
}
"""For rankers that draw at random, or walk to their optimum, in an order that depends on names: how
far a score may move, as a share of the distance between the best and the worst. All others: a
millionth."""

TOGETHER: Mapping[tuple[str, str], dict[str, object]] = {
    ("trueskill", "players"): {"selection": "shuffled"},
}
"""(ranker, hyperparameter) → settings without which no other value of it is possible."""

ALL_COMPARE = "means compare without a chain of judgments, and a system that was scored has one"
EXEMPT: Mapping[tuple[str, str], str] = {
    ("mean", "test_groups_that_never_met_are_reported"): ALL_COMPARE,
    ("mean", "test_a_system_never_compared_has_no_score_and_a_reason"): ALL_COMPARE,
}
"""(ranker, claim) → why it does not hold."""

ABILITIES = {"ada": 1.1, "bix": 0.5, "cor": 0.3, "dun": -0.2, "eve": -0.6, "fox": -1.1}


def simulate(
    abilities: Mapping[str, float], n_rows: int = 1500, noise: float = 1.0, seed: int = 5
) -> list[Row]:
    """Draw judgments from normal qualities, no two pairs equally often, ties within .4."""
    rng = np.random.default_rng(seed)
    names = list(abilities)
    weights = np.arange(1, len(names) + 1) / np.arange(1, len(names) + 1).sum()
    rows: list[Row] = []
    for k in range(n_rows):
        i, j = rng.choice(len(names), size=2, replace=False, p=weights)
        seen = abilities[names[i]] - abilities[names[j]] + noise * rng.normal(0, 1.4)
        sign = "=" if abs(seen) < 0.4 else ">" if seen > 0 else "<"
        rows.append((str(k % 60 + 1), f"judge{k % 7}", names[i], names[j], sign))
    return rows


def swapped(rows: Sequence[Row]) -> list[Row]:
    mirror = {">": "<", "=": "=", "<": ">"}
    return [(segment, judge, b, a, mirror[sign]) for segment, judge, a, b, sign in rows]


def judged(make_campaign: Make, rows: Sequence[Row]) -> Judgments:
    """Make judgments of rows, with scores beside that say the same: 2 beats 1, and 1½ is a tie."""
    ranks = {">": (1, 2), "=": (1, 1), "<": (2, 1)}
    campaign = make_campaign(
        [(s, judge, {a: ranks[sign][0], b: ranks[sign][1]}) for s, judge, a, b, sign in rows]
    )
    return with_scores(campaign).judgments(selection=Selection(blocks=5))


def with_scores(campaign: Campaign) -> Campaign:
    rank = campaign.entry_rank.reshape(-1, 2).astype(float)
    task = campaign.shown.owners
    scores = Scores(
        scale=Scale("points"),
        pair=campaign.task_pair[task],
        system=campaign.entry_output,
        segment=campaign.task_segment[task],
        judge=campaign.task_judge[task],
        screen=task,
        value=(1.5 - rank + rank.mean(axis=1, keepdims=True)).ravel(),
    )
    return dataclasses.replace(campaign, scores=scores)


@pytest.fixture(params=list(RANKERS))
def ranker(request: pytest.FixtureRequest) -> Ranker:
    cls = RANKERS[request.param]
    return cls(**QUICK.get(request.param, {}))


@pytest.fixture(autouse=True)
def _leave_out_the_exempt(request: pytest.FixtureRequest) -> None:
    if "ranker" in request.fixturenames:
        name = request.getfixturevalue("ranker").name
        reason = EXEMPT.get((name, request.function.__name__))
        if reason:
            pytest.skip(reason)


@pytest.fixture(scope="session")
def rows() -> list[Row]:
    return simulate(ABILITIES, n_rows=2400, noise=0.7)


@pytest.fixture(scope="session")
def judgments(make_campaign: Make, rows: list[Row]) -> Judgments:
    return judged(make_campaign, rows)


def by_name(standings: Standings) -> dict[str, float]:
    return dict(zip(standings.systems, standings.scores.tolist(), strict=True))


def assert_close(ranker: Ranker, one: dict[str, float], other: dict[str, float]) -> None:
    first, second = np.array(list(one.values())), np.array([other[name] for name in one])
    allowed = CLOSENESS.get(ranker.name, 1e-6) * np.ptp(first)
    np.testing.assert_allclose(second, first, rtol=0, atol=allowed)


def test_a_ranker_says_what_it_is(ranker: Ranker) -> None:
    assert RANKERS[ranker.name] is type(ranker)
    assert ranker.title
    assert ranker.citation
    assert ranker.references
    assert ranker.pace in get_args(Pace)
    assert ranker.sentence.endswith(".")
    assert type(ranker).__doc__
    assert all(parameter.help for parameter in hyperparameters(type(ranker)))


def test_the_order_of_clearly_different_systems_is_found(
    ranker: Ranker, judgments: Judgments
) -> None:
    ranked = ranker.fit(judgments).standings.ranked_systems
    places = [list(ABILITIES).index(system) for system in ranked]
    assert places[0] == 0
    assert places[-1] == 5
    assert np.corrcoef(places, np.arange(6))[0, 1] > 0.9


def test_relabelling_the_systems_permutes_the_scores(
    ranker: Ranker, judgments: Judgments, rows: list[Row], make_campaign: Make
) -> None:
    names = dict(zip(ABILITIES, ["wim", "ann", "zoe", "bob", "yan", "cyd"], strict=True))
    renamed = judged(make_campaign, [(s, j, names[a], names[b], o) for s, j, a, b, o in rows])
    scores = by_name(ranker.fit(renamed, seed=3).standings)
    assert_close(
        ranker,
        by_name(ranker.fit(judgments, seed=3).standings),
        {old: scores[new] for old, new in names.items()},
    )


def test_swapping_left_and_right_changes_nothing(
    ranker: Ranker, judgments: Judgments, rows: list[Row], make_campaign: Make
) -> None:
    mirrored = ranker.fit(judged(make_campaign, swapped(rows)), seed=3).standings
    assert_close(ranker, by_name(ranker.fit(judgments, seed=3).standings), by_name(mirrored))


def test_a_dominant_system_comes_first(ranker: Ranker, make_campaign: Make) -> None:
    abilities = {"ada": 0.1, "bix": 0.0, "cor": -0.1, "dun": 0.2, "lord": 4.0}
    lord = judged(make_campaign, simulate(abilities, n_rows=800))
    assert ranker.fit(lord).standings.ranked_systems[0] == "lord"
    few_or_more = 5 if ranker.pace == "minutes" else 20
    runs = replicate(ranker.fit(lord), runs=few_or_more, unit="judgment")
    assert (np.argmax(runs.scores, axis=1) == runs.systems.index("lord")).all()


def test_an_undefeated_system_has_a_finite_score(ranker: Ranker, make_campaign: Make) -> None:
    unbeaten = [
        *simulate({"ada": 0.5, "bix": 0.0, "cor": -0.4}, n_rows=300),
        *[(str(k), "ann", "lord", name, ">") for k in range(30) for name in ("ada", "bix", "cor")],
    ]
    standings = ranker.fit(judged(make_campaign, unbeaten)).standings
    assert np.isfinite(standings.scores).all()
    assert standings.ranked_systems[0] == "lord"


def test_the_same_seed_gives_the_same_bytes(ranker: Ranker, judgments: Judgments) -> None:
    one, two = ranker.fit(judgments, seed=11).standings, ranker.fit(judgments, seed=11).standings
    assert one.scores.tobytes() == two.scores.tobytes()
    runs = [replicate(ranker.fit(judgments), runs=3, unit="task", seed=11).scores for _ in range(2)]
    assert runs[0].tobytes() == runs[1].tobytes()


@pytest.mark.parametrize("unit", list(UNITS))
def test_replicates_do_not_depend_on_the_number_of_workers(
    ranker: Ranker, judgments: Judgments, unit: ResamplingUnit
) -> None:
    """In chunks of two: `replicate` itself takes fifty."""
    results = []
    run = partial(type(ranker)().fit(judgments).replicates, unit)
    for n_workers in (1, 2):
        with ThreadPoolExecutor(n_workers) as executor:
            scores = np.concatenate(map_chunks(run, 5, seed=2, chunk=2, executor=executor))
        assert scores.shape == (5, judgments.n_systems)
        results.append(scores.tobytes())
    assert results[0] == results[1]


def test_groups_that_never_met_are_reported(ranker: Ranker, make_campaign: Make) -> None:
    rows = [
        *simulate({"ada": 0.5, "bix": 0.0, "cor": -0.5}, n_rows=300),
        *simulate({"dun": 0.5, "eve": 0.0, "fox": -0.5}, n_rows=300, seed=8),
    ]
    try:
        standings = ranker.fit(judged(make_campaign, rows)).standings
        told = " ".join([*standings.notes, *standings.undefined, *standings.undefined.values()])
    except PodiumError as error:
        told = str(error)
    assert "never" in told
    assert {"ada", "bix", "cor"} <= set(re.findall(r"\w+", told)) or (
        {"dun", "eve", "fox"} <= set(re.findall(r"\w+", told))
    )


def test_connected_systems_give_no_such_warning(ranker: Ranker, judgments: Judgments) -> None:
    assert not any("groups" in note for note in ranker.fit(judgments).standings.notes)


def test_a_system_never_compared_has_no_score_and_a_reason(
    ranker: Ranker, rows: list[Row], make_campaign: Make
) -> None:
    ranks = {">": (1, 2), "=": (1, 1), "<": (2, 1)}
    tasks = [(s, judge, dict(zip((a, b), ranks[o], strict=True))) for s, judge, a, b, o in rows]
    with_ghost = make_campaign([("1", "ann", {"dim": 1}), *tasks]).judgments()
    assert "dim" in with_ghost.systems
    standings = ranker.fit(with_ghost, seed=3).standings
    scores = by_name(standings)
    assert np.isnan(scores.pop("dim"))
    assert np.isfinite(list(scores.values())).all()
    assert list(standings.undefined) == ["dim"]
    assert "compared" in standings.undefined["dim"]
    runs = replicate(ranker.fit(with_ghost), runs=3, unit="judgment").scores
    ghost = with_ghost.systems.index("dim")
    assert np.isnan(runs[:, ghost]).all()
    assert np.isfinite(np.delete(runs, ghost, axis=1)).all()


def test_no_judgment_at_all_is_an_error_that_says_what_to_do(
    ranker: Ranker, make_campaign: Make
) -> None:
    for tasks in ([("1", "ann", {"ada": 1})], [("1", "ann", {"ada": 1}), ("2", "ann", {"bix": 1})]):
        with pytest.raises(UndefinedResultError) as caught:
            ranker.fit(make_campaign(tasks).judgments())
        assert caught.value.remedy


def test_scores_and_spread_fit_the_systems(ranker: Ranker, judgments: Judgments) -> None:
    standings = ranker.fit(judgments).standings
    assert standings.scores.shape == (judgments.n_systems,)
    assert standings.systems == judgments.systems
    of = judgments.scores if ranker.needs_scores else judgments
    assert standings.n_judgments == len(of or ())
    if standings.spread is not None:
        assert standings.spread.shape == (judgments.n_systems,)
        uncertain = np.isfinite(standings.spread)
        assert uncertain.sum() >= judgments.n_systems - 1, "only a baseline has no spread"
        assert (standings.spread[uncertain] > 0).all()


def other_value(parameter: Hyperparameter) -> object:
    """Return a possible value that is not the default one."""
    if parameter.choices:
        return next(value for value in parameter.choices if value != parameter.default)
    if parameter.kind is bool:
        return not parameter.default
    if parameter.low is None or parameter.high is None:
        return f"{parameter.default}x"
    middle = (parameter.default + parameter.low) / 2
    if parameter.default == parameter.low:
        middle = (parameter.default + parameter.high) / 2
    return max(round(middle), int(parameter.low)) if parameter.kind is int else middle


def test_the_signature_changes_with_every_hyperparameter(ranker: Ranker) -> None:
    plain = type(ranker)()
    signatures = [plain.method_signature()]
    for parameter in hyperparameters(type(ranker)):
        base = dataclasses.replace(plain, **TOGETHER.get((ranker.name, parameter.name), {}))  # type: ignore[arg-type]
        changed = dataclasses.replace(base, **{parameter.name: other_value(parameter)})  # type: ignore[arg-type]
        assert changed.method_signature() != base.method_signature()
        signatures.append(changed.method_signature())
    assert len(set(signatures)) == len(signatures)
    assert all(signature.startswith(f"method:{ranker.name}") for signature in signatures)


def test_impossible_hyperparameters_raise_and_name_the_possible_ones(ranker: Ranker) -> None:
    for parameter in hyperparameters(type(ranker)):
        impossible: list[object] = []
        if parameter.choices:
            impossible = ["no such choice"]
        elif parameter.low is not None and parameter.high is not None:
            impossible = [parameter.low - 1, parameter.high + 1, float("nan"), "many"]
        for value in impossible:
            with pytest.raises(PodiumError, match=f"{parameter.name}: ") as caught:
                dataclasses.replace(type(ranker)(), **{parameter.name: value})  # type: ignore[arg-type]
            assert caught.value.remedy


def test_exemptions_name_rankers_and_claims_that_exist() -> None:
    claims = {name for name in globals() if name.startswith("test_")}
    assert {name for name, _ in [*EXEMPT, *TOGETHER]} | {*CLOSENESS, *QUICK} <= set(RANKERS)
    assert {claim for _, claim in EXEMPT} <= claims
