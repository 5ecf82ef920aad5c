"""A file that cannot be read is refused in three lines, with what would work in its front end."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from analysis.errors import FrontEnd, PodiumError, speak_to
from analysis.formats import read_many
from tests.formats.data_set_tables import TABLES

LINE = 110
"""Letters of a line on a terminal."""

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
HOSTILE = Path(__file__).parent / "hostile"
ELSEWHERE = {
    "python": ("--map", "on Data", "form below", "one click"),
    "terminal": ("the form below", "one click"),
    "page": ("--map", "map="),
}
"""Controls that each front end does not have."""


def damaged() -> list[tuple[str, bytes]]:
    """Return files that nobody can read whole: cut off, without a header, of no judgments."""
    files = []
    for path in sorted(p for p in EXAMPLES.iterdir() if p.is_file() and p.name != "README.md"):
        data = path.read_bytes()
        first, sign, rest = data.partition(b"\n")
        files += [
            (f"half-{path.name}", data[: len(data) // 2]),
            (f"first-{path.name}", first),
            (f"headless-{path.name}", rest),
            (f"renamed-{path.name}", b"mood,weather,remark" + sign + rest),
            (f"twice-{path.name}", data + data),
        ]
    files += [(path.name, path.read_bytes()) for path in sorted(HOSTILE.iterdir())]
    tables = {name: make(np.random.default_rng(1)) for name, make in TABLES.items()}
    files += [(name, made.data) for name, made in tables.items() if made.found is None]
    return [*files, ("empty", b""), ("zeros", bytes(99)), ("words", b"Nothing to see here.\n")]


def refusal(name: str, data: bytes, mapping: str | None) -> PodiumError | None:
    try:
        read_many([(name, data)], mapping=mapping)
    except PodiumError as error:
        return error
    return None


@pytest.mark.parametrize("mapping", [None, "auto"])
def test_every_refusal_has_three_lines_and_names_what_would_work_here(mapping):
    n_refused = 0
    for place, (name, data) in enumerate(damaged()):
        front_end = get_args(FrontEnd)[place % 3]
        speak_to(front_end)
        if (error := refusal(name, data, mapping)) is not None:
            said = str(error)
            assert len(said) <= 3 * LINE, said
            assert "\n" not in said
            assert error.remedy, said
            assert not [word for word in ELSEWHERE[front_end] if word in said], (front_end, said)
            n_refused += 1
    assert n_refused > 50
