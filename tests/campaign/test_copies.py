"""A file saved twice counts once where the user says so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis.campaign import Campaign, Selection
from analysis.campaign.copies import copied_tasks, copies_by_file
from analysis.findings.overview import caution_in_line
from analysis.formats import read_many
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.preflight import duplicates, preflight
from analysis.ranking.ranking import rank
from analysis.reporting.methods_paragraph import methods_paragraph
from tests.building import CampaignBuilder

ROWS = b"model_a,model_b,winner,judge,question_id\nx,y,model_a,j,1\ny,x,tie,j,2\nx,y,model_b,k,1\n"
UNNAMED = b"model_a,model_b,winner,question_id\nx,y,model_a,1\nx,y,model_a,2\nx,y,model_a,1\n"


def read(*files: bytes) -> Campaign:
    return read_many([(f"{k}.csv", data) for k, data in enumerate(files)])[0]


def test_a_file_twice_without_its_copies_is_the_file_once() -> None:
    once, twice = read(ROWS), read(ROWS, ROWS + b"\n")
    assert len(twice.judgments()) == 2 * len(once.judgments())
    dropped = twice.judgments(selection=Selection(copies="dropped"))
    assert dropped.counts.wins.tolist() == once.judgments().counts.wins.tolist()
    assert dropped.counts.ties.tolist() == once.judgments().counts.ties.tolist()


MORE = ROWS + b"y,x,model_a,k,3\nx,y,model_a,j,1\n"  # the last row twice


def contained(*files: bytes) -> list[str]:
    """Return what is said of copies before a ranking, and that it is a warning."""
    campaign, report = read_many([(f"{'ab'[k]}.csv", data) for k, data in enumerate(files)])
    (found,) = (one for one in preflight(campaign.judgments()) if one.kind == "duplicates")
    assert found.severity == "warning"
    assert any(found.finding.partition(" of ")[0] in line for line in report.sentences())
    assert sum(report.duplicates.values()) == int(found.finding.partition(" of ")[0])
    return found.finding.split(": ")


@pytest.mark.parametrize(
    ("files", "inner", "outer"), [((MORE, ROWS), "b", "a"), ((ROWS, MORE), "a", "b")]
)
def test_a_file_within_another_one_is_named_with_one_number(
    files: tuple[bytes, bytes], inner: str, outer: str
) -> None:
    assert contained(*files) == [
        "4 of 8 votes are exact copies",
        f"all 3 of {inner}.csv are also in {outer}.csv; 1 repeats another of {outer}.csv.",
    ]


def test_two_files_that_share_some_tasks_are_not_within_each_other() -> None:
    campaign, _ = read_many([("a.csv", MORE), ("b.csv", ROWS + b"y,x,tie,l,9\n")])
    first, second = copies_by_file(campaign, np.arange(campaign.n_tasks))
    assert (first.file, first.within, first.elsewhere) == ("a.csv", 1, 0)
    assert (second.file, second.within, second.elsewhere, second.other) == ("b.csv", 0, 3, "a.csv")
    assert not second.is_contained


def test_a_file_within_another_one_is_told_in_the_methods_of_a_paper(campaigns_dir: Path) -> None:
    files = [campaigns_dir / "wmt13" / f"fr-en.{part}.csv.gz" for part in ("train", "test")]
    campaign, report = read_many([(file.name, file.read_bytes()) for file in files])
    ranker = ExpectedWins()
    ranked = rank(campaign.judgments(), ranker)
    words = methods_paragraph(ranked, ranker).plain
    said = (
        "275 of 10,196 ranking tasks are exact copies: all 200 of fr-en.test.csv.gz are also in "
        "fr-en.train.csv.gz; 75 repeat others of fr-en.train.csv.gz."
    )
    assert said.removesuffix(".") in words
    line = caution_in_line(next(iter(duplicates(campaign.judgments()))))
    assert line == "275 of 10,196 ranking tasks are exact copies."
    assert methods_paragraph(ranked, ranker, caution=line).plain == words, "said once"
    assert any(said.partition(": ")[2] in line for line in report.sentences())


def test_equal_answers_are_no_copies_where_nobody_tells_whose_they_are() -> None:
    assert not copied_tasks(read(UNNAMED)).any()


def test_files_have_as_many_copies_as_there_are_also_if_one_names_no_judges() -> None:
    campaign = read(UNNAMED, MORE)
    found = copies_by_file(campaign, np.arange(campaign.n_tasks))
    assert sum(one.within + one.elsewhere for one in found) == copied_tasks(campaign).sum() == 1


def test_the_order_shown_the_answer_and_the_judge_tell_tasks_apart() -> None:
    builder = CampaignBuilder()
    for judge, shown, ranks in (
        ("j", "ab", [1, 2]), ("j", "ba", [2, 1]), ("j", "ab", [2, 1]), ("k", "ab", [1, 2]),
        ("j", "ab", [1, 2]), ("j", "abc", [1, 2, 2]),
    ):  # fmt: skip
        builder.add_task("de-en", "1", judge, [(name,) for name in shown], ranks)
    builder.add_task("de-en", "2", "j", [("a",), ("b",)], [1, 2])
    assert np.flatnonzero(copied_tasks(builder.build())).tolist() == [4]
