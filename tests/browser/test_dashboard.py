"""What only a browser can show: clicks, links, uploads, downloads, and that nothing leaves.

Every test also claims that no request went to another machine and that the browser's console held
no error; see the fixture ``new_page``.
"""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import Page, expect

from analysis.cli import main
from analysis.samples import DEFAULT_SAMPLE, sample_campaign
from dashboard.design import INKS
from tests.browser.driving import (
    EXAMPLES,
    choose,
    go_to,
    link_parts,
    open_page,
    sentence,
    settle,
    signature,
    system_names,
    upload,
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not os.environ.get("PODIUM_CHROMIUM"),
        reason="PODIUM_CHROMIUM names no Chromium; `make test` finds or installs one",
    ),
]

WMT_FILE = EXAMPLES / "wmt-5way.csv.gz"
WMT_SYSTEMS = {"aurora", "boreal", "cumulus", "delta", "ember", "fjord"}
QUICK = "method=Expected+Wins&runs=100"
AS_PUBLISHED = "sure=Official+procedure"


def campaign_picker(page: Page):  # type: ignore[no-untyped-def]
    return page.get_by_role("combobox", name=re.compile("Campaign")).first


def read_own_file(page: Page) -> None:
    """Upload the WMT file on the page Data and wait until it is the campaign."""
    upload(page, WMT_FILE)
    page.wait_for_url(re.compile("campaign=Your"))
    settle(page)


def test_it_opens_on_a_finished_result_of_the_sample(page: Page, server: str) -> None:
    open_page(page, server)
    page.get_by_test_id("stMain").get_by_role("button", name="Present").first.wait_for()
    assert re.search(r"wins; at least \d tiers|could be best", sentence(page))
    assert len(system_names(page)) == 13
    assert "scope:new" in signature(page)
    assert page.get_by_text("Preview:").count() == 0


def test_one_click_copies_a_signature_and_a_printed_page_keeps_its_figure(
    page: Page, server: str
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_page(page, f"{server}/result?{QUICK}")
    page.locator(".podium-copy").first.click()
    expect(page.locator(".podium-copied").first).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == signature(page)
    figure = page.locator(".js-plotly-plot .main-svg").first
    wide = figure.bounding_box()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    box = figure.bounding_box()
    assert box is not None
    assert wide is not None
    assert abs(box["width"] - wide["width"]) < 2


def test_a_narrow_window_has_the_columns_of_the_standings_below_the_names(
    page: Page, server: str
) -> None:
    open_page(page, f"{server}/?{QUICK}")
    figure = page.locator(".js-plotly-plot").first
    below = figure.locator(".yaxislayer-above text, .yaxislayer-below text").filter(
        has_text=re.compile(r"\d of \d.* judgments")
    )
    expect(figure.get_by_text("judgments", exact=True)).to_have_count(1)
    expect(below).to_have_count(0)
    page.set_viewport_size({"width": 800, "height": 900})
    expect(below).to_have_count(len(system_names(page)))
    expect(figure.get_by_text("judgments", exact=True)).to_have_count(0)
    plot, main = figure.bounding_box(), page.get_by_test_id("stMain").bounding_box()
    assert plot is not None
    assert main is not None
    assert plot["x"] + plot["width"] <= main["x"] + main["width"], "nothing is cut off"
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(below).to_have_count(0)


def test_the_sidebar_is_folded_on_a_narrow_screen_but_to_choose_a_page(
    page: Page, server: str
) -> None:
    sidebar = page.get_by_test_id("stSidebar")
    page.set_viewport_size({"width": 800, "height": 900})
    open_page(page, f"{server}/?{QUICK}")
    expect(sidebar).to_have_attribute("data-collapsed", "true")
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    page.set_viewport_size({"width": 800, "height": 900})
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    go_to(page, "Data")
    expect(sidebar).to_have_attribute("data-collapsed", "true")


def test_an_uploaded_campaign_holds_on_the_other_pages(page: Page, server: str) -> None:
    open_page(page, f"{server}/data?{QUICK}")
    read_own_file(page)
    expect(page.get_by_text(WMT_FILE.name).first).to_be_visible()
    go_to(page, "Result")
    assert set(system_names(page)) <= WMT_SYSTEMS
    assert "pair:fra-eng" in signature(page)
    choose(page, "Language pair", "English → French")
    expect(page.locator(".podium-signature").first).to_contain_text("pair:eng-fra")


def test_another_method_and_its_radius_change_the_result_and_the_link(
    page: Page, server: str
) -> None:
    open_page(page, f"{server}/result?runs=100")
    choose(page, "Method", "Hopkins & May, Gaussian")
    expect(page.locator(".podium-signature").first).to_contain_text("method:hopkins-may")
    before = page.locator(".js-plotly-plot .points path").first
    before.wait_for()
    page.get_by_test_id("stSidebar").locator("summary", has_text="Settings").click()
    radius = page.get_by_role("spinbutton", name=re.compile("Radius"))
    radius.fill("0.9")
    radius.press("Enter")
    expect(page.locator(".podium-signature").first).to_contain_text("d:.9")
    settle(page)
    assert link_parts(page)["method"] == "Hopkins & May, Gaussian"
    assert link_parts(page)["hopkins-may.radius"] == "0.9"


def test_a_click_on_a_cell_opens_the_judgments_of_its_two_systems(page: Page, server: str) -> None:
    open_page(page, f"{server}/head-to-head?{QUICK}")
    page.locator("[data-testid=stMain] [data-testid=stDownloadButton]").first.wait_for()
    rows = system_names(page)
    area = page.locator(".js-plotly-plot .nsewdrag").first
    area.scroll_into_view_if_needed()
    box = area.bounding_box()
    assert box is not None
    n, row, column = len(rows), 1, 5
    page.mouse.click(
        box["x"] + box["width"] * (column + 0.5) / n, box["y"] + box["height"] * (row + 0.5) / n
    )
    page.wait_for_url(re.compile("cell="))
    settle(page)
    for label, system in (("System", rows[row]), ("Opponent", rows[column])):
        expect(page.get_by_role("combobox", name=label, exact=True)).to_have_value(system)
    expect(page.get_by_text(re.compile(f"{rows[row]} .* {rows[column]}")).first).to_be_visible()


def test_a_shared_link_shows_the_same_view_in_a_fresh_browser(
    new_page: Callable[[], Page], server: str
) -> None:
    mine = new_page()
    open_page(
        mine,
        f"{server}/result?{AS_PUBLISHED}&runs=200&seed=3&level=90%25&bradley-terry.prior=1.5",
    )
    choose(mine, "Method", "Bradley–Terry")
    expect(mine.locator(".podium-signature").first).to_contain_text("method:bradley-terry")
    settle(mine)
    theirs = new_page()
    open_page(theirs, mine.url)
    expect(theirs.locator(".podium-signature code").first).to_have_text(signature(mine))
    assert sentence(theirs) == sentence(mine)
    for part in ("runs:200", "seed:3", "level:.9|", "s:1.5"):
        assert part in signature(theirs)
    expect(theirs.get_by_text("belongs to other judgments")).to_have_count(0)


@pytest.mark.parametrize("seen", ["nothing", "sidebar", "headline"])
def test_a_page_turned_before_the_first_one_has_settled_keeps_the_links_settings(
    page: Page, server: str, seen: str
) -> None:
    """The browser forgets the settings of widgets that it has not drawn yet."""
    page.goto(f"{server}/result?{QUICK}&{AS_PUBLISHED}&seed=7&resample=Segments")
    if seen == "sidebar":
        page.wait_for_url(re.compile("v=1"))
    if seen == "headline":
        page.locator("h1").first.wait_for()
    go_to(page, "Agreement")
    method = page.get_by_role("combobox", name=re.compile("Method")).first
    assert method.input_value() == "Expected Wins"
    kept = {"method": "Expected Wins", "runs": "100", "seed": "7", "resample": "Segments"}
    assert link_parts(page).items() >= kept.items()


def test_a_link_to_an_upload_asks_for_the_file_and_shows_the_same_once_it_is_there(
    new_page: Callable[[], Page], server: str
) -> None:
    mine = new_page()
    open_page(mine, f"{server}/data?{QUICK}")
    read_own_file(mine)
    mine.get_by_role("button", name="Next", exact=True).click()
    settle(mine)
    go_to(mine, "Result")
    assert not any(system in mine.url for system in WMT_SYSTEMS)
    seen = signature(mine), sentence(mine)
    theirs = new_page()
    open_page(theirs, mine.url)
    mine.reload()
    settle(mine)
    for page in (mine, theirs):
        assert "Upload the judgments of this link" in sentence(page)
        assert page.locator(".js-plotly-plot").count() == 0
        upload(page, WMT_FILE)
        page.locator(".podium-signature").first.wait_for()
        settle(page)
        assert (signature(page), sentence(page)) == seen


def test_figures_follow_the_browser_from_dark_to_light(page: Page, server: str) -> None:
    page.emulate_media(color_scheme="dark")
    open_page(page, f"{server}/result?{QUICK}")
    for mode in ("dark", "light", "dark"):
        page.emulate_media(color_scheme=mode)
        ink = INKS[mode].paper
        rgb = f"rgb({', '.join(str(int(ink[k : k + 2], 16)) for k in (1, 3, 5))})"
        expect(page.locator(".js-plotly-plot .main-svg").first).to_have_css("background-color", rgb)


def test_a_warning_of_other_judgments_can_be_put_away(page: Page, server: str) -> None:
    open_page(page, f"{server}/result?{QUICK}&data=000000000000")
    page.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_text("belongs to other judgments")).to_have_count(0)


def test_a_system_left_out_by_the_link_is_out_on_every_page_until_taken_back(
    page: Page, server: str
) -> None:
    open_page(page, f"{server}/result?{QUICK}")
    everything, data = system_names(page), link_parts(page)["data"]
    open_page(page, f"{server}/result?{QUICK}&only=x0&data={data}")
    left = system_names(page)
    assert len(left) == len(everything) - 1
    go_to(page, "Head to head")
    go_to(page, "Result")
    assert system_names(page) == left
    page.get_by_role("button", name="Clear all").click()
    expect(page.get_by_role("button", name="Clear all")).to_have_count(0)
    settle(page)
    assert system_names(page) == everything
    assert "only" not in link_parts(page)


def test_a_broken_upload_says_why_and_leaves_the_campaign(page: Page, server: str) -> None:
    open_page(page, f"{server}/data?{QUICK}")
    read_own_file(page)
    before = link_parts(page)["data"]
    for name in ("missing-column.csv", "cut-off.csv.gz", "cut-off.xml"):
        upload(page, EXAMPLES / "broken" / name)
        expect(page.get_by_role("alert").filter(has_text=name)).to_be_visible()
        settle(page)
        assert link_parts(page)["data"] == before, name
    go_to(page, "Result")
    assert f"data:{before}" in signature(page)


def test_a_downloaded_table_has_the_numbers_of_the_command_line(
    page: Page, server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = "method=Wins+without+ties+(Bojar)&runs=200&seed=4&resample=Segments"
    open_page(page, f"{server}/result?{AS_PUBLISHED}&{settings}")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="CSV").first.click()
    text = Path(waiting.value.path()).read_text(encoding="utf-8-sig")
    downloaded = list(csv.DictReader(text.splitlines()))
    words = ["--method", "bojar", "--runs", "200", "--resample", "segment", "--seed", "4"]
    capsys.readouterr()
    assert main(["rank", f"sample:{DEFAULT_SAMPLE}", *words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert signature(page) == answer["signature"]
    assert [row["system"] for row in downloaded] == [s["system"] for s in answer["systems"]]
    for got, wanted in zip(downloaded, answer["systems"], strict=True):
        assert float(got["score"]) == pytest.approx(wanted["score"], abs=1e-12)
        assert float(got["se"]) == pytest.approx(wanted["se"], abs=1e-12)
        for column in ("rank_best", "rank_worst", "cluster"):
            assert int(got[column]) == wanted[column]


def test_the_downloaded_report_holds_the_finding_of_the_page(
    page: Page, server: str, tmp_path: Path, new_page: Callable[[], Page]
) -> None:
    open_page(page, f"{server}/share?{QUICK}&share=Report")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Report as HTML").click()
    target = tmp_path / "report.html"
    waiting.value.save_as(target)
    alone = new_page()
    alone.goto(target.as_uri())
    assert alone.locator("h1").inner_text() == sentence(page)
    systems = len(sample_campaign().judgments().systems)
    standings = alone.locator("svg", has=alone.locator("circle"))
    assert standings.count() == 1
    # one dot for the score and one for the rank of each
    assert standings.locator("circle").count() == 2 * systems
    go_to(page, "Result")
    assert alone.locator("pre", has_text=signature(page)).count() == 1


def test_one_users_upload_is_not_another_ones(new_page: Callable[[], Page], server: str) -> None:
    mine, theirs = new_page(), new_page()
    open_page(mine, f"{server}/data?{QUICK}")
    open_page(theirs, f"{server}/data?{QUICK}")
    read_own_file(mine)
    theirs.reload()
    settle(theirs)
    expect(theirs.get_by_text(WMT_FILE.name)).to_have_count(0)
    campaign_picker(theirs).click()
    options = theirs.get_by_role("option")
    options.first.wait_for()
    assert "Your files" not in options.all_inner_texts()
    theirs.keyboard.press("Escape")
    campaign_picker(mine).click()
    expect(mine.get_by_role("option", name="Your files")).to_have_count(1)


def test_the_first_page_has_an_address_of_its_own(page: Page, server: str) -> None:
    open_page(page, f"{server}/result?method=Expected+Wins")
    expect(page.locator(".podium-eyebrow").first).to_have_text(
        re.compile(r"^Result .* Expected Wins$")
    )
    expect(page.get_by_role("dialog")).to_have_count(0)
