"""How long files take to open on the page Data: ``python -m tests.tools.opened``.

Each file is uploaded in a browser page of its own; the time goes from there to the page's finding,
or to what the page says where it does not read the file. It means something on an idle machine.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.driving import REST, launch, open_page, sentence, serve, settle, upload

AT_MOST = 3.0
"""Seconds that a file may take."""

NOT_READ = "[data-testid=stAlert], .st-key-mapper"
"""Where the page says that it does not read a file, or asks what its columns are."""

ANSWERED = f"() => /campaign=Your/.test(location.search) || document.querySelector('{NOT_READ}')"


def files_of(places: list[Path]) -> Iterator[Path]:
    """Yield the files that are named, and those in the folders that are."""
    for place in places:
        yield from sorted(p for p in place.rglob("*") if p.is_file()) if place.is_dir() else [place]


def opened(page: Page, address: str, path: Path) -> tuple[float, str]:
    """Return how many seconds a file took, and what the page says of it."""
    open_page(page, f"{address}/data")
    began = time.monotonic()
    upload(page, path)
    page.wait_for_function(ANSWERED)
    settle(page)
    seconds = time.monotonic() - began - REST / 1000
    if re.search("campaign=Your", page.url):
        return seconds, sentence(page)
    return seconds, "not read: " + page.locator(NOT_READ).first.inner_text().replace("\n", " ")


def main() -> int:
    """Open one file after the other; 1 where one took too long."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.opened", description=__doc__)
    parser.add_argument("places", nargs="+", type=Path, help="files and folders")
    slow = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as driver,
        serve(Path(folder), Path(folder) / "log") as address,
    ):
        browser = launch(driver)
        open_page(first := browser.new_page(), f"{address}/data")
        first.close()
        for path in files_of(parser.parse_args().places):
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            seconds, said = opened(page, address, path)
            page.close()
            slow += seconds > AT_MOST
            over = "over" if seconds > AT_MOST else ""
            print(f"{seconds:5.1f} s {over:4} {path.name:45.45} {said[:110]}", flush=True)
        browser.close()
    return int(slow > 0)


if __name__ == "__main__":
    sys.exit(main())
