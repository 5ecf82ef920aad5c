"""Progress with the time that is left, shown once something takes over a second."""

from __future__ import annotations

import time

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.parallel import Progress
from analysis.wording import duration, thousands
from dashboard.compute import queue

PATIENCE = 0.4
"""Seconds after which it is clear whether the whole will take over a second."""
OFTEN = 0.2
"""Seconds from one sight of the bar to the next: each is a message to the browser."""
AT_ONCE = 0.05
"""What is done so soon was kept from a run before, and says nothing of the time that is left."""


class Bar:
    """A callback for `analysis.parallel` that shows a bar in ``slot`` when one is needed.

    Where other sessions' work comes first, it shows how many there are.

    ``doing`` says what goes on ("Resampling"), ``unit`` what is counted, ``of`` how much there is
    in the end where the first call is only a part of it.
    """

    def __init__(self, slot: DeltaGenerator, doing: str, unit: str, of: int | None) -> None:
        self._slot, self._doing, self._unit, self._of = slot, doing, unit, of
        self._began = time.monotonic()
        self._kept = 0
        self._shown = 0.0
        self._before = 0
        self.takes_long = False

    def __call__(self, done: int, total: int) -> None:
        whole = max(total, self._of or 0)
        passed = time.monotonic() - self._began
        if passed < AT_ONCE:
            self._kept = done
        if done <= self._kept and done < whole:
            self._wait(passed)
            return
        left = passed / max(1, done - self._kept) * (whole - done)
        self.takes_long = passed + left > 1
        if (
            self.takes_long
            and passed > PATIENCE
            and (passed - self._shown > OFTEN or done == whole)
        ):
            self._shown = passed
            words = f"{self._doing}: {thousands(done)} of {thousands(whole)} {self._unit}"
            self._slot.progress(
                min(done / whole, 1.0), text=f"{words} · about {duration(left)} left"
            )

    def _wait(self, passed: float) -> None:
        """Show the place in the queue while nothing is done yet."""
        before = queue.before_me()
        if before and before != self._before and passed > PATIENCE:
            self._before = before
            self._slot.progress(0.0, text=f"{self._doing}: {before} before you")

    def after(self, before: int) -> Progress:
        """Return a callback for a second run of the same whole, ``before`` being done already."""
        return lambda done, total: self(before + done, before + total)


def progress_in(
    slot: DeltaGenerator, doing: str, *, unit: str = "resamples", of: int | None = None
) -> Bar:
    """Return a bar in ``slot``, an `st.empty()`; give it to whatever takes a progress callback."""
    return Bar(slot, doing, unit, of)


def place_in_queue() -> Progress:
    """Return what shows how many other users come first, where the page stands at that time."""
    slots: list[DeltaGenerator] = []
    shown = 0

    def show(done: int, total: int) -> None:
        nonlocal shown
        before = 0 if done else queue.before_me()
        if before and not slots:
            slots.append(st.empty())
        changed, shown = before != shown, before
        for slot in slots if changed else []:
            if before:
                slot.progress(0.0, text=f"Waiting: {before} before you")
            else:
                slot.empty()

    return show
