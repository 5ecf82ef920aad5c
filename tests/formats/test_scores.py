"""Scores of single outputs: every row is accounted for, and preferences follow from them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.campaign import ErrorSpans, Scale, Selection
from analysis.errors import PodiumError, ReadingError
from analysis.findings.scored import scores_sentence
from analysis.formats import read, read_many, read_path
from analysis.formats.assembly import assemble_campaign
from analysis.formats.rankings import Column, Findings
from analysis.formats.scored import Scored
from tests.campaign.test_campaign import rows_of

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
HEADER = "system,segment,judge,score"


def table(*rows: str, header: str = HEADER) -> bytes:
    return "\n".join([header, *rows, ""]).encode()


def scored(systems: str, values: list[float], **columns: object) -> Scored:
    """Scores of one judge on one segment, a system a letter."""
    n = len(systems)
    given: dict[str, object] = {
        "pair": Column.constant("eng-deu", n),
        "segment": Column.constant("1", n),
        "judge": Column.constant("ann", n),
        "scale": Scale("DA", 0, 100),
    }
    return Scored(
        n_rows=n,
        system=Column(np.arange(n), list(systems)),
        value=np.array(values, dtype=np.float64),
        row=np.arange(n),
        findings=Findings(),
        **(given | columns),  # type: ignore[arg-type]
    )


def test_the_better_score_is_preferred_on_one_screen_only() -> None:
    campaign, report = read(table("a,1,ann,70", "b,1,ann,60", "a,1,bob,60", "b,2,bob,70"))
    judgments = campaign.judgments()
    assert rows_of(judgments) == [("a", "b", 1, "ann", "1")]
    assert judgments.n_tasks == report.n_tasks == 3
    assert report.kind == "scores"
    assert report.sentences()[0] == "Read 4 ratings from 4 rows of tables of scores."


def test_of_two_columns_of_scores_the_first_is_read_and_that_is_said() -> None:
    header = "system,segment,judge,score,score"
    campaign, report = read(table("a,1,ann,70,1", "b,1,ann,60,2", header=header))
    assert rows_of(campaign.judgments()) == [("a", "b", 1, "ann", "1")]
    assert "More than one column is called score; the first was read." in report.sentences()


def test_less_is_better_where_the_scale_says_so() -> None:
    part = scored("ab", [1, 5], scale=Scale("errors", higher_is_better=False))
    campaign, _ = assemble_campaign([part], ["x"], judge_names=False, title="")
    assert rows_of(campaign.judgments())[0][:3] == ("a", "b", 1)


def test_rows_of_the_scores_are_the_entries_of_the_tasks() -> None:
    campaign, _ = read_path(EXAMPLES / "scores.csv")
    scores = campaign.scores
    assert scores is not None
    owner = campaign.shown.owners
    assert scores.screen.tolist() == owner.tolist()
    assert scores.system.tolist() == campaign.entry_output.tolist()
    assert scores.judge.tolist() == campaign.task_judge[owner].tolist()
    assert scores.segment.tolist() == campaign.task_segment[owner].tolist()
    assert set(scores.domains) == {"news", "speech"}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "b", "", "c"]),
            st.sampled_from("12"),
            st.sampled_from(["ann", "bob"]),
            st.sampled_from(["70", "60.5", "x", "", "nan", "1e999", "-3"]),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_every_row_is_a_score_or_left_out(rows: list[tuple[str, ...]]) -> None:
    try:
        campaign, report = read(table(*map(",".join, rows)))
    except ReadingError:
        good = [r for r in rows if r[0] and r[3] in ("70", "60.5", "-3")]
        assert not good
        return
    assert report.n_rows == len(rows) == report.n_scores + report.n_left_out
    assert campaign.scores is not None
    assert len(campaign.scores) == report.n_scores == len(campaign.judgments().scores or ())
    last = {
        (s, segment, j): float(v) for s, segment, j, v in rows if s and v in ("70", "60.5", "-3")
    }
    kept = campaign.scores
    assert {
        (campaign.systems[s], campaign.segments[g], campaign.judges[j]): v
        for s, g, j, v in zip(kept.system, kept.segment, kept.judge, kept.value, strict=True)
    } == last


def test_of_two_scores_by_one_judge_the_last_counts_and_it_is_noted() -> None:
    campaign, report = read(table("a,1,ann,70", "b,1,ann,60", "a,1,ann,50"))
    assert rows_of(campaign.judgments())[0][:3] == ("b", "a", 1)
    (reason,) = report.left_out
    assert reason.example == "line 2, ann scored a on the same segment a second time"


def test_scores_of_nobody_in_particular_all_count_where_an_output_has_several() -> None:
    header = "system,segment,score"
    once, _ = read(table("a,1,70", "b,1,60", header=header))
    assert len(once.judgments()) == 1
    several, report = read(table("a,1,70", "b,1,60", "a,1,50", header=header))
    assert len(several.judgments()) == 0
    assert report.n_scores == 3
    assert [oddity.kind for oddity in report.oddities] == ["no-judges", "no-preferences"]


def test_segments_numbered_within_documents_are_different_ones() -> None:
    header = "model\titem\trater\trating\tdoc"
    rows = [r.replace(",", "\t") for r in ("a,1,ann,7,d1", "b,1,ann,6,d2", "b,1,ann,5,d1")]
    campaign, report = read(table(*rows, header=header))
    assert campaign.segments == ("d1:1", "d2:1")
    assert report.n_scores == 3


def test_a_margin_makes_ties_and_splits_what_does_not_hold_together() -> None:
    data = table("a,1,ann,70", "b,1,ann,74", "c,1,ann,78", "a,2,ann,70", "b,2,ann,74")
    campaign, _ = read(data)
    whole = campaign.judgments(selection=Selection(tie_margin=3))
    assert whole.n_tasks == 2
    assert whole.n_ties == 0
    split = campaign.judgments(selection=Selection(tie_margin=5))
    assert split.n_tasks == 4
    assert [row[:3] for row in rows_of(split)] == [
        *(("a", "b", 0), ("a", "c", -1), ("b", "c", 0), ("a", "b", 0))
    ]
    for judgments in (whole, split):
        assert judgments.scores is not None
        assert judgments.scores.value.tolist() == [70, 74, 78, 70, 74]
        assert judgments.scores.screen.tolist() == [0, 0, 0, 1, 1]


def test_a_margin_of_the_difference_itself_is_a_tie_in_decimals_too() -> None:
    campaign, _ = read(table("a,1,ann,.5", "b,1,ann,.2"))
    assert campaign.judgments(selection=Selection(tie_margin=0.3)).n_ties == 1


def test_a_margin_of_rankings_is_refused() -> None:
    campaign, _ = read_path(EXAMPLES / "wmt-5way.csv")
    with pytest.raises(PodiumError, match="contains no scores"):
        campaign.judgments(campaign.pairs[0], Selection(tie_margin=1))


def test_scores_follow_tasks_that_are_taken_or_left_out() -> None:
    campaign, _ = read_path(EXAMPLES / "scores.csv")
    judgments = campaign.judgments(selection=Selection(exclude_systems=("birch",)))
    scores = judgments.scores
    assert scores is not None
    assert len(scores) == 48
    assert judgments.systems == ("alder", "cedar")
    twice = judgments.take_tasks(np.array([3, 3])).scores
    assert twice is not None
    assert twice.value.tolist() == np.tile(scores.value[6:8], 2).tolist()
    assert twice.screen.tolist() == [0, 0, 1, 1]


def test_the_fingerprint_covers_the_scores() -> None:
    prints = {
        read(data)[0].fingerprint
        for data in (
            table("a,1,ann,70", "b,1,ann,60"),
            table("a,1,ann,71", "b,1,ann,60"),
            table("a,1,ann,70,news", "b,1,ann,60,news", header=HEADER + ",domain"),
        )
    }
    assert len(prints) == 3


def test_files_of_one_campaign_share_names_and_screens() -> None:
    files = [("a.csv", table("a,1,ann,70")), ("b.csv", table("b,1,ann,60", "a,1,ann,80"))]
    campaign, report = read_many(files)
    assert rows_of(campaign.judgments())[0][:3] == ("b", "a", -1)
    assert report.left_out[0].file == "a.csv"


def test_the_ends_of_a_scale_have_commas_between_thousands() -> None:
    campaign, _ = read(table("a,1,ann,111111", "b,1,ann,-0.5"))
    assert " from −0.5 to 111,111 (" in scores_sentence(campaign.judgments())


def test_what_is_true_of_several_files_is_said_once() -> None:
    means = b"SYS SID RAW.SCR Z.SCR N\na 1 70 0.5 1\nb 1 60 -0.5 1\n"
    _, report = read_many([("x-cs-en.csv", means), ("y-de-en.csv", means)])
    said = [sentence for sentence in report.sentences() if "does not name them" in sentence]
    assert len(said) == 1
    assert said[0].startswith("Each of 2 files: The file contains means over judges")
    assert any(words.startswith("x-cs-en.csv: The file itself") for words in report.sentences())


def test_scores_and_rankings_make_no_one_campaign() -> None:
    ranked = (EXAMPLES / "wmt-5way.csv").read_bytes()
    with pytest.raises(ReadingError, match=r"s\.csv: scores; r\.csv: rankings"):
        read_many([("s.csv", table("a,1,ann,70")), ("r.csv", ranked)])


def test_scores_of_two_scales_make_no_mean() -> None:
    parts = [scored("ab", [1, 2]), scored("ab", [1, 2], scale=Scale("MQM", higher_is_better=False))]
    with pytest.raises(ReadingError, match="a mean over both has no meaning"):
        assemble_campaign(parts, ["x", "y"], judge_names=False, title="")


def test_scores_outside_their_scale_are_left_out() -> None:
    part = scored("abc", [50, -1, 60])
    campaign, report = assemble_campaign([part], ["x"], judge_names=False, title="")
    assert report.left_out[0].example == "line 2, score -1 is outside 0–100"
    assert campaign.systems == ("a", "c")


def test_users_are_numbered_and_errors_stay_with_their_scores() -> None:
    spans = ErrorSpans(
        scored=np.array([2, 0, 1]),
        category=np.array([0, 1, 0]),
        categories=("Fluency", "Accuracy"),
        severity=np.array([0, 0, 0]),
        severities=("Major",),
        start=np.array([5, 1, 3]),
        end=np.array([6, 2, 4]),
    )
    part = scored(
        "abc",
        [50, 60, 40],
        users=("zoe", "ann"),
        judge=Column(np.array([0, 1, 0]), ["zoe", "ann"]),
        errors=spans,
    )
    campaign, report = assemble_campaign([part], ["x"], judge_names=False, title="")
    assert campaign.judges == ("judge1", "judge2")
    assert report.judges_numbered
    scores = campaign.scores
    assert scores is not None
    assert scores.errors is not None
    found = {
        campaign.systems[scores.system[row]]: scores.errors.categories[category]
        for row, category in zip(scores.errors.scored, scores.errors.category, strict=True)
    }
    assert found == {"a": "Accuracy", "b": "Fluency", "c": "Fluency"}


def test_files_of_one_scale_have_the_ends_of_all_of_them() -> None:
    def ends(*scales: Scale) -> tuple[float, float]:
        parts = [scored("ab", [1.0, 2.0], scale=scale) for scale in scales]
        campaign, _ = assemble_campaign(parts, ["one", "two"], judge_names=True, title="")
        assert campaign.scores is not None
        return campaign.scores.scale.low, campaign.scores.scale.high

    assert ends(Scale("DA", 0, 100), Scale("DA", -10, 60)) == (-10, 100)
    low, high = ends(Scale("DA", 0, 100), Scale("DA", float("nan"), 60))
    assert np.isnan(low)
    assert high == 100


def test_a_direct_assessment_without_a_systems_name_is_left_out() -> None:
    rows = ["sys-a 1 70.0 0.1", " 1 60.0 0.2", "sys-b 1 50.0 0.3"]
    header = "SYS,SID,RAW.SCR,Z.SCR"
    data = "\n".join([header, *(",".join(row.split(" ")) for row in rows), ""]).encode()
    campaign, report = read(data, name="ad-eng-deu.csv")
    assert set(campaign.systems) == {"sys-a", "sys-b"}
    assert [(one.reason, one.count) for one in report.left_out] == [("a system without a name", 1)]
