"""How sure a ranking is said to be: for whom, by what, and where nothing can be said."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from analysis import published
from analysis.campaign import Campaign
from analysis.comparing.comparison import official_clusters
from analysis.findings.certainty import certainty_words, figure_words, ranking_words, whom
from analysis.findings.result import bridge_sentence, levels_words
from analysis.formats import read
from analysis.judges.agreement import agreement, judged_once
from analysis.judges.history import few_repeats
from analysis.next_campaign.planning import plan
from analysis.rankers import RANKERS
from analysis.rankers.mean import BY_DOMAIN, BY_Z
from analysis.rankers.ratios import Bojar, ExpectedWins
from analysis.rankers.resampling import UNITS
from analysis.ranking.certainty import AS_PUBLISHED, Certainty
from analysis.ranking.ranking import Ranking, rank
from analysis.ranking.variance import SCOPES, Scope
from analysis.ranking.verdict import reach_verdict
from analysis.samples import sample_campaign
from tests.building import CampaignBuilder
from tests.tools.audit.__main__ import TABLE, read_csv


def made(segments: int, judges: int, tasks: int = 12) -> Campaign:
    """Tasks of two systems; a wins two of three."""
    builder = CampaignBuilder()
    for task in range(tasks):
        ranks = [2, 1] if task % 3 == 0 else [1, 2]
        segment, judge = str(task % segments), f"judge{task // 2 % judges}"
        builder.add_task("x-y", segment, judge, [("a",), ("b",)], ranks)
    return builder.build()


def ranked(campaign: Campaign, certainty: Certainty | None = None) -> Ranking:
    return rank(campaign.judgments(), Bojar(), certainty or Certainty())


@pytest.mark.parametrize("scope", SCOPES)
def test_intervals_name_their_level_and_whom_they_are_for(scope: Scope) -> None:
    words = certainty_words(Certainty(scope=scope, level=0.9))
    assert words == (f"Intervals at 90% for {SCOPES[scope]}; rank ranges are simultaneous.")


@pytest.mark.parametrize("unit", UNITS)
def test_published_ranges_name_their_runs_and_what_these_draw(unit: str) -> None:
    words = certainty_words(dataclasses.replace(AS_PUBLISHED, unit=unit, runs=80))  # type: ignore[arg-type]
    drawn = "runs" if unit == "none" else "resamples"
    assert words == (
        f"Official procedure: intervals and ranks cover 95% of 80 {drawn}; "
        f"{UNITS[unit].interval_words}."  # type: ignore[index]
    )


@pytest.mark.parametrize(
    ("segments", "judges", "scope", "words"),
    [
        (4, 3, "new", SCOPES["new"]),
        (4, 3, "these", SCOPES["these"]),
        (4, 1, "new", "new segments, but these judges only"),
        (1, 3, "new", "new judges, but these segments only"),
        (1, 1, "new", SCOPES["these"]),
        (4, 1, "these", SCOPES["these"]),
    ],
)
def test_a_unit_of_which_there_is_one_cannot_be_others(
    segments: int, judges: int, scope: Scope, words: str
) -> None:
    ranking = ranked(made(segments, judges), Certainty(scope=scope))
    assert whom(ranking) == words
    assert f"for {words}; rank ranges" in ranking_words(ranking)


def test_what_the_file_does_not_name_is_said_of_intervals_by_the_definition_alone() -> None:
    campaign = made(4, 1, tasks=60)
    assert ranking_words(ranked(campaign)).endswith(
        "simultaneous. All judgments carry one judge name."
    )
    published = Certainty("marginal", unit="task", runs=50)
    assert "judge" not in ranking_words(ranked(campaign, published))


def test_a_preview_the_runs_and_the_judgments_each_have_their_reason_for_silence() -> None:
    sample = sample_campaign("wmt14-cs-en")
    preview = dataclasses.replace(ranked(sample), verdict=None, ranges=None, clusters=None)
    once = ranked(sample, Certainty("marginal", unit="none", runs=3))
    single = ranked(made(1, 1, tasks=1))
    assert ranking_words(preview).startswith("Preview: scores only")
    assert ranking_words(once).startswith("The resamples do not differ")
    assert (
        ranking_words(single)
        == "There is not enough data to estimate the uncertainty of the scores."
    )


def measured(row: str, world: str, claim: str) -> str:
    """Return what the committed audit measured, in whole per cent."""
    (line,) = (
        line
        for line in read_csv(TABLE)
        if (line.what, line.world, line.claim) == (row, world, claim)
    )
    return f"{line.measured:.0%}"


def test_sentences_that_were_judged_once_make_intervals_wide_and_that_is_said() -> None:
    said = ranking_words(ranked(made(segments=12, judges=3)))
    assert "Almost every segment was judged only once" in said
    coverage = measured("Expected Wins", "iid", "interval, others")
    assert f"covered the score {coverage} of the time" in said
    assert "judged once" not in ranking_words(ranked(made(segments=4, judges=3)))
    here = Certainty(scope="these")
    assert "judged once" not in ranking_words(ranked(made(segments=12, judges=3), here))


def test_few_judgments_of_a_system_are_said_with_what_was_measured() -> None:
    arena = made(segments=1, judges=1, tasks=12)
    said = ranking_words(ranked(arena))
    assert "Systems have 12 judgments each on average" in said
    low, high = (
        measured(method, "arena", "interval, others")
        for method in ("Expected Wins", "Hopkins & May")
    )
    assert f"covered the score {low[:-1]}–{high}" in said
    assert "on average" not in ranking_words(ranked(made(segments=1, judges=1, tasks=60)))


def test_too_few_repeats_are_said_with_what_was_measured() -> None:
    builder = CampaignBuilder()
    rng = np.random.default_rng(3)
    for task in range(60):
        ranks = [(1, 2), (2, 1), (1, 1)][rng.integers(3)]
        builder.add_task("x-y", str(task % 6), f"judge{task // 6 % 5}", [("a",), ("b",)], ranks)
    (said,) = few_repeats(agreement(judged_once(builder.build()), runs=50))
    assert "only 30 comparisons" in said
    assert f"only {measured('kappa', '60 tasks, 5 judges', 'intra, these')} of the time" in said
    for task in range(300):
        builder.add_task("x-y", str(task % 6), f"judge{task // 6 % 5}", [("a",), ("b",)], (1, 2))
    assert few_repeats(agreement(judged_once(builder.build()), runs=50)) == []


def test_what_intervals_of_means_miss_is_said_with_what_was_measured() -> None:
    claim = "interval, others"
    assert f"up to {measured('Mean score, z', 'two ratings of an output', claim)} of" in BY_Z
    tastes = measured("Mean score by domain", "tastes of judges and documents", claim)
    assert f"covered {tastes} of the scores" in BY_DOMAIN


def test_what_plan_misses_with_few_judges_is_said_with_what_was_measured() -> None:
    judgments = made(segments=12, judges=5, tasks=60).judgments()
    notes = " ".join(plan(judgments, reach_verdict(Bojar().fit(judgments)), draws=2).notes)
    assert f"covered {measured('plan', '5 judges, the same', 'share foretold')} of" in notes


def test_without_a_significant_difference_nothing_is_said_of_tiers() -> None:
    campaign, _ = read(b"model_a,model_b,winner\na,b,model_a\nb,c,model_b\nc,a,tie\n")
    ranking = rank(campaign.judgments(), RANKERS["bradley-terry"]())
    assert ranking.verdict is not None
    assert not ranking.verdict.significant.any()
    assert levels_words(ranking) == "no significant difference"
    assert "tier" not in figure_words(ranking)


def test_the_figure_says_that_boundaries_and_tiers_have_different_tests() -> None:
    judgments = sample_campaign("cs-en").judgments("cs-en")
    words = figure_words(rank(judgments, RANKERS["bradley-terry"]()))
    assert "Dashed: cluster boundaries, with a test of their own, so that" in words
    chosen = Certainty(ranges="marginal", runs=50)
    official = rank(judgments, RANKERS["expected-wins"](), chosen)
    assert figure_words(official).count("Dashed: cluster boundaries. ") == 1


def test_a_known_campaign_s_published_clusters_stand_beside_those_of_its_procedure() -> None:
    judgments = sample_campaign("wmt14-cs-en").judgments()
    official = rank(judgments, ExpectedWins(), dataclasses.replace(AS_PUBLISHED, runs=100))
    printed = official_clusters("cs-en", official.systems)
    assert printed is not None
    n = len(set(published.wmt14_clusters("cs-en")["cluster"]))
    words = bridge_sentence("WMT14 procedure", "Expected Wins", official, None, printed)
    assert f"{levels_words(official)}; WMT14 published {n}. It treats" in words
    other = bridge_sentence("WMT16 procedure", "Expected Wins", official, None, printed)
    assert "published" not in other
