"""Measure the dashboard under many users: ``make load``, or ``python -m tests.tools.load --help``.

It starts a server of its own on a free port of this machine, lets crowds of growing size in, one
after the other, prints a table, and stops. Nothing leaves the machine. Visitors take part of the
processor, so the times are upper bounds; they mean something on an idle machine, or beside those
of another revision in the same hour (``--project``).
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.tools.load.crowd import (
    LARGE,
    METHODS,
    SAMPLES,
    Crowd,
    campaign_file,
    large_file,
    visit,
)
from tests.tools.load.serving import ROOT, Server, serve
from tests.tools.load.visitor import View, Visitor

COLUMNS = "users  views  failed    p50    p95    max  first  finding    MB  peak  kept  CPU a view"
CLOSING = 40
"""Seconds in which memory must come back after the last session of a crowd is gone: until it is
forgotten, and two rounds of the server's housekeeping."""


def main() -> int:
    """Print the table; return 1 where a view failed."""
    options = _options()
    with (
        tempfile.TemporaryDirectory() as folder,
        serve(options.project, Path(folder), session_seconds=5) as server,
    ):
        if not options.tour:
            asyncio.run(look_once(server.address, options.own_files > 0))
        large = large_file(0, options.large) if options.large else b""
        if large:
            alone = asyncio.run(_read_alone(server.address, large))
            print(f"{options.large:.0f} MB read and drawn alone in {alone:.1f} s", flush=True)
        start = server.settled_memory(CLOSING)
        print(f"{server.project}: {start:.0f} MB before the first visitor", flush=True)
        if not options.tour:
            print(COLUMNS, flush=True)
        failed = asyncio.run(_tour(server, options.own_files > 0)) if options.tour else 0
        after = start
        for users in () if options.tour else options.users:
            crowd = Crowd(users, options.seconds, options.own_files, options.seed, large)
            used = server.processor_seconds()
            views = asyncio.run(visit(server.address, crowd))
            used = (server.processor_seconds() - used) / len(views)
            row = _row(users, views, server)
            failed += _tell(views, options.pages)
            for view in views:
                if view.page == LARGE:
                    print(f"  {options.large:.0f} MB among {users}: {view.whole:.1f} s", flush=True)
            del views
            after = server.settled_memory(CLOSING)
            print(f"{row}  {after:4.0f}  {used:10.2f}", flush=True)
        print(f"{after:.0f} MB after all sessions are closed, {after / start - 1:+.0%}")
    return int(failed > 0)


async def look_once(address: str, own: bool) -> None:
    """Open every page by every method once, with all samples and with a file where some bring one.

    So what all share counts for nobody: code, compiled kernels, and what is kept of samples.
    """
    for method in METHODS:
        async with Visitor(address) as visitor:
            await visitor.open("result", method=method)
            for page in visitor.pages:
                await visitor.go_to(page)
            for sample in SAMPLES:
                await visitor.open("result", method=method, campaign=sample)
            if own:
                await visitor.give("own.csv", campaign_file(0))
                for page in visitor.pages:
                    await visitor.go_to(page)


async def _read_alone(address: str, large: bytes) -> float:
    """Return the seconds until a large file is read and shown to the only visitor."""
    async with Visitor(address) as visitor:
        await visitor.open("result", method=METHODS[0])
        return (await visitor.give(LARGE, large)).whole


async def _tour(server: Server, own: bool) -> int:
    """Print what every page costs one visitor: the first time, and when it is seen again."""
    print(f"{'page':16} {'seconds':>8} {'again':>6} {'CPU':>8} {'again':>6}")
    async with Visitor(server.address) as visitor:
        views = [await visitor.open("result", method="Expected Wins")]
        if own:
            views.append(await visitor.give("own.csv", campaign_file(0)))
        spent: dict[str, list[float]] = {}
        for page in (*visitor.pages, *visitor.pages):
            used = server.processor_seconds()
            views.append(await visitor.go_to(page))
            spent.setdefault(page, []).append(server.processor_seconds() - used)
    for page, used in spent.items():
        first, again = (view.whole for view in views[-2 * len(spent) :] if view.page == page)
        print(f"{page:16} {first:8.2f} {again:6.2f} {used[0]:8.2f} {used[1]:6.2f}")
    first, again = (sum(used[k] for used in spent.values()) for k in (0, 1))
    print(f"{'together':16} {'':15} {first:8.2f} {again:6.2f}")
    return _tell(views, pages=False)


def _row(users: int, views: Sequence[View], server: Server) -> str:
    # how long a large file takes is told apart, beside its time alone
    whole = np.array([v.whole for v in views if not v.failed and v.page != LARGE])
    p50, p95, most = np.percentile(whole, (50, 95, 100)) if len(whole) else [np.nan] * 3
    first = np.nanmedian([view.first for view in views])
    finding = np.nanmedian([view.finding for view in views])
    failed = sum(bool(view.failed) for view in views)
    memory, peak = server.memory()
    return (
        f"{users:5}  {len(views):5}  {failed:6}  {p50:5.2f}  {p95:5.2f}  {most:5.1f}  "
        f"{first:5.2f}  {finding:7.2f}  {memory:4.0f}  {peak:4.0f}"
    )


def _tell(views: Sequence[View], pages: bool) -> int:
    """Print failures, and page by page where asked; return how many failed."""
    for view in views:
        if view.failed:
            print(f"  {view.page}: {view.failed[:200]}")
    if pages:
        for page in sorted({view.page for view in views}):
            times = [view.whole for view in views if view.page == page and not view.failed]
            if times:
                print(f"  {page:16} {len(times):4}  p50 {np.median(times):6.2f}  {max(times):6.2f}")
    return sum(bool(view.failed) for view in views)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.load", description=__doc__)
    parser.add_argument("--users", type=_numbers, default=(1, 8, 30), help="sizes of the crowds")
    parser.add_argument("--seconds", type=float, default=60, help="how long a crowd stays")
    parser.add_argument(
        "--own-files", type=float, default=0.5, help="share of the users who bring a file"
    )
    parser.add_argument(
        "--large", type=float, default=0, help="one of them uploads so many megabytes"
    )
    parser.add_argument("--seed", type=int, default=0, help="of what the users do")
    parser.add_argument("--pages", action="store_true", help="also the times of each page")
    parser.add_argument(
        "--tour", action="store_true", help="one user on all pages, twice, instead of crowds"
    )
    parser.add_argument(
        "--project", type=Path, default=ROOT, help="folder of another revision to measure"
    )
    return parser.parse_args()


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(min(100, int(part)) for part in text.split(","))


if __name__ == "__main__":
    began = time.monotonic()
    code = main()
    print(f"{time.monotonic() - began:.0f} s in all")
    sys.exit(code)
