"""No row of a file vanishes untold, in any format: damage some of an example's rows and look."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.errors import ReadingError
from analysis.formats import FORMATS, ReadReport, read

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
Rows = list[bytes]


def lines_of(data: bytes) -> tuple[Rows, Callable[[Rows], bytes]]:
    """Take text apart into its rows, the header left whole."""
    head, *rows = data.rstrip(b"\n").split(b"\n")
    return rows, lambda rows: b"\n".join([head, *rows, b""])


def records_of(data: bytes) -> tuple[Rows, Callable[[Rows], bytes]]:
    """Take a JSON list apart into its records."""
    rows = [json.dumps(record).encode() for record in json.loads(data)]
    return rows, lambda rows: b"[" + b", ".join(rows) + b"]"


def examples() -> list[Path]:
    """Return examples whose rows can be taken apart: lines below a header, or a list."""
    found = []
    for path in sorted(EXAMPLES.iterdir()):
        is_list = path.suffix == ".json" and path.read_bytes().lstrip()[:1] == b"["
        if is_list or path.suffix in (".csv", ".tsv", ".jsonl"):
            found.append(path)
    return found


def kept(report: ReadReport) -> int:
    """Return how much came out of a file."""
    return report.n_scores or report.n_tasks


def told(report: ReadReport) -> Counter[str]:
    """Return what is told of a file, and of how much of it."""
    return Counter(
        {reason.reason: reason.count for reason in report.left_out}
        | {oddity.kind: oddity.count for oddity in report.oddities}
        | report.skipped
    )


def missing(report: ReadReport) -> int:
    """Return how much of a file is told to be missing."""
    return report.n_left_out + sum(report.skipped.values())


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "no fields": lambda row: b"x",
    "cut": lambda row: row[: len(row) // 2],
    "empty fields": lambda row: b"{}" if b"{" in row else re.sub(rb"[^,;\t]", b"", row) or b"x",
    "no record": lambda row: b'"x"' if b"{" in row else b"x",
}


def damaged(row: bytes, how: str, is_list: bool) -> bytes:
    """Damage a row so that the rest of the file can still be told apart."""
    if is_list and how in ("no fields", "cut"):
        how = "no record"
    return DAMAGES[how](row)


@pytest.mark.parametrize("path", examples(), ids=lambda path: path.name)
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_what_is_damaged_is_told_or_read(path: Path, data: st.DataObject) -> None:
    content = path.read_bytes()
    is_list = path.suffix == ".json"
    rows, join = records_of(content) if is_list else lines_of(content)
    _, whole = read(join(rows), name=path.name)
    which = data.draw(st.sets(st.integers(0, len(rows) - 1), min_size=1, max_size=3))
    how = data.draw(st.sampled_from(sorted(DAMAGES)))
    file = join([damaged(r, how, is_list) if k in which else r for k, r in enumerate(rows)])
    refusal = None
    try:
        _, report = read(file, name=path.name)
    except ReadingError as error:
        refusal = error
    if refusal is not None:
        assert refusal.__cause__ is None
        return
    assert report.format == whole.format
    if kept(report) < kept(whole):
        assert told(report) - told(whole)
    if missing(whole) == 0 and kept(whole) == whole.n_rows and whole.format != "wmt-2way":
        assert kept(report) + missing(report) == report.n_rows


def test_every_format_has_an_example() -> None:
    found = set()
    for path in sorted(EXAMPLES.iterdir()):
        if path.suffix not in ("", ".md"):
            found.add(read(path.read_bytes(), name=path.name)[1].format)
    assert found == set(FORMATS)
