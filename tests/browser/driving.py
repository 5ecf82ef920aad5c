"""How to start the dashboard and drive it in a real browser; tests and the gallery share it."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlparse

from playwright.sync_api import Browser, Locator, Page, Playwright, expect
from playwright.sync_api import TimeoutError as NotInTime

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "data" / "examples"
PATIENCE = 120_000
"""Milliseconds after which something that was waited for did not happen; a busy machine is slow."""
LOOKS = 6
"""So often a list is opened before what it should offer is said to be missing."""
REST, FRAMES = 400, 15
"""Milliseconds, and frames of the browser, without work after which a page has settled."""
HANDFUL = 8
"""Files that are taken before a short pause: Chromium drops the eleventh of quick downloads."""
PAUSE = 1.2
"""Seconds after which Chromium counts downloads anew."""
expect.set_options(timeout=PATIENCE)
START_PATIENCE = 120
"""Seconds that the server may take to answer."""


@contextlib.contextmanager
def serve(home: Path, log: Path) -> Iterator[str]:
    """Serve the dashboard on a free port, with a home of its own; stop it in the end."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "dashboard/app.py"]
    command += ["--server.port", str(port), "--server.headless", "true"]
    command += ["--server.fileWatcherType", "none"]
    environment = {**os.environ, "HOME": str(home)}
    address = f"http://localhost:{port}"
    with log.open("wb") as written:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdout=written,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            _wait_for_health(address, process, log)
            yield address
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _wait_for_health(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(START_PATIENCE * 10):
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                return
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            time.sleep(0.1)
    raise RuntimeError(f"the dashboard did not start:\n{log.read_text(errors='replace')[-3000:]}")


def launch(driver: Playwright) -> Browser:
    """Start the Chromium that PODIUM_CHROMIUM names."""
    return driver.chromium.launch(
        executable_path=os.environ["PODIUM_CHROMIUM"],
        args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    )


def settle(page: Page) -> None:
    """Wait until the page shows a finished result and server and browser have rested a while.

    The browser tells the server of its widgets a moment after it has drawn them. On a busy machine
    frames are rare, so that rest is counted in frames as well.
    """
    page.locator("h1").first.wait_for()
    page.evaluate("window.restingSince = null; window.restingFrames = 0")
    page.wait_for_function(
        """([rest, frames]) => {
            const state = document.querySelector('[data-test-script-state]');
            const rests = state?.dataset.testScriptState === 'notRunning'
                && !document.querySelector('[data-stale=true]');
            window.restingSince = rests ? window.restingSince ?? performance.now() : null;
            window.restingFrames = rests ? (window.restingFrames ?? 0) + 1 : 0;
            return rests && window.restingFrames > frames
                && performance.now() - window.restingSince > rest;
        }""",
        arg=[REST, FRAMES],
    )


def open_page(page: Page, address: str) -> None:
    """Open an address and wait for its result."""
    page.goto(address)
    settle(page)


def go_to(page: Page, title: str) -> None:
    """Go to another page by the navigation, as a user does."""
    page.get_by_test_id("stSidebar").get_by_role("link", name=title, exact=True).click()
    expect(page.locator(".podium-eyebrow").first).to_contain_text(title)
    settle(page)


def rooms(page: Page) -> list[str]:
    """Return the names of the pages that the sidebar links to.

    On a busy machine a page can rest before its sidebar has come: the links at its foot come last.
    """
    page.locator(".st-key-foot a").last.wait_for()
    settle(page)
    links = page.locator(":is(.st-key-rooms, .st-key-foot) a").all_inner_texts()
    return [words.split("\n")[-1] for words in links]  # an icon's name comes before


def choose(page: Page, label: str, option: str) -> None:
    """Choose an option of a select box and wait for what follows."""
    box = page.get_by_role("combobox", name=re.compile(label)).first
    offered = page.get_by_role("option", name=option, exact=True)
    for _ in range(LOOKS):
        come_to_rest(box)
        box.click()
        # A page that is drawn anew under an open list closes it; a user opens it again.
        with contextlib.suppress(NotInTime):
            offered.click(timeout=PATIENCE / LOOKS)
            break
    else:
        raise AssertionError(f"{label} does not offer {option}")
    settle(page)


def come_to_rest(place: Locator) -> None:
    """Scroll a place into view and wait until the browser has told the page so.

    It tells of a scroll in its next frame; a list that a click opened before closes then.
    """
    place.scroll_into_view_if_needed()
    place.evaluate("() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")


def upload(page: Page, path: Path) -> None:
    """Give a file to the uploader of judgments; the page Data has others."""
    page.locator("[data-testid=stMain] .st-key-files input[type=file]").set_input_files(str(path))


class Downloads:
    """Takes files as a person does, who pauses now and then and clicks once more on no answer."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taken = 0

    def take(self, button: Locator, folder: Path) -> Path | None:
        """Click a download button and keep its file in a folder; None where none came."""
        for _ in range(2):
            if self.taken and self.taken % HANDFUL == 0:
                time.sleep(PAUSE)
            self.taken += 1
            with contextlib.suppress(NotInTime):
                with self.page.expect_download() as waiting:
                    button.click()
                path = folder / waiting.value.suggested_filename
                waiting.value.save_as(path)
                return path
        return None


def sentence(page: Page) -> str:
    """Return the finding at the head of the page."""
    return page.locator("h1").first.inner_text()


def signature(page: Page) -> str:
    """Return what the first result of the page says it was made of."""
    return page.locator(".podium-signature code").first.text_content() or ""


def link_parts(page: Page) -> dict[str, str]:
    """Return the settings that the address holds."""
    return {key: values[0] for key, values in parse_qs(urlparse(page.url).query).items()}


def system_names(page: Page) -> list[str]:
    """Return the names beside the rows of the standings figure, from the top."""
    labels = page.locator(".js-plotly-plot .yaxislayer-above .ytick text")
    labels.first.wait_for()
    return [text or "" for text in labels.all_text_contents()]
