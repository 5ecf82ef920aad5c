"""Nested records as flat ones: ``{"data": {"model": "x"}}`` has the column ``data.model``."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from analysis.formats.nested import dict_of, list_of

_LONGEST = 8
"""Values of a list that become columns of their own."""
_NAMING = ("from_name", "name", "question", "criterion", "metric", "label", "title", "key")
_NAMED_LEVELS = 3
"""Levels of records with names that are looked at."""
_PATHS = 4
"""Lists of records that are looked at."""
_FIRST_CELLS = 20
"""Cells that show what a column contains."""
_NUMBER = r"-?\d+(?:\.\d+)?"
_NUMBERS = re.compile(rf"\[{_NUMBER}(, ?{_NUMBER})+\]|{_NUMBER}([,;] ?{_NUMBER}){{2,}}")
"""A list of numbers; without brackets of three or more, as 3,5 may be one number."""
_EMPTY_CELLS = frozenset({"", "{}", "[]", "[{}]"})


def flat_records(records: Iterable[Mapping[str, Any]], path: str = "") -> Iterator[dict[str, Any]]:
    """Yield the records at a path, with the fields of those around them.

    >>> list(flat_records([{"q": 1, "votes": [{"who": "x"}, {"who": "y"}]}], "votes[]"))
    [{'q': 1, 'votes.who': 'x'}, {'q': 1, 'votes.who': 'y'}]
    >>> list(flat_records([{"item 1": {"cmu": {"score": 3}}}], "{}{}"))
    [{'key': 'item 1', 'key 2': 'cmu', 'score': 3}]
    """
    steps = path.replace("{}", "").split("[]")[:-1]
    for record in named_records(records, path.count("{}")):
        yield from _expanded(record, [step.strip(".") for step in steps])


def are_records(cells: Iterable[str]) -> bool:
    """Return whether each of the first cells is a JSON object, a list of one, or of numbers.

    >>> are_records(["", '[{"fluency": 4}]']), are_records(["3, 4, 3", "[1]"])
    (True, False)
    """
    first = [*itertools.islice((cell for cell in cells if cell not in _EMPTY_CELLS), _FIRST_CELLS)]
    n_lists = sum(map(bool, map(_NUMBERS.fullmatch, first)))
    return bool(first) and n_lists in (0, len(first)) and all(of_cell("", own) for own in first)


def of_cell(column: str, cell: str) -> dict[str, Any]:
    """Return the fields of a JSON object, or the numbers of a list, as columns of their own.

    >>> of_cell("Answer", '[{"fluency": {"4": true}}]'), of_cell("fluency", "3,5,4")
    ({'Answer.fluency.4': True}, {'fluency.0': '3', 'fluency.1': '5', 'fluency.2': '4'})
    """
    if _NUMBERS.fullmatch(cell):
        return _of_value(column, re.findall(_NUMBER, cell))
    own = dict_of(cell)
    if not own and len(several := list_of(cell)) == 1 and isinstance(several[0], dict):
        own = several[0]
    try:
        return _flat(own, f"{column}.")
    except RecursionError:
        return {}


def named_records(records: Iterable[Mapping[str, Any]], depth: int) -> Iterable[Mapping[str, Any]]:
    """Return the records at a depth of named ones, each with the names that lead to it."""
    for level in range(depth):
        records = _keyed(records, "key" if not level else f"key {level + 1}", level)
    return records


def _keyed(
    records: Iterable[Mapping[str, Any]], name: str, level: int
) -> Iterator[Mapping[str, Any]]:
    """Yield the records within records, each with its own name and with those around it."""
    for record in records:
        outer = dict(itertools.islice(record.items(), level))
        for key, own in itertools.islice(record.items(), level, None):
            for one in own if isinstance(own, list) else [own]:
                if isinstance(one, dict):
                    yield {**outer, name: key, **one}


def levels_of_names(record: Mapping[str, Any]) -> list[str]:
    """Return the paths to records within one that have names of their own in place of a list.

    >>> levels_of_names({"item 1": {"cmu": {"score": 3, "who": 1}, "kit": {"score": 2, "who": 1}}})
    ['{}{}']
    """
    found, level = [], [record]
    for depth in range(1, _NAMED_LEVELS + 1):
        below = [own for one in level for own in one.values()]
        below = [own[0] if isinstance(own, list) and own else own for own in below]
        level = [own for own in below if isinstance(own, dict)]
        if len(level) < len(below):
            break
        first = set(level[0]) if level else set()
        alike = sum(len(first & set(own)) > 1 for own in level) >= 0.8 * len(level) > 1
        has_values = any(not isinstance(value, dict) for own in level[:1] for value in own.values())
        if alike and has_values and not all(name.isdigit() for name in first):
            found.append("{}" * depth)
    return found


def lists_in(records: Sequence[Mapping[str, Any]], before: str = "") -> list[str]:
    """Return the paths of lists of records within records, those of more records first."""
    sizes: dict[str, int] = {}
    for record in records:
        for name, value in _members(record):
            if isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
                sizes[name] = sizes.get(name, 0) + len(value)
    found = []
    for name in sorted(sizes, key=lambda one: -sizes[one])[:_PATHS]:
        own = [part for record in records for part in list_at(record, name)]
        found += [f"{before}{name}[]", *lists_in(own[:50], f"{before}{name}[].")[:2]]
    return found[: 2 * _PATHS]


def list_at(record: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """Return the records of the list of that name."""
    value: Any = record
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    if _has_named_records(value):
        return [{"key": key, **own} for key, own in value.items()]
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _has_named_records(value: Any) -> bool:
    """Return whether a value is several records with the same fields, by name."""
    if not isinstance(value, dict) or len(value) < 2:
        return False
    first, *others = value.values()
    return (
        isinstance(first, dict)
        and any(not isinstance(own, dict) for own in first.values())
        and all(isinstance(own, dict) and own.keys() == first.keys() for own in others)
    )


def _members(record: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in record.items():
        if _has_named_records(value):
            yield f"{before}{name}", list(value.values())
        if isinstance(value, dict):
            yield from _members(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def _expanded(record: Mapping[str, Any], steps: Sequence[str]) -> Iterator[dict[str, Any]]:
    if not steps:
        yield _flat(record)
        return
    around = _flat(_without(record, steps[0].split(".")))
    for part in list_at(record, steps[0]):
        for own in _expanded(part, steps[1:]):
            yield around | {f"{steps[0]}.{name}": value for name, value in own.items()}


def _without(record: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    first, *rest = names
    own = {name: value for name, value in record.items() if name != first}
    if rest and isinstance(record.get(first), dict):
        own[first] = _without(record[first], rest)
    return own


def _flat(record: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in record.items():
        found |= _of_value(f"{before}{name}", value)
    return found


def _of_value(name: str, value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return _flat(value, f"{name}.")
    if not isinstance(value, list):
        return {name: value}
    if len(value) == 1 and not isinstance(value[0], dict | list):
        return {name: value[0]}
    if all(isinstance(one, dict) for one in value):
        for key in _NAMING:
            names = [one.get(key) for one in value]
            if value and all(isinstance(own, str) and own for own in names):
                named: dict[str, Any] = {}
                for own, one in zip(names, value, strict=True):
                    for part, inner in _flat(one, f"{name}.{own}.").items():
                        named.setdefault(part, inner)
                return named
    if len(value) > _LONGEST:
        return {}
    found: dict[str, Any] = {}
    for place, one in enumerate(value):
        found |= _of_value(f"{name}.{place}", one)
    return found
