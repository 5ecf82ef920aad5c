"""Nested records as flat ones: ``{"data": {"model": "x"}}`` has the column ``data.model``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

_LONGEST = 8
"""Values of a list that become columns of their own."""
_NAMING = ("from_name", "name", "question", "criterion", "metric", "label", "title", "key")
_PATHS = 4
"""Lists of records that are looked at."""


def flat_records(records: Iterable[Mapping[str, Any]], path: str = "") -> Iterator[dict[str, Any]]:
    """Yield the records at a path, with the fields of those around them.

    >>> list(flat_records([{"q": 1, "votes": [{"who": "x"}, {"who": "y"}]}], "votes[]"))
    [{'q': 1, 'votes.who': 'x'}, {'q': 1, 'votes.who': 'y'}]
    """
    steps = path.split("[]")[:-1] if path else []
    for record in records:
        yield from _expanded(record, [step.strip(".") for step in steps])


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
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _members(record: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in record.items():
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
