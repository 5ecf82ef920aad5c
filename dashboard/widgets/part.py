"""Which systems a figure shows where there are many, and whether one axis holds them all."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from analysis.wording import span
from dashboard.widgets.choice import choose

MANY, PART = 24, 20
"""Above ``MANY`` systems, figures show ``PART`` at a time."""
ALL = -1


def choose_part(n: int) -> slice:
    """Ask for a part of the standings; all of them, without asking, where they fit the screen.

    The axis and the heads stand with every part.
    """
    if n <= MANY:
        return slice(0, n)
    starts = list(range(0, n, PART))
    if n - starts[-1] <= MANY - PART and len(starts) > 1:
        starts.pop()  # A few at the end stand with those before.
    ends = [*starts[1:], n]
    words = {start: span(start + 1, end) for start, end in zip(starts, ends, strict=True)}
    words[ALL] = f"All {n}"
    first = choose(
        "Places", words, f"places.{n}", format_func=words.__getitem__, persist_state="session"
    )
    if first == ALL:
        return slice(0, n)
    return slice(first, ends[starts.index(first)])


def first_part(n: int) -> slice:
    """Return what `choose_part` shows first, where nothing can be asked yet."""
    return slice(0, n if n <= MANY else PART)


def choose_axis(off: Sequence[str]) -> bool:
    """Ask whether systems far ``off`` stand on one axis with the others, once for all pages.

    Where there are none, nothing is asked.
    """
    return bool(off) and st.toggle(
        "One axis for all systems",
        key="whole-axis",
        bind="query-params",
        persist_state="session",
        help="Otherwise a system far from the others is an arrow at the edge of the axis.",
    )
