"""``python -m tests.fuzz --files N --seed S --workers W``: damage the examples and read them."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor

from tests.fuzz.fuzzing import Tally, run

CHUNK = 250


def main() -> int:
    """Print how the files ended, and each failure with the seed that makes it again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the first file's seed")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    last = options.seed + options.files
    starts = range(options.seed, last, CHUNK)
    total = Tally()
    with ProcessPoolExecutor(options.workers) as pool:
        ends = [min(start + CHUNK, last) for start in starts]
        for done, tally in enumerate(pool.map(run, starts, ends), 1):
            total.add(tally)
            for seed, what in tally.failures:
                print(f"seed {seed}: {what}", flush=True)
            if done % 40 == 0:
                print(dict(total.ends), file=sys.stderr, flush=True)
    for end in ("ok", "refused", "crash", "over time", "over memory"):
        print(f"{end:12}{total.ends[end]:8}")
    return int(bool(total.failures))


if __name__ == "__main__":
    raise SystemExit(main())
