"""Rankings as campaigns of grammatical error correction exported them, and 2-way CSV without ids.

Published: Grundkiewicz, Junczys-Dowmunt and Gillian 2015 (D15-1052), Tables 1 and 3;
Kobayashi, Mita and Komachi 2024 (TACL), Table 2, from the files that come with the judgments.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis.campaign import Campaign, Selection
from analysis.formats import read, read_path
from analysis.formats.appraise import split_systems
from analysis.rankers import RANKERS
from analysis.rankers.resampling import ResamplingUnit
from analysis.ranking.certainty import replicate
from analysis.ranking.rank_ranges import clusters_from_ranges, rank_ranges
from tests.campaign.test_campaign import rows_of

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"

EXPECTED_WINS = {
    "AMU": 0.628, "RAC": 0.566, "CAMB": 0.561, "CUUI": 0.550, "POST": 0.539, "UFC": 0.513,
    "PKU": 0.506, "UMC": 0.495, "IITB": 0.485, "SJTU": 0.463, "INPUT": 0.456, "NTHU": 0.437,
    "IPN": 0.300,
}  # fmt: skip
TRUESKILL = {
    "AMU": 0.273, "CAMB": 0.182, "RAC": 0.114, "CUUI": 0.105, "POST": 0.080, "PKU": -0.001,
    "UMC": -0.022, "UFC": -0.041, "IITB": -0.055, "INPUT": -0.062, "SJTU": -0.074,
    "NTHU": -0.142, "IPN": -0.358,
}  # fmt: skip


def without_ids(*rows: str, header: str = "segmentId,judgeID") -> Campaign:
    columns = f"{header},system1Id,system1rank,system2Id,system2rank"
    return read("\n".join([columns, *rows, ""]).encode())[0]


def item_file(*items: str, group: str = "ranking-result") -> bytes:
    inside = "".join(
        f'<ranking-item id="{k}" user="ann">{item}</ranking-item>' for k, item in enumerate(items)
    )
    return (
        f'<appraise-results><{group} source-language="err" target-language="cor">{inside}'
        f"</{group}></appraise-results>"
    ).encode()


def entry(system: str, rank: int) -> str:
    return f'<translation system="{system}" rank="{rank}"/>'


def sizes(campaign: Campaign) -> list[int]:
    return np.diff(campaign.task_start).tolist()


# The earlier dialect of Appraise XML


def test_items_are_rankings_on_their_source_sentence() -> None:
    campaign, report = read_path(EXAMPLES / "appraise-items.xml")
    assert campaign.pairs == ("err-cor",)
    assert sorted(campaign.systems) == ["ash", "elm", "fir", "oak", "pine"]
    assert campaign.segments == ("135", "136", "201")
    assert sizes(campaign) == [4, 3, 4, 4]
    assert report.skipped == {"err-cor": 1}
    assert campaign.task_seconds is not None
    assert campaign.task_seconds[0] == pytest.approx(41.12)


def test_users_called_by_a_role_and_a_number_keep_their_names() -> None:
    campaign, report = read_path(EXAMPLES / "appraise-items.xml")
    assert campaign.judges == ("annotator01", "annotator02")
    assert not report.judges_numbered


def test_other_users_of_items_are_numbered() -> None:
    campaign, report = read(item_file(entry("a", 1) + entry("b", 2)))
    assert campaign.judges == ("judge1",)
    assert report.judges_numbered


def test_commas_separate_systems_of_an_item_where_there_are_any() -> None:
    campaign, _ = read(item_file(entry("a,b c", 1) + entry("d", 2)))
    assert campaign.systems == ("a", "b c", "d")


def test_blanks_are_letters_of_names_whose_parts_never_stand_alone() -> None:
    assert split_systems(["Moses 2", "Moses 3", "oak"], by_blanks=True) == [
        ("Moses 2",), ("Moses 3",), ("oak",),
    ]  # fmt: skip
    assert split_systems(["a b", "a"], by_blanks=False) == [("a b",), ("a",)]


def test_xml_without_rankings_is_refused() -> None:
    with pytest.raises(Exception, match="no <ranking-item>"):
        read(item_file())


# 2-way CSV without rankingID


def test_rows_of_one_judge_and_segment_that_are_all_pairs_are_one_ranking() -> None:
    campaign, report = read_path(EXAMPLES / "wmt-2way-without-ids.csv")
    assert sizes(campaign) == [3, 3, 4, 3]
    assert campaign.pairs == ("all",)
    (oddity,) = [oddity for oddity in report.oddities if oddity.kind == "no-ranking-ids"]
    assert oddity.count == 0
    assert "were joined" in oddity.sentence


def test_their_rows_may_stand_in_any_order() -> None:
    campaign = without_ids("7,ann,c,3,b,2", "8,bob,a,1,b,2", "7,ann,a,1,b,2", "7,ann,c,3,a,1")
    assert sizes(campaign) == [3, 2]


def test_rows_that_are_not_all_pairs_stay_alone_and_are_told() -> None:
    rows = ["7,ann,a,1,b,2", "7,ann,a,1,c,2", "8,ann,a,1,b,2", "8,ann,a,1,c,3", "8,ann,b,2,c,3"]
    header = "segmentId,judgeID,system1Id,system1rank,system2Id,system2rank"
    campaign, report = read("\n".join([header, *rows]).encode())
    assert sizes(campaign) == [2, 2, 3]
    (oddity,) = [oddity for oddity in report.oddities if oddity.kind == "no-ranking-ids"]
    assert (oddity.count, oddity.places) == (2, (2, 3))


def test_two_ranks_of_one_output_are_two_rankings() -> None:
    assert sizes(without_ids("7,ann,a,1,b,2", "7,ann,a,2,c,3", "7,ann,b,2,c,3")) == [2, 2, 2]


def test_a_judge_who_ranked_a_segment_twice_has_two_rankings() -> None:
    once = ["7,ann,a,1,b,2", "7,ann,a,1,c,3", "7,ann,b,2,c,3"]
    assert sizes(without_ids(*once, *once)) == [3, 3]


def test_without_judges_every_row_is_a_ranking() -> None:
    rows = ["7,a,1,b,2", "7,a,1,c,3", "7,b,2,c,3"]
    assert sizes(without_ids(*rows, header="segmentId")) == [2, 2, 2]


# Campaigns


@pytest.fixture(scope="module")
def gec15(campaigns_dir: Path) -> Campaign:
    return read_path(campaigns_dir / "gec15" / "judgments.xml.gz")[0]


def test_gec15_has_the_published_counts(campaigns_dir: Path, gec15: Campaign) -> None:
    _, report = read_path(campaigns_dir / "gec15" / "judgments.xml.gz")
    assert report.n_rows == 2319
    collapsed = gec15.judgments(selection=Selection(identical="collapsed"))
    assert (len(collapsed), collapsed.n_ties) == (20_516, 5_694)
    expanded = gec15.judgments()
    assert (len(expanded), expanded.n_ties) == (109_098, 59_117)


def test_gec15_has_the_published_scores(gec15: Campaign) -> None:
    wins = RANKERS["expected-wins"]().fit(gec15.judgments()).standings
    scores = dict(zip(wins.systems, wins.scores, strict=True))
    assert {name: f"{score:.3f}" for name, score in scores.items()} == {
        name: f"{score:.3f}" for name, score in EXPECTED_WINS.items()
    }
    skills = RANKERS["trueskill"]().fit(gec15.judgments()).standings
    found = dict(zip(skills.systems, skills.scores, strict=True))
    assert found == pytest.approx(TRUESKILL, abs=0.003)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "unit", "starts"),
    [
        ("expected-wins", "judgment", ["AMU", "RAC", "UFC", "IPN"]),
        ("trueskill", "none", ["AMU", "CAMB", "RAC", "PKU", "NTHU", "IPN"]),
    ],
)
def test_gec15_has_the_published_clusters(
    gec15: Campaign, method: str, unit: ResamplingUnit, starts: list[str]
) -> None:
    """Table 3. TrueSkill's runs choose their matches anew, as published, and resample nothing."""
    fit = RANKERS[method]().fit(gec15.judgments())
    ranges = rank_ranges(replicate(fit, runs=200, unit=unit))
    clusters = clusters_from_ranges(ranges)
    order = ranges.order.tolist()
    found = [
        ranges.systems[k]
        for place, k in enumerate(order)
        if place == 0 or clusters[k] != clusters[order[place - 1]]
    ]
    assert found == starts


def test_the_table_of_the_pilot_is_its_xml_without_the_judge_that_it_leaves_out(
    campaigns_dir: Path,
) -> None:
    """gec_ranking.csv holds the pairs of gec_ranking.xml, expanded, but those of "non-native"."""
    xml, _ = read_path(campaigns_dir / "gec15" / "gec_ranking.xml.gz", judge_names=True)
    csv, report = read_path(campaigns_dir / "gec15" / "gec_ranking.csv.gz")
    assert report.format == "wmt-2way"
    natives = Selection(exclude_judges=("non-native",))
    of_xml = [row for pair in xml.pairs for row in rows_of(xml.judgments(pair, natives))]
    assert csv.n_tasks == 1136
    assert sorted(rows_of(csv.judgments())) == sorted(of_xml)


def test_seeda_has_the_published_scores(campaigns_dir: Path) -> None:
    folder = campaigns_dir / "seeda"
    campaign, report = read_path(folder / "judgments_edit.xml.gz")
    # REF-F and REF-M are corrected texts that were ranked as systems, in the paper and here.
    assert "references" not in {oddity.kind for oddity in report.oddities}
    judgments = campaign.judgments()
    for method, file, within in (("expected-wins", "EW", 0.001), ("trueskill", "TS", 0.003)):
        published = np.sort(np.loadtxt(folder / f"{file}_edit.txt"))
        scores = np.sort(RANKERS[method]().fit(judgments).standings.scores)
        np.testing.assert_allclose(scores, published, atol=within)
