"""Pre-flight checks: each fault planted alone in a healthy campaign is named, and nothing else."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.campaign import Campaign, Identical, Judgments, Selection
from analysis.campaign.copies import copied_tasks
from analysis.campaign.counts import THIN_PAIR
from analysis.formats import read, read_path
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.mean import Mean
from analysis.rankers.ratios import Bojar
from analysis.ranking.comparison_checks import Finding, identical_outputs
from analysis.ranking.preflight import preflight, segment_coverage, that_limit
from analysis.samples import SAMPLES, sample_campaign
from tests.building import CampaignBuilder

QUALITY = {"best": 1.2, "good": 0.6, "fair": 0.0, "weak": -0.7}


class Plan:
    """Votes on two outputs each; every test changes one thing about a healthy campaign."""

    def __init__(self, votes: int = 60, judges: int = 8, segments: int = 3000) -> None:
        self.rng = np.random.default_rng(4)
        self.judges, self.segments, self.n_votes = judges, segments, 0
        self.builder = CampaignBuilder()
        for first, second in itertools.combinations(QUALITY, 2):
            self.add(first, second, votes)

    def add(self, first: str, second: str, votes: int, **fixed: str) -> Plan:
        better = QUALITY.get(first, 0) - QUALITY.get(second, 0)
        for _ in range(votes):
            felt = better + self.rng.normal(0, 1.4)
            self.vote(first, second, (1 if felt > -0.4 else 2, 1 if felt < 0.4 else 2), **fixed)
        return self

    def vote(self, first: str, second: str, ranks: tuple[int, int], **fixed: str) -> None:
        self.n_votes += 1
        self.builder.add_task(
            "fr-en",
            fixed.get("segment", str(self.n_votes % self.segments + 1)),
            fixed.get("judge", f"judge{self.n_votes % self.judges}"),
            [(first,), (second,)],
            ranks,
        )

    def judgments(self, selection: Selection | None = None) -> Judgments:
        return self.builder.build().judgments(None, selection or Selection())


def only(judgments: Judgments) -> Finding:
    found = preflight(judgments)
    assert len(found) == 1, [f.finding for f in found]
    return found[0]


def test_a_healthy_campaign_has_no_findings() -> None:
    assert preflight(Plan().judgments()) == ()


@pytest.mark.parametrize("name", SAMPLES)
def test_the_sample_campaigns_are_healthy(name: str) -> None:
    """Nothing but notes of pairs that mostly tie, as two of them have since Table 7 asks for it."""
    found = preflight(sample_campaign(name).judgments())
    assert {(finding.kind, finding.severity) for finding in found} <= {("tied-pairs", "note")}


def test_two_groups_that_never_met_are_both_named() -> None:
    plan = Plan().add("east", "west", 200)
    found = only(plan.judgments())
    assert (found.kind, found.severity) == ("disconnected", "problem")
    assert "2 groups" in found.finding
    assert "best, fair, good and weak; east and west" in found.finding


def test_groups_that_only_ties_connect_are_disconnected() -> None:
    plan = Plan().add("east", "west", 200)
    for _ in range(20):
        plan.vote("best", "east", (1, 1))
    assert "disconnected" in [f.kind for f in preflight(plan.judgments())]


@pytest.mark.parametrize(("ranks", "kind"), [((1, 2), "undefeated"), ((2, 1), "winless")])
def test_a_system_that_never_lost_or_never_won_is_named_with_its_comparisons(
    ranks: tuple[int, int], kind: str
) -> None:
    plan = Plan()
    for opponent in QUALITY:
        for _ in range(40):
            plan.vote("star", opponent, ranks)
    found = only(plan.judgments())
    assert found.kind == kind
    assert found.finding.startswith("star ")
    assert "160" in found.finding


def test_a_place_that_follows_from_all_comparisons_is_not_called_certain() -> None:
    plan = Plan()
    for opponent in QUALITY:
        for _ in range(40):
            plan.vote("star", opponent, (2, 1))
    meaning = only(plan.judgments()).meaning
    words = "Its place below the others follows from all 160 decided comparisons; the distance"
    assert meaning.startswith(f"{words} is unknown")
    assert "certain" not in meaning


@pytest.mark.parametrize(("n", "is_said"), [(1, False), (9, False), (10, True)])
def test_a_place_is_not_said_to_follow_from_too_few_votes(n: int, is_said: bool) -> None:
    builder = CampaignBuilder()
    for k in range(n):
        builder.add_task("fr-en", str(k), "judge", [("alpha",), ("beta",)], [1, 2])
    kinds = {finding.kind for finding in preflight(builder.build().judgments())}
    assert bool({"winless", "undefeated"} & kinds) is is_said


def test_two_systems_that_beat_all_others_are_undefeated_together() -> None:
    plan = Plan().add("star", "moon", 60)
    for upper, lower in itertools.product(("star", "moon"), QUALITY):
        for _ in range(50):
            plan.vote(upper, lower, (1, 2))
    found = only(plan.judgments())
    assert found.kind == "undefeated"
    assert found.finding.startswith("moon and star won all 400")


def test_a_system_in_no_comparison_is_told_apart_from_a_disconnected_one() -> None:
    plan = Plan()
    plan.builder.add_task("fr-en", "7", "judge1", [("ghost",)], [1])
    found = only(plan.judgments())
    assert (found.kind, found.severity) == ("never-compared", "problem")
    assert found.finding.startswith("ghost was never compared")


def test_a_system_that_met_mostly_the_weakest_is_said_to_be_put_too_high() -> None:
    found = only(Plan().add("fair", "weak", 900).judgments())
    assert found.kind == "opponent-skew"
    assert found.finding.startswith("fair won")
    assert "weaker opponents" in found.meaning
    assert "too high" in found.meaning


def test_what_biases_other_methods_is_not_said_of_this_one() -> None:
    skewed = Plan().add("fair", "weak", 900).judgments()
    (of_wins,) = that_limit(preflight(skewed), skewed, Bojar())
    assert (of_wins.severity, "orig-wmt" in of_wins.meaning) == ("warning", False)
    assert "Expected Wins" not in of_wins.remedy
    assert that_limit(preflight(skewed), skewed, BradleyTerry()) == ()


def test_opponents_met_unequally_by_chance_are_no_skew() -> None:
    assert preflight(Plan(votes=45).add("fair", "weak", 15).judgments()) == ()


def test_a_pair_with_hardly_a_decision_is_named() -> None:
    plan = Plan()
    for opponent in ("best", "good", "fair"):
        plan.add("newcomer", opponent, 60)
    plan.vote("newcomer", "weak", (1, 2))
    found = only(plan.judgments())
    assert found.kind == "thin-pairs"
    assert "1 of 10 pairs" in found.finding
    assert "newcomer and weak" in found.finding


def test_too_few_judgments_are_told_with_the_margin() -> None:
    judgments = Plan(votes=12).judgments()
    kinds = {f.kind: f for f in preflight(judgments)}
    fewest = (judgments.counts.wins + judgments.counts.losses).sum(axis=1).min()
    assert set(kinds) == {"few-judgments", "few-segments"}
    # two standard errors of a share near one half
    assert f"±{200 * np.sqrt(0.25 / fewest):.0f} points" in kinds["few-judgments"].meaning
    assert "have fewer than 100 decided" in kinds["few-judgments"].finding


def test_one_system_has_too_few_judgments_in_the_singular() -> None:
    plan = Plan()
    for opponent in QUALITY:
        plan.add("newcomer", opponent, 20)
    found = only(plan.judgments())
    assert found.finding.startswith("newcomer has fewer than 100 decided")


def test_what_limits_preferences_does_not_limit_means_of_scores() -> None:
    campaign = sample_campaign("mqm-ted")
    judgments = campaign.judgments(campaign.pairs[0])
    assert judgments.scores is not None
    skew = Finding("opponent-skew", "warning", "", "", "")
    kinds = {type(one).name: that_limit([skew], judgments, one) for one in (Mean(), Bojar())}
    assert [found.kind for found in kinds["bojar"]] == ["opponent-skew"]
    assert "opponent-skew" not in [found.kind for found in kinds["mean"]]


def ratings_with(typed: dict[int, float], path: Path) -> Judgments:
    """Rate 4 systems to within 10 points; some ratings are typed wrongly."""
    rng, lines = np.random.default_rng(5), ["system,segment,judge,score"]
    for row in range(400):
        score = typed.get(row, round(60 + 5 * (row % 4) + rng.uniform(-10, 10)))
        lines.append(f"s{row % 4},{row // 4},j{row % 5},{score}")
    path.write_text("\n".join(lines))
    return read_path(path, mapping="auto")[0].judgments()


def test_ratings_far_from_all_others_are_named_with_what_they_do(tmp_path: Path) -> None:
    judgments = ratings_with({7: 111111, 50: 5656}, tmp_path / "typed.csv")
    (found,) = [one for one in that_limit((), judgments, Mean()) if one.kind == "wild-ratings"]
    assert found.severity == "warning"
    assert found.finding.startswith("2 ratings of 400 lie far from all others, such as 111,111; 98")
    values = judgments.scores.goodness[judgments.scores.system == 3]  # type: ignore[union-attr]
    mean, without = values.mean(), values[values < 1000].mean()
    assert found.meaning == f"The mean of s3 is {mean:,.4g}, and {without:,.4g} without them."
    assert not that_limit((), judgments, Bojar())
    left = judgments.campaign.judgments(None, Selection(far_off="dropped"))
    assert left.scores is not None
    assert len(left.scores) == 398
    assert not [one for one in that_limit((), left, Mean()) if one.kind == "wild-ratings"]
    scores = dict(zip(left.systems, Mean().fit(left).standings.scores, strict=True))
    assert scores["s3"] == pytest.approx(without)
    assert "far-off:dropped" in str(left.provenance)


def test_what_the_warning_counts_is_what_the_filter_drops(tmp_path: Path) -> None:
    """A part alone would call 500 far from its own ratings; the campaign has many up to 1,000."""
    wide = {row: float(2.5 * row) for row in range(4, 400, 5)} | {5: 500.0, 7: 111111.0}
    judgments = ratings_with(wide, tmp_path / "wide.csv")
    for part in (Selection(), Selection(exclude_judges=("j4",))):
        chosen = judgments.campaign.judgments(None, part)
        left = judgments.campaign.judgments(None, replace(part, far_off="dropped"))
        (found,) = [one for one in that_limit((), chosen, Mean()) if one.kind == "wild-ratings"]
        assert found.finding.startswith("1 rating of ")
        assert chosen.scores is not None
        assert left.scores is not None
        assert len(chosen.scores) - len(left.scores) == 1
        assert "wild-ratings" not in [one.kind for one in that_limit((), left, Mean())]


@pytest.mark.parametrize("typed", [{}, {7: 95.0, 8: 20.0}])
def test_a_tail_of_ratings_is_not_called_far_from_all_others(
    typed: dict[int, float], tmp_path: Path
) -> None:
    judgments = ratings_with(typed, tmp_path / "fine.csv")
    assert not that_limit((), judgments, Mean())


def test_a_judge_who_outvotes_all_others_is_named_but_a_busy_one_is_not() -> None:
    n = len(Plan().judgments())
    busy, dominant = Plan(), Plan()
    for plan, votes in ((busy, n // 7), (dominant, n // 4)):
        for first, second in itertools.combinations(QUALITY, 2):
            plan.add(first, second, votes, judge="boss")
    assert preflight(busy.judgments()) == ()
    found = only(dominant.judgments())
    assert found.kind == "dominant-judge"
    assert found.finding.startswith("boss gave 60%")


def test_one_judge_means_no_agreement() -> None:
    found = only(Plan(judges=1).judgments())
    assert found.kind == "one-judge"
    assert found.finding.startswith("All votes carry the same judge name, ")


def test_only_ties_are_a_problem_and_many_ties_a_warning() -> None:
    ties, most = Plan(votes=0), Plan(votes=130)
    for first, second in itertools.combinations(QUALITY, 2):
        for _ in range(100):
            ties.vote(first, second, (1, 1))
            most.vote(first, second, (2, 2))
    assert [f.kind for f in preflight(ties.judgments())] == ["only-ties"]
    assert only(most.judgments()).kind == "many-ties"


@pytest.mark.parametrize("identical", ["expanded", "collapsed"])
def test_two_systems_that_tie_most_often_are_named_without_a_guess_why(
    identical: Identical,
) -> None:
    plan = Plan()
    for opponent in QUALITY:
        plan.add("fair2", opponent, 60)
    for _ in range(200):
        plan.vote("fair", "fair2", (1, 1))
    found = only(plan.judgments(Selection(identical=identical)))
    assert found.kind == "tied-pairs"
    assert found.finding.startswith("fair and fair2 tie in")
    assert "identical" not in found.finding
    assert "Identical outputs" not in found.remedy


@pytest.mark.parametrize(("ties", "is_said"), [(2 * THIN_PAIR - 1, False), (2 * THIN_PAIR, True)])
def test_a_pair_is_said_to_tie_from_twice_the_judgments_of_a_thin_pair(
    ties: int, is_said: bool
) -> None:
    plan = Plan()
    for opponent in ("best", "good", "weak"):
        plan.add("fair2", opponent, 60)
    for _ in range(ties):
        plan.vote("fair", "fair2", (1, 1))
    assert ("tied-pairs" in [f.kind for f in preflight(plan.judgments())]) is is_said


def test_two_systems_with_mostly_identical_outputs_are_told_once_and_sent_to_the_switch() -> None:
    """240 of 300 comparisons of fair and fair2 are of one output: four of five."""
    plan = Plan()
    for opponent in QUALITY:
        plan.add("fair2", opponent, 60)
    for n in range(240):
        plan.builder.add_task(
            "fr-en", str(n), f"judge{n % 8}", [("fair", "fair2"), ("best",)], (2, 1)
        )
    as_ties = [f for f in preflight(plan.judgments()) if f.kind == "tied-pairs"]
    assert [f.finding for f in as_ties] == [
        "fair and fair2 made identical outputs in 80% of their comparisons, which count as ties."
    ]
    assert "identical='collapsed'" in as_ties[0].remedy
    once = plan.judgments(Selection(identical="collapsed"))
    assert not [f for f in preflight(once) if f.kind == "tied-pairs"]


def test_identical_outputs_are_counted_for_the_systems_that_count() -> None:
    """Against the ties of the expanded view, where judges themselves never tie."""
    builder = CampaignBuilder()
    shown = [("a", "b"), ("c",), ("d", "e", "f")]
    for n, outputs in enumerate((shown, shown[:2], shown[1:], [("a",), ("b",), ("refA", "c")])):
        builder.add_task("fr-en", str(n), "ann", outputs, list(range(1, len(outputs) + 1)))
    campaign = builder.build()
    for selection in (Selection(), Selection(exclude_systems=("e",)), Selection(references=True)):
        judgments = campaign.judgments(None, selection)
        np.testing.assert_array_equal(identical_outputs(judgments), judgments.counts.ties)
    assert identical_outputs(campaign.judgments()).sum() == 2 * (2 + 2 * 3)


def test_judgments_heaped_on_few_segments_are_told_by_their_even_worth() -> None:
    plan = Plan()
    for first, second in itertools.combinations(QUALITY, 2):
        for k in range(90):
            plan.add(first, second, 1, segment="17", judge=f"guest{k}")
    found = only(plan.judgments())
    assert found.kind == "few-segments"
    assert "even" in found.finding


@pytest.mark.parametrize(("segments", "kinds"), [(99, ["few-segments"]), (100, [])])
def test_a_hundred_segments_judged_alike_are_enough(segments: int, kinds: list[str]) -> None:
    plan = Plan(votes=2 * segments, segments=segments)
    assert [found.kind for found in preflight(plan.judgments())] == kinds


def test_segments_that_leave_most_of_the_test_set_out_are_noted() -> None:
    plan = Plan(segments=150)
    for segment in range(2000, 2020):
        plan.add("best", "good", 1, segment=str(segment))
    found = only(plan.judgments())
    assert found.kind == "segment-coverage"
    # choosing the first part of the test set is no fault of the campaign's
    assert preflight(plan.judgments(Selection(segments=(1, 150)))) == ()


def test_segment_names_that_number_nothing_say_nothing_of_coverage() -> None:
    plan = Plan()
    plan.add("best", "good", 1, segment="4000000001")
    assert preflight(plan.judgments()) == ()
    plan.add("best", "good", 1, segment="intro")
    assert segment_coverage(plan.judgments()) == 1


def test_equal_votes_are_copies_only_if_the_file_names_their_judge() -> None:
    """Nothing could be dropped else: two judges may have given the same answer."""

    def copies(judge: str) -> list[str]:
        rows = [f"q{k % 3},a,b,model_{'ab'[k % 2]},ann" for k in range(60)]
        data = "\n".join([f"question_id,model_a,model_b,winner,{judge}", *rows]).encode()
        findings = preflight(read(data)[0].judgments())
        return [one.finding for one in findings if one.kind == "duplicates"]

    assert copies("judge") == ["54 of 60 votes are exact copies of another one."]
    assert copies("remark") == []


def n_copies(judgments: Judgments) -> int:
    return int(copied_tasks(judgments.campaign, judgments.tasks).sum())


def test_a_task_saved_twice_is_a_duplicate_and_one_answered_differently_is_not() -> None:
    plan = Plan()
    for _ in range(30):
        plan.vote("best", "weak", (1, 2), judge="judge3", segment="9")
    assert only(plan.judgments()).kind == "duplicates"
    builder = CampaignBuilder()
    tasks = [
        ("1", "ann", "abc", (1, 2, 3)),
        ("1", "ann", "abc", (1, 2, 3)),  # the one exact copy
        ("1", "ann", "abc", (1, 2, 2)),
        ("1", "ann", "acb", (1, 2, 3)),
        ("1", "ann", "ab", (1, 2)),
        ("3", "ann", "a", (1,)),
        ("3", "ann", "a", (1,)),  # nothing was compared, nothing counts twice
        ("1", "bob", "abc", (1, 2, 3)),
        ("2", "ann", "abc", (1, 2, 3)),
    ]
    for segment, judge, outputs, ranks in tasks:
        builder.add_task("fr-en", segment, judge, [(o,) for o in outputs], ranks)
    assert n_copies(builder.build().judgments()) == 1


def test_the_same_answer_in_another_time_is_no_copy() -> None:
    builder = CampaignBuilder()
    for seconds in (31.5, 31.5, 17.25, float("nan"), float("nan")):
        builder.add_task("fr-en", "1", "ann", [("a",), ("b",)], [1, 2], seconds)
    builder.add_task("fr-en", "2", "ann", [("a",), ("b",)], [1, 2], 31.5)
    assert n_copies(builder.build().judgments()) == 2


def test_ranks_that_are_missing_are_counted() -> None:
    plan = Plan()
    plan.vote("best", "weak", (0, 1))
    found = only(plan.judgments())
    assert found.kind == "incomplete-tasks"
    assert "In 1 ranking task " in found.finding


def test_nothing_to_rank_is_one_finding_and_no_crash() -> None:
    builder = CampaignBuilder()
    builder.add_task("fr-en", "1", "ann", [("a",)], [1])
    assert only(builder.build().judgments()).kind == "nothing-to-rank"


def test_the_gravest_finding_comes_first() -> None:
    plan = Plan(judges=1).add("east", "west", 200)
    assert [f.severity for f in preflight(plan.judgments())] == ["problem", "note"]


@pytest.fixture(scope="module")
def wmt15(campaigns_dir: Path) -> Campaign:
    return read_path(campaigns_dir / "wmt15" / "wmt15.xml.gz")[0]


def test_what_is_odd_about_wmt15_is_found(wmt15: Campaign) -> None:
    def kinds(pair: str, identical: str = "collapsed") -> list[str]:
        return [f.kind for f in preflight(wmt15.judgments(pair, Selection(identical=identical)))]

    assert kinds("deu-eng") == []
    assert kinds("deu-eng", "expanded") == ["tied-pairs"]
    # UoS and UoS-stemmed: the same outputs but once; the abumatran systems: in half of the cases
    assert kinds("fin-eng", "expanded") == ["thin-pairs", "tied-pairs", "tied-pairs"]
    # the same answers are given again in eng-fin 24 times, but in another time: no copies
    assert kinds("eng-fin") == ["dominant-judge"]
    assert kinds("eng-ces") == ["opponent-skew", "incomplete-tasks"]


def test_the_75_duplicates_of_the_wmt13_sample_are_counted(campaigns_dir: Path) -> None:
    campaign, _ = read_path(campaigns_dir / "wmt13" / "fr-en.train.csv.gz")
    judgments = campaign.judgments()
    assert n_copies(judgments) == 75
    assert "75" in only(judgments).finding


def test_references_left_out_are_said_with_the_way_to_rank_them(
    make_campaign: Callable[..., Campaign],
) -> None:
    campaign = make_campaign([("1", "ann", {"a": 1, "refA": 2}), ("2", "ann", {"a": 1, "b": 2})])
    (finding,) = (f for f in preflight(campaign.judgments()) if f.kind == "references")
    assert finding.finding == "1 reference was left out: refA."
    assert "references=True" in finding.remedy
    ranked = campaign.judgments(selection=Selection(references=True))
    assert not [f for f in preflight(ranked) if f.kind == "references"]
    alone = make_campaign([("1", "ann", {"a": 1, "refA": 2})])
    assert alone.judgments().systems == ("a", "refA")
    assert "references" not in {f.kind for f in preflight(alone.judgments())}
