"""``python -m tests.tools.fuzz --files N --seed S --workers W --log FILE``: damage files, go in by
every door, and print how they ended. With a log, a run that was stopped goes on where it was."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.tools.fuzz.doors import make
from tests.tools.fuzz.fuzzing import Tally, run

CHUNK = 1000


def main() -> int:
    """Print each failure with the seed that makes it again, and the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the first file's seed")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--log", type=Path, help="keep what is done here, a line a chunk")
    parser.add_argument("--chunk", action="store_true", help="print a chunk's line, no table")
    options = parser.parse_args()
    last = options.seed + options.files
    if options.chunk:
        print(log_line(options.seed, run(options.seed, last)), end="")
        return 0
    total, done = Tally(), set()
    if options.log and options.log.exists():
        for first, tally in read_log(options.log.read_text().splitlines()):
            total.add(tally)
            done.add(first)
    starts = [start for start in range(options.seed, last, CHUNK) if start not in done]
    ends = [min(start + CHUNK, last) for start in starts]
    with ThreadPoolExecutor(options.workers) as pool:
        for first, tally in zip(starts, pool.map(run_apart, starts, ends), strict=True):
            total.add(tally)
            for seed, what in tally.failures:
                print(f"seed {seed}: {what}", flush=True)
            if options.log:
                with options.log.open("a") as log:
                    log.write(log_line(first, tally))
    print(total.table())
    return int(bool(total.failures))


def run_apart(first: int, last: int) -> Tally:
    """Run seeds in a process of their own; find the one that ends it, if one does."""
    command = [sys.executable, "-m", "tests.tools.fuzz", "--chunk"]
    command += ["--seed", str(first), "--files", str(last - first)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0:
        return next(iter(read_log(done.stdout.splitlines())))[1]
    if last - first == 1:
        attempt = make(first)
        ended = Counter({(attempt.door, attempt.kind, "exception"): 1})
        return Tally(ended, [(first, f"ends the process ({done.returncode})")])
    middle = (first + last) // 2
    tally = run_apart(first, middle)
    tally.add(run_apart(middle, last))
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
