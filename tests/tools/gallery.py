"""Pictures of the running dashboard for the README: ``make gallery`` writes data/gallery/*.png."""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from dashboard.navigation import PAGES
from tests.browser.driving import ROOT, launch, open_page, serve, settle

TARGET = ROOT / "data" / "gallery"
LARGEST = 250 * 1024
"""Bytes that one picture may have."""
CALM = 1500
"""Milliseconds until the last of a figure has faded in."""


@dataclass(frozen=True)
class Shot:
    """One picture: the page, what its link says, and in which window it is seen."""

    name: str
    page: str
    link: str = ""
    width: int = 1440
    height: int = 900
    dark: bool = False


SHOTS = (
    Shot("result", ""),
    Shot("head-to-head", "head-to-head"),
    Shot("what-if", "what-if"),
    Shot("agreement", "agreement"),
    Shot("next", "next"),
    Shot("share", "share"),
    Shot("result-dark", "result", "method=Expected+Wins", dark=True),
    Shot("result-800", "", width=800),
)


def main() -> int:
    """Take every picture; say what was written, and what cannot be."""
    if not os.environ.get("PODIUM_CHROMIUM"):
        print("PODIUM_CHROMIUM names no Chromium; `make gallery` finds or installs one.")
        return 1
    TARGET.mkdir(exist_ok=True)
    shown = {"", *(page.address for page in PAGES)}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        home = Path(folder)
        with serve(home, home / "server.log") as address:
            browser = launch(driver)
            for shot in SHOTS:
                if shot.page in shown:
                    _take(browser, address, shot)
            browser.close()
    return 0


def _take(browser: Browser, address: str, shot: Shot) -> None:
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height},
        color_scheme="dark" if shot.dark else "light",
    )
    page = context.new_page()
    open_page(page, f"{address}/{shot.page}?{shot.link}")
    _calm(page)
    target = TARGET / f"{shot.name}.png"
    page.screenshot(path=target)
    context.close()
    _compress(target)
    size = target.stat().st_size
    print(f"{target.relative_to(ROOT)}: {size // 1024} KB")
    if size > LARGEST:
        raise SystemExit(f"{target.name} has {size // 1024} KB; {LARGEST // 1024} is the most.")


def _calm(page: Page) -> None:
    """Wait until every figure is drawn and nothing fades any more; move the mouse out of sight."""
    page.mouse.move(0, 0)
    page.wait_for_timeout(CALM)
    settle(page)
    page.wait_for_timeout(CALM)


def _compress(path: Path) -> None:
    """Write it once more, as small as it gets with all its colors: they tell systems apart."""
    Image.open(path).convert("RGB").save(path, optimize=True)


if __name__ == "__main__":
    sys.exit(main())
