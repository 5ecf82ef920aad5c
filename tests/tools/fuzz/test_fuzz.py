"""Damaged files and whole commands end in an answer or are refused in words.

``python -m tests.tools.fuzz`` tries any number of them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from analysis.cli.commands import commands
from tests.tools.fuzz.__main__ import log_line, read_log
from tests.tools.fuzz.command_lines import NOT_TRIED, judged
from tests.tools.fuzz.doors import DOORS
from tests.tools.fuzz.fuzzing import MAKERS, Attempt, Tally, run
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


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_a_seed_makes_the_same_again(make: Callable[[int], Attempt]) -> None:
    assert make(7) == make(7)
    assert make(7) != make(8)


def test_commands_with_random_flags_answer_or_are_refused() -> None:
    tally = run(0, 120, what="commands")
    assert tally.failures == []
    assert min(tally.total("ok"), tally.total("refused")) > 20


@pytest.mark.slow
def test_many_commands_with_random_flags_answer_or_are_refused() -> None:
    tally = run(200_000, 200_400, what="commands")
    assert tally.failures == []
    tried = {key[0] for key in tally.ends}
    assert tried == {name for name in commands() if name not in NOT_TRIED}


@pytest.mark.parametrize(
    ("ended", "told"),
    [
        ((0, "", "Traceback (most recent call last):"), "Traceback"),
        ((0, "", "x.py:3: RuntimeWarning: invalid value"), "Warning"),
        ((1, "", "podium rank: x"), "code 1"),
        ((2, "", ""), "without a word"),
        ((0, '{"a": NaN}', ""), "NaN in JSON"),
    ],
)
def test_a_command_that_ends_as_none_may_is_noticed(ended: tuple[int, str, str], told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        judged(("rank", "--json"), *ended)


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
