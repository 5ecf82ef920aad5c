"""``python -m tests.tools.fuzz [files|commands] --runs N --seed S --workers W --log FILE``: damage
files and go in by every door, or run whole commands with random flags, and print how they ended.
With a log, a run that was stopped goes on where it was; ``--show`` writes what a seed makes."""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from tests.tools.fuzz.fuzzing import MAKERS, Tally, run

CHUNK = {"files": 1000, "commands": 1000}
ADDRESSES = 8 << 30
"""Bytes that a chunk's process may address: more ends in a MemoryError, not in a full machine."""


def main() -> int:
    """Print each failure with the seed that makes it again, and the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=tuple(MAKERS), default="files")
    parser.add_argument("--runs", "--files", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--log", type=Path, help="keep what is done here, a line a chunk")
    parser.add_argument("--chunk", action="store_true", help="print a chunk's line, no table")
    parser.add_argument("--show", action="store_true", help="write what the first seed makes here")
    options = parser.parse_args()
    last, what = options.seed + options.runs, options.what
    if options.show:
        attempt = MAKERS[what](options.seed)
        print(attempt)
        for name, data in attempt.files:
            Path(name).write_bytes(data)
        return 0
    if options.chunk:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
        print(log_line(options.seed, run(options.seed, last, what=what)), end="")
        return 0
    total, done = Tally(), set()
    if options.log and options.log.exists():
        for first, tally in read_log(options.log.read_text().splitlines()):
            total.add(tally)
            done.add(first)
    starts = [start for start in range(options.seed, last, CHUNK[what]) if start not in done]
    ends = [min(start + CHUNK[what], last) for start in starts]
    with ThreadPoolExecutor(options.workers) as pool:
        ran = pool.map(partial(run_apart, what), starts, ends)
        for first, tally in zip(starts, ran, strict=True):
            total.add(tally)
            for seed, what in tally.failures:
                print(f"seed {seed}: {what}", flush=True)
            if options.log:
                with options.log.open("a") as log:
                    log.write(log_line(first, tally))
    print(total.table())
    return int(bool(total.failures))


def run_apart(what: str, first: int, last: int) -> Tally:
    """Run seeds in a process of their own; find the one that ends it, if one does."""
    command = [sys.executable, "-m", "tests.tools.fuzz", what, "--chunk"]
    command += ["--seed", str(first), "--runs", str(last - first)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0:
        return next(iter(read_log(done.stdout.splitlines())))[1]
    if last - first == 1:
        attempt = MAKERS[what](first)
        ended = Counter({(attempt.door, attempt.kind, "exception"): 1})
        return Tally(ended, [(first, f"ends the process ({done.returncode})")])
    middle = (first + last) // 2
    tally = run_apart(what, first, middle)
    tally.add(run_apart(what, middle, last))
    return tally


def log_line(first: int, tally: Tally) -> str:
    """Return a chunk's end as one line of JSON."""
    ends = [[*key, n] for key, n in tally.ends.items()]
    return json.dumps({"first": first, "ends": ends, "failures": tally.failures}) + "\n"


def read_log(lines: Iterable[str]) -> Iterable[tuple[int, Tally]]:
    """Return the chunks of a log with their first seeds."""
    for line in lines:
        chunk = json.loads(line)
        ends = Counter({(door, kind, end): n for door, kind, end, n in chunk["ends"]})
        yield chunk["first"], Tally(ends, [(seed, what) for seed, what in chunk["failures"]])


if __name__ == "__main__":
    raise SystemExit(main())
