"""Where results are kept: samples' for everybody, those of anything else for one session."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import streamlit as st

T = TypeVar("T")

MAX_JUDGMENTS, MAX_FITS, MAX_RESULTS, MAX_CHUNKS, MAX_FIGURES = 6, 12, 200, 2000, 40
MISSING = object()


class Store:
    """A bounded memory of results by key; the least recently used goes first."""

    def __init__(self, max_entries: int) -> None:
        self._entries: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()
        self._max_entries = max_entries

    def get(self, key: Hashable, default: Any = None) -> Any:
        with self._lock:
            if key not in self._entries:
                return default
            self._entries.move_to_end(key)
            return self._entries[key]

    def put(self, key: Hashable, value: Any) -> None:
        with self._lock:
            self._entries[key] = value
            self._entries.move_to_end(key)
            while len(self._entries) > self._max_entries:
                self._entries.popitem(last=False)

    def forget(self, family: tuple[Hashable, ...]) -> None:
        """Drop everything whose key begins with ``family``."""
        with self._lock:
            for key in list(self._entries):
                if isinstance(key, tuple) and key[: len(family)] == family:
                    del self._entries[key]

    def get_or_make(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what is kept under the key, making it first where nothing is."""
        value = self.get(key, MISSING)
        if value is MISSING:
            value = make()
            self.put(key, value)
        result: T = value
        return result


class Memory:
    """Results and, apart from them, few large judgments, few fits, many chunks, some figures."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.judgments = Store(MAX_JUDGMENTS)
        self.fits = Store(MAX_FITS)
        self.results = Store(MAX_RESULTS)
        self.chunks = Store(MAX_CHUNKS)
        self.figures = Store(MAX_FIGURES)


@st.cache_resource(show_spinner=False)
def shared_memory() -> Memory:
    return Memory()


@st.cache_resource(show_spinner=False, scope="session")
def session_memory() -> Memory:
    return Memory()


def memory(is_sample: bool) -> Memory:
    """Return everybody's memory for samples, this session's own for anything else."""
    return shared_memory() if is_sample else session_memory()
