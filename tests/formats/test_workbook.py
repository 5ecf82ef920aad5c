"""Workbooks are read as the table on their first sheet; bombs are refused."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pytest
import xlsxwriter

from analysis.errors import PodiumError
from analysis.formats import read, read_path

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"


def workbook(*sheets: Sequence[Sequence[object]], hidden: Sequence[int] = ()) -> bytes:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        for k, rows in enumerate(sheets):
            sheet = book.add_worksheet(f"sheet{k}")
            for r, row in enumerate(rows):
                sheet.write_row(r, 0, row)
            if k in hidden:
                sheet.hide()
            elif hidden:
                sheet.activate()
                sheet.set_first_sheet()
    return file.getvalue()


VOTES = [
    ["model_a", "model_b", "winner", "question"],
    ["a", "b", "model_a", 1],
    ["b", "c", "tie", 2],
]


@pytest.mark.parametrize("name", ["wmt-5way.csv", "wmt-2way-collapsed.csv", "arena.csv"])
def test_a_table_is_the_same_campaign_as_a_workbook(name: str) -> None:
    file = io.BytesIO()
    table = pd.read_csv(EXAMPLES / name, keep_default_na=False)
    table.to_excel(file, engine="xlsxwriter", index=False)
    assert read(file.getvalue())[0].fingerprint == read_path(EXAMPLES / name)[0].fingerprint


def test_the_example_holds_the_votes_of_the_others() -> None:
    workbook, plain = (read_path(EXAMPLES / f"arena.{ending}")[0] for ending in ("xlsx", "csv"))
    assert workbook.fingerprint == plain.fingerprint
    assert workbook.title == "arena"


def test_whole_numbers_have_no_point() -> None:
    assert read(workbook(VOTES))[0].segments == ("1", "2")


def test_a_row_is_told_by_its_number_in_the_sheet() -> None:
    _, report = read(workbook([*VOTES, ["c", "c", "tie", 3]]))
    assert report.left_out[0].places == (4,)
    assert "row 4" in report.left_out[0].sentence()


def test_the_first_sheet_that_is_shown_and_holds_anything_is_read() -> None:
    campaign, report = read(workbook([["secret"]], [], VOTES, [["notes"]], hidden=[0]))
    assert campaign.n_tasks == 2
    (oddity,) = [oddity for oddity in report.oddities if oddity.kind == "sheets"]
    assert "sheet2 was read" in oddity.sentence


def test_a_sheet_of_notes_before_the_votes_names_the_other_sheets() -> None:
    with pytest.raises(PodiumError, match="sheet1") as caught:
        read(workbook([["about", "who"], ["these votes", "us"]], VOTES))
    assert "name it (sheet): sheet1" in caught.value.remedy


def test_a_workbook_without_anything_is_refused() -> None:
    with pytest.raises(PodiumError, match="no sheet with data"):
        read(workbook([]))


def test_a_cell_far_outside_is_refused_before_all_before_it_are_laid_out() -> None:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["left", "right", "winner"])
        sheet.write(1_048_575, 16_383, 1)
    with pytest.raises(PodiumError, match="1,048,576 rows and 16,384 columns"):
        read(file.getvalue())


def test_a_workbook_that_unpacks_to_more_than_fits_is_refused() -> None:
    file = io.BytesIO(workbook(VOTES))
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/worksheets/sheet9.xml", b" " * 3_000_000)
    with pytest.raises(PodiumError, match="larger than"):
        read(file.getvalue(), max_bytes=1_000_000)


def test_a_damaged_workbook_is_refused_in_words() -> None:
    data = workbook(VOTES)
    with pytest.raises(PodiumError, match="damaged"):
        read(data[: len(data) // 2] + b"\0" * 40 + data[len(data) // 2 + 40 :])
