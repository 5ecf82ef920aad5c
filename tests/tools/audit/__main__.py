"""``make audit``: simulate, measure, and write data/audit.csv and data/audit.md.

Finished simulations are kept in build/audit, one file of JSON lines for each row and state of the
code, so that a run which was stopped goes on, and more simulations add to those made. Simulation i
of a row is the same whoever makes it, and when. Rows that are not asked for keep the lines that the
table has of them: after a change only the rows that it bears on need to be made again.
"""

from __future__ import annotations

import argparse
import csv
import fnmatch
import hashlib
import json
import os
import sys
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np

from analysis.extras.dask.cluster import cluster
from tests.tools.audit.measures import (
    Outcome,
)
from tests.tools.audit.rows import OTHERS, PUBLISHED, ROWS, Row
from tests.tools.audit.summary import Line, lines_of

ROOT = Path(__file__).resolve().parents[3]
CACHE = ROOT / "build" / "audit"
TABLE, READABLE = ROOT / "data" / "audit.csv", ROOT / "data" / "audit.md"
QUICK = 40
"""Simulations a row under --quick: enough for a verdict, with wide errors."""

AT_ONCE = 10
"""Simulations that are one piece of work."""


def simulate(row: Row, index: int) -> dict[str, Outcome]:
    """Make one simulation of a row; the same every time."""
    rng = np.random.default_rng([zlib.crc32(row.name.encode()), index])
    return dict(row.measure(row.nature.draw(rng), rng))


def simulate_some(name: str, indices: Sequence[int]) -> list[dict[str, Outcome]]:
    """Make some simulations of the row of this name."""
    (row,) = (row for row in ROWS if row.name == name)
    return [simulate(row, index) for index in indices]


def state_of_code() -> str:
    """Return a digest of all modules that took part: what they found is theirs alone."""
    digest = hashlib.sha256()
    for name in sorted(sys.modules):
        file = getattr(sys.modules[name], "__file__", None)
        if file and name.split(".")[0] in ("analysis", "tests") and "summary" not in name:
            digest.update(Path(file).read_bytes())
    return digest.hexdigest()[:12]


class Store:
    """Finished simulations of one state of the code."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def _file(self, row: Row) -> Path:
        return self.folder / f"{zlib.crc32(row.name.encode()):08x}.jsonl"

    def load(self, row: Row) -> dict[int, dict[str, Outcome]]:
        """Return the simulations of a row by their numbers; a line cut short is left out."""
        file, found = self._file(row), {}
        for line in file.read_text().splitlines() if file.exists() else ():
            try:
                entry = json.loads(line)
            except json.JSONDecodeError:
                continue
            found[entry["index"]] = {k: tuple(v) for k, v in entry["outcomes"].items()}
        return found

    def add(self, row: Row, index: int, outcomes: dict[str, Outcome]) -> None:
        entry = {"row": row.name, "index": index, "outcomes": outcomes}
        with self._file(row).open("a") as file:
            file.write(json.dumps(entry) + "\n")


def run(rows: Sequence[Row], wanted: dict[str, int], store: Store, pool: Executor) -> None:
    """Make what is missing, some of every row in turn, and say how far it is."""
    missing = {row: sorted(set(range(wanted[row.name])) - set(store.load(row))) for row in rows}
    pieces = [
        (row, missing[row][start : start + AT_ONCE])
        for start in range(0, max(map(len, missing.values())), AT_ONCE)
        for row in rows
        if start < len(missing[row])
    ]
    jobs = {pool.submit(simulate_some, row.name, some): (row, some) for row, some in pieces}
    for done, job in enumerate(as_completed(jobs), start=1):
        row, some = jobs[job]
        for index, outcomes in zip(some, job.result(), strict=True):
            store.add(row, index, outcomes)
        print(f"\r{done}/{len(jobs)}  {row.name:40.40s}", end="", file=sys.stderr, flush=True)
    if pieces:
        print(file=sys.stderr)


def write_csv(lines: Sequence[Line], path: Path) -> None:
    """Write the table; each line names the command that makes it again."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(
            ["row", "world", "claim", "nominal", "promise", "measured", "standard_error",
             "simulations", "verdict", "command"]
        )  # fmt: skip
        for line in lines:
            writer.writerow(
                [line.what, line.world, line.claim, f"{line.nominal:.3g}", line.promise,
                 f"{line.measured:.4f}", f"{line.error:.4f}", line.simulations, line.verdict,
                 f'python -m tests.tools.audit --rows "{line.row}" '
                 f"--simulations {line.simulations}"]
            )  # fmt: skip


def read_csv(path: Path) -> list[Line]:
    """Read the table back; none where there is no table yet."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [
            Line(
                what=row["row"],
                world=row["world"],
                claim=row["claim"],
                nominal=float(row["nominal"]),
                promise=row["promise"],
                measured=float(row["measured"]),
                error=float(row["standard_error"]),
                simulations=int(row["simulations"]),
                verdict=row["verdict"],
            )
            for row in csv.DictReader(file)
        ]


def merged(known: Sequence[Line], made: dict[str, list[Line]]) -> list[Line]:
    """Return the table's lines in the order of the rows, those ``made`` in place of the known ones.

    Lines of rows that are no more are left out.
    """
    lines = []
    for row in ROWS:
        lines += made.get(row.name) or [line for line in known if line.row == row.name]
    return lines


def readable(lines: Sequence[Line]) -> str:
    """Return the table for people: one section a subject, worlds down, one claim a line."""
    own = [line for line in lines if line.what not in OTHERS]
    misses = [line for line in own if line.verdict == "misses"]
    text = [
        "# What Podium claims, measured",
        "",
        "Simulated campaigns of known truth: 8 systems, 600 five-way tasks, 20 judges who differ, "
        "200 sentences, unless the world says otherwise (`tests/tools/audit/rows.py`). "
        "The generator is the audit's own. A claim holds where what was measured lies within two "
        "standard errors of what is promised. Made by `make audit`; after a change of the code, "
        "the rows are made again that it bears on.",
        "",
        f"Of {len(own)} claims of Podium's own {_count(own, 'holds')} hold, {len(misses)} miss and "
        f"{_count(own, 'too few')} have too few simulations. Rows named *{PUBLISHED}* measure the "
        "published procedures on the same kind of campaigns, for comparison; rows named "
        "*procedure* the official rankings of scores, on equal systems "
        "(`tests/tools/audit/scored.py`).",
        *([""] if misses else []),
        *(
            f"- Misses: {line.what}, {line.world}, {line.claim}: promised {_promised(line)}, "
            f"measured {100 * line.measured:.1f}% ± {100 * line.error:.1f}."
            for line in misses
        ),
    ]
    for what in dict.fromkeys(line.what for line in lines):
        text += [
            "",
            f"## {what}",
            "",
            "| world | claim | promised | measured | simulations | verdict |",
            "|---|---|---|---|---|---|",
            *(
                f"| {line.world} | {line.claim} | {_promised(line)} | "
                f"{100 * line.measured:.1f}% ± {100 * line.error:.1f} | {line.simulations} | "
                f"{'**misses**' if line.verdict == 'misses' else line.verdict} |"
                for line in lines
                if line.what == what
            ),
        ]
    return "\n".join(text) + "\n"


def _promised(line: Line) -> str:
    """Write the bounds in percent.

    >>> _promised(Line("", "", "", 0.05, "at most 0.08", 0, 0, 0, ""))
    'at most 8%'
    """
    words = line.promise.split()
    return " ".join(f"{100 * float(w):.0f}%" if w[0].isdigit() else w for w in words)


def _count(lines: Sequence[Line], verdict: str) -> int:
    return sum(line.verdict == verdict for line in lines)


def chosen(patterns: Sequence[str]) -> Iterator[Row]:
    """Return the rows that a pattern names, whole or by what they measure; all without any."""
    for row in ROWS:
        if not patterns or any(fnmatch.fnmatch(row.name, p) or p == row.what for p in patterns):
            yield row


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate what is missing, then write the tables; see --help."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.audit", description=__doc__)
    parser.add_argument(
        "--rows",
        nargs="*",
        default=[],
        help="names of rows; * for any letters",
    )
    parser.add_argument("--simulations", type=int, help="of each row (default: each row's own)")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} simulations of each row")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="run on the workers of the Dask scheduler at tcp://…"
    )
    parser.add_argument("--list", action="store_true", help="print the rows' names and stop")
    parser.add_argument(
        "--only-print", action="store_true", help="leave the committed tables alone"
    )
    options = parser.parse_args(arguments)
    rows = list(chosen(options.rows))
    if options.list or not rows:
        print("\n".join(row.name for row in rows or ROWS))
        return 0 if rows else 1
    number = options.simulations or (QUICK if options.quick else None)
    wanted = {row.name: number or row.simulations for row in rows}
    store = Store(CACHE / state_of_code())
    pool: AbstractContextManager[Executor] = (
        cluster(options.cluster) if options.cluster else ProcessPoolExecutor(options.workers)
    )
    with pool as workers:
        run(rows, wanted, store, workers)
    made = {row.name: lines_of(row, list(store.load(row).values())) for row in rows}
    print(readable([line for some in made.values() for line in some]))
    if not options.only_print:
        write_csv(merged(read_csv(TABLE), made), TABLE)
        lines = read_csv(TABLE)  # as rounded there, so that all tables say the same
        READABLE.write_text(readable(lines))
        print(f"Written: {TABLE.relative_to(ROOT)}, {READABLE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
