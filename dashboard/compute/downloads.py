"""Files and figures that are made once.

A button makes a file when it is pressed; it is kept until the browser has fetched it. A figure that
was drawn is kept, so that a page that is seen again costs what sending it costs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from inspect import signature
from itertools import count
from types import FunctionType
from typing import TypeVar

import numpy as np
from streamlit import runtime

from dashboard.compute import store
from dashboard.session.view import ViewContext

KEPT = 32
"""Files of everybody that are kept at most; a newer one takes the oldest one's place."""
SECONDS = 60.0
"""So long after the last file was made, none is kept."""

_numbers = count()
_lock = threading.Lock()
_last: threading.Timer | None = None


def fetched(make: Callable[[], str | bytes], mime: str, name: str) -> Callable[[], bytes]:
    """Return what makes a file for `st.download_button`, so that its address answers.

    Streamlit forgets a file that was made for a press as soon as two runs of anybody's pages have
    ended, which on a busy server is before the browser has asked for it.
    """

    def made() -> bytes:
        data = make()
        content = data.encode() if isinstance(data, str) else data
        if runtime.exists():
            _hold(content, mime, name)
        return content

    return made


def _hold(content: bytes, mime: str, name: str) -> None:
    """Name a file as used; what has the same content, type and name has the same address."""
    global _last
    files = runtime.get_instance().media_file_mgr
    with _lock:
        place = f"podium.download.{next(_numbers) % KEPT}"
        files.add(content, mime, place, file_name=name, is_for_static_download=True)
        if _last is not None:
            _last.cancel()
        # In a thread without a session it forgets what was held in threads without one: these.
        _last = threading.Timer(SECONDS, files.clear_session_refs)
        _last.daemon = True
        _last.start()


Figure = TypeVar("Figure")


def drawn(
    context: ViewContext, draw: Callable[..., Figure], /, *args: object, **look: object
) -> Figure:
    """Return ``draw(*args, **look)``, drawn once for the same result and the same look.

    What the look leaves open is the view's: mode, short names, colors and the score's label. It is
    shared, so it must not be changed. What `remember` returned is the same the next time;
    a result that is computed for every run of a page is drawn for every run.
    """
    known = signature(draw).parameters
    of_view = {
        "mode": lambda: context.mode,
        "names": lambda: context.short_names,
        "colors": lambda: context.colors,
        "score_label": lambda: context.ranker.score_label,
    }
    look |= {name: of() for name, of in of_view.items() if name in known and name not in look}
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
