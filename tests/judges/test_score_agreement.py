"""Agreement of scores: against definitions, a textbook's example, and what judges did."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Literal

import krippendorff
import numpy as np
import pytest
from scipy.stats import f_oneway, rankdata, ttest_rel, wilcoxon

from analysis.campaign import Campaign, Judgments
from analysis.comparing.two_systems import two_means
from analysis.errors import UndefinedResultError
from analysis.formats import read
from analysis.judges.score_agreement import score_agreement
from analysis.judges.scorers import scorers
from tests.building import CampaignBuilder

SHROUT_FLEISS = [
    *((9, 2, 5, 8), (6, 1, 3, 2), (8, 4, 6, 8)),
    *((7, 1, 2, 6), (10, 5, 6, 9), (6, 2, 4, 7)),
]
"""Shrout & Fleiss 1979, Table 2: six targets, four judges; ICC(1, 1) is .17."""


def scored(rows: list[tuple[str, str, str, float]]) -> Judgments:
    lines = [",".join(map(str, row)) for row in rows]
    campaign, _ = read("\n".join(["system,segment,judge,score", *lines]).encode())
    return campaign.judgments()


def shrout_and_fleiss() -> Judgments:
    return scored(
        [
            ("ab"[target % 2], str(target // 2), f"judge{judge}", value)
            for target, values in enumerate(SHROUT_FLEISS)
            for judge, value in enumerate(values)
        ]
    )


def uneven() -> Judgments:
    rng = np.random.default_rng(2)
    rows = []
    for segment, system in itertools.product(range(12), "abc"):
        for judge in rng.choice(5, size=rng.integers(1, 4), replace=False):
            rows.append((system, str(segment), f"j{judge}", int(rng.integers(0, 6) * 10)))
    return scored(rows)


def test_the_intraclass_correlation_is_that_of_shrout_and_fleiss() -> None:
    found = score_agreement(shrout_and_fleiss(), runs=0)
    assert round(found.icc.value, 2) == 0.17
    assert found.icc.n == 6


@pytest.mark.parametrize("ordinal", [False, True])
def test_alpha_is_one_less_observed_by_expected_distances(ordinal: bool) -> None:
    """The slow way: every two values of one output, and every two of all."""
    judgments = uneven()
    scores = judgments.scores
    assert scores is not None
    items: dict[tuple[int, int], list[float]] = {}
    for segment, system, value in zip(scores.segment, scores.system, scores.value, strict=True):
        items.setdefault((segment, system), []).append(value)
    pairable = [values for values in items.values() if len(values) > 1]
    if ordinal:
        ranks = iter(rankdata([v for values in pairable for v in values]).tolist())
        pairable = [[next(ranks) for _ in values] for values in pairable]
    every = [v for values in pairable for v in values]
    observed = sum(
        sum((a - b) ** 2 for a, b in itertools.permutations(values, 2)) / (len(values) - 1)
        for values in pairable
    ) / len(every)
    expected = sum((a - b) ** 2 for a, b in itertools.permutations(every, 2)) / (
        len(every) * (len(every) - 1)
    )
    found = score_agreement(judgments, runs=200)
    measure = found.alpha_ordinal if ordinal else found.alpha_interval
    assert measure.value == pytest.approx(1 - observed / expected, rel=1e-10)
    assert measure.low < measure.value < measure.high
    assert measure.n == len(pairable)


def test_correlations_are_told_where_enough_is_common() -> None:
    found = score_agreement(shrout_and_fleiss(), runs=0)
    frame = found.pairs_frame()
    assert len(frame) == 6
    columns = np.array(SHROUT_FLEISS).T
    first = frame[(frame["judge"] == "judge0") & (frame["other"] == "judge1")]
    wanted = np.corrcoef(columns[0], columns[1])[0, 1]
    assert first["correlation"].item() == pytest.approx(wanted)


def test_nobody_who_scored_the_same_is_no_agreement_at_all() -> None:
    found = score_agreement(scored([("a", "1", "ann", 5), ("b", "1", "bob", 4)]), runs=10)
    assert found.icc.n == 0
    assert np.isnan([m.value for m in found.by_name().values()]).all()


def test_a_harsh_judge_stands_below_the_others() -> None:
    rows = []
    rng = np.random.default_rng(1)
    for segment in range(40):
        good = rng.normal(60, 10)
        for judge, shift in (("ann", 0), ("bob", 0), ("cid", -12)):
            rows.append(("ab"[segment % 2], str(segment), judge, round(good + shift, 2)))
    frame = scorers(scored(rows)).to_frame().set_index("judge")
    assert frame.loc["cid", "harshness"] == pytest.approx(12)
    assert frame.loc["ann", "harshness"] == pytest.approx(-6)
    assert frame["correlation"].min() > 0.99
    assert frame["n"].tolist() == [40, 40, 40]


@pytest.mark.parametrize(("segments", "is_opposed"), [(12, False), (200, True)])
def test_a_judge_who_scores_at_random_stands_out_on_many_segments_only(
    segments: int, is_opposed: bool
) -> None:
    rng = np.random.default_rng(3)
    rows = []
    for segment, good in enumerate(rng.normal(60, 10, segments)):
        for judge in ("ann", "bob", "cid"):
            rows.append(("a", str(segment), judge, round(good + rng.normal(0, 9), 2)))
        rows.append(("a", str(segment), "random", round(rng.normal(60, 10), 2)))
    found = scorers(scored(rows))
    opposed = dict(zip(found.judges, found.opposed.tolist(), strict=True))
    assert opposed == {"ann": False, "bob": False, "cid": False, "random": is_opposed}


def test_rankings_have_no_agreement_of_scores() -> None:
    builder = CampaignBuilder()
    builder.add_task("fr-en", "1", "ann", [("a",), ("b",)], [1, 2])
    campaign: Campaign = builder.build()
    with pytest.raises(UndefinedResultError, match="ranked outputs"):
        score_agreement(campaign.judgments())


def test_two_systems_are_compared_on_the_segments_of_both() -> None:
    rows = [("a", str(k), "ann", 10.0 + k % 3) for k in range(12)]
    rows += [("b", str(k), "ann", 9.0 + k % 2) for k in range(2, 14)]
    found = two_means(scored(rows), "a", "b")
    assert found.segments == 10
    assert found.better + found.equal + found.worse == 10
    assert found.low < found.difference < found.high
    assert found.t < 0.05


@pytest.mark.parametrize("measure", ["ordinal", "interval"])
@pytest.mark.parametrize("make", [uneven, shrout_and_fleiss])
def test_alpha_is_that_of_the_krippendorff_package(
    measure: Literal["ordinal", "interval"], make: Callable[[], Judgments]
) -> None:
    judgments = make()
    scores = judgments.scores
    assert scores is not None
    item = scores.segment.astype(int) * judgments.n_systems + scores.system
    table = np.full((len(judgments.judges), int(item.max()) + 1), np.nan)
    table[scores.judge, item] = scores.value
    wanted = krippendorff.alpha(reliability_data=table, level_of_measurement=measure)
    found = score_agreement(judgments, runs=0).by_name()[f"alpha_{measure}"]
    assert found.value == pytest.approx(wanted, rel=1e-10)


def two_outputs() -> Judgments:
    rows = [("a", [5, 6, 4]), ("b", [8, 6])]
    return scored([(s, "1", f"j{k}", v) for s, own in rows for k, v in enumerate(own)])


@pytest.mark.parametrize("made", [uneven, two_outputs])
def test_icc_of_uneven_judges_is_that_of_a_one_way_analysis_of_variance(
    made: Callable[[], Judgments],
) -> None:
    """Mean squares between and within by group sums, k as for unequal groups."""
    judgments = made()
    scores = judgments.scores
    assert scores is not None
    groups: dict[tuple[int, int], list[float]] = {}
    for key, value in zip(zip(scores.segment, scores.system, strict=True), scores.value,
                          strict=True):  # fmt: skip
        groups.setdefault(key, []).append(float(value))
    several = [np.array(values) for values in groups.values() if len(values) > 1]
    sizes, every = np.array([len(v) for v in several]), np.concatenate(several)
    f = f_oneway(*several).statistic
    within = sum(((v - v.mean()) ** 2).sum() for v in several) / (len(every) - len(several))
    k = (len(every) - (sizes**2).sum() / len(every)) / (len(several) - 1)
    wanted = (f * within - within) / (f * within + (k - 1) * within)
    assert score_agreement(judgments, runs=0).icc.value == pytest.approx(wanted, rel=1e-10)


def test_a_correlations_interval_is_fishers_where_outputs_are_facts_of_their_own() -> None:
    """Two judges, an output a segment, normal scores: σ of artanh r is 1/√n."""
    rng = np.random.default_rng(4)
    shared = rng.normal(size=400)
    rows = []
    for k, both in enumerate(shared):
        for judge in "xy":
            rows.append(("ab"[k % 2], str(k), judge, round(float(both + rng.normal()), 6)))
    frame = score_agreement(scored(rows), runs=0).pairs_frame()
    r, low, high = (float(frame[name].iloc[0]) for name in ("correlation", "low", "high"))
    reach = 1.96 / np.sqrt(400)
    assert np.arctanh(r) - np.arctanh(low) == pytest.approx(reach, rel=0.1)
    assert np.arctanh(high) - np.arctanh(r) == pytest.approx(reach, rel=0.1)


def two_systems(documents: bool) -> Judgments:
    """Twelve documents of five sentences, each of which suits one system or the other."""
    rng = np.random.default_rng(8)
    rows = []
    for k, suits in enumerate(np.repeat(rng.normal(0, 10, 12), 5)):
        for system, gain in (("a", suits), ("b", 0.0)):
            score = round(50 + gain + rng.normal(), 3)
            rows.append(f"{system},{k},j,{score}" + (f",d{k // 5}" if documents else ""))
    head = "system,segment,judge,score" + (",document" if documents else "")
    return read("\n".join([head, *rows]).encode())[0].judgments()


def test_sentences_of_a_document_are_not_facts_of_their_own_in_paired_tests() -> None:
    alone, together = (two_means(two_systems(named), "a", "b") for named in (False, True))
    assert (alone.documents, together.documents) == (None, 12)
    assert together.difference == pytest.approx(alone.difference)
    assert together.high - together.low > 1.8 * (alone.high - alone.low)
    assert together.t > alone.t
    assert together.wilcoxon > alone.wilcoxon


def test_where_no_documents_are_named_the_t_test_is_the_usual_one() -> None:
    judgments = two_systems(documents=False)
    found, scores = two_means(judgments, "a", "b"), judgments.scores
    assert scores is not None
    a, b = (scores.value[scores.system == judgments.systems.index(name)] for name in "ab")
    assert found.t == pytest.approx(ttest_rel(a, b).pvalue, rel=1e-9)
    assert found.wilcoxon == pytest.approx(wilcoxon(a - b).pvalue, rel=1e-9)
