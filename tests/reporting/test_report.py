"""The HTML report: whole, harmless, the same every time, and true to the numbers of ``rank``."""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
import shlex
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from analysis.campaign import UNNAMED_JUDGE, Campaign, Selection
from analysis.cli import main
from analysis.drawing.files import svg_to_png
from analysis.drawing.svg.axes import round_ticks
from analysis.errors import PodiumError
from analysis.findings.certainty import figure_words
from analysis.formats import read as read_table
from analysis.judges.agreement import agreement
from analysis.languages import NO_PAIR
from analysis.names import short_names
from analysis.rankers import Ranker
from analysis.rankers.elo import Elo
from analysis.rankers.mean import Mean
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.certainty import AS_PUBLISHED, Certainty
from analysis.ranking.comparison_checks import Finding
from analysis.ranking.preflight import preflight
from analysis.ranking.ranking import rank
from analysis.reporting.bundle import rank_command
from analysis.reporting.document import Table
from analysis.reporting.paper_tables import ranking_table
from analysis.reporting.report import PairReport, html_report, pdf_report, report_blocks
from analysis.samples import sample_campaign
from analysis.wording import p_value
from tests.building import CampaignBuilder
from tests.rankers.test_mean import one_output_each

HOSTILE = (
    "<script>alert(1)</script>",
    "$x$ & {y}",
    "=SUM(1)",
    '"><img src=x onerror=alert(1)>',
    "plain",
)
SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"></svg>'
VOID = {"meta", "rect", "line", "circle", "br", "hr", "img", "link", "input"}


class Reader(HTMLParser):
    """Checks that every element is closed in order and keeps tables, text and addresses."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.tables: list[list[list[str]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)
        if self.open and self.open[-1] in ("td", "th"):
            self.tables[-1][-1][-1] += data


def read(document: str) -> Reader:
    reader = Reader()
    reader.feed(document)
    reader.close()
    assert reader.open == []
    return reader


@pytest.fixture(scope="module")
def hostile(make_campaign: Callable[..., Campaign]) -> PairReport:
    """Five systems with names that are code, of falling quality, judged by six."""
    rng = np.random.default_rng(8)
    tasks = []
    for task in range(90):
        seen = np.arange(5) * 0.8 + rng.normal(0, 1.5, 5)
        places = np.argsort(np.argsort(seen))
        ranks = {HOSTILE[k]: int(places[k]) + 1 for k in range(5)}
        tasks.append((str(task % 40), f"judge{task % 6}", ranks))
    judgments = make_campaign(tasks).judgments()
    return PairReport(
        ranking=rank(judgments, ExpectedWins()),
        ranker=ExpectedWins(),
        names=short_names(judgments.systems),
        agreement=agreement(judgments, runs=50),
        findings=(*preflight(judgments), Finding("x", "warning", HOSTILE[0], "m", "r")),
        command="podium rank '<file>'",
        remark=HOSTILE[0],
    )


def test_names_that_are_code_stay_text(hostile: PairReport) -> None:
    document = html_report(HOSTILE[0], [hostile], HOSTILE[3])
    reader = read(document)
    assert not reader.tags & {"script", "img", "link", "iframe"}
    assert not any(name.startswith("on") for name in reader.attributes)
    words = "".join(reader.text)
    for name in HOSTILE:
        assert name in words


def test_the_report_asks_for_nothing_from_anywhere(hostile: PairReport) -> None:
    document = html_report("title", [hostile])
    assert not read(document).attributes & {"src", "href", "action"}
    assert not re.search(r"url\((?!#)|@import", document)
    assert "default-src 'none'" in document
    assert set(re.findall(r"https?://[^\"' <]+", document)) == {"http://www.w3.org/2000/svg"}


def test_the_same_report_has_the_same_bytes(hostile: PairReport) -> None:
    again = dataclasses.replace(hostile, ranking=rank(hostile.ranking.judgments, ExpectedWins()))
    assert html_report("t", [hostile]) == html_report("t", [again])


def test_the_table_holds_the_ranking_best_first(hostile: PairReport) -> None:
    frame = hostile.ranking.to_frame()
    table = read(html_report("t", [hostile])).tables[0][1:]
    verdict = hostile.ranking.verdict
    assert verdict is not None
    assert [int(row[0]) for row in table] == [verdict.tiers[k] for k in hostile.ranking.order]
    assert [int(row[1]) for row in table] == list(frame["cluster"])
    assert [row[2] for row in table] == list(frame["system"])
    assert [row[3].replace("−", "-") for row in table] == [f"{s:.3f}" for s in frame["score"]]


def test_head_to_head_reads_row_against_column(hostile: PairReport) -> None:
    judgments = hostile.ranking.judgments
    picture = re.findall("<svg.*?</svg>", html_report("t", [hostile]), re.DOTALL)[1]
    texts = ["".join(t.itertext()) for t in ElementTree.fromstring(picture).iter() if t.text]
    cells = [int(text.rstrip("•°§")) for text in texts if re.fullmatch(r"\d+[•°§]?", text)]
    order, wins = hostile.ranking.order, judgments.counts.wins
    assert cells == [
        round(100 * wins[i, j] / (wins[i, j] + wins[j, i])) for i in order for j in order if i != j
    ]
    assert "Percent that the row won, without ties" in picture


def test_systems_without_a_score_are_told_and_not_drawn(
    make_campaign: Callable[..., Campaign],
) -> None:
    tasks = [(str(k), "ann", {"a": 1 + k % 3 // 2, "b": 2 - k % 3 // 2}) for k in range(30)]
    judgments = make_campaign([*tasks, ("90", "ann", {"alone": 1})]).judgments()
    ranking = rank(judgments, ExpectedWins())
    report = PairReport(ranking, ExpectedWins(), short_names(judgments.systems))
    words = "".join(read(html_report("t", [report])).text)
    assert "alone: It was never compared" in words
    assert "nan" not in html_report("t", [report])
    assert html_report("t", [report]).count("<circle") == 2 * 2


def test_a_method_without_runs_that_differ_says_so(hostile: PairReport) -> None:
    once = Certainty("marginal", unit="none", runs=20)
    ranking = rank(hostile.ranking.judgments, ExpectedWins(), once)
    document = html_report("t", [dataclasses.replace(hostile, ranking=ranking)])
    assert "its uncertainty" in document
    assert "The resamples do not differ" in document
    assert "Neighbors" not in document


def test_neighbors_are_told_apart_by_the_one_definition(hostile: PairReport) -> None:
    ranking = hostile.ranking
    verdict = ranking.verdict
    assert verdict is not None
    table = read(html_report("t", [hostile])).tables[1][1:]
    pairs = list(itertools.pairwise(ranking.order))
    assert [row[4] for row in table] == [
        "yes" if verdict.p_adjusted[a, b] <= 0.05 else "no" for a, b in pairs
    ]
    assert {row[4] for row in table} == {"yes", "no"}
    assert [row[3] for row in table] == [p_value(verdict.p_adjusted[a, b]) for a, b in pairs]


def test_neighbors_by_an_official_procedure_have_ranges_and_no_test(hostile: PairReport) -> None:
    ranking = rank(
        hostile.ranking.judgments, ExpectedWins(), dataclasses.replace(AS_PUBLISHED, runs=60)
    )
    found = read(html_report("t", [dataclasses.replace(hostile, ranking=ranking)]))
    assert found.tables[1][0] == ["System", "Next one", "Difference", "Separate ranges"]
    assert {row[3] for row in found.tables[1][1:]} <= {"yes", "no"}
    assert "significantly" not in "".join(found.text)


def test_the_winner_s_own_test_stands_beside_a_neighbor_not_separated(hostile: PairReport) -> None:
    ranking = hostile.ranking
    assert ranking.verdict is not None
    best, second = ranking.order[:2]
    significant = ranking.verdict.significant.copy()
    significant[best, second] = significant[second, best] = False
    verdict = dataclasses.replace(
        ranking.verdict, significant=significant, possible_winners=(ranking.systems[best],)
    )
    found = dataclasses.replace(hostile, ranking=dataclasses.replace(ranking, verdict=verdict))
    first, *others = read(html_report("t", [found])).tables[1][1:]
    assert first[4] == f"no; winner's own test: {p_value(verdict.p[best, second])}"
    assert not any("own test" in row[4] for row in others)


def test_the_command_names_only_what_has_an_effect() -> None:
    judgments = sample_campaign("cs-en").judgments("cs-en")

    def words(ranker: Ranker, certainty: Certainty) -> str:
        return rank_command(["f.csv"], "cs-en", ranker, certainty=certainty, judgments=judgments)

    assert "--resamples" not in words(ExpectedWins(), Certainty(runs=200))
    assert "--resamples 200" in words(Elo(), Certainty(runs=200))
    official = words(ExpectedWins(), Certainty(ranges="marginal"))
    assert "--scope these --unit judgment --resamples 1000" in official
    assert "--scope new" in words(ExpectedWins(), Certainty())


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (-1.342, 0.689), (995.2, 1004.9), (3, 3), (0, 0), (1e-9, 2e-9)]
)
def test_ticks_are_even_and_enclose_both_ends(low: float, high: float) -> None:
    ticks = round_ticks(low, high)
    assert ticks[0] <= low <= high <= ticks[-1]
    assert 2 <= len(ticks) <= 7
    steps = np.diff(ticks)
    np.testing.assert_allclose(steps, steps[0], rtol=1e-6)
    assert steps[0] > 0


# The command ------------------------------------------------------------------------------------


SAMPLE = "sample:wmt14-cs-en"
SETTINGS = ("--method", "bojar", "--runs", "60", "--seed", "3")


def test_the_command_writes_the_numbers_of_rank(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "report.html"
    assert main(["report", SAMPLE, *SETTINGS, "-o", str(target)]) == 0
    assert main(["rank", SAMPLE, *SETTINGS, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    document = target.read_text(encoding="utf-8")
    table = read(document).tables[0][1:]
    assert [row[2] for row in table] == [entry["system"] for entry in answer["systems"]]
    for row, entry in zip(table, answer["systems"], strict=True):
        assert row[3] == f"{entry['score']:.3f}"
        assert row[4] == f"{entry['se']:.3f}"
        ends = [int(end) for end in row[6].split("–")]
        assert (ends[0], ends[-1]) == (entry["rank_best"], entry["rank_worst"])
        assert int(row[1]) == entry["cluster"]
    assert answer["signature"] in document
    assert "simulated" in document


def test_the_command_in_the_report_makes_its_signature(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "report.html"
    words = [SAMPLE, *SETTINGS, "--resample=segment", "--segments=1-900", "--exclude-judges=*1"]
    assert main(["report", *words, "-o", str(target)]) == 0
    reader = read(target.read_text(encoding="utf-8"))
    (command,) = [text for text in reader.text if text.startswith("podium rank")]
    assert main([*shlex.split(command)[1:], "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["signature"] in "".join(reader.text)
    scores = [row[2] for row in reader.tables[0][1:]]
    assert scores == [f"{entry['score']:.3f}" for entry in answer["systems"]]


def test_a_report_of_several_pairs_has_a_section_for_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [
        "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,"
        "rankingID"
    ]
    for row in range(40):
        language, better, worse = (("ces", "a", "b"), ("deu", "c", "d"))[row % 2]
        ranks = (2, 1) if row % 3 == 0 else (1, 2)
        lines.append(
            f"{language},eng,{row},{row},j{row % 4},{better},{ranks[0]},{worse},{ranks[1]},{row}"
        )
    source, target = tmp_path / "both.csv", tmp_path / "report.html"
    source.write_text("\n".join(lines) + "\n")
    assert main(["report", str(source), *SETTINGS, "-o", str(target)]) == 0
    document = target.read_text(encoding="utf-8")
    assert document.count("<section>") == 2
    assert "Czech → English" in document
    assert "German → English" in document
    read(document)


def test_an_existing_file_is_kept_unless_forced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "report.html"
    target.write_text("mine")
    assert main(["report", SAMPLE, *SETTINGS, "-o", str(target)]) == 2
    assert "it exists already" in capsys.readouterr().err
    assert target.read_text() == "mine"
    assert main(["report", SAMPLE, *SETTINGS, "-o", str(target), "--force"]) == 0
    assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_the_selection_is_told_in_the_methods() -> None:
    campaign = sample_campaign("wmt14-cs-en")
    judgments = campaign.judgments(
        selection=Selection(segments=(1, 800), exclude_systems=(campaign.systems[0],))
    )
    ranking = rank(judgments, ExpectedWins())
    report = PairReport(ranking, ExpectedWins(), short_names(judgments.systems))
    assert "Left out: 1 system. Only segments 1–800 are used." in report.paragraph.plain


def test_a_report_has_the_sections_that_are_wanted_in_their_order(hostile: PairReport) -> None:
    document = html_report("t", [hostile], sections=["making", "standings"])
    heads = re.findall(r"<h2>([^<]*)</h2>", document)
    assert heads == ["Standings", "Methods"]
    with pytest.raises(PodiumError, match="'wins' is not known"):
        html_report("t", [hostile], sections=["wins"])


def test_a_note_is_text_and_a_logo_comes_with_the_file(hostile: PairReport) -> None:
    logo = b"\x89PNG" + bytes(range(64))
    document = html_report("t", [hostile], note="<b>ours</b>\nsecond", logo=logo)
    assert "<b>ours" not in document
    assert document.count('<p class="note">') == 2
    assert "img-src data:" in document
    assert "img-src" not in html_report("t", [hostile])
    with pytest.raises(PodiumError, match="neither a PNG nor a JPEG"):
        html_report("t", [hostile], logo=b"<svg onload=alert(1)>")


def test_a_report_of_scores_without_preferences_is_made() -> None:
    alone = one_output_each().judgments()
    assert not len(alone)
    report = PairReport(rank(alone, Mean()), Mean(), short_names(alone.systems))
    page = html_report("Alone", [report])
    assert "<dd>nan" not in page
    assert "<dt>ties</dt>" not in page
    assert "to outputs of 4 systems on 40 segments." in page
    assert "160 ratings" in page


def test_a_pdf_says_what_the_page_says_and_has_the_same_bytes(hostile: PairReport) -> None:
    form: dict[str, Any] = dict(note="Thanks to all.", logo=svg_to_png(SQUARE))
    pages = pdf_report(HOSTILE[0], [hostile, hostile], **form)
    assert pages == pdf_report(HOSTILE[0], [hostile, hostile], **form)
    assert pages.startswith(b"%PDF-")
    blocks = report_blocks(HOSTILE[0], [hostile])[0]
    tables = [block for block in blocks if isinstance(block, Table)]
    shown = [tables[0].heads, *tables[0].rows]
    assert [list(row) for row in shown] == read(html_report("t", [hostile])).tables[0]


def test_a_logo_that_is_no_picture_is_an_error_in_plain_words(hostile: PairReport) -> None:
    with pytest.raises(PodiumError, match="cannot be read"):
        pdf_report("t", [hostile], logo=b"\x89PNG" + bytes(range(64)))


def test_names_are_text_in_a_pdf_as_well() -> None:
    builder = CampaignBuilder()
    evil = ["#panic()", "$x$ & {y}", "a\x1b[31m\x00b", "n" * 80, "*b* _c_ `d` <e>"]
    for task in range(60):
        builder.add_task("a-b", str(task), "judge", [(name,) for name in evil], [1, 2, 3, 4, 5])
    judgments = builder.build().judgments()
    ranking = rank(judgments, ExpectedWins())
    report = PairReport(ranking, ExpectedWins(), short_names(judgments.systems), command="#panic()")
    assert pdf_report("#panic()", [report], "#panic()").startswith(b"%PDF-")


def test_the_command_writes_a_pdf_where_its_file_says_so(tmp_path: Path) -> None:
    target = tmp_path / "report.pdf"
    assert main(["report", "sample:wmt14-cs-en", "--resamples", "5", "-o", str(target)]) == 0
    assert target.read_bytes().startswith(b"%PDF-")


def test_a_file_without_judges_or_language_pair_has_neither_in_its_report() -> None:
    """An arena of one pseudo pair: no kappa of all votes taken for one judge's, no "all"."""
    builder, rng = CampaignBuilder(), np.random.default_rng(3)
    for k in range(200):
        shown = [(name,) for name in rng.permutation(["ann", "ben", "cem"])[:2]]
        ranks = [1, 2] if rng.random() < 0.6 else [2, 1]
        builder.add_task(NO_PAIR, str(k % 90), UNNAMED_JUDGE, shown, ranks)
    judgments = builder.build().judgments()
    with pytest.raises(PodiumError, match="names no judges"):
        agreement(judgments)
    ranking = rank(judgments, ExpectedWins())
    names = {name: name for name in judgments.systems}
    report = PairReport(ranking, ExpectedWins(), names)
    document = html_report("", [report])
    text = " ".join(read(document).text)
    assert "κ" not in text
    assert "Landis" not in text
    assert "WMT" not in text
    assert " all ·" not in text
    assert not ranking_table(ranking, names, "Expected Wins").caption.startswith("all")
    assert ranking_table(ranking, names, "Expected Wins").name == "ranking"


def test_a_report_of_ratings_counts_ratings_and_says_that_agreement_is_unknown() -> None:
    text = "segment,system,judge,score\n" + "\n".join(
        f"{s},{system},j{s % 4},{50 + (13 * s + 9 * (system == 'a') * s) % 31}"
        for s in range(60)
        for system in "abc"
    )
    judgments = read_table(text.encode())[0].judgments()
    ranking = rank(judgments, Mean())
    report = PairReport(ranking, Mean(), short_names(judgments.systems), agreement(judgments))
    page = html_report("t", [report], "", "9 rows were left out of 189 read.")
    found = read(page)
    facts = re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", page)
    assert facts == [("systems", "3"), ("ratings", "180"), ("judges", "4")]
    assert "κ" not in page
    assert "undefined" not in page
    assert "No output was rated by two judges, so their agreement is unknown." in found.text
    assert "9 rows were left out of 189 read." in found.text
    by_pairs = dataclasses.replace(report, ranking=rank(judgments, ExpectedWins()))
    page = html_report("t", [by_pairs])
    assert "<dt>pairwise judgments</dt>" in page
    assert "<dt>ties</dt>" in page


def test_the_note_of_the_figure_explains_its_bands_as_the_page_does(hostile: PairReport) -> None:
    said = " ".join(read(html_report("t", [hostile])).text)
    assert figure_words(hostile.ranking) in said
    assert "Bands: tiers." in said
