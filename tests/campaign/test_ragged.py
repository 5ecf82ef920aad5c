"""Lists of lists laid out flat give what Python's lists would."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from analysis.campaign import Ragged, smallest

LISTS = st.lists(st.lists(st.integers(0, 9), max_size=4), min_size=1, max_size=6)


@given(LISTS, st.data())
def test_lists_are_taken_in_the_order_asked(lists: list[list[int]], data: st.DataObject) -> None:
    wanted = data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=8))
    taken = Ragged.from_lists(lists).take(wanted)
    assert taken.to_lists() == [lists[k] for k in wanted]


@given(LISTS)
def test_values_left_out_leave_their_lists_in_place(lists: list[list[int]]) -> None:
    ragged = Ragged.from_lists(lists)
    assert ragged.keep(ragged.values > 4).to_lists() == [[v for v in row if v > 4] for row in lists]


@given(LISTS)
def test_every_value_knows_its_list_and_its_place(lists: list[list[int]]) -> None:
    ragged = Ragged.from_lists(lists)
    assert ragged.owners.tolist() == [k for k, row in enumerate(lists) for _ in row]
    assert ragged.places.tolist() == [p for row in lists for p in range(len(row))]


@given(LISTS)
def test_pairs_are_the_combinations_of_each_list(lists: list[list[int]]) -> None:
    ragged = Ragged.from_lists(lists)
    first, second = ragged.pairs()
    expected = [pair for row in lists for pair in itertools.combinations(row, 2)]
    assert [*zip(ragged.values[first], ragged.values[second], strict=True)] == expected


@given(LISTS, st.lists(st.lists(st.integers(0, 3), max_size=3), min_size=10, max_size=10))
def test_joining_puts_a_list_in_the_place_of_each_value(
    lists: list[list[int]], inner: list[list[int]]
) -> None:
    joined, stands_for = Ragged.from_lists(lists).join(Ragged.from_lists(inner))
    assert joined.to_lists() == [[v for k in row for v in inner[k]] for row in lists]
    flat = [k for row in lists for k in row]
    assert stands_for.tolist() == [p for p, k in enumerate(flat) for _ in inner[k]]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=12))
def test_positions_are_gathered_by_label(labels: list[int]) -> None:
    gathered = Ragged.by_label(np.array(labels))
    assert gathered.to_lists() == [
        [p for p, label in enumerate(labels) if label == wanted] for wanted in sorted(set(labels))
    ]


@given(st.lists(st.integers(-(2**40), 2**40)))
def test_the_smallest_type_holds_every_number(numbers: list[int]) -> None:
    assert smallest(np.array(numbers, dtype=np.int64), np.int8).tolist() == numbers
