"""Damaged files are read or refused in words; ``python -m tests.tools.fuzz`` reads any number."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tools.fuzz.__main__ import log_line, read_log
from tests.tools.fuzz.doors import DOORS, make
from tests.tools.fuzz.fuzzing import Tally, run
from tests.tools.fuzz.mutators import MUTATORS


def test_hundreds_of_damaged_files_are_read_or_refused() -> None:
    tally = run(0, 300)
    assert tally.failures == []
    assert min(tally.total("ok"), tally.total("refused")) > 30


@pytest.mark.slow
@pytest.mark.parametrize("first", [100_000, 110_000])
def test_many_damaged_files_are_read_or_refused(first: int) -> None:
    tally = run(first, first + 600)
    assert tally.failures == []
    assert {key[0] for key in tally.ends} == set(DOORS)


def test_a_seed_makes_the_same_file_again() -> None:
    assert make(7) == make(7)
    assert make(7) != make(8)


def test_every_mutator_changes_files() -> None:
    rng = np.random.default_rng(1)
    sources = [source.data for door in DOORS.values() for source in door.sources()]
    for mutate in MUTATORS:
        assert any(mutate(data, rng) != data for data in sources for _ in range(3)), mutate


def test_a_run_that_was_stopped_goes_on_from_its_log() -> None:
    tally = run(0, 20)
    tally.failures.append((3, "over time"))
    ((first, again),) = read_log([log_line(0, tally)])
    assert (first, again) == (0, tally)
    total = Tally()
    total.add(again)
    assert total.table() == tally.table()
    assert total.table().count("\n") == len({key[:2] for key in tally.ends}) + 2
