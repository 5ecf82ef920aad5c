"""What axe-core finds on every page, light and dark, and where the Tab key leads."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api")
pytest.importorskip("axe_playwright_python")

import axe_playwright_python
from playwright.sync_api import Page, expect

from tests.browser.driving import go_to, open_page, rooms, settle

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not os.environ.get("PODIUM_CHROMIUM"),
        reason="PODIUM_CHROMIUM names no Chromium; `make test` finds or installs one",
    ),
]

AXE = Path(str(axe_playwright_python.__file__)).with_name("axe.min.js")
GRAVE = ("serious", "critical")
START = "data?method=Expected+Wins&runs=100"


IS_IN = """mode => {
    const [red] = getComputedStyle(document.querySelector('h1')).color.match(/\\d+/g);
    return (red < 128) === (mode === 'light');
}"""
"""Whether the page's ink is that of a mode."""


def grave_violations(page: Page) -> list[str]:
    """Return what axe-core calls serious or critical: rule, place, why."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: Any = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{rule['id']}: {node['target']}, {' '.join(node['failureSummary'].split())[:200]}"
        for rule in found["violations"]
        if rule["impact"] in GRAVE
        for node in rule["nodes"]
    ]


@pytest.mark.slow
def test_no_page_has_a_serious_or_critical_violation(page: Page, server: str) -> None:
    page.emulate_media(color_scheme="light")
    open_page(page, f"{server}/{START}")
    found = {}
    for title in rooms(page):
        go_to(page, title)
        for mode in ("light", "dark"):
            page.emulate_media(color_scheme=mode)
            page.wait_for_function(IS_IN, arg=mode)
            settle(page)
            violations = grave_violations(page)
            if violations:
                found[title, mode] = violations
        page.emulate_media(color_scheme="light")
    assert found == {}


REACHABLE = """() => {
    const shown = node => node.checkVisibility({visibilityProperty: true})
        && node.getBoundingClientRect().width > 1 && node.closest('[inert]') === null;
    const all = document.querySelectorAll(
        '.stApp :is(a[href], button, input, select, textarea, summary, [role=slider])');
    const one = new Set();
    return [...all].filter(shown).filter(node => !node.disabled && node.tabIndex >= 0)
        // Of radio buttons the Tab key takes the chosen one; arrows lead to the others.
        .filter(node => node.type !== 'radio' || node.checked)
        .filter(node => node.role !== 'radio' || node.ariaChecked === 'true')
        .map((node, k) => {
            node.dataset.place = k;
            return (node.ariaLabel || node.innerText || node.title || node.tagName).trim();
        });
}"""


def test_the_tab_key_reaches_every_control(page: Page, server: str) -> None:
    open_page(page, f"{server}/result?method=Expected+Wins&runs=100")
    assert rooms(page)
    wanted = page.evaluate(REACHABLE)
    assert len(wanted) > 15
    reached = set()
    for _ in range(3 * len(wanted)):
        page.keyboard.press("Tab")
        place = page.evaluate("document.activeElement?.dataset?.place ?? null")
        if place is not None:
            reached.add(int(place))
        if len(reached) == len(wanted):
            break
    missed = [words for k, words in enumerate(wanted) if k not in reached]
    assert missed == []


def test_arrows_lead_from_one_rule_of_the_switch_to_the_other(page: Page, server: str) -> None:
    open_page(page, f"{server}/result?method=Expected+Wins&runs=100")
    rules = page.get_by_test_id("stButtonGroup").first.get_by_role("radio")
    rules.first.focus()
    page.keyboard.press("ArrowRight")
    expect(rules.nth(1)).to_be_focused()
