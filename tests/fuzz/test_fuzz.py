"""Damaged files are read or refused in words; ``python -m tests.fuzz`` reads any number of them."""

from __future__ import annotations

import time

import numpy as np
import pytest

from tests.fuzz.fuzzing import make, run, sources
from tests.fuzz.mutators import MUTATORS


def test_hundreds_of_damaged_files_are_read_or_refused() -> None:
    tally = run(0, 300)
    assert tally.failures == []
    assert min(tally.ends["ok"], tally.ends["refused"]) > 30


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100_000, 120_000, 5_000))
def test_thousands_of_damaged_files_are_read_or_refused(first: int) -> None:
    tally = run(first, first + 5_000, until=time.monotonic() + 30)
    assert tally.failures == []
    assert tally.ends["ok"] > 0


def test_a_seed_makes_the_same_file_again() -> None:
    assert make(7) == make(7)
    assert make(7) != make(8)


def test_every_mutator_changes_files() -> None:
    rng = np.random.default_rng(1)
    for mutate in MUTATORS:
        assert any(mutate(data, rng) != data for data in sources() for _ in range(3)), mutate
