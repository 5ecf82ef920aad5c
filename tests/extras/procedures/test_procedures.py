"""Official procedures: each test against another road, WMT21's own files, and what they assert."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from analysis.campaign.scores import Scale, Scores
from analysis.comparing import pair_tests
from analysis.comparing.score_table import ScoreTable, standardized
from analysis.errors import PodiumError
from analysis.extras.procedures import procedure as verdicts
from analysis.extras.procedures.procedure import ProcedureResult
from analysis.extras.procedures.registry import PROCEDURES, procedure_named
from analysis.findings.measured import (
    PAIR_WON,
    SOME_LINE,
    SOME_WON,
    ErrorRate,
    error_rates,
)
from analysis.reporting.methods_paragraph import REFERENCES

SYSTEMS = ("a", "b", "c", "d")


def scores_of(
    values: np.ndarray,
    *,
    judges: int = 3,
    domains: int = 1,
    ratings: int = 1,
    higher_is_better: bool = True,
    missing: float = 0.0,
    seed: int = 0,
) -> Scores:
    """Return scores from values[S, K], each output rated so often, with a judge's own shift."""
    rng = np.random.default_rng(seed)
    n_segments, n_systems = values.shape
    segment, system, _ = (
        part.ravel() for part in np.indices((n_segments, n_systems, ratings))
    )  # fmt: skip
    judge = rng.integers(0, judges, len(segment))
    value = values[segment, system] + rng.normal(0, 0.3, len(segment)) + 2.0 * judge
    kept = rng.random(len(segment)) >= missing
    return Scores(
        scale=Scale("score", higher_is_better=higher_is_better),
        pair=np.zeros(kept.sum(), dtype=np.int32),
        system=system[kept],
        segment=segment[kept],
        judge=judge[kept],
        screen=segment[kept],
        value=value[kept] if higher_is_better else -value[kept],
        domain=(segment % domains)[kept] if domains > 1 else None,
        domains=tuple("uvwxyz"[:domains]) if domains > 1 else (),
    )


def table_of(n_segments: int = 60, gaps: tuple[float, ...] = (0.6, 0.4, 0.0, -0.3),
             **shape: object) -> ScoreTable:  # fmt: skip
    rng = np.random.default_rng(7)
    values = rng.normal(size=(n_segments, len(gaps))) + np.array(gaps)
    return ScoreTable.of(scores_of(values, **shape), SYSTEMS[: len(gaps)])  # type: ignore[arg-type]


# --- what tests are made of -----------------------------------------------------------------------


def test_z_is_the_distance_from_a_judges_mean_in_the_judges_standard_deviations() -> None:
    rng = np.random.default_rng(1)
    values, judge = rng.normal(50, 20, 40), rng.integers(0, 4, 40)
    for one in range(4):
        own = values[judge == one]
        expected = (own - own.mean()) / own.std(ddof=1)
        np.testing.assert_allclose(standardized(values, judge)[judge == one], expected)


def test_a_file_with_its_own_z_is_believed_and_said() -> None:
    scores = scores_of(np.zeros((3, 2)), higher_is_better=False)
    own = Scores(**{**vars(scores), "standardized": np.arange(6.0)})
    table = ScoreTable.of(own, ("a", "b"))
    np.testing.assert_array_equal(table.z, -np.arange(6.0))
    assert any("in the file" in note for note in table.about_z)


def test_means_over_segments_count_a_segment_once_and_means_over_ratings_a_rating() -> None:
    table = ScoreTable.of(
        Scores(
            scale=Scale("score"),
            pair=np.zeros(4, dtype=int), system=np.zeros(4, dtype=int),
            segment=np.array([0, 0, 0, 9]), judge=np.zeros(4, dtype=int),
            screen=np.arange(4), value=np.array([1.0, 1.0, 1.0, 3.0]),
            domain=np.array([0, 0, 0, 1]), domains=("u", "v"),
        ),
        ("a",),
    )  # fmt: skip
    assert table.over_segments(table.raw)[0] == 2.0
    assert table.over_ratings(table.raw)[0] == 1.5
    assert table.over_domains(table.raw)[0] == 2.0


def rank_sum_by_hand(first: np.ndarray, second: np.ndarray) -> float:
    """Return the one-sided p by counting pairs, with corrections for ties and continuity."""
    n, m = len(first), len(second)
    won = sum((a > b) + 0.5 * (a == b) for a in first for b in second)
    _, tied = np.unique(np.concatenate([first, second]), return_counts=True)
    ties = (tied**3 - tied).sum() / ((n + m) * (n + m - 1))
    deviation = np.sqrt(n * m / 12 * (n + m + 1 - ties))
    return float(scipy.stats.norm.sf((won - n * m / 2 - 0.5) / deviation))


def test_the_rank_sum_test_counts_pairs() -> None:
    table = table_of(missing=0.2)
    p, z = pair_tests.rank_sum(table), table.z_by_segment
    for i, j in itertools.permutations(range(4), 2):
        first, second = (column[~np.isnan(column)] for column in (z[:, i], z[:, j]))
        assert p[i, j] == pytest.approx(rank_sum_by_hand(first, second), rel=1e-9)


def test_the_matched_rank_sum_test_looks_at_common_segments_only() -> None:
    table = table_of(missing=0.2)
    p, z = pair_tests.matched_rank_sum(table), table.z_by_segment
    common = ~np.isnan(z[:, 0]) & ~np.isnan(z[:, 1])
    assert 0 < common.sum() < 60
    assert p[0, 1] == pytest.approx(rank_sum_by_hand(z[common, 0], z[common, 1]), rel=1e-9)


def test_stouffer_adds_up_as_scipy_does() -> None:
    p = np.array([0.2, 0.01, 0.6, 0.4])
    expected = scipy.stats.combine_pvalues(p, "stouffer").pvalue
    assert pair_tests.stouffer(p) == pytest.approx(expected)


def signed_rank_by_hand(differences: np.ndarray) -> float:
    """Return the one-sided p by the normal approximation, with a correction for ties."""
    d = differences[differences != 0]
    ranks = scipy.stats.rankdata(np.abs(d))
    _, tied = np.unique(np.abs(d), return_counts=True)
    n = len(d)
    variance = (n * (n + 1) * (2 * n + 1) - (tied**3 - tied).sum() / 2) / 24
    return float(scipy.stats.norm.sf((ranks[d > 0].sum() - n * (n + 1) / 4) / np.sqrt(variance)))


def test_each_rating_is_set_against_each_rating_of_the_other() -> None:
    """As WMT25's script lays two waves out: first against first and second, second against both."""
    table = table_of(ratings=2)
    by_output = table.good.reshape(60, 4, 2)
    one, two = by_output[:, 0], by_output[:, 1]
    laid_out = np.concatenate([one.T.ravel(), one.T.ravel()]) - np.concatenate(
        [two.T.ravel(), two[:, ::-1].T.ravel()]
    )
    p = pair_tests.signed_rank_of_all_ratings(table)
    assert p[0, 1] == pytest.approx(signed_rank_by_hand(laid_out), rel=1e-9)


def test_the_smaller_of_the_paired_and_the_unpaired_t_counts() -> None:
    table = table_of(missing=0.3)
    scores = table.good_by_segment
    p = pair_tests.paired_or_unpaired_t(table)
    paired = scipy.stats.ttest_rel(scores[:, 0], scores[:, 2], nan_policy="omit").pvalue
    unpaired = scipy.stats.ttest_ind(scores[:, 0], scores[:, 2], nan_policy="omit").pvalue
    assert p[0, 2] == p[2, 0] == pytest.approx(min(paired, unpaired))
    assert paired != pytest.approx(unpaired)


def test_drawn_swaps_come_near_to_all_swaps() -> None:
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(9, 3)).round(1)
    scores[2, 1] = np.nan
    p = pair_tests.permutation_p(scores, rng, draws=20_000)
    for i, j in itertools.permutations(range(3), 2):
        d = scores[:, i] - scores[:, j]
        d = d[~np.isnan(d)]
        all_swaps = [np.dot(signs, d) for signs in itertools.product((1, -1), repeat=len(d))]
        exact = np.mean(np.array(all_swaps) >= d.sum() - 1e-9)
        assert p[i, j] == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 20_000))


def test_systems_that_share_no_segment_are_not_compared_and_nobody_wins() -> None:
    values = np.full((20, 2), 5.0)
    scores = scores_of(values)
    apart = (scores.segment % 2) == scores.system
    half = Scores(**{
        name: column[apart] if isinstance(column, np.ndarray) else column
        for name, column in vars(scores).items()
    })  # fmt: skip
    table = ScoreTable.of(half, ("a", "b"))
    for name in ("wmt22-appraise", "wmt24-esa", "wmt25", "mqm"):
        result = procedure_named(name).run(table)
        assert np.isnan(result.p).all()
        assert result.wins.tolist() == [0, 0]
        assert result.n_clusters == 1


# --- ranges and lines -----------------------------------------------------------------------------

BEATS = np.array(
    [[0, 0, 1, 1, 1], [0, 0, 0, 1, 1], [0, 0, 0, 1, 1], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], bool
)
ORDER = np.arange(5)


def test_ranges_from_wins_and_by_walking() -> None:
    low, high = verdicts.ranges_from_wins(BEATS, ORDER)
    assert list(zip(low, high, strict=True)) == [(1, 2), (1, 3), (2, 3), (4, 5), (4, 5)]
    low, high = verdicts.ranges_by_walking(BEATS, ORDER)
    assert list(zip(low, high, strict=True)) == [(1, 2), (1, 3), (2, 3), (4, 5), (4, 5)]


def test_a_walk_stops_at_the_first_that_differs_where_wins_count_all() -> None:
    beats = BEATS.copy()
    beats[0, 3] = False
    assert [ends[0] for ends in verdicts.ranges_by_walking(beats, ORDER)] == [1, 2]
    assert [ends[0] for ends in verdicts.ranges_from_wins(beats, ORDER)] == [1, 3]


def test_lines_by_pairs_by_wins_and_by_ranges() -> None:
    ends = verdicts.ranges_from_wins(BEATS, ORDER)
    assert verdicts.clusters_by_pairs(BEATS, ORDER).tolist() == [1, 1, 1, 2, 2]
    assert verdicts.clusters_by_wins(BEATS, ORDER).tolist() == [1, 1, 1, 2, 2]
    assert verdicts.clusters_by_ranges(ends, ORDER).tolist() == [1, 1, 1, 2, 2]
    assert [e.tolist() for e in verdicts.ranges_of_clusters(np.array([1, 1, 2]))] == [
        [1, 1, 3],
        [2, 2, 3],
    ]


def test_wins_can_count_down_to_a_line_that_pairs_do_not_make() -> None:
    """b beats only one of the two below, but a above it, too, which wins do not tell apart."""
    beats = np.zeros((4, 4), bool)
    beats[0, [2, 3]] = True
    beats[1, [0, 2]] = True
    assert verdicts.clusters_by_wins(beats, np.arange(4)).tolist() == [1, 1, 2, 2]
    assert verdicts.clusters_by_pairs(beats, np.arange(4)).tolist() == [1, 1, 1, 1]


# --- all procedures -------------------------------------------------------------------------------

everyone = pytest.mark.parametrize("name", PROCEDURES)


@everyone
def test_the_order_of_systems_in_the_file_does_not_matter(name: str) -> None:
    table = table_of(domains=3, ratings=2, missing=0.1)
    turned = ScoreTable(**{**vars_of(table), "systems": SYSTEMS[::-1], "system": 3 - table.system})
    here, there = (procedure_named(name).run(t).to_frame() for t in (table, turned))
    exact = [c for c in here if here[c].dtype.kind != "f"]
    assert here["system"].tolist() == there["system"].tolist()
    if name != "mqm":  # whose draws differ
        assert here[exact].equals(there[exact])
    np.testing.assert_allclose(here["score"], there["score"])


def vars_of(table: ScoreTable) -> dict[str, object]:
    return {name: getattr(table, name) for name in table.__dataclass_fields__}


@everyone
def test_a_scale_whose_low_end_is_good_gives_the_same_ranking(name: str) -> None:
    up, down = (
        procedure_named(name).run(table_of(domains=2, higher_is_better=good))
        for good in (True, False)
    )
    np.testing.assert_array_equal(up.beats, down.beats)
    np.testing.assert_array_equal(up.order, down.order)
    np.testing.assert_allclose(up.means, -down.means)


@everyone
def test_the_mean_is_the_score_that_orders_in_the_files_own_units(name: str) -> None:
    result = procedure_named(name).run(table_of(domains=3, ratings=2, missing=0.2))
    if not result.procedure.uses_z:
        np.testing.assert_allclose(result.means, result.scores)
    assert np.corrcoef(result.means, result.scores)[0, 1] > 0.9


@everyone
def test_a_far_better_system_is_first_alone_and_the_same_seed_gives_the_same(name: str) -> None:
    table = table_of(gaps=(-2.0, 4.0, -2.0), domains=2, n_segments=40)
    result, again = procedure_named(name).run(table, 5), procedure_named(name).run(table, 5)
    frame = result.to_frame()
    assert frame["system"][0] == "b"
    assert frame[["rank_best", "rank_worst", "cluster", "wins"]].iloc[0].tolist() == [1, 1, 1, 2]
    assert frame["rank_best"][1:].min() == 2
    pd.testing.assert_frame_equal(frame, again.to_frame())
    assert f"procedure:{name}" in result.signature


@everyone
def test_pairs_are_those_placed_above_and_below_each_once(name: str) -> None:
    result = procedure_named(name).run(table_of(domains=2))
    pairs = result.pairs_frame()
    places = {system: k for k, system in enumerate(result.to_frame()["system"])}
    assert len(pairs) == 6
    assert all(places[a] < places[b] for a, b in zip(pairs["a"], pairs["b"], strict=True))
    assert pairs["p"].between(0, 1).all()


def test_an_unknown_name_is_answered_with_the_names() -> None:
    with pytest.raises(PodiumError, match="wmt24-esa"):
        procedure_named("wmt19")


@everyone
def test_what_a_procedure_cites_is_in_the_bibliography(name: str) -> None:
    cited = [REFERENCES[key] for key in procedure_named(name).references]
    assert all(str(reference.year) for reference in cited)


# --- what the rules assert ------------------------------------------------------------------------


def test_domains_that_speak_for_opposite_systems_add_up_to_a_win_in_wmt24() -> None:
    """Four domains of 60 segments, ± half a standard deviation: no system is the better one."""
    rng = np.random.default_rng(2)
    shift = np.where(np.arange(240) % 4 < 2, 0.5, -0.5)
    values = np.stack([rng.normal(size=240) + shift, rng.normal(size=240)], axis=1)
    table = ScoreTable.of(scores_of(values, domains=4, judges=1), ("a", "b"))
    assert procedure_named("wmt24-esa").run(table).p[0, 1] < 0.001
    assert procedure_named("mqm").run(table).p.min(initial=1, where=~np.eye(2, dtype=bool)) > 0.01


# --- what the audit recorded ----------------------------------------------------------------------


def recorded(name: str, world: str, claim: str) -> ErrorRate:
    (rate,) = (r for r in error_rates(name) if (r.world, r.claim) == (world, claim))
    return rate


def test_what_was_recorded_agrees_with_the_rates_known_of_the_rules() -> None:
    """field_expected.csv, rules: WMT26 .050 to .056 a pair, .75 to .78 some pair of 13, no line;
    WMT24 1.00 where domains are opposed. Of its .07 without a difference see the next test."""
    pair, some, line = (
        recorded("wmt26", "13 equal systems", claim) for claim in (PAIR_WON, SOME_WON, SOME_LINE)
    )
    assert 0.050 - 2 * pair.error <= pair.share <= 0.056 + 2 * pair.error
    assert 0.75 - 2 * some.error <= some.share <= 0.78 + 2 * some.error
    assert line.share == 0
    opposed = "2 systems, 4 domains that speak for opposite ones"
    assert recorded("wmt24-esa", opposed, PAIR_WON).share == 1
    null = recorded("wmt24-esa", "13 equal systems", PAIR_WON)
    assert 0.05 - 2 * null.error <= null.share <= 0.07


def test_wmt24_is_wrong_on_equal_systems_in_a_twentieth_not_in_seven_hundredths() -> None:
    """field_expected.csv has .07 for "Stouffer of two-sided p, null": two equal systems, four
    domains of 60 segments. Each domain's p is uniform, so Stouffer's is .05 by construction: .0507
    (± .0016) of 20,000 campaigns drawn with scipy alone. No other reading of the rule gives .07
    (both sides of Stouffer .057, one-sided tests in either direction .102); .065 or more comes up
    in a fifth of runs of 200 campaigns."""
    n = 3000
    differences = np.random.default_rng(24).normal(size=(n, 4, 60))
    p = scipy.stats.wilcoxon(differences, axis=2).pvalue
    by_hand = scipy.stats.norm.cdf(scipy.stats.norm.ppf(p).sum(axis=1) / 2)
    np.testing.assert_allclose(
        [pair_tests.stouffer(one) for one in p[:50]], by_hand[:50], rtol=1e-12
    )
    error = np.sqrt(0.05 * 0.95 / n)
    assert abs((by_hand <= 0.05).mean() - 0.05) < 3 * error < 0.02


# --- WMT21's own files ----------------------------------------------------------------------------

WMT21_PAIRS = ("cs-en", "de-en", "ha-en", "is-en", "ja-en", "ru-en", "zh-en")
NOT_SIGNIFICANT = 0.12
"""What the campaign's tables of p-values hold where a test found nothing."""


@pytest.fixture(scope="session")
def wmt21(campaigns_dir: Path) -> dict[str, ProcedureResult]:
    folder = campaigns_dir / "wmt21-da"
    if not folder.is_dir():
        pytest.skip("wmt21-da/ is not in PODIUM_CAMPAIGNS")
    results = {}
    for pair in WMT21_PAIRS:
        rows = pd.read_csv(folder / f"ad-seg-scores-{pair}.csv.gz", sep=r"\s+")
        systems = tuple(sorted(rows["SYS"].unique()))
        n = len(rows)
        scores = Scores(
            scale=Scale("DA", 0, 100), pair=np.zeros(n, int),
            system=rows["SYS"].map(systems.index).to_numpy(), segment=rows["SID"].to_numpy(),
            judge=np.zeros(n, int), screen=np.arange(n),
            value=rows["RAW.SCR"].to_numpy(float), standardized=rows["Z.SCR"].to_numpy(float),
        )  # fmt: skip
        results[pair] = procedure_named("wmt21-da").run(ScoreTable.of(scores, systems))
    return results


def test_wmt21_means_are_those_of_its_files(
    campaigns_dir: Path, wmt21: dict[str, ProcedureResult]
) -> None:
    n = 0
    for pair, result in wmt21.items():
        printed = pd.read_csv(campaigns_dir / f"wmt21-da/ad-sys-scores-{pair}.csv", sep=r"\s+")
        printed = printed.set_index("SYS").loc[list(result.systems)]
        np.testing.assert_allclose(result.means, printed["RAW.SCR"], rtol=0, atol=1e-12)
        np.testing.assert_allclose(result.z, printed["Z.SCR"], rtol=0, atol=1e-12)
        n += len(printed)
    assert n == 104


def test_wmt21_p_values_lie_on_the_same_side_but_for_the_known_cell(
    campaigns_dir: Path, wmt21: dict[str, ProcedureResult]
) -> None:
    other_side = []
    for pair, result in wmt21.items():
        name = f"wmt21-da/adwilcox-{pair.replace('-', '')}.csv"
        printed = pd.read_csv(campaigns_dir / name, sep=" ", index_col=0, skipinitialspace=True)
        printed = printed.loc[list(result.systems), list(result.systems)]
        shown = printed.to_numpy()
        off = ~np.eye(len(shown), dtype=bool)
        other_side += [
            (pair, result.systems[i], result.systems[j])
            for i, j in np.argwhere(off & ((shown < 0.05) != (result.p < 0.05)))
        ]
        told = off & (shown != NOT_SIGNIFICANT)
        np.testing.assert_allclose(result.p[told], shown[told], rtol=1e-9)
    assert other_side == [("de-en", "happypoet.8", "Watermelon.13")]


def test_wmt21_wins_and_clusters_are_those_of_its_files(
    campaigns_dir: Path, wmt21: dict[str, ProcedureResult]
) -> None:
    printed = pd.read_csv(campaigns_dir / "wmt21-da/clusters.csv", sep=" ")
    same_wins = same_ends = 0
    for pair, result in wmt21.items():
        rows = printed[printed["SRC"] == pair[:2]]
        frame = result.to_frame()
        assert frame["system"].tolist() == rows["SYSTEM"].tolist()
        same_wins += int((frame["wins"].to_numpy() == rows["WINS"].to_numpy()).sum())
        ends = frame["cluster"].diff(-1).to_numpy() != 0
        same_ends += int((ends == rows["END_OF_CLUSTER"].to_numpy()).sum())
        if pair != "de-en":
            assert frame["rank_best"].tolist() == rows["CLUSTER_START"].tolist()
            assert frame["rank_worst"].tolist() == rows["CLUSTER_END"].tolist()
    assert (same_wins, same_ends) == (104, 103)
