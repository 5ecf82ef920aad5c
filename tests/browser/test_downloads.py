"""Every file of every page is downloaded by its button and opened as its reader would open it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as NotInTime
from pptx import Presentation

from analysis.cli import main
from analysis.cli.archive import NUMBERS
from tests.browser.driving import LOOKS, Downloads, go_to, open_page, rooms, sentence, settle

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not os.environ.get("PODIUM_CHROMIUM"),
        reason="PODIUM_CHROMIUM names no Chromium; `make test` finds or installs one",
    ),
]

START = "method=Expected+Wins&runs=100"

# How each kind is opened ------------------------------------------------------------------------


def open_csv(path: Path, page: Page) -> None:
    frame = pd.read_csv(path)
    assert frame.shape[0] >= 1, "no rows"
    assert frame.shape[1] >= 2, "no columns"


def open_latex(path: Path, page: Page) -> None:
    text = path.read_text(encoding="utf-8")
    check_latex(text)
    if shutil.which("pdflatex"):
        needed = "".join(re.findall(r"^% Needs (\\usepackage\{[^}]*\})", text, re.MULTILINE))
        document = (
            rf"\documentclass{{article}}\usepackage{{amsmath}}\usepackage[T1]{{fontenc}}{needed}"
            rf"\begin{{document}}{text}\end{{document}}"
        )
        path.with_name("whole.tex").write_text(document, encoding="utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "whole.tex"]
        done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-400:]


def check_latex(text: str) -> None:
    """Braces and environments close what they opened; every row has the table's columns."""
    text = re.sub(r"(?<!\\)%.*", "", text)
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", text):
        depth += 1 if brace == "{" else -1
        assert depth >= 0, "a brace closes nothing"
    assert depth == 0, "a brace stays open"
    opened: list[str] = []
    for what, name in re.findall(r"\\(begin|end)\{(\w+\*?)\}", text):
        if what == "begin":
            opened.append(name)
        else:
            assert opened, f"{name} was never begun"
            assert opened.pop() == name, f"{name} ends too early"
    assert not opened, f"{opened} never end"
    kind = r"\{tabular\}"
    table = re.search(rf"\\begin{kind}\{{([^}}]*)\}}(.*?)\\end{kind}", text, re.DOTALL)
    assert table is not None, "no table"
    columns = len(re.findall("[lrc]", table[1]))
    rows = [row for row in re.split(r"\\\\", table[2]) if "&" in row]
    assert len(rows) >= 2, "no rows"
    for row in rows:
        assert len(re.findall(r"(?<!\\)&", row)) == columns - 1, row


def open_html(path: Path, page: Page) -> None:
    """Open a figure or the report in a tab of its own, where nothing else is to be had."""
    alone = page.context.new_page()
    complaints: list[str] = []
    alone.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    alone.on("pageerror", lambda error: complaints.append(str(error)))
    alone.goto(path.as_uri())
    try:
        if alone.locator(".plotly-graph-div").count():
            alone.wait_for_selector(".js-plotly-plot .main-svg")
            drawn = alone.evaluate(
                """() => {
                    const figure = document.querySelector('.js-plotly-plot');
                    const marks = '.scatterlayer path, .barlayer path, .boxlayer path, '
                        + '.heatmaplayer image, .shapelayer path';
                    const box = figure.querySelector('.main-svg').getBoundingClientRect();
                    return {
                        traces: figure.data.length,
                        marks: figure.querySelectorAll(marks).length,
                        width: box.width,
                        height: box.height,
                    };
                }"""
            )
            assert drawn["traces"] >= 1, "a figure without data"
            assert drawn["marks"] >= 1, "nothing is drawn"
            assert min(drawn["width"], drawn["height"]) > 100, drawn
        else:
            assert len(alone.locator("h1").inner_text()) > 10
            assert alone.locator("svg circle").count() >= 2
        assert complaints == []
    finally:
        alone.close()


def open_xml(path: Path, page: Page) -> None:
    assert len(list(ElementTree.parse(path).getroot().iter())) > 3


def open_session(path: Path, page: Page) -> None:
    assert json.loads(path.read_text(encoding="utf-8"))["podium session"] == 1


def open_powerpoint(path: Path, page: Page) -> None:
    for slide in Presentation(str(path)).slides:
        assert slide.shapes.title.text_frame.text
        assert len(slide.shapes) >= 4


def open_bibtex(path: Path, page: Page) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"^@\w+\{[\w-]+,$", text, re.MULTILINE)
    assert text.count("{") == text.count("}")


def open_pdf(path: Path, page: Page) -> None:
    """Read it as a reader does, where one is installed."""
    data = path.read_bytes()
    assert data.startswith(b"%PDF-")
    assert data.rstrip().endswith(b"%%EOF")
    if shutil.which("pdftotext"):
        command = ["pdftotext", str(path), "-"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert len(done.stdout.split()) > 10, "a PDF without words"


def open_png(path: Path, page: Page) -> None:
    """Let the browser draw it."""
    alone = page.context.new_page()
    try:
        alone.goto(path.as_uri())
        width = alone.evaluate("document.images[0].naturalWidth")
        assert width > 500, width
    finally:
        alone.close()


def open_workbook(path: Path, page: Page) -> None:
    with zipfile.ZipFile(path) as archive:
        sheets = [n for n in archive.namelist() if n.startswith("xl/worksheets/")]
        assert len(sheets) >= 5
        rows = ElementTree.fromstring(archive.read(sheets[0])).iter()
        assert sum(element.tag.endswith("}row") for element in rows) >= 2


def open_archive(path: Path, page: Page) -> None:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        if NUMBERS in archive.namelist():
            assert main(["verify", str(path)]) == 0
            return
        made = json.loads(archive.read("made.json"))
        assert {*made["files"]} <= {*archive.namelist()}
        assert made["command"].startswith("podium rank")
        pictures = [n for n in archive.namelist() if n.endswith((".pdf", ".png"))]
        assert len(pictures) >= 3
        for name in pictures:
            assert archive.read(name)[:4] in (b"%PDF", b"\x89PNG")


OPENING: dict[str, Callable[[Path, Page], None]] = {
    ".csv": open_csv,
    ".tex": open_latex,
    ".html": open_html,
    ".xml": open_xml,
    ".bib": open_bibtex,
    ".svg": open_xml,
    ".pdf": open_pdf,
    ".png": open_png,
    ".xlsx": open_workbook,
    ".pptx": open_powerpoint,
    ".json": open_session,
    ".zip": open_archive,
}


# The walk ---------------------------------------------------------------------------------------


MOMENT = 5000
"""Milliseconds in which a fold opens."""
SECTIONS = ":is(.st-key-question, .st-key-next-question, .st-key-share) [role=radio]"
"""The switches between the sections of a room."""


def open_section(page: Page, name: str) -> None:
    """Open a section of a room by its switch; a page that is drawn anew may lose a click."""
    switch = page.locator(SECTIONS).filter(has_text=re.compile(f"^{re.escape(name)}$"))
    for _ in range(LOOKS):
        switch.click()
        settle(page)
        if switch.get_attribute("aria-checked") == "true":
            return
    raise AssertionError(f"{name} does not open")


def take_everywhere(page: Page, folder: Path) -> Iterator[tuple[str, Path | None]]:
    """Take all files of a room: of its page, or of each of its sections."""
    downloads = Downloads(page)
    names = page.locator(SECTIONS).all_inner_texts()
    if not names:
        yield from take_all(page, downloads, folder)
    for name in names:
        open_section(page, name)
        for label, path in take_all(page, downloads, folder / name):
            yield f"{name}, {label}", path


def take_all(page: Page, downloads: Downloads, folder: Path) -> Iterator[tuple[str, Path | None]]:
    """Press every download button of the page; what it is called and the file that came.

    Those of a figure stand behind its own button.
    """
    yield from take(page.get_by_test_id("stMain"), downloads, folder)
    figures = page.locator("[class*=st-key-figure-files-] [data-testid=stPopover] button")
    for k in range(figures.count()):
        figures.nth(k).click()
        body = page.get_by_test_id("stPopoverBody")
        body.locator("button").first.wait_for()
        yield from take(body, downloads, folder / f"figure{k}")
        page.keyboard.press("Escape")
        body.wait_for(state="hidden")


def take(place: Locator, downloads: Downloads, folder: Path) -> Iterator[tuple[str, Path | None]]:
    buttons = place.get_by_test_id("stDownloadButton").locator("button")
    for k in range(buttons.count()):
        button = buttons.nth(k)
        if not button.is_visible():
            with contextlib.suppress(NotInTime):
                button.locator("xpath=ancestor::details[not(@open)]/summary").click(timeout=MOMENT)
                button.wait_for(timeout=MOMENT)
        if not button.is_visible():  # A button with a tooltip has a copy that nobody sees.
            continue
        label = button.inner_text().split("\n")[-1]
        yield label, downloads.take(button, folder / f"{k}")


def test_a_dead_button_is_reported_and_many_files_in_a_row_all_come(
    page: Page, tmp_path: Path
) -> None:
    """Chromium drops the eleventh of quick downloads; that is no fault of the button."""
    page.set_default_timeout(5000)
    file = "<a id=file download=file.txt href='data:text/plain,words'>file</a>"
    page.set_content(f"{file}<button id=dead>dead</button>")
    downloads = Downloads(page)
    for k in range(23):
        assert downloads.take(page.locator("#file"), tmp_path / f"{k}") is not None
    assert downloads.take(page.locator("#dead"), tmp_path / "dead") is None


def test_every_page_shows_a_result_and_every_file_of_it_comes_and_opens(
    page: Page, server: str, tmp_path: Path
) -> None:
    open_page(page, f"{server}/?{START}")
    assert len(rooms(page)) == 8
    broken: list[str] = []
    opened: dict[str, list[str]] = {}
    for title in rooms(page):
        go_to(page, title)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        assert not page.get_by_text("Podium failed on this page").count(), title
        assert len(sentence(page)) > 10, title
        opened[title] = []
        for label, path in take_everywhere(page, tmp_path / title):
            where = f"{title}, {label}"
            if path is None:
                broken.append(f"{where}: no file came")
                continue
            opened[title].append(path.suffix)
            try:
                OPENING[path.suffix](path, page)
            except Exception as error:
                broken.append(f"{where}, {path.name}: {type(error).__name__} {error}"[:300])
    assert broken == []
    assert [address for address, files in opened.items() if not files] == []
    assert {ending for files in opened.values() for ending in files} >= {
        ".csv", ".tex", ".html", ".xml", ".svg", ".png", ".pdf", ".pptx", ".xlsx", ".zip",
    }  # fmt: skip


def test_every_file_of_a_simulated_study_comes_and_opens(
    page: Page, server: str, tmp_path: Path
) -> None:
    study = "study=Experiments&experiment=Which+method+errs+least%3F"
    study += "&plan.campaigns_errors=2"
    open_page(page, f"{server}/validation?{START}&{study}")
    page.locator(".st-key-download-study-errors-csv").wait_for()
    settle(page)
    files = []
    for ending in ("csv", "tex", "html"):
        if ending == "html":
            page.locator(".st-key-figure-files-study-errors button").click()
        with page.expect_download() as waiting:
            page.locator(f".st-key-download-study-errors-{ending} button").click()
        files.append(tmp_path / waiting.value.suggested_filename)
        waiting.value.save_as(files[-1])
    assert {path.suffix for path in files} == {".csv", ".tex", ".html"}
    for path in files:
        OPENING[path.suffix](path, page)


def test_a_session_is_saved_and_opened_again_in_two_clicks_each(
    page: Page, server: str, tmp_path: Path
) -> None:
    open_page(page, f"{server}/share?{START}&method=Elo&level=90%25")
    open_section(page, "Reproduce")
    page.get_by_text("Save or open a session").click()
    with page.expect_download() as waiting:
        page.locator(".st-key-session-save button").first.click()
    path = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(path)
    assert json.loads(path.read_text(encoding="utf-8"))["podium session"] == 1
    page.context.clear_cookies()
    open_page(page, f"{server}/data")
    page.get_by_text("Session, LLM judges, metrics").click()
    page.locator(".st-key-session-file input[type=file]").set_input_files(str(path))
    page.get_by_text("The session was restored").wait_for()
    settle(page)
    assert "Elo" in page.locator(".podium-eyebrow").first.inner_text()
    assert "Share" in page.locator(".podium-eyebrow").first.inner_text()
