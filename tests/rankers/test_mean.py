"""Means of scores: against pandas, refits, resamples, and campaigns of known truth."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr

from analysis.campaign import Campaign, Judgments, PairCounts, Scale, Selection
from analysis.errors import UndefinedResultError
from analysis.formats import read, read_path
from analysis.formats.assembly import assemble_campaign
from analysis.formats.rankings import Column, Findings
from analysis.formats.scored import Scored
from analysis.rankers.mean import GIVEN_Z, Mean, likeliest_slope_and_margin
from analysis.ranking.covariance import UNITS
from analysis.ranking.fit_uncertainty import closed_form
from analysis.ranking.verdict import reach_verdict

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
SETTINGS = [
    Mean(standardize=z, macro=macro)
    for z in ("none", "judge")
    for macro in ("none", "document", "domain")
]


def drawn(
    rng: np.random.Generator,
    quality: tuple[float, ...],
    *,
    judges: int = 12,
    segments: int = 60,
    alone: bool = False,
) -> Campaign:
    """Scores with a judge's harshness and taste, a segment's difficulty and its own for a system.

    Two judges score all systems of a segment, or, ``alone``, anybody a single output.
    """
    k = len(quality)
    harsh, taste = rng.normal(0, 8, judges), rng.normal(0, 4, (judges, k))
    hard, own = rng.normal(0, 6, segments), rng.normal(0, 3, (segments, k))
    segment, system = (m.ravel() for m in np.meshgrid(np.arange(segments), np.arange(k)))
    if alone:
        kept = rng.random(len(segment)) < 0.6
        segment, system = segment[kept], system[kept]
        judge = rng.integers(judges, size=len(segment))
    else:
        two = np.stack([rng.choice(judges, 2, replace=False) for _ in range(segments)])
        judge = two[segment].T.ravel()
        segment, system = np.tile(segment, 2), np.tile(system, 2)
    value = 70 + np.array(quality)[system] + harsh[judge] + taste[judge, system] + hard[segment]
    value += own[segment, system] + rng.normal(0, 10, len(segment))
    n = len(value)
    part = Scored(
        n_rows=n,
        scale=Scale("points"),
        pair=Column.constant("eng-deu", n),
        system=Column(system, [f"s{i}" for i in range(k)]),
        segment=Column(segment, [str(i + 1) for i in range(segments)]),
        judge=Column(judge, [f"j{i}" for i in range(judges)]),
        value=value,
        row=np.arange(n),
        findings=Findings(),
        document=Column(segment // 5, [f"d{i}" for i in range(segments)]),
        domain=Column(segment % 3, ["news", "speech", "social"]),
    )
    return assemble_campaign([part], ["drawn"], judge_names=True, title="")[0]


def one_output_each() -> Campaign:
    """No judge scores two systems on one segment."""
    rng = np.random.default_rng(1)
    rows = [
        f"s{i},{k},j{(i + k) % 7},{np.clip(75 - 8 * i + rng.normal(0, 15), 0, 100):.0f}"
        for i in range(4)
        for k in range(40)
    ]
    return read("\n".join(["system,segment,judge,score", *rows, ""]).encode(), judge_names=True)[0]


@pytest.fixture(scope="module")
def judgments() -> Judgments:
    return drawn(np.random.default_rng(3), (3.0, 1.0, 0.0, -4.0), alone=True).judgments()


def as_frame(judgments: Judgments) -> pd.DataFrame:
    scores = judgments.scores
    assert scores is not None
    return pd.DataFrame(
        {name: getattr(scores, name) for name in ("system", "judge", "document", "domain", "value")}
    )


def test_means_are_those_of_pandas(judgments: Judgments) -> None:
    frame = as_frame(judgments)
    frame["z"] = frame.groupby("judge")["value"].transform(lambda v: (v - v.mean()) / v.std())
    for ranker in SETTINGS:
        column = "z" if ranker.standardize == "judge" else "value"
        by = [] if ranker.macro == "none" else [ranker.macro]
        within = frame.groupby(["system", *by])[column].mean()
        wanted = within.groupby("system").mean().to_numpy()
        np.testing.assert_allclose(ranker.fit(judgments).standings.scores, wanted, rtol=1e-12)


def test_less_is_better_where_the_scale_says_so() -> None:
    part = Scored(
        n_rows=2,
        scale=Scale("errors", higher_is_better=False),
        pair=Column.constant("all", 2),
        system=Column(np.arange(2), ["a", "b"]),
        segment=Column.constant("1", 2),
        judge=Column.constant("ann", 2),
        value=np.array([1.0, 5.0]),
        row=np.arange(2),
        findings=Findings(),
    )
    campaign, _ = assemble_campaign([part], ["x"], judge_names=True, title="")
    standings = Mean().fit(campaign.judgments()).standings
    assert standings.ranked_systems == ("a", "b")
    assert standings.scores.tolist() == [-1, -5]


@pytest.mark.parametrize("unit", ["task", "segment", "judge"])
def test_a_resample_is_a_refit_to_what_was_drawn(judgments: Judgments, unit: str) -> None:
    """By hand, with the same draws: every task as often as its unit was drawn."""
    label = {
        "task": np.arange(judgments.n_tasks),
        "segment": judgments.task_segment,
        "judge": judgments.task_judge,
    }[unit]
    _, group = np.unique(label, return_inverse=True)
    n = int(group.max()) + 1
    for ranker in (Mean(), Mean(standardize="judge"), Mean(macro="domain")):
        (run,) = ranker.replicate_scores(judgments, unit, 1, np.random.default_rng(4))  # type: ignore[arg-type]
        times = np.bincount(np.random.default_rng(4).integers(n, size=n), minlength=n)
        tasks = np.repeat(np.arange(judgments.n_tasks), times[group])
        refit = ranker.fit(judgments.take_tasks(tasks)).standings.scores
        np.testing.assert_allclose(run, refit, rtol=1e-10)


@pytest.mark.parametrize("ranker", SETTINGS, ids=lambda r: f"{r.standardize}-{r.macro}")
def test_the_closed_form_has_the_spread_of_resamples(ranker: Mean) -> None:
    """Of means over documents only documents and judges are drawn as the closed form has it."""
    campaign = drawn(np.random.default_rng(8), (3.0, 1.0, 0.0, -4.0), segments=250, judges=30)
    judgments = campaign.judgments()
    fit = ranker.fit(judgments)
    influence = fit.influence()
    assert influence is not None
    covariances = closed_form(judgments, influence, fit.standings.scores).units
    for unit in UNITS[ranker.macro == "document" :]:
        runs = fit.replicates(unit, 600, np.random.default_rng(1))
        by_runs = np.sqrt(np.var(runs[:, 0] - runs[:, 3], ddof=1))
        step = np.array([1.0, 0, 0, -1])
        closed = np.sqrt(step @ covariances[unit].matrix @ step)
        assert 0.85 < closed / by_runs < 1.18, (unit, closed, by_runs)


def test_one_score_each_tells_nobody_apart() -> None:
    campaign, _ = read(b"system,segment,judge,score\na,1,ann,5\nb,1,ann,4\nc,2,bob,1\n")
    assert not reach_verdict(Mean().fit(campaign.judgments())).significant.any()


def test_systems_that_met_on_no_screen_compare() -> None:
    rng = np.random.default_rng(0)
    rows = [
        f"{s},{k},j{k % 9},{m + rng.normal():.3f}"
        for s, m in (("a", 9), ("b", 2))
        for k in range(40)
    ]
    rows = [
        row.replace("b,", f"b,{k + 100}", 1) if row[0] == "b" else row for k, row in enumerate(rows)
    ]
    campaign, _ = read("\n".join(["system,segment,judge,score", *rows]).encode())
    judgments = campaign.judgments()
    assert len(judgments) == 0
    assert reach_verdict(Mean().fit(judgments)).significant[0, 1]


def test_a_mean_needs_scores_and_says_so() -> None:
    campaign, _ = read_path(EXAMPLES / "wmt-5way.csv")
    with pytest.raises(UndefinedResultError, match="a mean needs scores"):
        Mean().fit(campaign.judgments(campaign.pairs[0]))


def test_means_over_domains_need_domains() -> None:
    campaign, _ = read(b"system,segment,judge,score\na,1,ann,5\nb,1,ann,4\n")
    with pytest.raises(UndefinedResultError, match="names no domains"):
        Mean(macro="domain").fit(campaign.judgments())


def test_the_margin_moves_no_mean(judgments: Judgments) -> None:
    campaign = drawn(np.random.default_rng(5), (1.0, 0.0, -1.0))
    plain, wide = (campaign.judgments(selection=Selection(tie_margin=m)) for m in (0, 8))
    assert wide.n_tasks > plain.n_tasks
    for ranker in SETTINGS:
        first, second = (reach_verdict(ranker.fit(j)) for j in (plain, wide))
        np.testing.assert_allclose(first.scores, second.scores, rtol=1e-12)
        np.testing.assert_allclose(first.se_of_difference, second.se_of_difference, rtol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("ranker", [Mean(), Mean(standardize="judge")], ids=["raw", "z"])
@pytest.mark.parametrize(
    ("judges", "segments", "alone"),
    [(12, 60, False), (12, 60, True), (5, 60, False), (15, 25, False)],
)
def test_equal_systems_are_rarely_told_apart(
    ranker: Mean, judges: int, segments: int, alone: bool
) -> None:
    """Measured over 200 campaigns each of six equal systems: 0 to 3.5%."""
    rngs = (np.random.default_rng([run, 11]) for run in range(100))
    campaigns = (drawn(r, (0,) * 6, judges=judges, segments=segments, alone=alone) for r in rngs)
    wrong = [reach_verdict(ranker.fit(c.judgments())).significant.any() for c in campaigns]
    assert np.mean(wrong) <= 0.1


@pytest.mark.parametrize("seed", [132, 151, 377])
def test_a_search_that_rounding_ends_at_the_summit_has_found_it(seed: int) -> None:
    """Of 400 such tables these three were refused as not converged."""
    rng = np.random.default_rng(seed)
    k = int(rng.integers(3, 14))
    scores = rng.normal(0, 0.4, k)
    gap = scores[:, None] - scores
    n = int(10 ** rng.uniform(1, 5)) / k**2
    wins = rng.poisson(n * np.clip(0.25 + 0.1 * gap, 0.01, 1))
    np.fill_diagonal(wins, 0)
    ties = np.triu(rng.poisson(n / 2, (k, k)), 1)
    a, c = likeliest_slope_and_margin(gap, PairCounts(wins, ties + ties.T))
    assert a >= 0
    assert c > 0


def test_chances_by_means_are_the_likeliest_of_the_normal_model() -> None:
    """Wins drawn with Φ(a gap - c) in mind, a = .8 and c = .3, a million a pair."""
    scores = np.array([0.0, 0.5, 0.9, 2.0])
    gap = scores[:, None] - scores
    win = ndtr(0.8 * gap - 0.3)
    tie = 1 - win - win.T
    off = ~np.eye(4, dtype=bool)
    counts = PairCounts(1e6 * win * off, 1e6 * tie * off)
    a, c = likeliest_slope_and_margin(gap, counts)
    assert (a, c) == pytest.approx((0.8, 0.3), abs=1e-3)


def test_means_predict_more_wins_for_the_better_system(judgments: Judgments) -> None:
    found = Mean().fit(judgments).preferences()
    scores = Mean().fit(judgments).standings.scores
    order = np.argsort(-scores)
    ahead = found.win[order[0], order[1:]]
    assert (np.diff(ahead) > 0).all()
    np.testing.assert_allclose(found.win + found.win.T + found.tie, 1)


def test_ratings_that_the_file_standardizes_are_averaged_in_place_of_the_raw_ones() -> None:
    campaign = drawn(np.random.default_rng(5), (0, 3, 5))
    scores = campaign.scores
    assert scores is not None
    raw = Mean().fit(campaign.judgments()).standings
    plain = Mean(standardize="none").fit(campaign.judgments()).standings
    assert raw.scores.tolist() == plain.scores.tolist()
    assert not raw.notes
    z = np.random.default_rng(6).normal(size=len(scores))
    with_z = campaign.with_scores(replace(scores, standardized=z))
    given = Mean().fit(with_z.judgments()).standings
    means = pd.Series(z).groupby(scores.system).mean()
    assert given.scores == pytest.approx(means.to_numpy())
    assert given.notes == (GIVEN_Z,)
    partly = campaign.with_scores(replace(scores, standardized=np.append(np.nan, z[1:])))
    assert Mean().fit(partly.judgments()).standings.scores.tolist() == raw.scores.tolist()
