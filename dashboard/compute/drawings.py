"""Figures that were drawn once: a page that is seen again costs what sending it costs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import ParamSpec, TypeVar

import numpy as np

from dashboard.compute import store
from dashboard.session.view import ViewContext

P = ParamSpec("P")
Figure = TypeVar("Figure")


def drawn(
    context: ViewContext, draw: Callable[P, Figure], /, *args: P.args, **look: P.kwargs
) -> Figure:
    """Return ``draw(*args, **look)``, drawn once for the same result and the same look.

    It is shared, so it must not be changed. What `remember` returned is the same the next time;
    what is made anew for every run of a page is drawn anew.
    """
    try:
        key = (draw, _as_key(args), _as_key(look))
    except _NoKeyError:
        return draw(*args, **look)
    return store.memory(context.is_sample).figures.get_or_make(key, lambda: draw(*args, **look))


class _NoKeyError(Exception):
    """Something that cannot be told from another one of its kind."""


@dataclass(frozen=True, eq=False)
class _Same:
    """Equal to the same object only, which it keeps alive."""

    value: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


def _as_key(value: object) -> Hashable:
    """Return what tells a value from others: its content where it is plain, else itself."""
    if isinstance(value, Mapping):
        return ("mapping", *((name, _as_key(part)) for name, part in value.items()))
    if isinstance(value, (tuple, list)) and type(value) in (tuple, list):
        return (type(value), *map(_as_key, value))
    if isinstance(value, np.ndarray):
        return ("array", value.shape, value.dtype.str, value.tobytes())
    if isinstance(value, FunctionType) and (value.__closure__ or value.__name__ == "<lambda>"):
        raise _NoKeyError
    try:
        hash(value)
    except TypeError:
        return _Same(value)
    return (type(value), value)
