"""Every writer takes names that are code in its format, and they stay text."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from analysis.cli import main
from analysis.drawing.files import typeset
from tests.reporting.test_report import read

ROOT = Path(__file__).parents[2]
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    '=HYPERLINK("http://x.org")',
    "@SUM(1);=1+1",
    r"$x_1$ & {y}% \input{z} ~^",
    '#eval("1") *b* _i_ `c`',
    "| a | ![i](http://x.org)",
    ":smile: www.x.org//<!-- c",
    "a\x1b[31mb\u202ec",
    "a\uffffb",
)
"""Names that HTML, spreadsheets, LaTeX, Typst, Markdown or a terminal takes for its own."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """All files of a campaign of hostile systems, judges and a hostile language pair."""
    folder = tmp_path_factory.mktemp("hostile")
    with (folder / "votes.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["question_id", "model_a", "model_b", "winner", "judge", "language"])
        for k in range(300):
            a, b = HOSTILE[k % 10], HOSTILE[(k + 1 + k // 10 % 9) % 10]
            winner = ("model_a", "model_a", "model_b", "tie")[k * k % 7 % 4]
            writer.writerow([k % 40, a, b, winner, HOSTILE[k % 7], HOSTILE[4]])
    made = folder / "all.zip"
    words = ["--all-pairs", "--method", "expected-wins", "--runs", "20", "-o", str(made)]
    assert main(["rank", str(folder / "votes.csv"), *words]) == 0
    with zipfile.ZipFile(made) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def named(files: dict[str, bytes], ending: str) -> list[bytes]:
    """Return the files of a format, of which there must be some."""
    found = [data for name, data in files.items() if name.endswith(ending)]
    assert found, ending
    return found


def tags_of(xml: bytes) -> set[str]:
    return {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(xml).iter()}


def test_pictures_are_xml_without_elements_of_names(files: dict[str, bytes]) -> None:
    for picture in named(files, ".svg"):
        tags = {
            element.tag.rpartition("}")[2] for element in ElementTree.fromstring(picture).iter()
        }
        assert not tags & {"script", "img", "image", "a", "foreignObject"}


def test_pages_have_no_element_and_no_attribute_of_names(files: dict[str, bytes]) -> None:
    for page in named(files, ".html"):
        reader = read(page.decode())
        assert not reader.tags & {"script", "img", "a"}
        assert not {name for name in reader.attributes if name.startswith("on")}
        assert HOSTILE[4] in "".join(reader.text)


def test_no_cell_of_a_table_is_a_formula(files: dict[str, bytes]) -> None:
    for table in named(files, ".csv"):
        for row in csv.reader(io.StringIO(table.decode("utf-8-sig"))):
            for cell in row:
                assert not re.match(r"[=+@\t\r]|-(?![\d.])|[^']*[;\n\t][=+@-]", cell), cell


def test_no_cell_of_a_workbook_is_a_formula_or_link(files: dict[str, bytes]) -> None:
    (book,) = named(files, ".xlsx")
    with zipfile.ZipFile(io.BytesIO(book)) as parts:
        for name in parts.namelist():
            assert not tags_of(parts.read(name)) & {"f", "hyperlink"}, name


def test_latex_has_no_command_of_names(files: dict[str, bytes]) -> None:
    for table in named(files, ".tex"):
        text = re.sub(r"(?m)^%.*", "", table.decode())
        assert not re.search(
            r"\\input|(?<!\\)\$x|\\eval|(?<!\\)[#~^](?!\{)|\x1b|\u202e|\uffff", text
        )


def test_typst_sets_its_tables_and_evaluates_no_name(files: dict[str, bytes]) -> None:
    for table in named(files, ".typ"):
        assert b'#eval("' not in table
        assert typeset(table.decode(), {}).startswith(b"%PDF")


def test_markdown_has_no_link_picture_or_element_of_names(files: dict[str, bytes]) -> None:
    for table in named(files, ".md"):
        text = table.decode()
        assert not re.search(r"(?<!\\)[\[`]|(?<!\\)<(?!!--)|\x1b|\u202e|www\.", text), text


def test_text_is_escaped_in_one_module() -> None:
    paths = [*ROOT.glob("analysis/**/*.py"), *ROOT.glob("dashboard/**/*.py")]
    assert len(paths) > 300
    escapes = re.compile(r"^\s*from (html|xml\.sax\.saxutils) import|html\.escape\(", re.MULTILINE)
    found = {p.name for p in paths if escapes.search(p.read_text(encoding="utf-8"))}
    assert found == {"escaping.py"}
