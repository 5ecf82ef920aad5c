"""The slides in a real browser: keys, names, the radius, full screen, the file opened offline."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import Page, expect

from tests.browser.driving import go_to, open_page, settle

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not os.environ.get("PODIUM_CHROMIUM"),
        reason="PODIUM_CHROMIUM names no Chromium; `make test` finds or installs one",
    ),
]

START = "campaign=WMT14+cs–en&method=Expected+Wins"
MEASURE = """() => {
    const stage = document.querySelector('.screen.now').getBoundingClientRect();
    const wrong = [];
    let smallest = 99;
    for (const text of document.querySelectorAll('.screen.now text')) {
        const box = text.getBoundingClientRect();
        if (!box.width) continue;
        smallest = Math.min(smallest, parseFloat(getComputedStyle(text).fontSize));
        const out = box.left < stage.left - 1 || box.right > stage.right + 1
            || box.top < stage.top - 1 || box.bottom > stage.bottom + 1;
        if (out) wrong.push(text.textContent);
    }
    return { width: stage.width, height: stage.height, smallest, wrong };
}"""


def now(page: Page) -> Any:
    """The slide that shows, wherever in the page it stands."""
    return page.locator(".screen.now")


def key_of(page: Page) -> str | None:
    return now(page).get_attribute("data-key")


def test_keys_and_a_clicker_turn_the_slides_and_the_evidence_opens(page: Page, server: str) -> None:
    open_page(page, f"{server}/result?{START}")
    page.get_by_role("button", name="Present").first.click()
    expect(page.locator(".podium-eyebrow").first).to_contain_text("Share")
    settle(page)
    expect(now(page)).to_have_attribute("data-key", "standings")
    for pressed, shown in (
        ("PageDown", "matrix"), (" ", "methods"), ("ArrowLeft", "matrix"),
        ("PageUp", "standings"), ("End", "radius"), ("ArrowRight", "radius"),
    ):  # fmt: skip
        page.keyboard.press(pressed)
        assert key_of(page) == shown, pressed
    now(page).locator(".evidence").click()
    expect(page.locator(".podium-eyebrow").first).to_contain_text("What if")


def test_a_result_without_a_slide_of_its_own_gets_one(page: Page, server: str) -> None:
    open_page(page, f"{server}/agreement?{START}")
    said = page.locator("h1").first.inner_text()
    page.locator(".st-key-present-judges button").first.click()
    expect(page.locator(".podium-eyebrow").first).to_contain_text("Share")
    settle(page)
    shown = " ".join(now(page).locator("svg text.bold").all_text_contents())
    assert said.split()[0] in shown
    assert (key_of(page) or "").startswith("result.")


def test_the_file_opens_offline_with_its_keys_names_and_radius(
    page: Page, server: str, tmp_path: Path
) -> None:
    open_page(page, f"{server}/data?{START}")
    go_to(page, "Share")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Slides as HTML").click()
    path = tmp_path / "slides.html"
    waiting.value.save_as(path)
    alone = page.context.new_page()
    asked: list[str] = []
    said: list[str] = []
    alone.on("request", lambda request: asked.append(request.url))
    alone.on("console", lambda message: said.append(message.text))
    alone.on("pageerror", lambda error: said.append(str(error)))
    page.context.set_offline(True)
    alone.set_viewport_size({"width": 1280, "height": 720})
    alone.goto(path.as_uri())
    seen = []
    for _ in range(5):
        alone.wait_for_selector(".screen.now svg")
        seen.append(key_of(alone))
        found = alone.evaluate(MEASURE)
        assert (found["width"], found["height"]) == (1280, 720)
        assert found["smallest"] >= 18, seen
        assert found["wrong"] == [], seen
        alone.keyboard.press("PageDown")
    assert seen == ["standings", "matrix", "methods", "agreement", "radius"]
    before = now(alone).locator(".step:visible text").first.text_content()
    alone.locator(".screen.now input[type=range]").fill("25")
    after = now(alone).locator(".step:visible text").first.text_content()
    assert before != after
    assert "0.25" in (after or "")
    names = now(alone).locator(".name").all_text_contents()
    assert "ONLINE-B" in names
    alone.keyboard.press("n")
    hidden = now(alone).locator(".name").all_text_contents()
    assert all(name.startswith("System ") for name in hidden)
    alone.keyboard.press("n")
    assert now(alone).locator(".name").all_text_contents() == names
    printed = alone.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type ?/Page[^s]", printed)) == 5, "a slide a page"
    alone.keyboard.press("f")
    alone.wait_for_function("document.fullscreenElement !== null")
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert said == []
    alone.close()
    page.context.set_offline(False)
