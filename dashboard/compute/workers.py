"""Where chunks of long work are done: on this machine, or where an extra brings workers."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any

from analysis.registry import manifests


@cache
def _place() -> Any:
    """Return the workers that an extra brings, asked for once in the life of a server."""
    modules = (brings.workers for brings in manifests("dashboard.extras", "BRINGS"))
    there = next((importlib.import_module(module) for module in modules if module), None)
    return None if there is None else there.connected()


def count_there() -> int:
    """Return how many workers an extra brings; 0 if none."""
    place = _place()
    return 0 if place is None else int(place.threads)


def done(function: Callable[..., Any], *args: Any) -> Any:
    """Return what a chunk makes, wherever that is done."""
    return _place().done(function, *args) if count_there() else function(*args)


def where() -> str:
    """Return a sentence on where long work is done; empty if on this machine."""
    place = _place()
    return "" if place is None else str(place.sentence)
