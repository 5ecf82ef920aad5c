"""Other measures of agreement: the packages of their fields, readable twins, resampled segments."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student_t

from analysis.campaign import Campaign
from analysis.errors import PodiumError
from analysis.judges.agreement import judged_once
from analysis.judges.other_coefficients import (
    LABELS,
    MEASURES,
    NAMES,
    Given,
    by_item,
    by_segment,
    coefficients,
    labels_given,
    sums_of,
)
from analysis.samples import sample_campaign
from tests.building import CampaignBuilder

LEVELS = {"alpha": "nominal", "alpha_ordinal": "ordinal", "alpha_interval": "interval"}

IRRCAC = [
    (
        "three labels, items of one to four judges",
        [[2, 0, 0], [1, 1, 0], [0, 0, 3], [0, 2, 1], [1, 0, 1], [0, 0, 2], [3, 1, 0], [0, 4, 0],
         [1, 1, 1], [0, 1, 0], [2, 0, 2], [0, 0, 1]],
        {"ac1": 0.277560729474519, "percent": 0.516666666666667, "alpha": 0.316666666666666},
    ),
    (
        "nobody ties, so that there are two labels",
        [[2, 0], [1, 1], [0, 3], [4, 1], [0, 2], [1, 0], [2, 2], [5, 0]],
        {"ac1": 0.432234432234432, "percent": 0.704761904761905, "alpha": 0.417989417989418},
    ),
    (
        "nearly always the same label: alpha is low, AC1 is not",
        [[3, 0, 0], [3, 0, 0], [2, 1, 0], [3, 0, 0], [2, 0, 1], [3, 0, 0], [3, 0, 0], [0, 0, 2]],
        {"ac1": 0.79874213836478, "percent": 0.833333333333333, "alpha": 0.443037974683544},
    ),
]  # fmt: skip
"""Counts of labels by item, and what irrCAC 0.4.4 makes of them (digits=15, each item a row of its
labels and then nan: ``CAC(rows, digits=15).gwet()``, its ``pa``, ``.krippendorff()``; with pandas
2.3.3 and SciPy 1.12.0, which it demands and which cannot be installed beside those of Podium)."""


def measured(counts: np.ndarray) -> dict[str, float]:
    used = counts.any(axis=0)
    labels = LABELS[: counts.shape[1]][used]
    table = by_segment(counts[:, used], np.arange(len(counts)) % 3)
    sums = sums_of(table.sum(axis=0), len(labels))
    return {name: float(measure(sums, labels)) for name, measure in MEASURES.items()}


@pytest.mark.parametrize(("counts", "theirs"), [case[1:] for case in IRRCAC],
                         ids=[case[0] for case in IRRCAC])  # fmt: skip
def test_the_measures_are_those_of_irrcac(
    counts: list[list[int]], theirs: dict[str, float]
) -> None:
    ours = measured(np.array(counts))
    for name, value in theirs.items():
        assert ours[name] == pytest.approx(value, abs=1e-9)


@settings(deadline=None, max_examples=60)
@given(rows=st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=2, max_size=20))
def test_alpha_is_that_of_the_package_krippendorff(rows: list[list[int]]) -> None:
    counts = np.array([row for row in rows if sum(row)] + [[2, 1, 0], [0, 1, 1]])
    ours = measured(counts)
    for name, level in LEVELS.items():
        used = counts[:, counts.any(axis=0)]
        theirs = krippendorff.alpha(
            value_counts=used,
            value_domain=LABELS[counts.any(axis=0)],
            level_of_measurement=level,
        )
        assert ours[name] == pytest.approx(theirs, abs=1e-9)


def test_alpha_of_a_sample_is_that_of_the_package_on_the_judges_table() -> None:
    judgments = judged_once(sample_campaign("wmt14-hi-en"))
    counts, _ = by_item(labels_given(judgments))
    found = coefficients(judgments, runs=0).by_name()
    for name, level in LEVELS.items():
        theirs = krippendorff.alpha(
            value_counts=counts, value_domain=LABELS, level_of_measurement=level
        )
        assert found[name].value == pytest.approx(theirs, abs=1e-9)


def test_a_judges_second_answer_and_the_order_of_display_do_not_count() -> None:
    builder = CampaignBuilder()
    for judge, shown, ranks in (
        ("ann", "ab", [1, 2]), ("ann", "ab", [2, 1]), ("bob", "ba", [2, 1]), ("eve", "ab", [1, 1]),
        ("ann", "ac", [1, 2]),
    ):  # fmt: skip
        builder.add_task("fr-en", "1", judge, [(s,) for s in shown], ranks)
    judgments = judged_once(builder.build())
    counts, _ = by_item(labels_given(judgments))
    assert sorted(counts.tolist()) == [[0, 0, 1], [0, 1, 2]]
    percent = coefficients(judgments, runs=0).percent
    assert (percent.value, percent.n) == (pytest.approx(1 / 3), 1)


def drawn_campaign() -> Campaign:
    """Three judges on 30 segments, some of which two of them see."""
    rng = np.random.default_rng(7)
    builder = CampaignBuilder()
    for segment, judge in itertools.product(range(30), ("ann", "bob", "eve")):
        if judge != "eve" or segment % 2:
            ranks = [1, 1] if rng.random() < 0.2 else [1, 2] if rng.random() < 0.7 else [2, 1]
            builder.add_task("fr-en", str(segment), judge, [("a",), ("b",)], ranks)
    return builder.build()


def test_intervals_equal_those_of_segments_that_are_really_repeated() -> None:
    judgments = judged_once(drawn_campaign())
    counts, segment = by_item(labels_given(judgments))
    found = coefficients(judgments, runs=2000, level=0.8, seed=1)
    rng = np.random.default_rng(3)
    again = [
        measured(counts[np.concatenate([np.flatnonzero(segment == s) for s in drawn])])
        for drawn in rng.integers(30, size=(2000, 30))
    ]
    for name, measure in found.by_name().items():
        low, high = np.quantile([run[name] for run in again], [0.1, 0.9])
        assert (measure.low, measure.high) == pytest.approx((low, high), abs=0.02)
        assert measure.low < measure.value < measure.high


def test_intervals_for_other_judges_are_those_of_leaving_out_in_turn() -> None:
    """Against campaigns made without a segment, a judge, or a judge's part of a segment."""
    judgments = judged_once(drawn_campaign())
    given = labels_given(judgments)
    found = coefficients(judgments, runs=1, level=0.9).by_name()

    def variance(group: np.ndarray, name: str, value: float) -> float:
        out = [_measured_without(given, group == g)[name] for g in np.unique(group)]
        return (len(out) - 1) / len(out) * sum((value - x) ** 2 for x in out)

    compared = np.bincount(given.item)[given.item] > 1
    assert compared.all()
    for name, measure in found.items():
        by_segment, by_judge, both = (
            variance(group, name, measure.value)
            for group in (given.segment, given.judge, given.segment * 10 + given.judge)
        )
        sd = math.sqrt(max(by_segment + by_judge - both, by_segment, by_judge))
        reach = student_t.ppf(0.95, 2) * sd  # three judges
        assert measure.others_low == pytest.approx(max(measure.value - reach, -1.0), abs=1e-9) or (
            name == "percent" and measure.others_low == 0
        )
        assert measure.others_high == pytest.approx(min(measure.value + reach, 1.0), abs=1e-9)
        assert measure.others_low < measure.value < measure.others_high


def _measured_without(given: Given, gone: np.ndarray) -> dict[str, float]:
    kept = Given(*(column[~gone] for column in given))
    counts = np.zeros((int(given.item.max()) + 1, 3), dtype=np.int64)
    np.add.at(counts, (kept.item, kept.label), 1)
    return measured(counts[counts.any(axis=1)])


def test_two_judges_say_nothing_of_others(make_campaign: Callable[..., Campaign]) -> None:
    rng = np.random.default_rng(0)
    tasks = [(str(s), judge, {"a": 1, "b": int(rng.integers(0, 3))})
             for s in range(20) for judge in ("ann", "bob")]  # fmt: skip
    alpha = coefficients(judged_once(make_campaign(tasks))).alpha
    assert alpha.low < alpha.value
    assert math.isnan(alpha.others_low)


def test_items_of_two_judges_each_say_something_of_others(
    make_campaign: Callable[..., Campaign],
) -> None:
    rng = np.random.default_rng(0)
    pairs = [("ann", "bob"), ("bob", "cid"), ("cid", "ann")]
    tasks = [(str(s), judge, {"a": 1, "b": int(rng.integers(0, 3))})
             for s in range(30) for judge in pairs[s % 3]]  # fmt: skip
    alpha = coefficients(judged_once(make_campaign(tasks))).alpha
    assert alpha.others_low < alpha.value < alpha.others_high


def test_the_seed_decides_on_the_interval_and_on_nothing_else() -> None:
    judgments = judged_once(drawn_campaign())
    one, same, other = (coefficients(judgments, runs=50, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert one.alpha.low != other.alpha.low
    assert one.alpha.value == other.alpha.value


def test_labels_that_are_all_alike_or_not_there_leave_the_measures_undefined(
    make_campaign: Callable[..., Campaign],
) -> None:
    alike = [(str(s), judge, {"a": 1, "b": 1}) for s in range(3) for judge in ("ann", "bob")]
    found = coefficients(judged_once(make_campaign(alike)))
    assert (found.percent.value, found.percent.n) == (1, 3)
    assert math.isnan(found.alpha.value)
    assert math.isnan(found.ac1.low)
    for nobody in ([("1", "ann", {"a": 1, "b": 2})], [("1", "ann", {"a": 1})]):
        found = coefficients(judged_once(make_campaign(nobody)))
        assert {name: m.n for name, m in found.by_name().items()} == dict.fromkeys(NAMES, 0)
        assert all(math.isnan(m.value) and math.isnan(m.low) for m in found.by_name().values())


def test_an_impossible_interval_is_refused(make_campaign: Callable[..., Campaign]) -> None:
    judgments = judged_once(make_campaign([("1", "ann", {"a": 1, "b": 2})]))
    with pytest.raises(PodiumError, match="level between 0 and 1"):
        coefficients(judgments, level=95)
