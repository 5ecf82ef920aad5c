"""``python -m tests.tools.benchmark``: the table of speed. With names: those parts, or tables.

``-o FILE`` writes the table of speed, too.
"""

from __future__ import annotations

import argparse
import datetime
import math
import os
import platform
import sys
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path

import pandas as pd

from analysis.cli.output import text_table
from tests.tools.benchmark import (
    accuracy,
    agreement,
    bradley_terry,
    intervals,
    item_response,
    rankers,
    reading,
    trueskill,
)
from tests.tools.benchmark.timing import Row

SPEED = {
    "trueskill": trueskill.rows,
    "bradley-terry": bradley_terry.rows,
    "item-response": item_response.rows,
    "intervals": intervals.rows,
    "agreement": agreement.rows,
    "reading": reading.rows,
}
"""Parts of the one table."""

REAL = (*accuracy.REAL, reading.reading_speed)
TABLES = {measure.__name__: measure for measure in (*REAL, *accuracy.MADE, rankers.ranker_speed)}
"""Tables of their own."""

HEADINGS = {
    "workload": "workload", "seconds": "Podium", "peer": "against", "peer_seconds": "takes",
    "ratio": "times as long", "goal": "goal", "reached": "reached", "megabytes": "peak memory",
    "exponent": "exponent of n", "note": "remarks",
}  # fmt: skip


def machine() -> str:
    """Say what kind of machine this is, and how busy it was."""
    model = platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        named = [line for line in information.read_text().splitlines() if "model name" in line]
        model = named[0].partition(":")[2].strip() if named else model
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "not known"
    return f"{os.cpu_count()} cores ({model}), Python {platform.python_version()}, load {load}"


def cells_of(row: Row) -> dict[str, str]:
    """Return a row in words."""

    def number(value: float, unit: str = "") -> str:
        if math.isnan(value):
            return ""
        return (f"{value:,.0f}" if value >= 100 else f"{value:.3g}") + unit

    words = {"seconds": number(row.seconds, " s"), "peer_seconds": number(row.peer_seconds, " s")}
    words |= {"ratio": number(row.ratio), "megabytes": number(row.megabytes, " MB")}
    words |= {"exponent": number(row.exponent)}
    words["reached"] = "" if row.reached is None else "yes" if row.reached else "no"
    plain = {f.name: getattr(row, f.name) for f in fields(row)}
    return {HEADINGS[name]: str((plain | words)[name]) for name in HEADINGS}


def markdown(rows: Iterable[dict[str, str]], begun: str) -> str:
    """Return the table as a page."""
    lines = [
        "# How fast Podium is\n",
        f"Made by `make bench` on {datetime.date.today()}: {begun} when it began.\n",
        "Podium's time and a peer's are taken by turns in one process; a peer that is slow does a "
        "part of the work, and its time is scaled. Memory is what Python and NumPy took at the "
        "peak, beside the judgments. The exponent is that of the number of judgments in the time, "
        "over the three sizes among the remarks.\n",
        "| " + " | ".join(HEADINGS.values()) + " |",
        "|" + "---|" * len(HEADINGS),
    ]
    lines += ["| " + " | ".join(row.values()) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def print_table(name: str) -> None:
    """Print a table of its own."""
    measure = TABLES[name]
    folder = Path(os.environ.get("PODIUM_CAMPAIGNS", ""))
    is_real = measure in REAL
    if is_real and (folder == Path() or not folder.is_dir()):
        print(f"{name}: needs PODIUM_CAMPAIGNS\n")
        return
    assert measure.__doc__ is not None
    print(f"{name}: {measure.__doc__.splitlines()[0]}")
    rows = measure(folder) if is_real else measure()  # type: ignore[operator, call-arg]
    print(text_table(pd.DataFrame(rows), decimals=3), end="\n\n", flush=True)


def main(words: list[str]) -> None:
    """Measure what is named, or the whole table of speed, and print each row as it comes."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.benchmark", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", choices=[*SPEED, *TABLES, "accuracy", []],
        help=f"of the table: {', '.join(SPEED)}; tables: accuracy (all), {', '.join(TABLES)}",
    )  # fmt: skip
    parser.add_argument("--only", default="", help="names, by comma")
    parser.add_argument("-o", "--output", type=Path, help="file that the table is written to")
    given = parser.parse_args(words)
    names = [*given.names, *filter(None, given.only.split(","))]
    if "accuracy" in names:
        names += [measure.__name__ for measure in (*accuracy.REAL, *accuracy.MADE)]
    begun, rows = machine(), []
    print(begun, flush=True)
    for part, measure in SPEED.items():
        if names and part not in names:
            continue
        for row in measure():
            rows.append(cells_of(row))
            told = [f"{heading}: {cell}" for heading, cell in rows[-1].items() if cell]
            print(" · ".join(told[1:] if told else []), f"← {row.workload}", flush=True)
            if given.output is not None:
                given.output.write_text(markdown(rows, begun))
    for name in TABLES:
        if name in names:
            print_table(name)


if __name__ == "__main__":
    main(sys.argv[1:])
