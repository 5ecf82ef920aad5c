"""One of several, asked for in a row of buttons."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeVar

import streamlit as st

T = TypeVar("T")


def choose(
    label: str,
    options: Iterable[T],
    key: str,
    *,
    default: T | None = None,
    bind: Literal["query-params"] | None = "query-params",
    **more: Any,
) -> T:
    """Ask for one of several: the first, unless there is a default. The link keeps the answer."""
    names = list(options)
    usual = names[0] if default is None else default
    chosen: T = st.segmented_control(
        label, names, default=usual, required=True, key=key, bind=bind, **more
    )
    return chosen
