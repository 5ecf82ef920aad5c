"""What limits a result goes with it wherever it leaves the room, and runs are called runs."""

from __future__ import annotations

import dataclasses
import io
import re
from pathlib import Path

import numpy as np
import pytest
from pptx import Presentation

from analysis.campaign import Campaign
from analysis.comparing.head_to_head import head_to_head_by
from analysis.comparing.language_pairs import PairResult
from analysis.drawing.look import Look, Sizes
from analysis.drawing.matrix import fitted_matrix, matrix_scene
from analysis.findings.head_to_head import finding
from analysis.findings.overview import caution_in_line, caution_of, caution_words, gravest
from analysis.names import short_names
from analysis.rankers import ranker_class
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.ranking.certainty import Certainty
from analysis.ranking.comparison_checks import Finding
from analysis.ranking.ranking import Ranking, rank
from analysis.ranking.result_checks import limits_of
from analysis.reporting.bundle import pair_files
from analysis.reporting.deck.assembly import Evidence, build_deck
from analysis.reporting.deck.page import deck_file
from analysis.reporting.deck.picture import slide_svg
from analysis.reporting.deck.powerpoint import deck_pptx
from analysis.reporting.deck.slides import Deck
from analysis.reporting.pair_tables import pair_tables
from analysis.reporting.report import PairReport, html_report
from analysis.samples import sample_campaign
from tests.building import CampaignBuilder
from tests.command_line import answer, run

RANKER = BradleyTerry()
CAUTION = "Without eve_1 (25% of the tasks), alpha would not win."


def one_judge_decides() -> Campaign:
    builder, rng = CampaignBuilder(), np.random.default_rng(5)
    for task in range(800):
        judge = ("ann", "bob", "cyd", "eve_1")[task % 4]
        first = rng.random() < (0.9 if judge == "eve_1" else 0.5)
        outputs = [("alpha",), ("beta",)]
        builder.add_task("cs-en", str(task), judge, outputs, [1, 2] if first else [2, 1])
    return builder.build()


@pytest.fixture(scope="module")
def ranking() -> Ranking:
    return rank(one_judge_decides().judgments(), RANKER, Certainty(scope="these"))


def deck_of(ranking: Ranking) -> Deck:
    judgments, names = ranking.judgments, short_names(ranking.systems)
    caution = caution_of(ranking, gravest(limits_of(ranking, RANKER)))
    evidence = Evidence("t", "a", names, judgments, ranking, "score", caution=caution)
    return build_deck(evidence)


def report_of(ranking: Ranking, name: str = RANKER.name) -> PairReport:
    ranker = ranker_class(name)()
    names = short_names(ranking.systems)
    return PairReport(ranking, ranker, names, findings=limits_of(ranking, ranker))


def words_of(svg: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", svg).split())


def test_the_slide_of_a_winner_names_the_judge_without_whom_there_is_none(ranking: Ranking) -> None:
    deck = deck_of(ranking)
    assert CAUTION in words_of(slide_svg(deck, 0))
    assert CAUTION in deck_file(deck)
    first = next(iter(Presentation(io.BytesIO(deck_pptx(deck))).slides))
    assert any(CAUTION in shape.text_frame.text for shape in first.shapes if shape.has_text_frame)


def test_an_anonymous_slide_has_no_name_in_its_caution(ranking: Ranking) -> None:
    deck = deck_of(ranking)
    shown = slide_svg(deck, 0, anonymous=True)
    assert "alpha would" not in words_of(shown)
    assert re.search("System [AB] would not win", words_of(shown))


def test_a_name_of_a_letter_is_hidden_too(ranking: Ranking) -> None:
    names = dict(zip(ranking.systems, "xy", strict=True))
    words = "Without eve_1, x would not win."
    own = Evidence("t", "a", names, ranking.judgments, ranking, "score", caution=words)
    deck = build_deck(own)
    assert words in words_of(slide_svg(deck, 0))
    hidden = words_of(slide_svg(deck, 0, anonymous=True))
    assert re.search("Without eve_1, System [AB] would not win", hidden)


def test_the_caution_takes_room_from_the_rows_and_covers_nothing(ranking: Ranking) -> None:
    deck = deck_of(ranking)
    bare = dataclasses.replace(deck.slides[0], caution="")
    tops = [
        min(float(y) for y in re.findall(r'<circle[^>]*cy="([\d.]+)"', slide_svg(one, 0)))
        for one in (deck, dataclasses.replace(deck, slides=(bare,)))
    ]
    assert tops[0] > tops[1]


def test_the_table_for_a_paper_and_the_methods_paragraph_say_the_same(ranking: Ranking) -> None:
    result = PairResult("cs-en", short_names(ranking.systems), ranking.judgments, ranking, None)
    files = pair_files(result, RANKER, pair_tables(ranking))
    assert CAUTION.replace("_", r"\_").replace("%", r"\%") in files["ranking.tex"].decode()
    report = report_of(ranking)
    assert CAUTION in report.paragraph.plain
    assert CAUTION in caution_words(gravest(report.findings))


def test_the_command_and_the_report_say_both_cautions_by_the_names_of_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng, lines = np.random.default_rng(5), ["item,judge,system_a,system_b,winner"]
    for task in range(800):
        judge = ("ann", "bob", "cyd", "eve_1")[task % 4]
        won = "ab"[rng.random() >= (0.9 if judge == "eve_1" else 0.5)]
        lines.append(f"{task},{judge},test2013.alpha.17,test2013.beta.17,system_{won}")
    files = [tmp_path / "all.csv", tmp_path / "some.csv"]
    for file, part in zip(files, (lines, lines[:41]), strict=True):
        file.write_text("\n".join(part))
    words = ("rank", *map(str, files), "--scope", "these", "--method", RANKER.name)
    copies = "40 of 840 votes are exact copies: all 40 of some.csv are also in all.csv"
    code, said, _ = run(capsys, *words)
    assert code == 0
    assert re.search(r"alpha wins.*\nalpha +0", said, re.DOTALL)
    assert "test2013" not in said
    after = said[said.index("\nbeta") :].splitlines()[2:]
    assert re.match("Without eve_1 .* alpha would not win.*depends on this judge", after[0])
    assert after[1].startswith(copies)
    assert "--copies dropped" in after[1]
    found = answer(capsys, *words)
    assert found["winner"] == found["systems"][0]["system"] == "test2013.alpha.17"
    assert "test2013.alpha.17" in run(capsys, *words, "--csv")[1]
    assert "test2013.alpha.17" in run(capsys, *words, "--wide")[1]
    target = tmp_path / "report.html"
    assert run(capsys, "report", *words[1:], "-o", str(target))[0] == 0
    head = target.read_text().partition('<dl class="facts">')[0]
    assert head.index("alpha wins") < head.index("Without eve_1") < head.index(copies)


def test_a_problem_comes_first_then_a_deciding_judge_and_a_note_never() -> None:
    note = Finding("references", "note", "One was left out.", "It is human. So be it.", "")
    heavy = dataclasses.replace(note, kind="heavy-pair", severity="warning")
    few = dataclasses.replace(note, kind="few-segments", severity="warning")
    judge = dataclasses.replace(note, kind="deciding-judge", severity="warning")
    problem = dataclasses.replace(note, kind="disconnected", severity="problem")
    assert gravest((note, heavy)) is None
    assert gravest((note, heavy, few, judge)) is judge
    assert gravest((note, few, judge, problem)) is problem
    assert caution_words(judge) == "One was left out. It is human."
    assert caution_words(None) == caution_in_line(None) == ""
    wordy = dataclasses.replace(judge, meaning="It is human" + " again" * 20 + ".")
    assert caution_in_line(judge) == caution_words(judge)
    assert caution_in_line(wordy) == judge.finding


def test_the_foot_of_the_matrix_has_what_its_title_leaves_out() -> None:
    judgments = sample_campaign("wmt14-cs-en").judgments()
    ranking = rank(judgments, ranker_class("expected-wins")())
    matrix = deck_of(ranking).slides[1]
    assert matrix.key == "matrix"
    table = head_to_head_by(ranking.standings, judgments, ranking.order)
    short = short_names(ranking.systems)
    whole = finding(table, ranking.verdict, short.__getitem__)
    title, rest = (deck_of(ranking).plain(words) for words in (matrix.title, matrix.key_words))
    assert whole.startswith(f"{title}; {rest[0].lower()}{rest[1:]}" if rest else title)
    assert len(rest) < 76


def test_digits_of_a_matrix_have_the_size_of_text_where_rows_are_high() -> None:
    judgments = sample_campaign("wmt14-cs-en").judgments()
    ranking = rank(judgments, ranker_class("expected-wins")())
    table = head_to_head_by(ranking.standings, judgments, ranking.order)
    nothing = np.full_like(table.wins, np.nan)
    names = short_names(ranking.systems)
    own = dict(verdict=ranking.verdict, names=names, title="")
    scene = matrix_scene(table, nothing, "observed", **own)
    look = Look({}, None, Sizes(text=20, small=18, width=1160))
    for height, size in ((500, 20), (200, 18)):
        drawn = fitted_matrix(scene, look, height)
        (cells, *_) = (one for one in drawn["data"] if "textfont" in one)
        assert cells["textfont"]["size"] == size
        assert drawn["layout"]["height"] <= height


def test_an_official_procedure_without_resampling_never_speaks_of_resamples() -> None:
    judgments = sample_campaign("wmt14-cs-en").judgments()
    ranker = ranker_class("trueskill")()
    ranking = rank(judgments, ranker, Certainty("marginal", unit="none", runs=20))
    own = "95% of 20 runs on the same judgments (the method's own randomness only)"
    result = PairResult("cs-en", short_names(ranking.systems), judgments, ranking, None)
    table = pair_files(result, ranker, pair_tables(ranking))["ranking.md"].decode()
    assert f"Ranges cover {own}" in table.replace("\\", "")
    (slide, *_) = deck_of(ranking).slides
    assert "95% of 20 runs, the method's randomness only" in slide.foot
    assert len(slide.foot) < 76
    report = report_of(ranking, "trueskill")
    assert "95% of the ranks in 20 runs, which rank the same judgments" in report.paragraph.plain
    for text in (table, slide.foot, slide_svg(deck_of(ranking), 0), html_report("t", [report])):
        assert "resamples" not in text.split("This command")[0]
