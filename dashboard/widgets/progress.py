"""Progress with the time that is left, shown once something takes over a second."""

from __future__ import annotations

import time

from streamlit.delta_generator import DeltaGenerator

from analysis.parallel import Progress
from dashboard.typography import duration, thousands

PATIENCE = 0.4
"""Seconds after which it is clear whether the whole will take over a second."""


def progress_in(slot: DeltaGenerator, doing: str, unit: str = "runs") -> Progress:
    """Return a callback for `analysis.parallel` that shows a bar in ``slot`` when it is needed.

    ``doing`` says what goes on ("Resampling"), ``unit`` what is counted.
    """
    began = time.monotonic()

    def report(done: int, total: int) -> None:
        passed = time.monotonic() - began
        left = passed / done * (total - done)
        if passed > PATIENCE and (passed + left > 1):
            words = f"{doing}: {thousands(done)} of {thousands(total)} {unit}"
            slot.progress(min(done / total, 1.0), text=f"{words} · about {duration(left)} left")

    return report
