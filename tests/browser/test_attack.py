"""A campaign in which every name is an attack shows names, and does nothing."""

from __future__ import annotations

import itertools
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import Page

from tests.browser.driving import go_to, open_page, rooms, settle, upload

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not os.environ.get("PODIUM_CHROMIUM"),
        reason="PODIUM_CHROMIUM names no Chromium; `make test` finds or installs one",
    ),
]

SYSTEMS = (
    "http://evil.example/seen?by=you and www.evil.example, me@evil.example",
    ":material/home: :red[x] :streamlit: $\\frac{1}{2}$ **b** `c` <!--",
    "<script>window.hit=1</script>",
    "<img src=x onerror=window.hit=2>",
    '"><svg onload=window.hit=3>',
    "[a](javascript:window.hit=4) ![b](http://evil.example/b.png)",
    '=HYPERLINK("http://evil.example","x")',
    '%{x} <extra>e</extra> &quot;q&quot; "q" &amp; \' {{7*7}}',
    "\u202egnorw \x1b[31mred \\input{/etc/passwd}",
    "../../etc/passwd ]]> <a href='http://evil.example'>a</a>",
    "# heading | a | b | ~~gone~~ 1. one",
    "a" * 5_000,
)
JUDGES = ("<img src=x onerror=window.hit=5>", "*", ":material/person: [j](http://evil.example)")
LANGUAGES = "<i>fr</i>-:red[en]"


def campaign(systems: tuple[str, ...], judges: tuple[str, ...], language: str) -> bytes:
    """Return votes between all pairs of systems, by all judges, on twelve questions."""
    votes = [
        {
            "model_a": a,
            "model_b": b,
            "winner": ("model_a", "tie", "model_b", "model_a")[(i + j + k) % 4],
            "judge": judges[k % len(judges)],
            "question_id": f"{judges[0]}{k // len(judges)}",
            "language": language,
        }
        for k in range(12)
        for (i, a), (j, b) in itertools.combinations(enumerate(systems), 2)
    ]
    return json.dumps(votes).encode()


HARMLESS = tuple(f"system-{k:02}" for k in range(len(SYSTEMS)))
COUNTED = ("script", "img", "iframe", "object", "a[href]", "[onerror], [onload]")


def look(page: Page) -> dict[str, Any]:
    """Return what a page is made of, and its size."""
    found: Any = page.evaluate(
        """counted => {
            const main = document.querySelector('.stMain');
            const wide = [...document.querySelectorAll('.stMain *')].filter(
                node => !node.closest('svg') && node.getBoundingClientRect().right
                    > main.getBoundingClientRect().right + 2
                    && !node.closest('.js-plotly-plot')
                    && !node.closest('[data-testid=stDataFrame]')
                    && getComputedStyle(node).position !== 'fixed');
            return {
                counts: counted.map(what => document.querySelectorAll('.stApp ' + what).length),
                height: main.scrollHeight,
                width: main.scrollWidth - main.clientWidth,
                wide: wide.slice(0, 3).map(node => node.outerHTML.slice(0, 200)),
                hit: window.hit ?? 0,
                headline: document.querySelector('h1').innerText,
                headlineHeight: document.querySelector('h1').getBoundingClientRect().height,
                failed: document.body.innerText.includes('Something in Podium itself'),
            };
        }""",
        COUNTED,
    )
    return found


def walk(page: Page, server: str, path: Path) -> dict[str, dict[str, Any]]:
    """Upload a file and look at every page."""
    open_page(page, f"{server}/data?method=Expected+Wins&runs=100")
    upload(page, path)
    page.wait_for_url(re.compile("campaign=Your"))
    settle(page)
    seen = {}
    for title in rooms(page):
        go_to(page, title)
        seen[title] = look(page)
    return seen


@pytest.mark.slow
def test_names_are_text_on_every_page(
    new_page: Callable[[], Any], server: str, tmp_path: Path
) -> None:
    evil = tmp_path / "<img src=x onerror=window.hit=6>.json"
    evil.write_bytes(campaign(SYSTEMS, JUDGES, LANGUAGES))
    plain = tmp_path / "plain.json"
    plain.write_bytes(campaign(HARMLESS, ("judge1", "judge2", "judge3"), "fr-en"))
    page = new_page()
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    attacked = walk(page, server, evil)
    usual = walk(new_page(), server, plain)
    wrong = []
    for address, seen in attacked.items():
        compared = usual[address]
        if seen["hit"] or seen["failed"]:
            wrong.append((address, "ran" if seen["hit"] else "failed"))
        if seen["counts"] != compared["counts"]:
            wrong.append(
                (address, dict(zip(COUNTED, seen["counts"], strict=True)), compared["counts"])
            )
        if seen["width"] > max(compared["width"], 0) or len(seen["wide"]) > len(compared["wide"]):
            wrong.append((address, "too wide", seen["width"], seen["wide"]))
        if seen["height"] > 1.5 * compared["height"] + 300:
            wrong.append((address, "too high", seen["height"], compared["height"]))
        if seen["headlineHeight"] > 260:
            wrong.append((address, "headline", seen["headlineHeight"], seen["headline"][:200]))
    assert dialogs == []
    assert wrong == []
    shown = attacked["Result"]["headline"] + page.locator("body").inner_text()
    assert "a" * 200 not in shown
