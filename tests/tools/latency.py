"""What a user waits for in Chromium: ``make latency``, or ``python -m tests.tools.latency --help``.

It opens the dashboard in a server of its own, turns every page, moves the sliders of What if, and
prints how long each took from the user's press to what it brought, with the server's processor
time beside, which no neighbor on the machine lengthens much.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import Page, sync_playwright

from dashboard.navigation import PAGES
from tests.browser.driving import choose, come_to_rest, launch, settle, upload
from tests.tools.load.serving import Server, serve

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "data" / "examples" / "wmt-5way.csv.gz"
PATIENCE = 300_000
QUESTIONS = ("The radius", "The confidence level", "Fewer judgments")
OPENED, OPENED_COLD, TURNED, MOVED = 2000, 5000, 500, 200
"""Milliseconds that opening, the first opening of all, a page and a slider may take."""

WATCH = """() => {
    // The first heading: of a page that was not there, or other than the one before.
    const find = () => document.querySelector('[data-testid=stMain] h1')?.textContent;
    const drawn = () => [...document.querySelectorAll('[data-testid=stMain] .js-plotly-plot')]
        .find(figure => figure.querySelector('.main-svg'));
    window.podiumWatch = (event, wantsFigure) => {
        const before = find(), figure = drawn();
        const seen = window.podiumSeen = {finding: null, figure: null};
        let began = null;
        const begin = () => { began ??= performance.now(); };
        addEventListener(event, begin, {capture: true, once: true});
        const note = what => { if (began !== null) seen[what] ??= performance.now() - began; };
        figure?.on?.('plotly_afterplot', () => note('figure'));
        const watcher = new MutationObserver(() => {
            if (began === null) return;
            const now = find();
            if (now && now !== before) note('finding');
            const other = drawn();
            if (other && other !== figure) note('figure');
            if (seen.finding !== null && (!wantsFigure || seen.figure !== null))
                watcher.disconnect();
        });
        watcher.observe(document.body, {childList: true, subtree: true, characterData: true});
    };
}"""
OPENING = """() => {
    const watcher = new MutationObserver(() => {
        if (document.querySelector('[data-testid=stMain] h1')?.textContent) {
            window.podiumFinding = performance.now();
            watcher.disconnect();
        }
    });
    watcher.observe(document, {childList: true, subtree: true});
}"""


@dataclass
class Waits:
    """How long one kind of action took, in milliseconds, and what it cost."""

    what: str
    goal: float
    times: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    sent: list[float] = field(default_factory=list)

    def line(self) -> str:
        middle, late = np.percentile(self.times, [50, 95])
        miss = "" if late <= self.goal else "  over"
        return (
            f"{self.what:<42}{len(self.times):>4}{middle:>9.0f}{late:>9.0f}{self.goal:>9.0f}"
            f"{np.median(self.cpu):>11.0f}{np.median(self.sent):>9.0f}{miss}"
        )


class User:
    """One browser window on one server."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page, self.server = page, server
        self._bytes = 0
        page.set_default_timeout(PATIENCE)
        page.add_init_script(f"({OPENING})(); ({WATCH})()")
        page.on("websocket", lambda socket: socket.on("framereceived", self._count))

    def _count(self, frame: str | bytes) -> None:
        self._bytes += len(frame)

    def open(self, waits: Waits, address: str = "") -> None:
        """Open the dashboard, until its first finding."""
        with self._paid(waits):
            self.page.goto(f"{self.server.address}/{address}")
            self.page.wait_for_function("window.podiumFinding")
            waits.times.append(self.page.evaluate("window.podiumFinding"))
            settle(self.page)

    def act(self, waits: Waits, event: str, do: Callable[[], None], *, figure: bool) -> None:
        """Do something and wait for the finding, and for a figure where one is to come."""
        with self._paid(waits):
            self.page.evaluate("([event, figure]) => podiumWatch(event, figure)", [event, figure])
            do()
            done = "podiumSeen.finding !== null" + " && podiumSeen.figure !== null" * figure
            self.page.wait_for_function(done)
            seen = self.page.evaluate("podiumSeen")
            waits.times.append(max(v for v in seen.values() if v is not None))
            settle(self.page)

    @contextmanager
    def _paid(self, waits: Waits) -> Iterator[None]:
        cpu, sent = self.server.processor_seconds(), self._bytes
        yield
        waits.cpu.append(1000 * (self.server.processor_seconds() - cpu))
        waits.sent.append((self._bytes - sent) / 1000)


def turn_pages(user: User, visits: int, only: list[str]) -> Iterator[Waits]:
    """Turn to every page, the first time and again."""
    pages = [spec for spec in PAGES if not only or spec.address in only]
    first = {spec.address: Waits(f"{spec.title}, first time", 3000) for spec in pages}
    again = {spec.address: Waits(f"{spec.title}, again", TURNED) for spec in pages}
    navigation = user.page.get_by_test_id("stSidebarNav")
    for visit in range(visits + 1):
        for spec in pages:
            link = navigation.get_by_role("link", name=spec.title, exact=True)
            come_to_rest(link)
            waits = again if visit else first
            user.act(waits[spec.address], "pointerdown", link.click, figure=False)
    for spec in pages:
        yield first[spec.address]
        if visits:
            yield again[spec.address]


def move_sliders(user: User, moves: int) -> Iterator[Waits]:
    """Move the slider of each question of What if to and fro, over values seen and not seen."""
    main = user.page.get_by_test_id("stMain")
    for question in QUESTIONS:
        choice = main.get_by_role("radio", name=question, exact=True)
        if not choice.count():
            continue
        come_to_rest(choice)
        choice.click()
        settle(user.page)
        waits = Waits(f"What if, {question.lower()}", MOVED)
        slider = main.locator("input[type=range]").first
        to_and_fro = ["ArrowLeft", "ArrowRight"]
        if slider.evaluate("slider => slider.value === slider.min"):
            to_and_fro.reverse()
        for move in range(moves):
            slider.focus()
            key = to_and_fro[move % 12 // 6]
            press = partial(user.page.keyboard.press, key)
            user.act(waits, "keydown", press, figure=True)
        yield waits


def votes(path: Path, n: int, n_systems: int, seed: int = 0) -> Path:
    """Write an arena of so many votes as Parquet."""
    rng = np.random.default_rng(seed)
    ability = rng.normal(0, 0.6, n_systems)
    left = rng.integers(0, n_systems, n)
    right = (left + rng.integers(1, n_systems, n)) % n_systems
    chance = 1 / (1 + np.exp(ability[right] - ability[left]))
    drawn = rng.random(n)
    winner = np.where(drawn < 0.8 * chance, 0, np.where(drawn < 0.8, 1, 2))
    systems = np.array([f"system-{k:04d}" for k in range(n_systems)], dtype=object)
    judges = np.array([f"judge-{k:04d}" for k in range(1000)], dtype=object)
    table = pd.DataFrame(
        {
            "model_a": systems[left],
            "model_b": systems[right],
            "winner": np.array(["model_a", "model_b", "tie"], dtype=object)[winner],
            "judge": judges[rng.integers(0, len(judges), n)],
            "question_id": rng.integers(0, 20_000, n),
        }
    )
    table.to_parquet(path, index=False)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=SAMPLE, help="judgments to look at")
    parser.add_argument("--pair", help="language pair, as the sidebar writes it: English → Czech")
    parser.add_argument("--votes", type=int, help="simulate so many votes instead of a file")
    parser.add_argument("--systems", type=int, default=200, help="of so many systems")
    parser.add_argument("--moves", type=int, default=24, help="moves of each slider")
    parser.add_argument("--visits", type=int, default=2, help="visits to a page after the first")
    parser.add_argument("--pages", default="", help="addresses of some pages, with commas")
    parser.add_argument("--out", type=Path, help="write the table as JSON, too")
    chosen = parser.parse_args()
    done: list[Waits] = []

    def show(waits: Waits) -> None:
        done.append(waits)
        print(waits.line(), flush=True)

    head = ("n", "p50 ms", "p95 ms", "goal ms", "server ms", "sent KB")
    print(f"{'':<42}" + "{:>4}{:>9}{:>9}{:>9}{:>11}{:>9}".format(*head))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        home = Path(folder)
        file = chosen.file
        if chosen.votes:
            file = votes(home / "votes.parquet", chosen.votes, chosen.systems)
        browser = launch(driver)
        with serve(ROOT, home) as server:
            for what, goal, n in (
                ("Open, first of all", OPENED_COLD, 1),
                ("Open, warm", OPENED, max(1, chosen.visits)),
            ):
                waits = Waits(what, goal)
                for _ in range(n):
                    context = browser.new_context(viewport={"width": 1440, "height": 900})
                    User(context.new_page(), server).open(waits)
                    context.close()
                show(waits)
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            user = User(page, server)
            user.open(Waits("", 0), "data")
            began = time.monotonic()
            upload(page, file)
            page.wait_for_url(re.compile("campaign=Your"), timeout=PATIENCE)
            settle(page)
            print(f"{file.name} was read in {time.monotonic() - began:.1f} s")
            if chosen.pair:
                choose(page, "Language pair", chosen.pair)
            only = [address for address in chosen.pages.split(",") if address]
            for waits in turn_pages(user, chosen.visits, only):
                show(waits)
            what_if = page.get_by_test_id("stSidebarNav").get_by_role("link", name="What if")
            come_to_rest(what_if)
            what_if.click()
            page.locator("h1", has_text="count as ties").wait_for()
            settle(page)
            if chosen.moves:
                for waits in move_sliders(user, chosen.moves):
                    show(waits)
            print("server's memory: {:.0f} MB, at most {:.0f} MB".format(*server.memory()))
        browser.close()
    load = os.getloadavg()[0]
    print(f"load of the machine in the end: {load:.1f} on {os.cpu_count()} cores")
    if chosen.out:
        table = {one.what: dict(times=one.times, cpu=one.cpu, sent=one.sent) for one in done}
        chosen.out.write_text(json.dumps(dict(load=load, waits=table), indent=1) + "\n")


if __name__ == "__main__":
    main()
