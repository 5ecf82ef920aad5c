"""All language pairs in one run say what each says alone, and a bad pair stops no other."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from analysis.campaign import UNNAMED_JUDGE, Campaign, Selection
from analysis.comparing.comparison import OfficialClusters
from analysis.comparing.language_pairs import PairResult, pair_result, selection_in, whole_campaign
from analysis.drawing.small_multiples import MOST_ROWS, pair_svg, small_multiples_svg
from analysis.errors import PodiumError
from analysis.findings import language_pairs
from analysis.findings.language_pairs import (
    csv_frame,
    headings,
    pair_line,
    pairs_table,
    published_words,
    what_is_open_in,
    who_leads,
    whole_certainty_words,
    whole_frame,
    whole_headline,
)
from analysis.rankers import ranker_class
from analysis.rankers.mean import Mean
from analysis.ranking.certainty import AS_PUBLISHED, Certainty
from analysis.ranking.ranking import rank
from analysis.reporting.bundle import whole_page
from tests.building import CampaignBuilder
from tests.rankers.test_mean import drawn

EXPECTED_WINS = ranker_class("expected-wins")()


def tasks(builder: CampaignBuilder, pair: str, systems: str, n: int, seed: int) -> None:
    """Rank all systems of a pair n times; earlier letters are better, with noise."""
    rng = np.random.default_rng(seed)
    for k in range(n):
        noisy = np.arange(len(systems)) + rng.normal(0, 1.2, len(systems))
        ranks = noisy.argsort().argsort() + 1
        outputs = [(f"{pair}.{letter}",) for letter in systems]
        builder.add_task(pair, str(k % 40), f"judge {k % 5}", outputs, ranks.tolist())


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    """Three pairs; the middle one has a single system and cannot be ranked."""
    builder = CampaignBuilder()
    tasks(builder, "cs-en", "abcd", 160, seed=1)
    builder.add_task("de-en", "1", "judge 0", [("de-en.a",)], [1])
    tasks(builder, "fr-en", "abc", 160, seed=2)
    return builder.build()


@pytest.fixture(scope="module")
def results(campaign: Campaign) -> tuple[PairResult, ...]:
    return whole_campaign(campaign, EXPECTED_WINS)


def test_the_scope_of_all_pairs_is_that_of_each_pair(results: tuple[PairResult, ...]) -> None:
    assert whole_certainty_words(results) == "Intervals at 95% for new segments and judges."
    builder = CampaignBuilder()
    for k in range(60):
        for pair in ("cs-en", "de-en"):
            builder.add_task(pair, str(k), UNNAMED_JUDGE, [("a",), ("b",)], [1, 2 - (k % 4 == 0)])
    unnamed = whole_campaign(builder.build(), EXPECTED_WINS)
    assert whole_certainty_words(unnamed).endswith("for new segments, but these judges only.")
    assert whole_certainty_words(()) == ""


def test_a_pair_that_cannot_be_ranked_stops_no_other_and_says_why(
    campaign: Campaign, results: tuple[PairResult, ...]
) -> None:
    assert [result.pair for result in results] == list(campaign.pairs)
    assert [result.ranking is not None for result in results] == [True, False, True]
    assert results[1].problem
    frame = whole_frame(results)
    assert frame["problem"].tolist() == ["", results[1].problem, ""]
    assert "1 language pair cannot be ranked" in whole_headline(results)
    assert pair_line(results[1]) == results[1].problem


def test_each_pair_has_the_numbers_that_it_has_alone(
    campaign: Campaign, results: tuple[PairResult, ...]
) -> None:
    for result in (results[0], results[2]):
        alone = rank(campaign.judgments(result.pair), EXPECTED_WINS)
        assert result.ranking is not None
        assert result.ranking.signature == alone.signature
        assert result.ranking.to_frame().equals(alone.to_frame())


def test_a_file_of_an_official_procedure_has_separate_ranges_and_no_tiers(
    campaign: Campaign,
) -> None:
    official = Certainty("marginal", unit="judgment", runs=20)
    by_year, tested = (
        csv_frame(whole_campaign(campaign, EXPECTED_WINS, chosen))
        for chosen in (official, Certainty())
    )
    assert "separate_ranges" in by_year
    assert not {"tiers", "significant"} & {*by_year}
    assert {"tiers", "significant"} <= {*tested}
    assert {"lang_pair", "possible_winners", "adjacent_pairs", "not_separated"} <= {*tested}


def test_the_table_counts_what_the_rankings_say(results: tuple[PairResult, ...]) -> None:
    row = whole_frame(results).iloc[0]
    verdict = results[0].ranking.verdict  # type: ignore[union-attr]
    assert row["pairs"] == 6
    assert row["significant"] == int(np.triu(verdict.significant).sum())  # type: ignore[union-attr]
    assert row["neighbors"] == 3
    assert row["judges"] == 5
    assert row["judgments"] == 160 * 6
    assert row["leaders"].split("; ")[0] == "cs-en.a"


def test_ratings_are_counted_as_such_and_empty_columns_are_left_out(
    results: tuple[PairResult, ...],
) -> None:
    scored = drawn(np.random.default_rng(1), (0.0, 0.0, 0.0), segments=30, alone=False)
    (rated,) = whole_campaign(scored, Mean())
    assert scored.scores is not None
    unnamed = [dataclasses.replace(rated, agreement=None)]
    table = pairs_table(unnamed)
    assert table["judgments"].tolist() == [len(scored.scores)]
    assert "kappa" not in table
    assert headings(unnamed)["judgments"] == "Ratings"
    assert "judges" in pairs_table(results)
    assert headings(results)["first"] == "Winner"
    assert headings(unnamed)["first"] == "Possible winners"
    page = whole_page("x", unnamed, Mean())
    assert "Ratings" in page
    assert "κ, strict" not in page


def test_results_come_one_by_one_and_known_ones_are_not_made_again(
    campaign: Campaign, results: tuple[PairResult, ...]
) -> None:
    come: list[str] = []
    steps: list[tuple[int, int]] = []
    again = whole_campaign(
        campaign,
        EXPECTED_WINS,
        known={"cs-en": results[0]},
        keep=lambda result: come.append(result.pair),
        progress=lambda done, total: steps.append((done, total)),
    )
    assert again[0] is results[0]
    assert sorted(come) == ["de-en", "fr-en"]
    assert steps == [(1, 2), (2, 2)]


def test_systems_left_out_in_one_pair_mean_nothing_in_another(campaign: Campaign) -> None:
    selection = Selection(exclude_systems=("cs-en.a",))
    found = whole_campaign(campaign, EXPECTED_WINS, selection=selection)
    assert found[0].ranking is not None
    assert found[2].ranking is not None
    assert "cs-en.a" not in found[0].ranking.systems
    assert selection_in(campaign, "fr-en", selection) == Selection()
    with pytest.raises(PodiumError, match="nobody"):
        whole_campaign(campaign, EXPECTED_WINS, selection=Selection(exclude_systems=("nobody",)))


def test_settled_means_that_one_system_alone_could_be_best(
    results: tuple[PairResult, ...],
) -> None:
    first = results[0]
    assert first.is_settled_first
    assert who_leads(first) == "a"
    assert first.ranking is not None
    assert first.ranking.verdict is not None
    assert pair_line(first).endswith(", one winner")
    wide = dataclasses.replace(
        first.ranking,
        verdict=dataclasses.replace(first.ranking.verdict, possible_winners=("cs-en.a", "cs-en.b")),
    )
    shared = dataclasses.replace(first, ranking=wide)
    assert not shared.is_settled_first
    assert who_leads(shared) == "2 of 4: a and b"
    assert pair_line(shared).endswith(", 2 could be best")


def test_published_ranges_are_said_to_be_published(campaign: Campaign) -> None:
    chosen = dataclasses.replace(AS_PUBLISHED, runs=50)
    found = whole_campaign(campaign, EXPECTED_WINS, chosen)
    headline = whole_headline(found)
    assert headline.startswith("By the official procedure, ")
    assert "adjacent pairs have separate rank ranges" in headline
    assert "too close to call" not in headline
    assert "tiers" not in pairs_table(found)
    assert "tiers" in pairs_table(whole_campaign(campaign, EXPECTED_WINS))


def test_another_published_number_of_clusters_is_named(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = dataclasses.replace(AS_PUBLISHED, runs=50)
    found = whole_campaign(campaign, EXPECTED_WINS, chosen)
    ranked = next(result for result in found if result.ranking is not None)
    assert ranked.ranking is not None
    systems = ranked.ranking.systems
    clusters = dict.fromkeys(systems, 1) | {systems[0]: 2}
    printed = OfficialClusters("WMT15", clusters)
    assert published_words(found) == ""
    monkeypatch.setattr(
        language_pairs,
        "official_clusters",
        lambda pair, _: printed if pair == ranked.pair else None,
    )
    assert len({*clusters.values()}) != ranked.ranking.n_clusters
    assert published_words(found).startswith("WMT15 published another number of clusters: ")
    assert published_words(whole_campaign(campaign, EXPECTED_WINS)) == ""


def test_open_neighbors_are_counted_or_nothing_is_open(results: tuple[PairResult, ...]) -> None:
    assert what_is_open_in(results[1]) == "–"
    assert what_is_open_in(results[0]) in ("nothing", "1 of 3", "2 of 3")


def test_a_small_picture_draws_each_system_and_says_how_many_it_leaves_out(
    results: tuple[PairResult, ...],
) -> None:
    assert pair_svg(results[0]).count("<circle") == 4
    assert "not ranked" in pair_svg(results[1])
    together = small_multiples_svg(results)
    assert together.count("<circle") == 7
    builder = CampaignBuilder()
    tasks(builder, "xx-yy", "abcdefghijklmnopqrst", 30, seed=3)
    many = pair_result(builder.build(), "xx-yy", EXPECTED_WINS)
    picture = pair_svg(many)
    assert picture.count("<circle") == MOST_ROWS - 1
    assert f"and {20 - MOST_ROWS + 1} more" in picture
