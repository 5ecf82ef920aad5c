"""A day in production, in minutes: ``make soak``, or ``python -m tests.tools.soak --minutes 30``.

People come in waves with files of their own; some hang up while a page is computed, some break off
an upload, some give a file that cannot be read, the disk for temporary files is full where the
system lets this be arranged, and a worker of the cluster that does the long work is killed now and
then. In the end the memory must be within a tenth of the start and the log empty: no traceback, no
warning, and every refused file was refused on the page.

The start is taken after some minutes of the same day: what a server keeps for all (code, kernels,
samples' results, the heap of the first large upload) is there by then, so that what is measured is
what each further visitor leaves behind.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from analysis.errors import PodiumError
from analysis.extras.dask.cluster import cluster
from dashboard.extras.dask.workers import SETTING
from tests.extras.dask.own_cluster import OwnCluster, own_cluster
from tests.tools.load.__main__ import CLOSING, look_once
from tests.tools.load.crowd import SAMPLES, campaign_file
from tests.tools.load.serving import ROOT, Server, noise, serve
from tests.tools.load.visitor import Visitor

GROWTH = 0.10
"""By how much the memory may be above the start in the end."""
SMALL_DISK = "256k"
WORKERS = 2
WAVES_OF_A_WORKER = 3
"""Waves after which the oldest worker is killed."""
BROKEN = sorted((ROOT / "data" / "examples" / "broken").iterdir())


@dataclass
class Day:
    """What happened: how often each thing, and what went wrong."""

    seed: int
    large: bytes
    waves: int = 0
    done: dict[str, int] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    def note(self, what: str, failure: str = "") -> None:
        """Count an event, and keep what went wrong with it."""
        self.done[what] = self.done.get(what, 0) + 1
        if failure:
            self.failed.append(f"{what}: {failure[:200]}")


def main() -> int:
    """Run the day; return 1 if memory, log or a visitor says that it went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument(
        "--warm-up", type=float, default=5, help="minutes before the memory's start is taken"
    )
    parser.add_argument("--users", type=int, default=8, help="people at a time")
    parser.add_argument("--megabytes", type=float, default=20, help="size of the large uploads")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    tasks = max(60, int(options.megabytes * 15_000))
    day = Day(options.seed, campaign_file(99, tasks))
    full = can_fill_a_disk()
    print(f"temporary files: {'a full disk' if full else 'the disk of this machine'}")
    with (
        own_cluster(WORKERS) as workers,
        tempfile.TemporaryDirectory() as folder,
        _named(workers),
        serve(ROOT, Path(folder), session_seconds=5, through=small_disk if full else _plain) as at,
    ):
        asyncio.run(look_once(at.address, own=True))
        asyncio.run(_waves(at, day, options.warm_up * 60, options.users, workers))
        start = at.settled_memory(CLOSING)
        print(f"{start:.0f} MB after the warm-up", flush=True)
        asyncio.run(_waves(at, day, options.minutes * 60, options.users, workers))
        after = at.settled_memory(CLOSING)
        lines = noise((Path(folder) / "server.log").read_text(errors="replace"))
        print(f"{workers.processor_seconds():.0f} s of processor time by the last workers")
    print(", ".join(f"{n} {what}" for what, n in sorted(day.done.items())))
    print(f"{after:.0f} MB after the last visitor: {after / start - 1:+.0%}")
    print(f"{len(day.failed)} failures, {len(lines)} lines in the log")
    for line in (*day.failed[:20], *lines[:40]):
        print(" ", line)
    return int(after > (1 + GROWTH) * start or bool(day.failed) or bool(lines))


@contextlib.contextmanager
def _named(workers: OwnCluster) -> Iterator[None]:
    """Name the cluster to the server once its workers are there."""
    ready = 0
    while ready < WORKERS:
        with contextlib.suppress(PodiumError), cluster(workers.address) as found:
            ready = found.threads
    os.environ[SETTING] = workers.address
    yield
    del os.environ[SETTING]


async def _waves(at: Server, day: Day, seconds: float, users: int, workers: OwnCluster) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.monotonic()
        people = [_person(at, day, f"{day.waves}/{k}") for k in range(users)]
        if day.waves % WAVES_OF_A_WORKER == WAVES_OF_A_WORKER - 1:
            people.append(_lose_a_worker(workers, day))
        await asyncio.gather(*people)
        resident, peak = at.memory()
        day.waves += 1
        took = time.monotonic() - began
        print(f"wave {day.waves}: {took:.0f} s, {resident:.0f} MB, peak {peak:.0f}", flush=True)


async def _lose_a_worker(workers: OwnCluster, day: Day) -> None:
    """Kill a worker while people compute; another one comes."""
    await asyncio.sleep(2)
    await asyncio.to_thread(workers.kill_worker)
    workers.add_worker()
    day.note("workers killed")


async def _person(at: Server, day: Day, who: str) -> None:
    """Come, do one thing that people do, look at some pages, and leave."""
    rng = random.Random(f"{day.seed}/{who}")
    await asyncio.sleep(rng.uniform(0, 3))
    does = rng.choice(["looks", "uploads", "uploads", "breaks off", "errs", "hangs up", "large"])
    if does == "large" and not who.endswith("/0"):
        does = "looks"
    try:
        async with Visitor(at.address) as visitor:
            opened = await visitor.open(
                "result", method="Expected Wins", campaign=rng.choice(SAMPLES)
            )
            day.note("arrivals", opened.failed)
            await _do(does, visitor, day, rng)
            for _ in range(rng.randrange(3)):
                page = rng.choice(visitor.pages)
                day.note("pages", (await visitor.go_to(page)).failed)
    except _GoneError:
        pass
    except Exception as error:
        day.note(does, f"{type(error).__name__}: {error}")


async def _do(does: str, visitor: Visitor, day: Day, rng: random.Random) -> None:
    if does in ("uploads", "large"):
        user = rng.randrange(50)
        content = day.large if does == "large" else campaign_file(user, 300)
        day.note(does, (await visitor.give(f"{user}.csv", content)).failed)
    elif does == "breaks off":
        await visitor.go_to("data")
        await visitor.break_off("half.csv", campaign_file(1, 300))
        day.note(does)
    elif does == "errs":
        path = rng.choice(BROKEN)
        shown = await visitor.give(path.name, path.read_bytes())
        told = path.name in "\n".join(shown.words).replace("\\", "")
        day.note(does, shown.failed or ("" if told else f"nothing told of {path.name}"))
    elif does == "hangs up":
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(rng.uniform(0.05, 0.5)):
                await visitor.go_to("what-if")
        day.note(does)
        raise _GoneError


class _GoneError(Exception):
    """The person has left without a word."""


def _plain(line: str) -> list[str]:
    return [sys.executable, *shlex.split(line)]


def small_disk(line: str) -> list[str]:
    """Return a command whose /tmp is a disk of some kilobytes."""
    steps = f"mount -t tmpfs -o size={SMALL_DISK} tmpfs /tmp && exec env HOME=/tmp "
    inside = steps + f"{shlex.quote(sys.executable)} {line}"
    return ["unshare", "--map-root-user", "--mount", "sh", "-c", inside]


def can_fill_a_disk() -> bool:
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        tried = subprocess.run(small_disk("-c pass"), capture_output=True, check=False, timeout=60)
        return tried.returncode == 0
    return False


if __name__ == "__main__":
    sys.exit(main())
