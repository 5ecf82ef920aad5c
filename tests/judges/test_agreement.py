"""Agreement: the published WMT15 tables, a readable twin, and what must not change kappa."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.campaign import Campaign, Judgments, Selection
from analysis.errors import PodiumError
from analysis.formats import read_path
from analysis.judges.agreement import agreement, judged_once
from analysis.judges.kappa import (
    Kappa,
    _kappa_with_slope,
    interval_for_others,
    landis_koch,
    segment_interval,
)
from analysis.judges.labels import Labels, _sorted, cell_counts, labels_of, statistics
from tests.building import CampaignBuilder

KAPPAS = Path(__file__).parents[2] / "data" / "published" / "wmt15_kappa.csv"
"""WMT15 agreement, printed to three decimals, with counts; strict columns to four decimals."""

Counts = tuple[int, int, int, int]


# --- a readable twin: loops over dictionaries, one item at a time ---


def rows_of(judgments: Judgments) -> list[tuple[str, str, str, str, int]]:
    """Segment, left name, right name, judge and outcome of each row."""
    return [
        (
            judgments.segments[judgments.task_segment[task]],
            judgments.output_name(left),
            judgments.output_name(right),
            judgments.judges[judgments.task_judge[task]],
            int(outcome),
        )
        for left, right, outcome, task in zip(
            judgments.left, judgments.right, judgments.outcome, judgments.task, strict=True
        )
    ]


def unordered(row: tuple[str, str, str, str, int]) -> tuple[str, str, str, str, int]:
    segment, left, right, judge, outcome = row
    left, right = ("+".join(sorted(name.split("+"))) for name in (left, right))
    if left > right:
        return segment, right, left, judge, -outcome
    return segment, left, right, judge, outcome


def twin(judgments: Judgments, strict: bool) -> tuple[Counts, Counts]:
    """Agree, comparable, ties and total of inter and intra."""
    rows = [unordered(row) if strict else row for row in rows_of(judgments)]
    items = defaultdict(list)
    for segment, left, right, judge, outcome in rows:
        items[segment, left, right].append((judge, outcome))
    inter, intra = [0, 0], [0, 0]
    repeated_labels, repeated_sessions = set(), set()
    for (segment, left, right), labels in items.items():
        for (judge, outcome), (other_judge, other) in itertools.combinations(labels, 2):
            if judge == other_judge:
                intra[0] += outcome == other
                intra[1] += 1
                repeated_labels.add((segment, left, right, judge))
                repeated_sessions.add((segment, judge))
            if judge != other_judge or not strict:
                inter[0] += outcome == other
                inter[1] += 1
    if strict:
        again = [row for row in rows if row[:4] in repeated_labels]
    else:
        again = [row for row in rows if (row[0], row[3]) in repeated_sessions]
    return (
        (*inter, sum(row[4] == 0 for row in rows), len(rows)),
        (*intra, sum(row[4] == 0 for row in again), len(again)),
    )


def counts(kappa: Kappa) -> Counts:
    return kappa.agree, kappa.comparable, kappa.ties, kappa.total


@st.composite
def campaigns(draw: st.DrawFn) -> Campaign:
    """Small campaigns in which judges meet on segments and repeat themselves."""
    outputs = [("a",), ("b",), ("c", "d"), ("d", "c"), ("e",)]
    builder = CampaignBuilder()
    for _ in range(draw(st.integers(1, 25))):
        shown = draw(st.permutations(outputs))[: draw(st.integers(2, 4))]
        shown = [o for k, o in enumerate(shown) if set(o) not in map(set, shown[:k])]
        ranks = draw(st.lists(st.integers(0, 3), min_size=len(shown), max_size=len(shown)))
        segment, judge = draw(st.sampled_from("12")), draw(st.sampled_from(["x", "y", "z"]))
        builder.add_task("fr-en", segment, judge, shown, ranks)
    return builder.build()


def collapsed(campaign: Campaign) -> Judgments:
    return judged_once(campaign)


@settings(max_examples=60)
@given(campaign=campaigns())
def test_both_definitions_equal_their_readable_twin(campaign: Campaign) -> None:
    for identical in ("expanded", "collapsed"):
        judgments = campaign.judgments(None, Selection(identical=identical), "drop-pair")
        result = agreement(judgments, runs=0)
        for rates, strict in ((result.published, False), (result.strict, True)):
            assert (counts(rates.inter), counts(rates.intra)) == twin(judgments, strict)


@settings(max_examples=30)
@given(campaign=campaigns(), seed=st.integers(0, 9))
def test_the_order_of_the_tasks_changes_nothing(campaign: Campaign, seed: int) -> None:
    judgments = collapsed(campaign)
    shuffled = judgments.take_tasks(np.random.default_rng(seed).permutation(judgments.n_tasks))
    first, second = agreement(judgments, runs=0), agreement(shuffled, runs=0)
    assert first.published == second.published
    assert counts(first.strict.inter) == counts(second.strict.inter)
    assert counts(first.strict.intra) == counts(second.strict.intra)


@settings(max_examples=30)
@given(campaign=campaigns(), seed=st.integers(0, 9))
def test_the_displayed_order_matters_to_the_published_definition_only(
    campaign: Campaign, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    builder = CampaignBuilder()
    groups, names = campaign.output_groups(), campaign.systems
    for t in range(campaign.n_tasks):
        entries = np.arange(campaign.task_start[t], campaign.task_start[t + 1])
        entries = rng.permutation(entries)
        builder.add_task(
            "fr-en",
            campaign.segments[campaign.task_segment[t]],
            campaign.judges[campaign.task_judge[t]],
            [tuple(names[s] for s in groups[campaign.entry_output[e]]) for e in entries],
            campaign.entry_rank[entries].tolist(),
        )
    shown, again = (agreement(collapsed(c), runs=0) for c in (campaign, builder.build()))
    assert counts(shown.strict.inter) == counts(again.strict.inter)
    assert counts(shown.strict.intra) == counts(again.strict.intra)


def test_two_judges_of_one_item_in_both_orders_agree_only_by_the_strict_definition(
    make_campaign: Callable[..., Campaign],
) -> None:
    judgments = make_campaign(
        [("1", "ann", {"a": 1, "b": 2}), ("1", "bob", {"b": 2, "a": 1})]
    ).judgments()
    result = agreement(judgments)
    assert result.published.inter.comparable == 0
    assert math.isnan(result.published.inter.kappa)
    assert "judged twice" in result.published.inter.undefined
    assert counts(result.strict.inter) == (1, 1, 0, 2)
    assert result.strict.inter.kappa == 1


def test_a_judge_who_repeats_a_task_raises_only_the_published_agreement_with_others(
    make_campaign: Callable[..., Campaign],
) -> None:
    disagree = [("1", "ann", {"a": 1, "b": 2}), ("1", "bob", {"a": 2, "b": 1})]
    once = agreement(make_campaign(disagree).judgments(), runs=0)
    thrice = agreement(make_campaign([*disagree, disagree[0], disagree[0]]).judgments(), runs=0)
    assert thrice.published.inter.p_agree > once.published.inter.p_agree == 0
    assert thrice.strict.inter.p_agree == 0
    assert counts(thrice.strict.intra) == (3, 3, 0, 3)


def test_kappa_by_hand() -> None:
    kappa = Kappa(agree=14, comparable=20, ties=30, total=100)
    assert kappa.p_chance == pytest.approx(0.3**2 + 0.7**2 / 2)
    assert kappa.kappa == pytest.approx((0.7 - 0.335) / (1 - 0.335))


def test_identical_outputs_are_judged_once_unless_expanded_and_the_answer_says_which() -> None:
    """Two judges contradict each other on {a, b} against c: the tie of a and b is nobody's."""
    builder = CampaignBuilder()
    for judge, ranks in (("ann", [1, 2]), ("bob", [2, 1])):
        builder.add_task("fr-en", "1", judge, [("a", "b"), ("c",)], ranks)
    campaign = builder.build()
    once = agreement(judged_once(campaign, None, Selection(identical="expanded")), runs=0)
    assert counts(once.strict.inter) == (0, 1, 0, 2)
    assert once.identical == "collapsed"
    as_ties = agreement(judged_once(campaign, identical="expanded"), runs=0)
    assert counts(as_ties.strict.inter) == (1, 3, 2, 6)
    assert as_ties.identical == "expanded"


def test_a_file_without_identical_outputs_has_no_way_to_count_them(
    make_campaign: Callable[..., Campaign],
) -> None:
    campaign = make_campaign([("1", judge, {"a": 1, "b": 2}) for judge in ("ann", "bob")])
    for identical in ("expanded", "collapsed"):
        found = agreement(judged_once(campaign, identical=identical), runs=0)
        assert found.identical is None
        assert counts(found.strict.inter) == (1, 1, 0, 2)


def test_only_ties_leave_kappa_undefined_with_a_reason(
    make_campaign: Callable[..., Campaign],
) -> None:
    tasks = [("1", judge, {"a": 1, "b": 1}) for judge in ("ann", "bob")]
    tasks += [("2", judge, {"a": 1, "b": 1}) for judge in ("ann", "bob")]
    inter = agreement(make_campaign(tasks).judgments()).strict.inter
    assert inter.p_agree == inter.p_chance == 1
    assert math.isnan(inter.kappa)
    assert math.isnan(inter.low)
    assert "tie" in inter.undefined


def test_labels_at_random_agree_by_chance_only() -> None:
    """4,000 items, two judges, three outcomes at unequal odds: kappa is 0 within 3 errors."""
    rng = np.random.default_rng(5)
    builder = CampaignBuilder()
    for segment in range(4000):
        for judge in ("ann", "bob"):
            ranks = [(1, 2), (2, 1), (1, 1)][rng.choice(3, p=[0.4, 0.4, 0.2])]
            builder.add_task("fr-en", str(segment), judge, [("a",), ("b",)], ranks)
    inter = agreement(builder.build().judgments()).strict.inter
    error = math.sqrt(inter.p_agree * (1 - inter.p_agree) / 4000) / (1 - inter.p_chance)
    assert abs(inter.kappa) < 3 * error
    assert inter.low < inter.kappa < inter.high
    # independent items: the resampled interval is the textbook one
    assert (inter.high - inter.low) / (2 * 1.96 * error) == pytest.approx(1, abs=0.1)


def test_the_interval_equals_one_that_resamples_the_judgments_themselves() -> None:
    """Two roads: weights on per-segment counts, and agreement() of really repeated segments."""
    rng = np.random.default_rng(11)
    builder = CampaignBuilder()
    for segment in range(25):
        for judge in ("ann", "bob", "eve")[: 2 + segment % 2]:
            ranks = rng.integers(1, 3 + segment % 3, size=3).tolist()
            builder.add_task("fr-en", f"{segment}", judge, [("a",), ("b",), ("c",)], ranks)
    campaign = builder.build()
    result = agreement(campaign.judgments(), runs=400, level=0.8, seed=3).strict.inter
    kappas = []
    for _ in range(400):
        resampled = CampaignBuilder()
        for copy, segment in enumerate(rng.integers(25, size=25)):
            for t in np.flatnonzero(campaign.task_segment == segment):
                resampled.add_task(
                    "fr-en",
                    f"{copy}",
                    campaign.judges[campaign.task_judge[t]],
                    [("a",), ("b",), ("c",)],
                    campaign.entry_rank[3 * t : 3 * t + 3].tolist(),
                )
        kappas.append(agreement(resampled.build().judgments(), runs=0).strict.inter.kappa)
    low, high = np.quantile(kappas, [0.1, 0.9])
    assert result.low == pytest.approx(low, abs=0.03)
    assert result.high == pytest.approx(high, abs=0.03)


def test_the_interval_depends_on_the_seed_alone_and_not_on_the_chunks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(0)
    comparable = rng.integers(1, 9, size=60)
    table = np.stack([rng.binomial(comparable, 0.6), comparable, comparable, 3 * comparable], 1)
    whole = segment_interval(table, 500, 0.95, 7)
    assert segment_interval(table, 500, 0.95, 8) != whole
    monkeypatch.setattr("analysis.judges.kappa.CHUNK_CELLS", 1000)
    assert segment_interval(table, 500, 0.95, 7) == whole


def test_a_wider_level_gives_a_wider_interval_around_the_same_kappa() -> None:
    table = np.array([[3, 6, 2, 12], [5, 6, 1, 12], [1, 6, 4, 12], [6, 6, 2, 12], [2, 6, 3, 12]])
    narrow, wide = (segment_interval(table, 2000, level, 1) for level in (0.5, 0.95))
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_one_segment_gives_no_interval(make_campaign: Callable[..., Campaign]) -> None:
    tasks = [("1", judge, {"a": 1, "b": rank}) for judge, rank in (("ann", 2), ("bob", 1))]
    inter = agreement(make_campaign(tasks).judgments()).strict.inter
    assert inter.comparable == 1
    assert math.isnan(inter.low)


def test_no_judgments_leave_everything_undefined_with_a_reason(
    make_campaign: Callable[..., Campaign],
) -> None:
    judgments = make_campaign([("1", "ann", {"a": 1})]).judgments()
    for rates in (agreement(judgments).strict, agreement(judgments).published):
        for kappa in (rates.inter, rates.intra):
            assert counts(kappa) == (0, 0, 0, 0)
            assert math.isnan(kappa.kappa)
            assert "nothing to compare" in kappa.undefined


def test_an_impossible_interval_is_refused(make_campaign: Callable[..., Campaign]) -> None:
    judgments = make_campaign([("1", "ann", {"a": 1, "b": 2})]).judgments()
    with pytest.raises(PodiumError, match="level between 0 and 1"):
        agreement(judgments, level=95)


@pytest.mark.parametrize(
    ("kappa", "word"),
    [(-0.01, "poor"), (0.0, "slight"), (0.4, "fair"), (0.41, "moderate"), (0.61, "substantial")],
)
def test_the_words_are_those_of_landis_and_koch(kappa: float, word: str) -> None:
    assert landis_koch(kappa) == word


@pytest.fixture(scope="module")
def wmt15(campaigns_dir: Path) -> Campaign:
    return read_path(campaigns_dir / "wmt15" / "wmt15.xml.gz")[0]


@pytest.mark.parametrize("variant", ["expanded", "collapsed"])
def test_all_published_wmt15_kappas_are_met(wmt15: Campaign, variant: str) -> None:
    """Counts to the unit, kappa to the printed decimal (three published, four strict)."""
    published = pd.read_csv(KAPPAS).query("variant == @variant")
    assert len(published) == 20
    for language_pair, rows in published.groupby("language_pair"):
        judgments = wmt15.judgments(
            str(language_pair), Selection(identical=variant), incomplete="drop-pair"
        )
        result = agreement(judgments, runs=0)
        for row in rows.itertuples():
            shown, strict = getattr(result.published, row.kind), getattr(result.strict, row.kind)
            assert counts(shown) == (row.agree, row.comparable, row.ties, row.total)
            assert (strict.agree, strict.comparable) == (row.strict_agree, row.strict_comparable)
            assert shown.kappa == pytest.approx(row.kappa, abs=0.000501)
            for value, printed in (
                (strict.p_agree, row.strict_pA),
                (strict.p_chance, row.strict_pE),
                (strict.kappa, row.strict_kappa),
            ):
                assert value == pytest.approx(printed, abs=0.0000501)


def weighted_kappa(
    labels: Labels, segment_weight: np.ndarray, judge_weight: np.ndarray, intra: bool
) -> float:
    """Kappa with labels, and pairs of labels, weighted by their judges and segment, one by one."""
    item = labels.item()
    agree = comparable = 0.0
    repeated = set()
    for a, b in itertools.combinations(range(len(item)), 2):
        if item[a] == item[b] and (labels.judge[a] == labels.judge[b]) == intra:
            weight = segment_weight[labels.segment[a]] * judge_weight[labels.judge[a]]
            weight *= 1 if intra else judge_weight[labels.judge[b]]
            comparable += weight
            agree += weight * (labels.outcome[a] == labels.outcome[b])
            repeated |= {a, b}
    counted = sorted(repeated) if intra else range(len(item))
    weights = [segment_weight[labels.segment[k]] * judge_weight[labels.judge[k]] for k in counted]
    ties = sum(w for w, k in zip(weights, counted, strict=True) if labels.outcome[k] == 0)
    p = ties / sum(weights)
    chance = p**2 + (1 - p) ** 2 / 2
    return float((agree / comparable - chance) / (1 - chance))


@pytest.mark.parametrize("intra", [False, True], ids=["inter", "intra"])
def test_the_interval_for_other_judges_is_made_of_what_each_judge_and_segment_moves(
    intra: bool,
) -> None:
    """Against a readable twin: kappa with weights, each of them moved a little."""
    rng = np.random.default_rng(4)
    n = 320
    labels = Labels(
        segment=rng.integers(6, size=n),
        first=rng.integers(3, size=n),
        second=3 + rng.integers(2, size=n),
        judge=rng.integers(5, size=n),
        outcome=rng.choice([-1, 0, 1, 1], size=n),
    )
    step = 1e-6

    def moved(segments: np.ndarray, judges: np.ndarray) -> float:
        return (weighted_kappa(labels, segments, judges, intra) - kappa) / step

    kappa = weighted_kappa(labels, np.ones(6), np.ones(5), intra)
    by_segment = [moved(1 + step * np.eye(6)[s], np.ones(5)) for s in range(6)]
    by_judge = [moved(np.ones(6), 1 + step * np.eye(5)[j]) for j in range(5)]
    cells = cell_counts(labels)[intra]
    whole = cells.counts.sum(axis=0) / [cells.shared, cells.shared, 1, 1]
    _, slope = _kappa_with_slope(whole)
    by_cell = cells.counts @ slope
    own = np.bincount(cells.judge, weights=by_cell, minlength=5)
    assert own == pytest.approx(by_judge, abs=1e-4)
    compared = cells.counts[:, 1]
    shares = [np.bincount(u, compared) / compared.sum() for u in (cells.segment, cells.judge)]
    moves = [np.array(by_segment), np.array(by_judge)]
    v = [
        np.square(move / (1 - w)).sum() * (1 - 1 / len(w))
        for move, w in zip(moves, shares, strict=True)
    ]
    variance = max(sum(v) - np.square(by_cell).sum(), *v)
    low, high = interval_for_others(cells, 0.95)
    freedom = min(1 / np.square(w).sum() for w in shares) - 1
    assert freedom > 3
    reach = scipy.stats.t.ppf(0.975, freedom) * variance**0.5
    assert (low, high) == pytest.approx((kappa - reach, kappa + reach), abs=1e-3)


@pytest.mark.parametrize(("busiest", "is_known"), [(20, True), (60, False)])
def test_judges_with_themselves_have_no_interval_where_few_did_most_of_it(
    busiest: int, is_known: bool
) -> None:
    """Five judges of whom one judges 20 or 60 segments twice, the others 20 each."""
    builder = CampaignBuilder()
    for judge in range(5):
        for segment in range(20 if judge else busiest):
            for again in range(2):
                ranks = [1, 2] if (segment + again * judge) % 3 else [2, 1]
                builder.add_task("fr-en", str(segment), f"judge{judge}", [("a",), ("b",)], ranks)
    found = agreement(builder.build().judgments(), runs=20).strict
    assert np.isfinite(found.intra.others_low) == is_known
    assert np.isfinite(found.inter.others_low)


@pytest.mark.parametrize("largest", [5, 2**40, 2**60, 2**61, 2**62 + 1])
def test_equal_numbers_stay_in_order_however_large_they_are(largest: int) -> None:
    values = np.array([largest, 3, largest - 1, 3, largest, 0])
    ordered, stood = _sorted(values)
    assert stood.tolist() == np.argsort(values, kind="stable").tolist()
    assert ordered.tolist() == sorted(values.tolist())


def test_one_judge_says_nothing_of_other_judges() -> None:
    builder = CampaignBuilder()
    for segment in range(30):
        for ranks in ([1, 2], [1, 2] if segment % 3 else [2, 1]):
            builder.add_task("fr-en", str(segment), "ann", [("a",), ("b",)], ranks)
    found = agreement(builder.build().judgments(), runs=50).strict.intra
    assert found.low < found.kappa < found.high
    assert np.isnan([found.others_low, found.others_high]).all()


def test_counts_of_labels_have_a_row_per_segment_also_of_one(
    make_campaign: Callable[..., Campaign],
) -> None:
    judgments = collapsed(make_campaign([("1", judge, {"a": 1, "b": 2}) for judge in ("x", "y")]))
    shown, again = statistics(labels_of(judgments), published=True)
    assert shown.tolist() == [[1, 1, 0, 2]]
    assert again.shape == (1, 4)
