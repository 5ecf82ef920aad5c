"""A day in production, in minutes: ``make soak``, or ``python -m tests.tools.soak --minutes 30``.

People come in waves with files of their own; some hang up while a page is computed, some break off
an upload, some give a file that cannot be read, and the disk for temporary files is full where the
system lets this be arranged. In the end the memory must be back within a tenth of the start and the
log empty: no traceback, no warning, and every refused file was refused on the page.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import shlex
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.tools.load.__main__ import CLOSING, look_once
from tests.tools.load.crowd import SAMPLES, campaign_file
from tests.tools.load.serving import ROOT, Server, noise, serve
from tests.tools.load.visitor import Visitor

GROWTH = 0.10
"""By how much the memory may be above the start in the end."""
SMALL_DISK = "256k"
BROKEN = sorted((ROOT / "data" / "examples" / "broken").iterdir())


@dataclass
class Day:
    """What happened: how often each thing, and what went wrong."""

    seed: int
    large: bytes
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
    parser.add_argument("--users", type=int, default=8, help="people at a time")
    parser.add_argument("--megabytes", type=float, default=20, help="size of the large uploads")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    tasks = max(60, int(options.megabytes * 15_000))
    day = Day(options.seed, campaign_file(99, tasks))
    full = can_fill_a_disk()
    print(f"temporary files: {'a full disk' if full else 'the disk of this machine'}")
    with (
        tempfile.TemporaryDirectory() as folder,
        serve(ROOT, Path(folder), session_seconds=5, through=small_disk if full else _plain) as at,
    ):
        asyncio.run(look_once(at.address, own=True))
        start = at.settled_memory(CLOSING)
        print(f"{start:.0f} MB before the first visitor", flush=True)
        asyncio.run(_waves(at, day, options.minutes * 60, options.users))
        after = at.settled_memory(CLOSING)
        lines = noise((Path(folder) / "server.log").read_text(errors="replace"))
    print(", ".join(f"{n} {what}" for what, n in sorted(day.done.items())))
    print(f"{after:.0f} MB after the last visitor: {after / start - 1:+.0%}")
    print(f"{len(day.failed)} failures, {len(lines)} lines in the log")
    for line in (*day.failed[:20], *lines[:40]):
        print(" ", line)
    return int(after > (1 + GROWTH) * start or bool(day.failed) or bool(lines))


async def _waves(at: Server, day: Day, seconds: float, users: int) -> None:
    until, wave = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        began = time.monotonic()
        await asyncio.gather(*(_person(at, day, f"{wave}/{k}") for k in range(users)))
        resident, peak = at.memory()
        wave += 1
        took = time.monotonic() - began
        print(f"wave {wave}: {took:.0f} s, {resident:.0f} MB, peak {peak:.0f}", flush=True)


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
