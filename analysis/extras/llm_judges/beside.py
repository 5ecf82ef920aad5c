"""The votes of a machine judge laid beside those of people, item by item.

An item is a segment with two of its outputs, whichever of them was shown first. Both files name
systems and segments alike; what only one of them has does not count, and is counted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from analysis.campaign import (
    DEFAULT_SELECTION,
    Campaign,
    IntArray,
    Judgments,
    Selection,
)
from analysis.errors import PodiumError

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Beside:
    """Votes of people and of one machine judge on the same systems, their items in common codes.

    ``people_item`` and ``machine_item`` are the items of the rows of both, ``people_segment`` and
    ``machine_segment`` their segments. ``only_people`` and ``only_machine`` are the systems that
    one of the two files names alone, and that count for nothing here.
    """

    judge: str
    people: Judgments
    machine: Judgments
    people_item: IntArray
    machine_item: IntArray
    people_segment: IntArray
    machine_segment: IntArray
    only_people: tuple[str, ...] = ()
    only_machine: tuple[str, ...] = ()

    @cached_property
    def seen_by_machine(self) -> BoolArray:
        """Which rows of people are on items that the machine judged too."""
        return np.isin(self.people_item, self.machine_item)

    @cached_property
    def seen_by_people(self) -> BoolArray:
        """Which rows of the machine are on items that people judged too."""
        return np.isin(self.machine_item, self.people_item)

    @property
    def n_items(self) -> int:
        """How many items the machine judged."""
        return len(np.unique(self.machine_item))

    @property
    def n_shared(self) -> int:
        """How many of them people judged too."""
        return len(np.unique(self.people_item[self.seen_by_machine]))

    def with_people(self, rows: IntArray) -> Beside:
        """Return the same machine beside some rows of people."""
        return replace(
            self,
            people=self.people.take_rows(rows),
            people_item=self.people_item[rows],
            people_segment=self.people_segment[rows],
        )


def lay_beside(
    people: Campaign,
    machine: Campaign,
    judge: str,
    *,
    pair: str | None = None,
    selection: Selection = DEFAULT_SELECTION,
    within: bool = False,
) -> Beside:
    """Find what people and a machine both judged in one language pair.

    ``selection`` says which judgments of people count. Outputs that several systems made alike
    count for each of them. A file of the machine with one pair only is taken for this pair.
    ``within``: the machine is a judge of that name in its file, which has others too.
    """
    own_pair = people.find_pair(pair)
    only = machine.pairs[0] if len(machine.pairs) == 1 else None
    other_pair = only or machine.find_pair(own_pair)
    chosen = replace(selection, identical="expanded")
    all_of_people = people.judgments(own_pair, chosen)
    of_machine = Selection(references=True, judges=(judge,) if within else ())
    all_of_machine = machine.judgments(other_pair, of_machine)
    known, seen = set(all_of_people.systems), set(all_of_machine.systems)
    only_people = tuple(sorted(known - seen))
    only_machine = tuple(sorted(seen - known - set(all_of_people.left_out)))
    if len(known & seen) < 2:
        raise PodiumError(
            f"LLM judge {judge}",
            f"its file names {len(known & seen) or 'none'} of the human-judged systems: "
            f"{', '.join(all_of_machine.systems[:4])} there, "
            f"{', '.join(all_of_people.systems[:4])} here",
            "Give the LLM judge's votes on the same systems, with the same names.",
        )
    if only_people:
        chosen = replace(chosen, exclude_systems=(*chosen.exclude_systems, *only_people))
        all_of_people = people.judgments(own_pair, chosen)
    strange = tuple(sorted(seen - known))
    if strange:
        all_of_machine = machine.judgments(other_pair, replace(of_machine, exclude_systems=strange))
    found = _in_common_codes(judge, all_of_people, all_of_machine)
    found = replace(found, only_people=only_people, only_machine=only_machine)
    if not found.seen_by_machine.any():
        if not {*all_of_people.segments}.isdisjoint(all_of_machine.segments):
            got = "its segments are those of the human judges, but no pair of systems on them is"
            raise PodiumError(
                f"LLM judge {judge}", got, "Give votes on the same pairs, to measure agreement."
            )
        raise PodiumError(
            f"LLM judge {judge}",
            "no item was judged by both humans and the LLM: its segments are called "
            f"{_names(all_of_machine)}, the human-judged ones {_names(all_of_people)}",
            "Use the same ids of questions or segments in both files.",
        )
    return found


def names_judges(judgments: Judgments) -> bool:
    """Return whether the judgments come from several judges that the file names."""
    return judgments.n_judges is not None


def _in_common_codes(judge: str, people: Judgments, machine: Judgments) -> Beside:
    """Give the segments of both one code a name, and the items one code a segment and pair."""
    code = {name: k for k, name in enumerate(people.segments)}
    codes = np.array([code.setdefault(name, len(code)) for name in machine.segments], np.int64)
    people_segment = people.task_segment[people.task]
    machine_segment = codes.astype(np.int32)[machine.task_segment[machine.task]]
    items = [_items(people, people_segment), _items(machine, machine_segment)]
    number = np.unique(np.concatenate(items), return_inverse=True)[1].astype(np.int32)
    return Beside(
        judge=judge,
        people=people,
        machine=machine,
        people_item=number[: len(people)],
        machine_item=number[len(people) :],
        people_segment=people_segment,
        machine_segment=machine_segment,
    )


def _items(judgments: Judgments, segment: IntArray) -> IntArray:
    left, right, k = judgments.left, judgments.right, judgments.n_systems
    item = segment.astype(np.int64) * k + np.minimum(left, right)
    return item * k + np.maximum(left, right)


def _names(judgments: Judgments) -> str:
    used = np.unique(judgments.task_segment)[:2]
    return ", ".join(judgments.segments[int(k)][:40] for k in used)
