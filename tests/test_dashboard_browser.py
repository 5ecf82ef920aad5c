"""What only a browser can show: links, uploads, downloads, and that nothing leaves the machine."""

from __future__ import annotations

import csv
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import numpy as np
import pytest

playwright = pytest.importorskip("playwright.sync_api")

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 60_000
"""Milliseconds after which something did not happen."""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not os.environ.get("PODIUM_CHROMIUM"),
        reason="PODIUM_CHROMIUM names no Chromium; `make test` finds or installs one",
    ),
]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The dashboard, served from this tree on a free port."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "dashboard/app.py"]
    options = ["--server.port", str(port), "--server.headless", "true"]
    process = subprocess.Popen(
        [*command, *options], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    address = f"http://localhost:{port}"
    try:
        for _ in range(300):
            try:
                with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                    break
            except (urllib.error.URLError, TimeoutError, ConnectionError):
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(timeout=20)


@pytest.fixture(scope="module")
def chromium() -> Iterator[object]:
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=os.environ["PODIUM_CHROMIUM"],
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield browser
        browser.close()


@pytest.fixture
def page(chromium):  # type: ignore[no-untyped-def]
    """A page in a browser that knows nothing yet."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


@pytest.fixture(scope="module")
def wmt_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four systems of falling quality, compared unevenly often, by three judges."""
    rng = np.random.default_rng(17)
    columns = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id"
    lines = [f"{columns},system2rank,rankingID"]
    quality = np.array([1.2, 0.7, 0.5, -0.6])
    for row in range(600):
        left, right = rng.choice(4, 2, replace=False, p=[0.4, 0.3, 0.2, 0.1])
        seen = quality[[left, right]] + rng.normal(0, 1, 2)
        ranks = (1, 2) if seen[0] > seen[1] else (2, 1)
        lines.append(
            f"ces,eng,{row % 90},{row % 90},judge{row % 3},"
            f"sys-{left},{ranks[0]},sys-{right},{ranks[1]},{row}"
        )
    path = tmp_path_factory.mktemp("campaign") / "wmt.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def wait_until_done(page, about: str) -> None:  # type: ignore[no-untyped-def]
    """Wait until the page says what it is about and the server rests."""
    page.locator(".podium-eyebrow", has_text=about).first.wait_for()
    page.locator("[data-test-script-state=notRunning]").wait_for()
    page.get_by_test_id("stDownloadButton").first.wait_for()


def turn_to(page, title: str) -> None:  # type: ignore[no-untyped-def]
    page.get_by_role("link", name=title, exact=True).click()
    wait_until_done(page, f"{title} ·")


def sentence(page) -> str:  # type: ignore[no-untyped-def]
    return str(page.locator("h1").first.inner_text())


def upload(page, path: Path) -> None:  # type: ignore[no-untyped-def]
    turn_to(page, "Data")
    page.locator("input[type=file]").set_input_files(str(path))
    page.wait_for_url(re.compile("campaign=Your"))
    wait_until_done(page, "Czech")


def choose_method(page, title: str) -> None:  # type: ignore[no-untyped-def]
    page.get_by_role("combobox", name=re.compile("Method")).click()
    page.get_by_role("option", name=title, exact=True).click()
    wait_until_done(page, title)


def test_it_opens_on_a_finished_result_and_nothing_leaves_the_machine(page, server) -> None:  # type: ignore[no-untyped-def]
    elsewhere = []
    page.on(
        "request",
        lambda request: (
            elsewhere.append(request.url)
            if urlparse(request.url).hostname not in ("localhost", None)
            else None
        ),
    )
    page.goto(server)
    wait_until_done(page, "Overview ·")
    assert "cluster" in sentence(page)
    turn_to(page, "Standings")
    assert elsewhere == []


def test_a_shared_link_reopens_the_view_in_a_fresh_browser(  # type: ignore[no-untyped-def]
    page, chromium, server, wmt_file
) -> None:
    page.goto(f"{server}/standings?runs=200")
    wait_until_done(page, "Standings ·")
    choose_method(page, "Expected Wins")
    upload(page, wmt_file)
    turn_to(page, "Standings")
    found, address = sentence(page), page.url
    assert parse_qs(urlparse(address).query)["runs"] == ["200"]
    assert "sys-" not in address

    fresh = chromium.new_context().new_page()
    fresh.set_default_timeout(PATIENCE)
    fresh.goto(address)
    fresh.get_by_text("made with other judgments").wait_for()
    wait_until_done(fresh, "Standings ·")
    upload(fresh, wmt_file)
    turn_to(fresh, "Standings")
    assert sentence(fresh) == found
    assert fresh.get_by_text("made with other judgments").count() == 0
    fresh.context.close()


def test_a_downloaded_table_has_the_command_lines_numbers(  # type: ignore[no-untyped-def]
    page, server, wmt_file
) -> None:
    page.goto(f"{server}/data?method=Expected+Wins&runs=200&seed=4")
    wait_until_done(page, "Data ·")
    upload(page, wmt_file)
    turn_to(page, "Standings")
    with page.expect_download() as waiting:
        page.get_by_test_id("stDownloadButton").filter(has_text="CSV").click()
    downloaded = list(csv.DictReader(Path(waiting.value.path()).read_text().splitlines()))

    command = [sys.executable, "-m", "analysis", "rank", str(wmt_file), "--json"]
    settings = ["--method", "expected-wins", "--runs", "200", "--resample", "task", "--seed", "4"]
    run = subprocess.run([*command, *settings], cwd=ROOT, capture_output=True, check=True)
    expected = json.loads(run.stdout)["systems"]
    assert [row["system"] for row in downloaded] == [row["system"] for row in expected]
    for got, wanted in zip(downloaded, expected, strict=True):
        assert float(got["score"]) == pytest.approx(wanted["score"], abs=1e-9)
        assert float(got["spread"]) == pytest.approx(wanted["spread"], abs=1e-9)
        assert int(got["rank_low"]) == wanted["rank_low"]
        assert int(got["rank_high"]) == wanted["rank_high"]
        assert int(got["cluster"]) == wanted["cluster"]


def test_leaving_a_system_out_holds_on_every_page_and_can_be_taken_back(page, server) -> None:  # type: ignore[no-untyped-def]
    page.goto(f"{server}/standings?method=Expected+Wins&runs=100&only=x0&data=none")
    wait_until_done(page, "Standings ·")
    assert page.get_by_role("button", name="Clear all").count() == 0
    fingerprint = parse_qs(urlparse(page.url).query)["data"][0]
    page.goto(f"{server}/standings?method=Expected+Wins&runs=100&only=x0&data={fingerprint}")
    wait_until_done(page, "Standings ·")
    turn_to(page, "Overview")
    assert "only=x0" in page.url
    page.get_by_role("button", name="Clear all").click()
    page.get_by_role("button", name="Clear all").wait_for(state="detached")
    page.wait_for_function("!window.location.search.includes('only=')")
