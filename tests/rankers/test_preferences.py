"""Preference models: formulas by hand, properties of all of them, perplexity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from analysis.campaign import Campaign, Judgments
from analysis.errors import PodiumError, UndefinedResultError
from analysis.extras.validation.prediction.predict import (
    MODELS,
    AdjustedUniform,
    IndependentPairs,
    IndependentStudents,
    Model,
    Uniform,
    model_class,
)
from analysis.formats import read_path
from analysis.rankers import RANKERS
from analysis.rankers.preferences import (
    Preferences,
    chances_by_gaps,
    chances_from_expected_scores,
    perplexity,
)
from analysis.rankers.ratios import ExpectedWins

Make = Callable[[Sequence[tuple[str, str, dict[str, int]]]], Campaign]

UNCALIBRATED = {
    "uniform": "it knows nothing of the systems",
    "adjusted-uniform": "it knows nothing of the systems",
    "trueskill": "with the papers' β its scale fits systems as close as WMT's, not these",
}

ADA_BIX = [(1, 2)] * 6 + [(1, 1)] * 2 + [(2, 1)] * 1
ADA_COR = [(1, 2)] * 3 + [(1, 1)] * 1
COR_BIX = [(1, 2)] * 2 + [(1, 1)] * 1 + [(2, 1)] * 4


@pytest.fixture(scope="module")
def judgments(make_campaign: Make) -> Judgments:
    """ada:bix 6 wins, 2 ties, 1 loss; ada:cor 3, 1, 0; cor:bix 2, 1, 4."""
    tasks = [
        (str(k), "ann", {first: a, second: b})
        for first, second, ranks in (
            ("ada", "bix", ADA_BIX),
            ("ada", "cor", ADA_COR),
            ("cor", "bix", COR_BIX),
        )
        for k, (a, b) in enumerate(ranks)
    ]
    return make_campaign(tasks).judgments()


OF_PREFERENCES = [
    name for name, model in MODELS.items() if not getattr(model, "needs_scores", False)
]
"""What predicts from preferences alone; means predict in test_mean.py."""


@pytest.fixture(params=OF_PREFERENCES)
def model(request: pytest.FixtureRequest) -> Model:
    return MODELS[request.param]()


def test_probabilities_are_positive_and_sum_to_one(model: Model, judgments: Judgments) -> None:
    preferences = model.preferences(judgments, seed=1)
    off_diagonal = ~np.eye(3, dtype=bool)
    parts = np.stack([preferences.win, preferences.tie, preferences.loss])[:, off_diagonal]
    assert (parts > 0).all()
    np.testing.assert_allclose(parts.sum(axis=0), 1, atol=1e-12)


def test_probabilities_do_not_depend_on_the_side_except_for_the_asymmetric_students(
    model: Model, judgments: Judgments
) -> None:
    preferences = model.preferences(judgments, seed=1)
    np.testing.assert_allclose(preferences.tie, preferences.tie.T, atol=1e-12)
    np.testing.assert_allclose(preferences.loss, preferences.win.T, atol=1e-12)


def test_a_pair_that_was_never_seen_has_positive_probabilities_too(
    model: Model, make_campaign: Make
) -> None:
    chain = [("1", "ann", {"ada": 1, "bix": 2}), ("2", "ann", {"bix": 1, "cor": 2})] * 4
    preferences = model.preferences(make_campaign(chain).judgments())
    for table in (preferences.win, preferences.tie, preferences.loss):
        assert (table[~np.eye(3, dtype=bool)] > 0).all()


def test_the_perplexity_of_uniform_is_three(judgments: Judgments) -> None:
    assert perplexity(Uniform().preferences(judgments), judgments) == pytest.approx(3, abs=1e-12)


def test_the_best_adjusted_uniform_has_the_entropy_of_the_outcomes(judgments: Judgments) -> None:
    """HM13, §5.2: Q(0) = |C0|/|C| and nothing added; 4 of 20 are ties."""
    preferences = AdjustedUniform().preferences(judgments)
    np.testing.assert_allclose(preferences.tie, 0.2)
    np.testing.assert_allclose(preferences.win, 0.4)
    bits = -(4 * np.log2(0.2) + 16 * np.log2(0.4)) / 20
    assert perplexity(preferences, judgments) == pytest.approx(2**bits)


def test_where_nobody_tied_a_tie_is_a_great_surprise_and_no_endless_one(
    make_campaign: Make,
) -> None:
    train = make_campaign([("1", "ann", {"ada": 1, "bix": 2})]).judgments()
    tied = make_campaign([("1", "ann", {"ada": 1, "bix": 1})]).judgments()
    for seen, other in ((train, tied), (tied, train)):
        found = perplexity(AdjustedUniform().preferences(seen), other)
        assert 1e8 < found < 1e10


@pytest.mark.parametrize("alpha", [0.5, 1.0])
def test_independent_pairs_are_smoothed_frequencies(judgments: Judgments, alpha: float) -> None:
    preferences = IndependentPairs(alpha=alpha).preferences(judgments)
    ada, bix, cor = (judgments.systems.index(name) for name in ("ada", "bix", "cor"))
    assert preferences.win[ada, bix] == pytest.approx((6 + alpha) / (9 + 3 * alpha))
    assert preferences.tie[bix, ada] == pytest.approx((2 + alpha) / (9 + 3 * alpha))
    assert preferences.loss[ada, bix] == pytest.approx((1 + alpha) / (9 + 3 * alpha))
    assert preferences.loss[ada, cor] == pytest.approx(alpha / (4 + 3 * alpha))


def test_students_are_put_together_as_their_names_say(judgments: Judgments) -> None:
    ada, bix = judgments.systems.index("ada"), judgments.systems.index("bix")
    p_ada = np.array([9 + 1, 3 + 1, 1 + 1]) / (13 + 3)
    p_bix = np.array([1 + 4 + 1, 2 + 1 + 1, 6 + 2 + 1]) / (16 + 3)
    seen_by_ada = p_bix[::-1]
    geometric = np.sqrt(p_ada * seen_by_ada)
    wanted = {
        "asymmetric": p_ada,
        "arithmetic": (p_ada + seen_by_ada) / 2,
        "geometric": geometric / geometric.sum(),
        "geometric-as-printed": geometric,
    }
    for mean, chances in wanted.items():
        found = IndependentStudents(mean=mean).preferences(judgments)
        row = [table[ada, bix] for table in (found.win, found.tie, found.loss)]
        np.testing.assert_allclose(row, chances, err_msg=mean)


def test_only_the_left_system_counts_in_the_asymmetric_model(judgments: Judgments) -> None:
    preferences = IndependentStudents(mean="asymmetric").preferences(judgments)
    assert (preferences.win == preferences.win[:, :1]).all()
    np.testing.assert_allclose(preferences.win + preferences.tie + preferences.loss, 1)
    assert np.abs(preferences.loss - preferences.win.T).max() > 0.1


def test_asymmetric_perplexity_looks_at_who_stood_on_the_left(make_campaign: Make) -> None:
    """ada always wins: on the left that is a win, on the right it is a loss of another one."""
    train = make_campaign([(str(k), "ann", {"ada": 1, "bix": 2}) for k in range(7)]).judgments()
    preferences = IndependentStudents(mean="asymmetric").preferences(train)
    on_left = make_campaign([("1", "ann", {"ada": 1, "bix": 2})]).judgments()
    assert perplexity(preferences, on_left) == pytest.approx(10 / 8)
    surprising = make_campaign([("1", "ann", {"bix": 1, "ada": 2})]).judgments()
    assert perplexity(preferences, surprising) == pytest.approx(10)


def test_perplexity_finds_systems_by_name(make_campaign: Make, judgments: Judgments) -> None:
    preferences = IndependentPairs().preferences(judgments)
    test = make_campaign([("1", "ann", {"cor": 1, "bix": 2})]).judgments()
    assert test.systems == ("bix", "cor")
    assert perplexity(preferences, test) == pytest.approx(10 / 3)
    stranger = make_campaign([("1", "ann", {"zoe": 1, "bix": 2})]).judgments()
    with pytest.raises(UndefinedResultError, match="zoe"):
        perplexity(preferences, stranger)


def test_perplexity_without_judgments_is_undefined(make_campaign: Make) -> None:
    alone = make_campaign([("1", "ann", {"ada": 1})]).judgments()
    with pytest.raises(UndefinedResultError, match="no judgment"):
        perplexity(Uniform().preferences(alone), alone)


def test_models_that_know_the_systems_predict_their_training_judgments_better_than_chance(
    model: Model, make_campaign: Make
) -> None:
    if (reason := UNCALIBRATED.get(model.name)) is not None:  # type: ignore[attr-defined]
        pytest.skip(reason)
    rng = np.random.default_rng(6)
    ability = {"ada": 1.0, "bix": 0.1, "cor": -0.2, "dun": -1.2}
    tasks = []
    for k in range(900):
        a, b = rng.choice(list(ability), size=2, replace=False)
        seen = ability[a] - ability[b] + rng.normal(0, 1.2)
        ranks = (1, 1) if abs(seen) < 0.25 else (1, 2) if seen > 0 else (2, 1)
        tasks.append((str(k), "ann", dict(zip((a, b), ranks, strict=True))))
    judgments = make_campaign(tasks).judgments()
    bound = perplexity(AdjustedUniform().preferences(judgments), judgments)
    assert perplexity(model.preferences(judgments), judgments) < bound - 0.5


@pytest.mark.parametrize("radius", [0.0, 0.15, 0.4, 1.0])
def test_lifted_gives_each_side_of_the_radius_its_frequencies(
    judgments: Judgments, radius: float
) -> None:
    """Counted by hand over the judgments, one by one."""
    ranker = ExpectedWins()
    scores = dict(zip(judgments.systems, ranker.fit(judgments).standings.scores, strict=True))
    above, level = np.ones(3), np.ones(3)
    for left, right, outcome in zip(
        judgments.left, judgments.right, judgments.outcome, strict=True
    ):
        a, b = judgments.systems[left], judgments.systems[right]
        if abs(scores[a] - scores[b]) <= radius:
            if outcome:
                level += [0.5, 0, 0.5]
            else:
                level += [0, 1, 0]
        else:
            above[1 - outcome if scores[a] > scores[b] else 1 + outcome] += 1
    preferences = ranker.fit(judgments).preferences(radius)
    for i, a in enumerate(judgments.systems):
        for j, b in enumerate(judgments.systems):
            if abs(scores[a] - scores[b]) <= radius:
                wanted = level / level.sum()
            else:
                wanted = above / above.sum()
                wanted = wanted if scores[a] > scores[b] else wanted[::-1]
            row = [t[i, j] for t in (preferences.win, preferences.tie, preferences.loss)]
            np.testing.assert_allclose(row, wanted)


def test_a_system_without_a_score_is_level_with_all(judgments: Judgments) -> None:
    scores = np.array([0.9, np.nan, 0.1])
    win, _ = chances_by_gaps(scores, judgments, 0.2)
    assert win[0, 1] == win[1, 0] == win[1, 2]
    assert win[0, 2] > win[2, 0]


def test_every_ranker_gives_chances_and_those_without_a_model_sign_the_radius(
    judgments: Judgments,
) -> None:
    for name, cls in RANKERS.items():
        assert (name in MODELS) == cls.has_chances
    preferences = ExpectedWins().fit(judgments).preferences(0.1)
    assert preferences.signature == "method:expected-wins|r:.1|α:1"


def test_every_name_of_a_model_or_ranker_is_known_and_no_other() -> None:
    assert {*RANKERS, *MODELS} == {name for name in {*RANKERS, *MODELS} if model_class(name)}
    with pytest.raises(PodiumError, match="independent-pairs"):
        model_class("independant-pairs")


def test_ties_never_leave_the_weaker_system_without_a_chance(judgments: Judgments) -> None:
    expected = np.array([[0.5, 0.999], [0.001, 0.5]])
    win, tie = chances_from_expected_scores(expected, judgments)
    np.testing.assert_allclose(win + tie + win.T, 1)
    assert (win > 0).all()
    assert tie[0, 0] == pytest.approx(5 / 23)
    assert tie[0, 1] == tie[1, 0] == pytest.approx(0.001)


def test_a_loss_is_the_others_win_unless_given() -> None:
    win, tie = np.array([[0.3, 0.6], [0.1, 0.3]]), np.full((2, 2), 0.3)
    plain = Preferences(("a", "b"), win, tie, "method:x")
    assert plain.loss[0, 1] == 0.1
    given = Preferences(("a", "b"), win, tie, "method:x", asymmetric_loss=1 - win - tie)
    assert given.loss[1, 0] == pytest.approx(0.6)


def test_on_wmt13_each_step_of_hm13_makes_the_test_set_less_surprising(campaigns_dir: Path) -> None:
    """Uniform 3 > Adjusted Uniform > Independent Students > Independent Pairs with much data."""
    campaign, _ = read_path(campaigns_dir / "wmt13" / "fr-en.train.csv.gz")
    judgments = campaign.judgments()
    even = np.flatnonzero(np.arange(judgments.n_tasks) % 2 == 0)
    odd = np.flatnonzero(np.arange(judgments.n_tasks) % 2 == 1)
    train, test = judgments.take_tasks(even), judgments.take_tasks(odd)
    reached = [
        perplexity(model.preferences(train), test)
        for model in (Uniform(), AdjustedUniform(), IndependentStudents(), IndependentPairs())
    ]
    assert (np.diff(reached) < 0).all()
    assert reached[0] == pytest.approx(3)


@pytest.mark.parametrize(
    ("mean", "expected"),
    [
        ("asymmetric", 2.866),
        ("arithmetic", 2.838),
        ("geometric", 2.837),
        ("geometric-as-printed", 2.860),
    ],
)
def test_on_wmt13_students_have_their_known_perplexity(
    campaigns_dir: Path, mean: str, expected: float
) -> None:
    """WMT13 fr-en, the training file against the test file; the printed mean sums to .943–1."""
    train, test = (
        read_path(campaigns_dir / "wmt13" / f"fr-en.{part}.csv.gz")[0].judgments()
        for part in ("train", "test")
    )
    found = IndependentStudents(mean=mean).preferences(train)
    assert perplexity(found, test) == pytest.approx(expected, abs=0.0006)
    if mean == "geometric-as-printed":
        total = found.win + found.tie + found.loss
        assert (total.min(), total.max()) == pytest.approx((0.943, 1.0), abs=0.0005)
