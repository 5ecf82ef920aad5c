"""What extras bring to the core: found in their folder, named nowhere else.

An extra is a folder in ``analysis/extras`` whose ``__init__`` defines ``EXTRA``. It is deleted by
deleting the folder, and what it brings to the dashboard in ``dashboard/extras``.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from types import ModuleType
from typing import Any

FOLDER = "analysis.extras"


@dataclass(frozen=True)
class Command:
    """A command of the command line.

    ``module`` defines ``add_arguments`` and ``run``; ``group`` is its heading in the overview.
    ``examples`` are what to type after ``podium``. ``now`` is what the command is called today, if
    its name is an old one: it still works, is listed nowhere, and says so.
    """

    name: str
    help: str
    module: str
    group: str = ""
    examples: tuple[str, ...] = ()
    now: str = ""


@dataclass(frozen=True)
class Extra:
    """What one extra brings.

    ``rankers`` are classes as ``"module:Class"``. ``hooks`` names, for each place of the core that
    an extra may add to, the module that does; the place says what the module must define.
    """

    commands: tuple[Command, ...] = ()
    rankers: tuple[str, ...] = ()
    hooks: Mapping[str, str] = field(default_factory=dict)


@cache
def manifests(folder: str, name: str) -> tuple[Any, ...]:
    """Return what the packages in an extras ``folder`` define as ``name``, in alphabetical order.

    A folder that is not there has no extras.
    """
    try:
        spec = find_spec(folder)
    except ModuleNotFoundError:
        return ()
    if spec is None or spec.submodule_search_locations is None:
        return ()
    found = sorted(one.name for one in pkgutil.iter_modules(spec.submodule_search_locations))
    return tuple(getattr(importlib.import_module(f"{folder}.{one}"), name) for one in found)


def extra_names() -> list[str]:
    """Return the names of the extras of this installation, in alphabetical order."""
    spec = find_spec(FOLDER)
    places = None if spec is None else spec.submodule_search_locations
    return sorted(one.name for one in pkgutil.iter_modules(places or []))


def extras() -> Iterator[Extra]:
    """Yield the extras of this installation, in alphabetical order."""
    for extra in manifests(FOLDER, "EXTRA"):
        assert isinstance(extra, Extra)
        yield extra


def hooks(place: str) -> Iterator[ModuleType]:
    """Yield the modules that extras add to a ``place`` of the core."""
    for extra in extras():
        if place in extra.hooks:
            yield importlib.import_module(extra.hooks[place])


def extra_rankers() -> Iterator[type]:
    """Yield the classes of the ranking methods that extras bring."""
    for extra in extras():
        for name in extra.rankers:
            module, _, cls = name.partition(":")
            yield getattr(importlib.import_module(module), cls)
